import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { ExpenseCategory } from '../contract.ts'

const base = (db: TenantDb) =>
  db
    .selectFrom('expenseCategories')
    .select(['id', 'code', 'name', 'version', 'archivedAt'])
    .where('businessId', '=', db.businessId)

type Row = Awaited<ReturnType<ReturnType<typeof base>['executeTakeFirstOrThrow']>>

const toCategory = ({ archivedAt, ...row }: Row): ExpenseCategory => ({ ...row, archived: archivedAt !== null })

/** Categories in their order, the archived ones last. */
export const listCategories = async (db: TenantDb): Promise<ExpenseCategory[]> => {
  const rows = (await base(db).orderBy('position').orderBy('name').execute()).map(toCategory)
  return [...rows.filter((row) => !row.archived), ...rows.filter((row) => row.archived)]
}

/** @throws AppError not_found */
export const getCategory = async (db: TenantDb, id: string): Promise<ExpenseCategory> => {
  const row = await base(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('category')
  return toCategory(row)
}
