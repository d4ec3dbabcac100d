import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { RenewalLine } from '../rules.ts'

/** How the rows of renewals are locked and found by what follows from them. */

/** @throws not_found */
export const lockRunTx = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('renewalRuns')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('renewal')
  return row
}

export const lockRenewalTx = (db: TenantDb, id: string) =>
  db
    .selectFrom('renewals')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const isRenewal = async (db: TenantDb, quoteId: string): Promise<boolean> =>
  (await db
    .selectFrom('renewals')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .executeTakeFirst()) !== undefined

/** The job whose next season a quote is, and when that is; null for every other quote. */
export const findRenewalOfQuote = async (db: TenantDb, quoteId: string) => {
  const row = await db
    .selectFrom('renewals as n')
    .innerJoin('renewalRuns as r', (x) => x.onRef('r.businessId', '=', 'n.businessId').onRef('r.id', '=', 'n.runId'))
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'n.businessId').onRef('j.id', '=', 'n.jobId'))
    .where('n.businessId', '=', db.businessId)
    .where('n.quoteId', '=', quoteId)
    .select([
      'n.id',
      'n.runId',
      'n.jobId',
      'n.lines',
      'n.renewedBefore',
      'r.startsOn',
      'r.endsOn',
      'r.mode',
      'j.title as jobTitle',
      'j.number as jobNumber',
    ])
    .executeTakeFirst()
  return row ? { ...row, lines: row.lines as unknown as RenewalLine[] } : null
}
export type Renewal = NonNullable<Awaited<ReturnType<typeof findRenewalOfQuote>>>
