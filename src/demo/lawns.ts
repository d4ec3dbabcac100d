import { createJobsTx, type NewJob } from '../features/jobs/server/commands.ts'
import { suppress } from '../features/messages/server/commands.ts'
import { measureOf, unmeasured } from '../features/services/measures/rules.ts'
import { minutesFor, priceFor } from '../features/services/rules.ts'
import { addDefaultServicesTx } from '../features/services/server/commands.ts'
import { systemActor } from '../platform/actor.ts'
import type { TenantDb } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { encryptField } from '../platform/keys.ts'
import { addDays, type Day, weekdayOf } from '../shared/dates.ts'
import { companies, personName } from './people.ts'
import { placeOf } from './places.ts'
import type { DemoCrew } from './season.ts'

const customerCount = 120

export type Lawn = {
  customerId: string
  propertyId: string
  squareFeet: number
  difficulty: number
  crew: string
  weekly: boolean
  treated: boolean
  /** Beds are weeded every second week. */
  beds: boolean
  n: number
}

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

/** Beds and their edges, as the office walked and typed them. */
const areasOf = (db: TenantDb, propertyId: string, n: number, at: string) => {
  const area = { businessId: db.businessId, propertyId, createdAt: at, updatedAt: at }
  const [front, back] = [180 + (n % 9) * 40, 120 + (n % 7) * 30]
  const [bed, edge] = ['bed' as const, 'edge' as const]
  return [
    { ...area, id: newId(), kind: bed, name: 'Front beds', squareFeet: front, feetAround: null, position: 0 },
    { ...area, id: newId(), kind: bed, name: 'Back beds', squareFeet: back, feetAround: null, position: 1 },
    { ...area, id: newId(), kind: edge, name: 'Bed edges', squareFeet: 0, feetAround: 90 + (n % 11) * 20, position: 2 },
  ]
}

/** Invented customers around one real city. */
export const makeCustomers = async (db: TenantDb, today: Day, random: () => number): Promise<Lawn[]> => {
  const lawns: Lawn[] = []
  const customers = []
  const properties = []
  const areas = []
  for (let n = 0; n < customerCount; n++) {
    const company = n % 15 === 7 ? (companies[Math.floor(n / 15)] ?? null) : null
    const name = personName(n)
    const customerId = newId()
    const since = new Date(Date.parse(`${addDays(today, -60 - Math.floor(random() * 500))}T15:00:00Z`)).toISOString()
    const weekly = company !== null || random() < 0.86
    const treated = random() < 0.4
    customers.push({
      businessId: db.businessId,
      language: customers.length % 12 === 5 ? 'es' : 'en',
      id: customerId,
      type: company ? ('commercial' as const) : ('residential' as const),
      name: company ?? name,
      company: company ? name : null,
      email: n % 23 === 11 ? null : `${name.toLowerCase().replaceAll(' ', '.')}${n}@example.com`,
      phone: `+1912555${String(100 + (n % 100)).padStart(4, '0')}`,
      tags: [weekly ? 'weekly' : 'biweekly', ...(company ? ['commercial'] : []), ...(treated ? ['treatments'] : [])],
      source: pick(['referral', 'import', 'website', 'yard sign'], random),
      createdAt: since,
      updatedAt: since,
      ...(n === 50 ? { holdInvoices: true } : {}),
      // some want their invoices by text, some by both
      paperWay: n % 19 === 4 ? ('text' as const) : n % 19 === 13 ? ('both' as const) : null,
    })
    // A company has several grounds; a household has one lawn.
    for (let ground = 0; ground < (company ? 4 : 1); ground++) {
      const place = placeOf(ground === 0 ? n : customerCount + n * 3 + ground, random)
      const propertyId = newId()
      const squareFeet = company
        ? 18_000 + Math.round(random() * 40) * 1000
        : 5000 + Math.round(random() ** 1.4 * 68) * 250
      const difficulty = random() < 0.7 ? 1 : random() < 0.7 ? 2 : 3
      properties.push({
        businessId: db.businessId,
        id: propertyId,
        customerId,
        street: place.street,
        city: place.city,
        state: place.state,
        zip: place.zip,
        latitude: place.latitude,
        longitude: place.longitude,
        geocodeQuality: 'exact' as const,
        lawnSquareFeet: squareFeet,
        difficulty,
        dog:
          !company && random() < 0.16
            ? pick(['Dog in back yard', 'Two dogs, friendly, mind the gate', 'Small dog, knock first'], random)
            : '',
        gateCodeCipher: random() < 0.14 ? encryptField(String(1000 + Math.floor(random() * 8999))) : null,
        parking:
          random() < 0.2
            ? pick(['On the street, not the drive', 'Trailer fits on the side road', 'Use the alley'], random)
            : '',
        mowHeightInches: pick([2.5, 3, 3, 3.5], random),
        clippings: random() < 0.2 ? ('bag' as const) : ('mulch' as const),
        noGo: random() < 0.08 ? 'Keep off the septic field behind the shed' : '',
        createdAt: since,
        updatedAt: since,
      })
      const hasBeds = company !== null || random() < 0.3
      lawns.push({
        customerId,
        propertyId,
        squareFeet,
        difficulty,
        crew: place.crew,
        weekly,
        treated: treated && ground === 0,
        beds: hasBeds,
        n: lawns.length,
      })
      if (hasBeds || n % 3 === 0) areas.push(...areasOf(db, propertyId, n + ground, since))
    }
  }
  await db.insertInto('customers').values(customers).execute()
  // one of them wants no texts any more: their invoices go by mail
  const quiet = customers.findLast(({ paperWay, email }) => paperWay === 'text' && email !== null)
  if (quiet) await suppress(db, 'sms', quiet.phone, 'all', 'They replied STOP')
  await db.insertInto('properties').values(properties).execute()
  await db.insertInto('propertyAreas').values(areas).execute()
  return lawns
}

