import type { TenantDb } from '../../../platform/db/tenant.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import type { ExpenseDraft } from '../contract.ts'

const mustFind = async (
  db: TenantDb,
  table: 'crews' | 'jobs' | 'visits' | 'users',
  ids: readonly (string | null)[],
  what: string,
): Promise<void> => {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', 'in', wanted)
    .execute()
  if (rows.length < wanted.length) throw notFound(what)
}

/** That everything an expense names is of this business. @throws AppError not_found */
export const assertNamed = async (
  db: TenantDb,
  { parts, paidByUserId }: Pick<ExpenseDraft, 'parts' | 'paidByUserId'>,
): Promise<void> => {
  await mustFind(db, 'users', [paidByUserId], 'person')
  await mustFind(
    db,
    'crews',
    parts.map((part) => part.crewId),
    'crew',
  )
  await mustFind(
    db,
    'jobs',
    parts.map((part) => part.jobId),
    'job',
  )
  await mustFind(
    db,
    'visits',
    parts.map((part) => part.visitId),
    'visit',
  )
}

/** That something may be booked in a category. @throws AppError validation_failed, state_conflict for one that is archived */
export const assertCategory = async (db: TenantDb, id: string): Promise<void> => {
  const row = await db
    .selectFrom('expenseCategories')
    .select(['name', 'archivedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw invalid([{ path: 'categoryId', message: 'Choose a category.' }])
  if (row.archivedAt !== null)
    throw conflict(`“${row.name}” is archived. Choose another category, or restore it. Nothing was saved.`)
}
