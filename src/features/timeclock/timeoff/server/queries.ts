import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { type PaidOff, paidDaysOf, paidOnce } from '../rules.ts'

/** No event of the calendar is longer; its table holds that. */
const longestEventDays = 92

/** Paid time off on these days, by person and in the order of the days. */
export const listPaidOff = async (
  db: TenantDb,
  { from, to, userId = null }: { from: Day; to: Day; userId?: string | null },
): Promise<Map<string, PaidOff[]>> => {
  let query = db
    .selectFrom('calendarEvents')
    .where('businessId', '=', db.businessId)
    .where('deletedAt', 'is', null)
    .where('paidMinutes', 'is not', null)
    // no event is longer than that, so what is over is not read
    .where('firstDay', '>=', addDays(from, -longestEventDays))
    .where('firstDay', '<=', to)
    .where('lastDay', '>=', from)
  if (userId) query = query.where('userId', '=', userId)
  const rows = await query
    .select(['userId', 'firstDay', 'lastDay', 'payKind', 'paidMinutes'])
    .orderBy('firstDay')
    .orderBy('id')
    .execute()
  if (rows.length === 0) return new Map()
  const business = await db
    .selectFrom('businesses')
    .select(['workDays', 'holidays'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const events = rows.flatMap(({ userId: id, ...event }) => {
    const days = paidDaysOf(event, business).filter(({ day }) => day >= from && day <= to)
    return id ? [{ id, long: event.firstDay !== event.lastDay && event.payKind !== 'holiday', days }] : []
  })
  return new Map([...Map.groupBy(events, ({ id }) => id)].map(([id, own]) => [id, paidOnce(own)]))
}
