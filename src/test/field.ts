import type { VisitStatus } from '../features/visits/rules.ts'
import { clock, setClock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { encryptField } from '../platform/keys.ts'
import { addDays, type Day, dayOf, instantAt } from '../shared/dates.ts'
import type { TestBusiness } from './factories.ts'

/** Rows of the field, inserted directly: crews with their people, a lawn with its customer, a visit with its job and line. */

/** Today where the test businesses are. */
export const today = (): Day => dayOf(clock.now(), 'America/New_York')

/** For tests that tell of the hours before now: it is noon of today, so that those are of the same day. Undone by `resetClock()`. */
export const setClockToNoon = (): void => {
  const ahead = Date.parse(instantAt(today(), 720, 'America/New_York')) - Date.now()
  setClock(() => new Date(Date.now() + ahead))
}

/** For tests of what may be put on a day whatever weekday it is when they run. */
export const everyDay = [0, 1, 2, 3, 4, 5, 6]

export const aCrew = async (
  business: TestBusiness,
  changes: { name?: string; members?: readonly { userId: string }[]; color?: string; workDays?: number[] } = {},
): Promise<string> => {
  const id = newId()
  await business.db(async (db) => {
    await db
      .insertInto('crews')
      .values({
        businessId: business.id,
        id,
        name: changes.name ?? `Crew ${id.slice(-4)}`,
        color: changes.color ?? '#1F6B45',
        depotLatitude: 32.05,
        depotLongitude: -81.1,
        ...(changes.workDays ? { workDays: changes.workDays } : {}),
      })
      .execute()
    for (const member of changes.members ?? []) {
      await db
        .insertInto('crewMembers')
        .values({
          businessId: business.id,
          id: newId(),
          crewId: id,
          userId: member.userId,
          validFrom: addDays(today(), -30),
        })
        .execute()
    }
  })
  return id
}

export type PropertyChanges = {
  street?: string
  gateCode?: string
  dog?: string
  parking?: string
  latitude?: number | null
  longitude?: number | null
}

export const aLawn = async (
  business: TestBusiness,
  changes: PropertyChanges & { customer?: string } = {},
): Promise<{ customerId: string; propertyId: string }> => {
  const customerId = newId()
  const propertyId = newId()
  await business.db(async (db) => {
    await db
      .insertInto('customers')
      .values({ businessId: business.id, id: customerId, name: changes.customer ?? 'Rebecca Odom' })
      .execute()
    await db
      .insertInto('properties')
      .values({
        businessId: business.id,
        id: propertyId,
        customerId,
        street: changes.street ?? '132 Laurel Green Ct',
        city: 'Savannah',
        state: 'GA',
        zip: '31419',
        latitude: changes.latitude === undefined ? 32.06 : changes.latitude,
        longitude: changes.longitude === undefined ? -81.11 : changes.longitude,
        dog: changes.dog ?? '',
        parking: changes.parking ?? '',
        gateCodeCipher: changes.gateCode ? encryptField(changes.gateCode) : null,
      })
      .execute()
  })
  return { customerId, propertyId }
}

const serviceOf = (business: TestBusiness): Promise<string> =>
  business.db(async (db) => {
    const known = await db
      .selectFrom('services')
      .select('id')
      .where('businessId', '=', business.id)
      .where('code', '=', 'FIELD-MOW')
      .executeTakeFirst()
    if (known) return known.id
    const id = newId()
    await db
      .insertInto('services')
      .values({
        businessId: business.id,
        id,
        code: 'FIELD-MOW',
        name: 'Mow, edge, blow',
        priceRule: JSON.stringify({}),
        timeRule: JSON.stringify({}),
        checklist: JSON.stringify([{ text: 'Close the gate', required: false }]),
      })
      .execute()
    return id
  })

export type VisitChanges = PropertyChanges & {
  day?: Day | null
  crewId?: string | null
  position?: number
  status?: VisitStatus
  priceCents?: number
  budgetMinutes?: number
  customer?: string
  startMinute?: number
  /** A lawn that stands already, with its customer. */
  lawn?: { customerId: string; propertyId: string }
}

let jobNumber = 5000

/** A visit with its own customer, lawn and job, or of a lawn that stands; scheduled for today with no crew unless told otherwise. */
export const aVisit = async (
  business: TestBusiness,
  changes: VisitChanges = {},
): Promise<{ visitId: string; jobId: string; customerId: string; propertyId: string }> => {
  const lawn = changes.lawn ?? (await aLawn(business, changes))
  const serviceId = await serviceOf(business)
  const [jobId, lineId, visitId] = [newId(), newId(), newId()]
  const day = changes.day === undefined ? today() : changes.day
  const priceCents = changes.priceCents ?? 5500
  const budgetMinutes = changes.budgetMinutes ?? 56
  const common = { businessId: business.id, ...lawn }
  await business.db(async (db) => {
    await db
      .insertInto('jobs')
      .values({
        ...common,
        id: jobId,
        number: jobNumber++,
        title: 'Weekly mowing',
        crewId: changes.crewId ?? null,
        startOn: day ?? today(),
      })
      .execute()
    await db
      .insertInto('jobLines')
      .values({
        businessId: business.id,
        id: lineId,
        jobId,
        serviceId,
        unitPriceCents: priceCents,
        budgetMinutes,
        onceOn: day ?? today(),
      })
      .execute()
    await db
      .insertInto('visits')
      .values({
        ...common,
        id: visitId,
        jobId,
        occurrenceOn: day ?? today(),
        day,
        crewId: changes.crewId ?? null,
        position: changes.position ?? null,
        plannedStartMinute: changes.startMinute ?? null,
        status: changes.status ?? (day ? 'scheduled' : 'unscheduled'),
        budgetMinutes,
        priceCents,
      })
      .execute()
    await db
      .insertInto('visitLines')
      .values({
        businessId: business.id,
        id: newId(),
        visitId,
        jobLineId: lineId,
        serviceId,
        description: 'Mow, edge, blow',
        unitPriceCents: priceCents,
        budgetMinutes,
      })
      .execute()
  })
  return { visitId, jobId, ...lawn }
}

/** Sends a crew its day as planned: what the route map does when it publishes. */
export const publishDay = async (business: TestBusiness, crewId: string, day: Day = today()): Promise<void> => {
  await business.db(async (db) => {
    await db
      .insertInto('routes')
      .values({ businessId: business.id, id: newId(), day, crewId, status: 'published', publishedAt: clock.iso() })
      .execute()
    await db
      .updateTable('visits')
      .set((eb) => ({
        publishedDay: eb.ref('day'),
        publishedCrewId: eb.ref('crewId'),
        publishedPosition: eb.ref('position'),
        publishedStartMinute: eb.ref('plannedStartMinute'),
        publishedDriveSeconds: eb.ref('plannedDriveSeconds'),
      }))
      .where('businessId', '=', business.id)
      .where('day', '=', day)
      .where('crewId', '=', crewId)
      .execute()
  })
}
