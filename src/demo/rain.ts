import { sql } from 'kysely'
import { openDaysAfter } from '../features/visits/days/rules.ts'
import { getWorkCalendar } from '../features/visits/server/queries.ts'
import { markDay } from '../features/weather/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { type TenantDb, withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays, type Day, weekdayOf } from '../shared/dates.ts'

const wetMorning = [7, 8, 9, 10, 11, 12, 13]

/** Rain took the second work day of a week that is over; its stops were made up on the two after it. Runs before those days are planned. */
export const rainOff = async (
  db: TenantDb,
  week: Day,
  workDays: readonly number[],
  crews: readonly { id: string }[],
): Promise<void> => {
  const days = Array.from({ length: 7 }, (_, i) => addDays(week, i)).filter((day) => workDays.includes(weekdayOf(day)))
  const [, wet, ...later] = days
  const [next, second] = later
  if (!wet || !next || !second) return
  await db
    .insertInto('weatherMarks')
    .values({ businessId: db.businessId, id: newId(), day: wet, hours: wetMorning })
    .execute()
  for (const { id: crewId } of crews)
    await db
      .insertInto('crewDaysOff')
      .values({ businessId: db.businessId, id: newId(), crewId, day: wet, reason: 'rain', createdAt: clock.iso() })
      .execute()
  await sql`
    update visits v set moved_from = v.day, day = case when r.n % 2 = 0 then ${next}::date else ${second}::date end
    from (select id, row_number() over (partition by crew_id order by id) as n from visits
      where business_id = ${db.businessId} and day = ${wet}) r
    where v.business_id = ${db.businessId} and v.id = r.id`.execute(db)
}

/** Rain is to come on the next work day: the afternoon is marked, as the office does where no forecast is connected. */
export const rainAhead = async (owner: Actor): Promise<void> => {
  const { calendar } = await withTenant(owner, async (db) => ({ calendar: await getWorkCalendar(db) }))
  const [next] = openDaysAfter(calendar, calendar.today, null, 1)
  if (next) await markDay(owner, { day: next, hours: [13, 14, 15], version: 0 })
}
