import type { Actor } from '../../../platform/actor.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { travelEngine } from '../../../platform/geo/engines.ts'
import type { Day } from '../../../shared/dates.ts'
import { fetchDrives, wantDrives } from '../../travel/server/commands.ts'
import { placesOf } from './policy.ts'
import { departureOf, readDay } from './queries.ts'

/** What a day's plan needs of the road engine. */

/** The drives of a day, as far as they are not known yet: before a search, outside of any transaction. */
export const fetchRoads = async (actor: Actor, day: Day): Promise<void> => {
  if (!travelEngine()) return
  const data = await withTenant(actor, (db) => readDay(db, day))
  const { points, yards } = placesOf(data)
  await fetchDrives(actor, points, { departure: departureOf(data), hubs: yards })
}

/** Who looks at a day with estimates gets what is there at once; the roads come behind it. */
export const askForRoads = async (db: TenantDb, day: Day): Promise<void> => {
  if (!travelEngine()) return
  const data = await readDay(db, day)
  const { points, yards } = placesOf(data)
  await wantDrives(db, points, { departure: departureOf(data), hubs: yards })
}
