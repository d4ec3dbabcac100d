import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

/** Days with a meal premium, by person. */
export const listMealPremiums = async (
  db: TenantDb,
  { from, to, userId = null }: { from: Day; to: Day; userId?: string | null },
): Promise<Map<string, Day[]>> => {
  let query = db
    .selectFrom('mealPremiums')
    .select(['userId', 'day'])
    .where('businessId', '=', db.businessId)
    .where('day', '>=', from)
    .where('day', '<=', to)
  if (userId) query = query.where('userId', '=', userId)
  const rows = await query.orderBy('day').execute()
  return new Map([...Map.groupBy(rows, (row) => row.userId)].map(([id, own]) => [id, own.map(({ day }) => day)]))
}
