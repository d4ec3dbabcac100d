import { sql } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { lockDay } from '../day/day-guards.ts'
import { ordersOf } from '../day/planning-context.ts'
import { readPlanningContext } from '../day/read-day.ts'
import { savePlan } from './save-plan.ts'

/** Planned days that are gone through after one change: nobody plans farther ahead. */
const mostDays = 62

type Planned = { day: Day; crewIds: string[] }

type Days = {
  from: Day
  /** Null: from then on. */
  to: Day | null
  /** Crews whose times hang on it; all when left out. */
  crewIds?: readonly string[]
}

const listPlanned = async (actor: SystemActor, { from, to, crewIds }: Days): Promise<Planned[]> =>
  withTenant(actor, async (db) => {
    const today = await todayOf(db)
    const { rows } = await sql<Planned>`
    select r.day, array_agg(r.crew_id::text) as "crewIds" from routes r
    join crews c on c.business_id = r.business_id and c.id = r.crew_id and c.archived_at is null
    where r.business_id = ${db.businessId} and r.day >= greatest(${from}::date, ${today}::date) and (${to}::date is null or r.day <= ${to}::date)
      and (${crewIds ? [...crewIds] : null}::uuid[] is null or r.crew_id = any(${crewIds ? [...crewIds] : null}::uuid[]))
      and exists (select 1 from visits v where v.business_id = r.business_id and v.day = r.day and v.crew_id = r.crew_id and v.status = 'scheduled')
      and not exists (select 1 from visits v where v.business_id = r.business_id and v.day = r.day and v.crew_id = r.crew_id
        and v.status = 'scheduled' and v.position is null)
    group by r.day order by r.day limit ${mostDays}`.execute(db)
    return rows
  })

/**
 * Gives the stops of planned routes their times anew, in the order in which they stand; what nobody planned yet stays without. Each day for
 * itself: nobody who plans another day waits for all of them.
 */
export const retimeDays = async (actor: SystemActor, days: Days): Promise<void> => {
  for (const { day, crewIds } of await listPlanned(actor, days))
    await withTenant(actor, async (db) => {
      await lockDay(db, await readPlanningContext(db, day))
      const context = await readPlanningContext(db, day)
      await savePlan(db, context, ordersOf(context), { crewIds })
    })
}
