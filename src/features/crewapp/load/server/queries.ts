import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { findCrewCheck } from '../../../equipment/checks/server/queries.ts'
import { listDayStops } from '../../../visits/server/queries.ts'
import { crewsOn } from '../../server/queries.ts'
import { findStops } from '../../server/stops/queries.ts'
import type { CrewLoad } from '../contract.ts'
import { isToLoad, loadOf } from '../rules.ts'

/** What each crew loads for a day, by the rule by which the phones make their own lists; a crew with nothing to work is not named. */
export const getDayLoads = async (db: TenantDb, day: Day): Promise<{ day: Day; crews: CrewLoad[] }> => {
  const stops = await listDayStops(db, day)
  const crewIds = [...new Set(stops.map(({ crewId }) => crewId))]
  if (crewIds.length === 0) return { day, crews: [] }
  const details = await findStops(
    db,
    stops.map(({ visitId }) => visitId),
  )
  const changed = await db
    .selectFrom('routes')
    .select('crewId')
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .where('status', '!=', 'planned')
    .where('dirty', '=', true)
    .execute()
  const crews: CrewLoad[] = []
  for (const { id, name, members } of await crewsOn(db, crewIds, day)) {
    const mine = stops.filter(({ crewId }) => crewId === id)
    const found = mine.flatMap(({ visitId }) => {
      const stop = details.get(visitId)
      const isElsewhere = stop?.status === 'scheduled' && stop.crewNow !== null && stop.crewNow !== id
      return stop ? [{ ...stop, ...(isElsewhere ? { withOther: true as const } : {}) }] : []
    })
    const toWork = found.filter(isToLoad).length
    if (toWork === 0) continue
    crews.push({
      crewId: id,
      name,
      people: members,
      stops: toWork,
      published: mine.every((one) => one.published),
      changed: changed.some(({ crewId }) => crewId === id),
      load: loadOf({ stops: found, check: await findCrewCheck(db, id, day) }),
    })
  }
  return { day, crews }
}
