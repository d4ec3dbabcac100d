import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf } from '../../../../shared/can.ts'
import { type Day, dayOf } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { listOpenings } from '../../../routes/openings/server/queries.ts'
import { type Frequency, ruleOfDay } from '../../../services/rules.ts'
import type { LawnWay } from '../../requests/rules.ts'
import { getKept, listBookable } from '../../requests/server/queries.ts'
import { type LeadBooking, leadBookingApi } from '../contract.ts'
import {
  type BookedLine,
  bookableDays,
  bookedLawn,
  bookedLines,
  bookingRefusals,
  byDriving,
  type Opening,
} from '../rules.ts'

const needs = { accept: leadBookingApi.accept, refuse: leadBookingApi.refuse }

export type Wished = {
  point: { lat: number; lng: number }
  lawn: { squareFeet: number; way: LawnWay }
  services: readonly { id: string; frequency: Frequency }[]
}

export type Told = { lines: BookedLine[]; squareFeet: number; totalCents: number; minutes: number; skills: string[] }

const todayOf = async (db: TenantDb): Promise<Day> => dayOf(clock.now(), await timeZoneOf(db))

/** What is asked for, priced and timed here; null where something of it cannot be booked on the page. */
export const tellBooking = async (db: TenantDb, { lawn, services }: Wished): Promise<Told | null> => {
  const bookable = await listBookable(db)
  const today = await todayOf(db)
  const ids = [...new Set(services.map(({ id }) => id))]
  const chosen = ids.flatMap((id) => {
    const service = bookable.find((one) => one.id === id)
    const frequency = services.find((one) => one.id === id)?.frequency ?? 'once'
    // Only mowing comes back by itself, as the page offers it.
    return service
      ? [
          {
            service,
            rule: ruleOfDay(service, today),
            frequency: service.category === 'mow' ? frequency : ('once' as const),
          },
        ]
      : []
  })
  const squareFeet = bookedLawn(lawn.squareFeet, lawn.way)
  const lines = chosen.length === ids.length ? bookedLines(squareFeet, chosen) : null
  if (!lines) return null
  return {
    lines,
    squareFeet,
    totalCents: lines.reduce((sum, { priceCents }) => sum + priceCents, 0),
    minutes: lines.reduce((sum, { minutes }) => sum + minutes, 0),
    skills: [...new Set(chosen.flatMap(({ service }) => service.skills))],
  }
}

/** What of the days is taken or held by visitors of the page; what somebody holds themselves is free for them. */
const listTaken = async (db: TenantDb, days: readonly Day[], exceptId: string | null) =>
  (
    await db
      .selectFrom('pageBookings')
      .select(['id', 'day', 'status', 'crewId', 'latitude', 'longitude', 'minutes', 'heldUntil'])
      .where('businessId', '=', db.businessId)
      .where('day', 'in', [...days])
      .where('status', '!=', 'refused')
      .limit(2000)
      .execute()
  ).filter(
    ({ id, status, heldUntil }) => id !== exceptId && (status !== 'held' || Date.parse(heldUntil) > clock.nowMs()),
  )

/**
 * The days that can be picked, what suits the routes best first: within the days ahead, below the most a day, with room in a crew's day.
 * @param only one day that is asked about
 */
export const listPickable = async (
  db: TenantDb,
  { point, minutes, skills }: { point: { lat: number; lng: number }; minutes: number; skills: readonly string[] },
  { only, exceptId = null }: { only?: Day; exceptId?: string | null } = {},
): Promise<Opening[]> => {
  const { bookDaysAhead, bookMostDaily } = await getKept(db)
  const ahead = bookableDays(await todayOf(db), bookDaysAhead).filter((day) => !only || day === only)
  if (ahead.length === 0) return []
  const taken = await listTaken(db, ahead, exceptId)
  const free = ahead.filter((day) => taken.filter((one) => one.day === day).length < bookMostDaily)
  const held = taken
    // What is booked stands in the routes already.
    .filter(({ status }) => status !== 'booked')
    .map(({ id, day, crewId, latitude, longitude, minutes: budgetMinutes }) => ({
      id,
      day,
      crewId,
      latitude,
      longitude,
      budgetMinutes,
    }))
  const openings = await listOpenings(
    db,
    free,
    { latitude: point.lat, longitude: point.lng, budgetMinutes: minutes, skills },
    held,
  )
  return openings.sort(byDriving)
}

export const findBookingOfLead = async (db: TenantDb, actor: Actor, leadId: string): Promise<LeadBooking | null> => {
  const row = await db
    .selectFrom('pageBookings as b')
    .innerJoin('crews as c', (x) => x.onRef('c.businessId', '=', 'b.businessId').onRef('c.id', '=', 'b.crewId'))
    .where('b.businessId', '=', db.businessId)
    .where('b.leadId', '=', leadId)
    .select(['b.id', 'b.status', 'b.day', 'b.priceCents', 'b.lines', 'b.jobId', 'c.name as crewName'])
    .orderBy('b.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const lines = row.lines as unknown as BookedLine[]
  return {
    id: row.id,
    status: row.status,
    day: row.day,
    crewName: row.crewName,
    totalCents: hasPermission(actor, 'money') ? row.priceCents : null,
    services: lines.map(({ name, frequency }) => ({ name, frequency })),
    jobId: row.jobId,
    can: canOf(actor, needs, bookingRefusals, row),
  }
}

/** The same for who asks about a lead. @throws not_found */
export const getBookingOfLead = async (
  db: TenantDb,
  actor: Actor,
  leadId: string,
): Promise<{ booking: LeadBooking | null }> => {
  const lead = await db
    .selectFrom('businessLeads')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', leadId)
    .executeTakeFirst()
  if (!lead) throw notFound('lead')
  return { booking: await findBookingOfLead(db, actor, leadId) }
}
