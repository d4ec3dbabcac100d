import { sql } from 'kysely'
import type { Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf, formatDay } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { notifyUsers } from '../../../notifications/server/commands.ts'
import { pushTx } from '../../../push/server/commands.ts'
import { workedPlace } from '../../rules.ts'
import { takeDayPricesTx } from '../prices/commands.ts'
import { compareRoutesTx, followRoute, sendStopTx } from '../route/commands.ts'
import { entity, type LockedVisit, placeless, writeVisit } from '../row/commands.ts'

/** Where a visit stands that its crew worked on although the office had given it another day. */

/**
 * Does a crew's work on a visit, which then stands on the day and with the crew that did it, whatever the office had planned meanwhile.
 * @param crewIds the crews of whoever worked, on the day of the work
 * @param decided the office says that their work counts, although the visit was never theirs or is not any more
 */
export const workWhereDoneTx = async (
  db: TenantDb,
  who: Who,
  visit: LockedVisit,
  done: { at: string; crewIds: readonly string[]; decided?: boolean },
  work: (visit: LockedVisit) => Promise<void>,
): Promise<void> => {
  const on = dayOf(done.at, await timeZoneOf(db))
  const usual = workedPlace(visit, on, done.crewIds)
  const [crewId] = done.crewIds
  const isTheirs = done.crewIds.includes((usual ?? visit).crewId ?? '')
  const place = done.decided && crewId && !isTheirs ? { day: on, crewId } : usual
  const stands = place ?? { day: visit.day, crewId: visit.crewId }
  const sentElsewhere =
    visit.publishedDay !== null && (visit.publishedDay !== stands.day || visit.publishedCrewId !== stands.crewId)
  if (!place && !(sentElsewhere && stands.day === on && done.crewIds.includes(stands.crewId ?? ''))) return work(visit)
  const movedFrom = visit.movedFrom === stands.day ? null : visit.movedFrom
  let prices: ReadonlyMap<string, number> = new Map()
  if (place) {
    await writeVisit(db, visit, { ...placeless, ...place, movedFrom })
    const { day } = visit
    prices = await takeDayPricesTx(db, [{ id: visit.id, from: day }])
    await audit(db, who, 'visit.worked', entity(visit.id), { before: { day, crewId: visit.crewId }, after: place })
  }
  // What a phone, the board and the pay show of work that began is where it was sent: that follows those who did it.
  const sent = await sendStopTx(db, visit.id, stands)
  await work({ ...visit, ...stands, ...sent, movedFrom, priceCents: prices.get(visit.id) ?? visit.priceCents })
  await followRoute(db, visit)
  for (const one of new Set([visit.day, visit.publishedDay, stands.day])) if (one) await compareRoutesTx(db, one)
}

/** Tells the people of a crew at once that a stop of the day that they were sent is theirs no more. */
export const tellMovedTx = async (
  db: TenantDb,
  visit: LockedVisit,
  to: { day: Day | null; crewId: string | null },
): Promise<void> => {
  const { publishedDay: day, publishedCrewId: crewId } = visit
  if (day === null || crewId === null || (to.day === day && to.crewId === crewId)) return
  const people = await db
    .selectFrom('crewMembers')
    .select('userId')
    .where('businessId', '=', db.businessId)
    .where('crewId', '=', crewId)
    .where('validFrom', '<=', day)
    .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', day)]))
    .execute()
  const { street } = await db
    .selectFrom('visits as v')
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'v.businessId').onRef('p.id', '=', 'v.propertyId'),
    )
    .where('v.businessId', '=', db.businessId)
    .where('v.id', '=', visit.id)
    .select('p.street')
    .executeTakeFirstOrThrow()
  const where = to.day === null ? 'off the calendar' : to.day === day ? 'to another crew' : `to ${formatDay(to.day)}`
  await notifyUsers(
    db,
    people.map(({ userId }) => userId),
    {
      type: 'job',
      title: `The office moved ${street} ${where}`,
      content: 'Leave it out today. What you have begun there counts for today.',
      path: paths.employeeDashboard,
      crew: { code: 'moved', street, day: to.day, sameDay: to.day === day },
      dedupeKey: `moved:${visit.id}:${visit.version}`,
    },
  )
}

/** Rings the phones of a crew that gets a stop more on a day that it was sent already. */
export const tellAddedTx = async (
  db: TenantDb,
  visit: LockedVisit,
  { day, crewId }: { day: Day | null; crewId: string | null },
): Promise<void> => {
  if (day === null || crewId === null || (visit.day === day && visit.crewId === crewId)) return
  const route = await db
    .selectFrom('routes')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .where('crewId', '=', crewId)
    .where('publishedAt', 'is not', null)
    .executeTakeFirst()
  if (!route) return
  const { rows } = await sql<{ userId: string; street: string }>`
    select distinct m.user_id as "userId", p.street
    from crew_members m, visits v
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    where m.business_id = ${db.businessId} and m.crew_id = ${crewId} and m.valid_from <= ${day} and (m.valid_to is null or m.valid_to >= ${day})
      and v.business_id = ${db.businessId} and v.id = ${visit.id}`.execute(db)
  await pushTx(
    db,
    rows.map(({ userId, street }) => ({
      userId,
      key: `added:${visit.id}:${visit.version}`,
      about: { code: 'added', street, day },
      path: paths.employeeDashboard,
    })),
  )
}
