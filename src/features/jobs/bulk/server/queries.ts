import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { BulkChange, type BulkEdit, type BulkSummary, MinutesChange, PlacesChange } from '../contract.ts'

const shown = 20

const read = (db: TenantDb) =>
  db
    .selectFrom('jobEdits as e')
    .leftJoin('users as u', (join) => join.onRef('u.businessId', '=', 'e.businessId').onRef('u.id', '=', 'e.createdBy'))
    .where('e.businessId', '=', db.businessId)
    .select(['e.id', 'e.change', 'e.summary', 'e.createdAt as at', 'e.undoneAt', 'u.name as byName'])
    .select((eb) =>
      eb
        .selectFrom('jobEditJobs as one')
        .select((count) => count.fn.countAll<number>().as('n'))
        .whereRef('one.businessId', '=', 'e.businessId')
        .whereRef('one.editId', '=', 'e.id')
        .where('one.undoneAt', 'is not', null)
        .as('undoneJobs'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof read>['execute']>>[number]

/** What was changed as a person may see it: money only with the permission for it. */
const editFor = (actor: Actor, { change, summary, byName, ...row }: Row): BulkEdit => {
  const { kind } = change as { kind: string }
  const known = (kind === 'places' ? PlacesChange : kind === 'minutes' ? MinutesChange : BulkChange).parse(change)
  const said = summary as BulkSummary
  const money = hasPermission(actor, 'money')
  return {
    ...row,
    ...said,
    undoneJobs: Number(row.undoneJobs),
    byName: byName ?? 'Somebody',
    month: money ? said.month : null,
    change: known.kind === 'price' && !money ? { ...known, cents: 0, percent: 0 } : known,
  }
}

/** The last changes of many jobs, the newest first. */
export const listJobEdits = async (db: TenantDb, actor: Actor): Promise<BulkEdit[]> => {
  const rows = await read(db).orderBy('e.createdAt', 'desc').orderBy('e.id', 'desc').limit(shown).execute()
  return rows.map((row) => editFor(actor, row))
}

/** So many customers without such a job are named. */
const mostNames = 5

/** The recurring jobs of customers that go on, the first so many by number, and who has none. */
export const listRecurringJobs = async (db: TenantDb, customerIds: readonly string[], limit: number) => {
  const going = sql<boolean>`j.business_id = ${db.businessId} and j.status in ('active', 'paused') and j.archived_at is null
    and exists (select 1 from job_lines l where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null
      and l.recurrence is not null)`
  const { rows } = await sql<{ id: string }>`
    select j.id from jobs j where ${going} and j.customer_id = any(${[...customerIds]}::uuid[])
    order by j.number limit ${limit}`.execute(db)
  const { rows: none } = await sql<{ name: string; count: number }>`
    select c.name, count(*) over ()::int as count from customers c
    where c.business_id = ${db.businessId} and c.id = any(${[...customerIds]}::uuid[])
      and not exists (select 1 from jobs j where ${going} and j.customer_id = c.id)
    order by lower(c.name), c.id limit ${mostNames}`.execute(db)
  return { ids: rows.map(({ id }) => id), without: { count: none[0]?.count ?? 0, names: none.map(({ name }) => name) } }
}

/** @throws AppError not_found */
export const getJobEdit = async (db: TenantDb, actor: Actor, id: string): Promise<BulkEdit> => {
  const row = await read(db).where('e.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('change')
  return editFor(actor, row)
}

/** Of changes of many that are still kept: on which jobs each was taken back. */
export const listEditsUndone = async (db: TenantDb, ids: readonly string[]): Promise<Map<string, Set<string>>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('jobEditJobs')
    .select(['editId', 'jobId', 'undoneAt'])
    .where('businessId', '=', db.businessId)
    .where('editId', 'in', [...ids])
    .execute()
  const found = new Map<string, Set<string>>()
  for (const { editId, jobId, undoneAt } of rows) {
    const undone = found.get(editId) ?? new Set()
    if (undoneAt !== null) undone.add(jobId)
    found.set(editId, undone)
  }
  return found
}