/** A season of recurring work on their lawns. */
export const bookSeason = async (
  db: TenantDb,
  lawns: readonly Lawn[],
  made: readonly DemoCrew[],
  workDays: readonly number[],
  start: Day,
): Promise<void> => {
  const who = systemActor(db.businessId)
  const catalog = await addDefaultServicesTx(db, who)
  // Only the crew with the license is sent where something is sprayed.
  await db
    .updateTable('services')
    .set({ skills: ['applicator'] })
    .where('businessId', '=', db.businessId)
    .where('category', '=', 'treat')
    .execute()
  // Mulch is priced by what the beds measure, as edging is by its feet.
  const mulch = catalog.find((s) => s.code === 'mulch')!
  await db
    .updateTable('services')
    .set({
      description: 'Mulch delivered and spread 3 inches deep, beds edged. Priced by the size of the beds.',
      unit: 'visit',
      priceRule: JSON.stringify({
        ...mulch.priceRule,
        minCents: 18_500,
        sizeAtMinSquareFeet: 150,
        tiers: [{ upToSquareFeet: null, centsPerKsqft: 95_000 }],
      }),
      timeRule: JSON.stringify({ ...mulch.timeRule, fixedMinutes: 20, minutesPerKsqft: 420, minutesPerUnit: 0 }),
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', mulch.id)
    .execute()
  const mow = catalog.find((s) => s.code === 'mow')!
  const treat = catalog.find((s) => s.code === 'fert-weed')!
  const beds = catalog.find((s) => s.code === 'bed-weeding')!
  const crewId = (name: string) => made.find((c) => c.name === name)?.id ?? null
  const perCrew = new Map<string, number>()
  const jobOf = (
    lawn: Lawn,
    service: typeof mow,
    crew: string,
    interval: number,
    weekday: number,
    phase: number,
  ): NewJob => {
    const facts = {
      ...measureOf(service, { ...unmeasured, lawnSquareFeet: lawn.squareFeet }),
      difficulty: lawn.difficulty,
      frequency: interval === 1 ? ('weekly' as const) : ('biweekly' as const),
    }
    const phaseOn = addDays(start, ((weekday - weekdayOf(start) + 7) % 7) + phase * 7)
    return {
      customerId: lawn.customerId,
      propertyId: lawn.propertyId,
      title:
        service.code === 'mow'
          ? interval === 1
            ? 'Weekly mowing'
            : 'Mowing every 2 weeks'
          : 'Fertilize and weed control',
      instructions: '',
      poNumber: '',
      billing: 'per_visit',
      crewId: crewId(crew),
      // Some like their day: the season planner leaves it to them.
      keepDay: service === mow && lawn.n % 19 === 4,
      startOn: start,
      endOn: null,
      status: 'active',
      batchId: null,
      lines: [
        {
          serviceId: service.id,
          description: service.name,
          quantity: 1,
          unitPriceCents: priceFor(service.priceRule, facts).cents ?? 5500,
          budgetMinutes: minutesFor(service.timeRule, facts).minutes ?? 30,
          recurrence: {
            freq: 'week',
            interval,
            weekdays: [weekday],
            phaseOn,
            holiday: 'next',
            exceptions: [],
            // Grass that hardly grows: a third of the weekly lawns is mowed every second week in winter.
            ...(service === mow && interval === 1 && lawn.n % 3 === 0
              ? { periods: [{ from: '12-01', to: '02-29', interval: 2 }] }
              : {}),
          },
          onceOn: null,
        },
        ...(service === mow && lawn.beds
          ? [
              {
                serviceId: beds.id,
                description: beds.name,
                quantity: 1,
                unitPriceCents: 5200,
                budgetMinutes: 48,
                recurrence: {
                  freq: 'week' as const,
                  interval: 2,
                  weekdays: [weekday],
                  phaseOn: addDays(phaseOn, (lawn.n % 2) * 7 * (interval === 1 ? 1 : 0)),
                  holiday: 'next' as const,
                  exceptions: [],
                },
                onceOn: null,
              },
            ]
          : []),
      ],
    }
  }
  const jobs: NewJob[] = []
  // In the order of booking, not of the map: what "as booked" is compared with.
  const booked = [...lawns].sort((a, b) => ((a.n * 67) % 149) - ((b.n * 67) % 149))
  for (const lawn of booked) {
    const turn = perCrew.get(lawn.crew) ?? 0
    perCrew.set(lawn.crew, turn + 1)
    jobs.push(
      jobOf(lawn, mow, lawn.crew, lawn.weekly ? 1 : 2, workDays[turn % workDays.length]!, lawn.weekly ? 0 : turn % 2),
    )
    if (lawn.treated)
      jobs.push(jobOf(lawn, treat, 'Treatments', 2, workDays[(lawn.n * 3) % workDays.length]!, lawn.n % 2))
  }
  await createJobsTx(db, who, jobs, { includePast: true })
}
