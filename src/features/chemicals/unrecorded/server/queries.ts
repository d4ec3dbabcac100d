import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { ApplicationDraft } from '../../records/contract.ts'
import type { Unrecorded } from '../contract.ts'
import { typedLines } from '../rules.ts'

/** More than these are not shown at once; the oldest come up when newer ones are done. */
const mostShown = 50

type Row = Omit<Unrecorded, 'typed' | 'draft'> & { raw: Record<string, unknown> }

const shape = ApplicationDraft.shape as unknown as Record<
  string,
  { safeParse: (value: unknown) => { success: boolean; data?: unknown } }
>

/** What of a record that did not fit can be gone on from: field by field. */
const draftOf = (raw: Record<string, unknown>): Unrecorded['draft'] => {
  const fitting = Object.entries(raw).flatMap(([key, value]) => {
    const read = shape[key]?.safeParse(value)
    return read?.success ? [[key, read.data] as const] : []
  })
  return fitting.length === 0 ? null : (Object.fromEntries(fitting) as Unrecorded['draft'])
}

const read = async (db: TenantDb, which: RawBuilder<SqlBool>): Promise<Unrecorded[]> => {
  const { rows } = await sql<Row>`
    select n.id, n.visit_id as "visitId", v.job_id as "jobId", n.kind, n.at, split_part(u.name, ' ', 1) as by, p.street, n.reason,
      n.typed as raw, n.settled_at as "settledAt"
    from unrecorded_applications n
    left join users u on u.business_id = n.business_id and u.id = n.user_id
    left join visits v on v.business_id = n.business_id and v.id = n.visit_id
    left join properties p on p.business_id = v.business_id and p.id = v.property_id
    where n.business_id = ${db.businessId} and ${which}
    order by n.at desc, n.id limit ${mostShown}`.execute(db)
  return rows.map(({ raw, ...row }) => ({ ...row, typed: typedLines(raw), draft: draftOf(raw) }))
}

/** What waits to be recorded, of one visit or of all. */
export const listUnrecorded = (db: TenantDb, visitId?: string): Promise<Unrecorded[]> =>
  read(db, sql<SqlBool>`n.settled_at is null ${visitId ? sql`and n.visit_id = ${visitId}` : sql``}`)

export const getUnrecorded = async (db: TenantDb, id: string): Promise<Unrecorded> => {
  const [found] = await read(db, sql<SqlBool>`n.id = ${id}`)
  if (!found) throw notFound('application')
  return found
}
