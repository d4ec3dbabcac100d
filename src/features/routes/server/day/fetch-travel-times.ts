import type { Actor } from '../../../../platform/actor.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { travelEngine } from '../../../../platform/geo/engines.ts'
import type { Day } from '../../../../shared/dates.ts'
import { fetchTravelTimes, wantTravelTimes } from '../../../travel/server/commands.ts'
import { placesOf } from './planning-context.ts'
import { departureOf, readDays } from './read-day.ts'

/** What plans of days need of the road engine. */

const askedFor = async (db: TenantDb, days: readonly Day[]) => {
  const data = await readDays(db, days)
  const { points, depotCount } = placesOf(data)
  const [first] = data
  return first ? { points, options: { departure: departureOf(first), hubs: depotCount } } : null
}

/** The drives of some days, as far as they are not known yet: before a search, outside of any transaction. True when some came. */
export const fetchTravelTimesFor = async (actor: Actor, days: readonly Day[]): Promise<boolean> => {
  if (!travelEngine()) return false
  const asked = await withTenant(actor, (db) => askedFor(db, days))
  return asked !== null && (await fetchTravelTimes(actor, asked.points, asked.options)) > 0
}

/**
 * Who looks at a day with estimates gets what is there at once; the roads come behind it, asked for in a transaction of its own: the look
 * itself writes nothing, and the look of support or of a tour asks for nothing.
 */
export const askForTravelTimes = async (actor: Actor, day: Day): Promise<void> => {
  if (!travelEngine() || actor.readOnly) return
  await withTenant(actor, async (db) => {
    const asked = await askedFor(db, [day])
    if (asked) await wantTravelTimes(db, asked.points, asked.options)
  })
}
