import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { Recurring } from '../contract.ts'
import { yearlyCents } from '../rules.ts'

const base = (db: TenantDb) =>
  db
    .selectFrom('recurringExpenses as r')
    .innerJoin('expenseCategories as c', (x) =>
      x.onRef('c.businessId', '=', 'r.businessId').onRef('c.id', '=', 'r.categoryId'),
    )
    .leftJoin('crews as w', (x) => x.onRef('w.businessId', '=', 'r.businessId').onRef('w.id', '=', 'r.crewId'))
    .where('r.businessId', '=', db.businessId)
    .select([
      'r.id',
      'r.every',
      'r.firstOn',
      'r.endOn',
      'r.nextOn',
      'r.vendor',
      'r.note',
      'r.totalCents',
      'r.taxCents',
      'r.method',
      'r.version',
      'r.deletedAt',
      'c.id as categoryId',
      'c.name as categoryName',
      'w.id as crewId',
      'w.name as crewName',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof base>['executeTakeFirstOrThrow']>>

const toRecurring = ({ categoryId, categoryName, crewId, crewName, deletedAt, ...row }: Row): Recurring => ({
  ...row,
  category: { id: categoryId, name: categoryName },
  crew: crewId === null ? null : { id: crewId, name: crewName ?? '' },
  removed: deletedAt !== null,
})

/** Costs that come again, the next one first and those that ended last; with what they come to in a year. */
export const listRecurring = async (db: TenantDb) => {
  const rows = await base(db)
    .where('r.deletedAt', 'is', null)
    .orderBy('r.nextOn', (x) => x.asc().nullsLast())
    .orderBy('r.id')
    .limit(500)
    .execute()
  const items = rows.map(toRecurring)
  return {
    items,
    yearlyCents: items.reduce(
      (sum, { nextOn, totalCents, every }) => sum + (nextOn === null ? 0 : yearlyCents(totalCents, every)),
      0,
    ),
  }
}

/** @throws AppError not_found */
export const getRecurring = async (db: TenantDb, id: string): Promise<Recurring> => {
  const row = await base(db).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('recurring cost')
  return toRecurring(row)
}
