import { sql } from 'kysely'
import { hashPassword } from '../features/accounts/server/commands.ts'
import { crewCostCents } from '../features/employees/rules.ts'
import { createJobsTx, type NewJob } from '../features/jobs/server/commands.ts'
import { suppress } from '../features/messages/server/commands.ts'
import { minutesFor, priceFor } from '../features/services/rules.ts'
import { addDefaultServicesTx } from '../features/services/server/commands.ts'
import { demoSlug } from '../features/tour/rules.ts'
import { addDemoTx } from '../features/tour/server/commands.ts'
import { playProviders } from '../local/providers.ts'
import { systemActor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { database, ownerPool } from '../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../platform/db/tenant.ts'
import { setSubscribers } from '../platform/events/events.ts'
import { newId, randomToken } from '../platform/ids.ts'
import { encryptField } from '../platform/keys.ts'
import { addDays, type Day, dayOf, startOfWeek, weekdayOf } from '../shared/dates.ts'
import { permissionPresets } from '../shared/roles.ts'
import { keepBooks } from './books.ts'
import { leaveCards, takeCards } from './cards.ts'
import { talk } from './chat.ts'
import { payFromBanks } from './debits.ts'
import { disputePayments } from './disputes.ts'
import { takeCash } from './door.ts'
import { bookEvents } from './events.ts'
import { spend } from './expenses.ts'
import { tendJobs } from './jobs.ts'
import { handOutLinks } from './links.ts'
import { billWeek, chargeOneFee, closeBooks, forgetEvents, setRight, showExemptions } from './money.ts'
import { payOut } from './payouts.ts'
import { companies, crews, devices, personName, staff } from './people.ts'
import { depot, placeOf } from './places.ts'
import { buyPlan } from './plan.ts'
import { startPlans } from './plans.ts'
import { raiseSeed } from './prices.ts'
import { runPrograms } from './programs.ts'
import { makeProspects } from './prospects.ts'
import { rainAhead, rainOff } from './rain.ts'
import { seeded } from './random.ts'
import { type DemoCrew, knownPlaces, planDay, workDay } from './season.ts'
import { leaveWords, setStopRules } from './stops.ts'
import { joinTeam, ownerOf } from './team.ts'
import { keepTime } from './time.ts'
import { showWaysToPay } from './tips.ts'
import { keepViews } from './views.ts'
import { tellOfVisits } from './visits.ts'

export const demoPassword = 'demo-swath-2026'
export const demoZone = 'America/New_York'
const timeZone = demoZone
const customerCount = 120
const pastWeeks = 5

const makeBusiness = async (db: TenantDb, slug: string, workDays: number[]): Promise<void> => {
  await db
    .insertInto('businesses')
    .values({
      businessId: db.businessId,
      name: 'Palmetto & Pine Lawn Care',
      slug,
      timeZone,
      phone: '+18435550190',
      email: 'office@palmettopine.example',
      street: depot.street,
      city: 'Savannah',
      state: 'GA',
      zip: '31405',
      latitude: depot.latitude,
      longitude: depot.longitude,
      companySize: 'medium',
      customerCountClaimed: 100,
      planTier: 'enterprise',
      subscriptionStatus: 'active',
      subscriptionSince: clock.iso(),
      // Mild winters: the season never ends, so the demo has work on any day it is started.
      seasonStart: '01-01',
      seasonEnd: '12-31',
      workDays,
      invoiceTerms:
        'Please pay within 14 days. Checks to Palmetto & Pine Lawn Care, 4 Yardman Way, Savannah, GA 31405.',
      demo: true,
      reminders: 'all',
    })
    .execute()
  await db.insertInto('slugs').values({ slug, businessId: db.businessId }).execute()
}

/** Devices of the owner, so that their list shows what it is for; nobody holds their tokens. */
const makeDevices = async (db: TenantDb, userId: string): Promise<void> => {
  for (const { userAgent, usedHoursAgo } of devices) {
    const at = new Date(clock.nowMs() - usedHoursAgo * 3_600_000).toISOString()
    await db
      .insertInto('sessions')
      .values({
        businessId: db.businessId,
        id: newId(),
        userId,
        familyId: newId(),
        kind: 'admin',
        tokenHash: randomToken(),
        userAgent,
        ip: '203.0.113.24',
        expiresAt: new Date(clock.nowMs() + 20 * 86_400_000).toISOString(),
        createdAt: at,
        lastUsedAt: at,
      })
      .execute()
  }
}

/** @param signIns whether they can sign in, with a password that everybody knows: only on one's own computer */
const makeStaff = async (db: TenantDb, today: Day, signIns: boolean): Promise<DemoCrew[]> => {
  const passwordHash = signIns ? await hashPassword(demoPassword) : null
  const ids = new Map<string, string>()
  for (const person of staff) {
    const id = newId()
    const email = signIns ? person.email : null
    ids.set(person.key, id)
    await db
      .insertInto('users')
      .values({
        businessId: db.businessId,
        id,
        name: person.name,
        email,
        role: person.role,
        permissions: [...permissionPresets[person.preset]],
        language: person.language,
        phone: `+1843555${String(120 + ids.size).padStart(4, '0')}`,
        passwordHash: email ? passwordHash : null,
        emailVerifiedAt: email ? clock.iso() : null,
      })
      .execute()
    if (email) await db.insertInto('accountEmails').values({ email, businessId: db.businessId, userId: id }).execute()
    if (person.wageCents)
      await db
        .insertInto('wages')
        .values({
          businessId: db.businessId,
          id: newId(),
          userId: id,
          centsPerHour: person.wageCents,
          validFrom: addDays(today, -400),
        })
        .execute()
  }
  if (signIns) await makeDevices(db, ids.get('owner') ?? '')
  const made: DemoCrew[] = []
  for (const [position, crew] of crews.entries()) {
    const id = newId()
    const members = staff.filter((s) => s.crew === crew.name)
    const leader = ids.get(members.find((m) => m.preset === 'crewLead')?.key ?? '') ?? ''
    const { workDays } = await db
      .selectFrom('businesses')
      .select('workDays')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('crews')
      .values({
        businessId: db.businessId,
        id,
        name: crew.name,
        color: crew.color,
        leaderUserId: leader,
        depotStreet: depot.street,
        depotLatitude: depot.latitude,
        depotLongitude: depot.longitude,
        skills: [...crew.skills],
        position,
        workDays,
      })
      .execute()
    for (const member of members) {
      await db
        .insertInto('crewMembers')
        .values({
          businessId: db.businessId,
          id: newId(),
          crewId: id,
          userId: ids.get(member.key) ?? '',
          validFrom: addDays(today, -200),
        })
        .execute()
    }
    made.push({
      id,
      name: crew.name,
      people: members.length,
      leader,
      costCentsPerHour: crewCostCents(
        members.map((m) => ({ wageCentsPerHour: m.wageCents })),
        { defaultWageCents: 2000, burdenPercent: 12 },
      ),
    })
  }
  return made
}

type Lawn = {
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

const makeCustomers = async (db: TenantDb, today: Day, random: () => number): Promise<Lawn[]> => {
  const lawns: Lawn[] = []
  const customers = []
  const properties = []
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
      lawns.push({
        customerId,
        propertyId,
        squareFeet,
        difficulty,
        crew: place.crew,
        weekly,
        treated: treated && ground === 0,
        beds: company !== null || random() < 0.3,
        n: lawns.length,
      })
    }
  }
  await db.insertInto('customers').values(customers).execute()
  // one of them wants no texts any more: their invoices go by mail
  const quiet = customers.findLast(({ paperWay, email }) => paperWay === 'text' && email !== null)
  if (quiet) await suppress(db, 'sms', quiet.phone, 'all', 'They replied STOP')
  await db.insertInto('properties').values(properties).execute()
  return lawns
}

const bookSeason = async (
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
      squareFeet: lawn.squareFeet,
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

/**
 * A demo business with its past: 120 invented customers around one real city, four crews, a season of recurring work, five weeks of visits,
 * invoices and payments, all relative to today. Nobody is told of anything in it.
 * @param first what the transaction begins with; what it throws leaves nothing behind
 */
export const makeHistory = async (
  slug: string,
  signIns: boolean,
  random: () => number,
  first: (db: TenantDb) => Promise<void> = async () => undefined,
): Promise<BusinessId> => {
  // What already happened tells nobody anything: no thank-you mails for payments of last month.
  setSubscribers([])
  const businessId = asBusinessId(newId())
  const scope = { businessId }
  const today = dayOf(clock.now(), timeZone)
  // Five working days; the demo's week holds the day on which it starts, so that there is always a day to look at.
  const workDays = { 0: [0, 1, 2, 3, 4], 6: [2, 3, 4, 5, 6] }[weekdayOf(today)] ?? [1, 2, 3, 4, 5]
  const start = addDays(startOfWeek(today), -7 * pastWeeks)
  // One transaction: a demo that was interrupted is not there at all, and the next start makes it.
  await withTenant(scope, async (db) => {
    // a season in one statement is no request of somebody who waits
    await sql`set local statement_timeout = '5min'`.execute(db)
    await first(db)
    await makeBusiness(db, slug, workDays)
    await addDemoTx(db, signIns)
    const made = await makeStaff(db, today, signIns)
    const lawns = await makeCustomers(db, today, random)
    await bookSeason(db, lawns, made, workDays, start)
    await runPrograms(db, lawns, made, workDays, today)
    const known = await knownPlaces(db)
    await rainOff(db, addDays(startOfWeek(today), -7), workDays, made)
    for (let week = start; week <= today; week = addDays(week, 7)) {
      for (let day = week; day < addDays(week, 7) && day <= today; day = addDays(day, 1)) {
        for (const crew of made) {
          await planDay(db, crew, day, known, true)
          await workDay(db, crew, day, today, timeZone, random, crew === made[0] ? 2 : 0)
        }
      }
      const weekEnd = addDays(week, 6)
      const to = weekEnd < addDays(today, -2) ? weekEnd : addDays(today, -3)
      if (to >= week) await billWeek(db, systemActor(businessId), { from: week, to }, today, timeZone, random)
    }
    await forgetEvents(db)
  })
  return businessId
}

/** Makes the demo business of one's own computer once; does nothing when it is there. */
export const makeDemo = async (): Promise<void> => {
  playProviders()
  const there = await database().selectFrom('slugs').select('slug').where('slug', '=', demoSlug).executeTakeFirst()
  if (there) return
  const random = seeded(20_260_612)
  const businessId = await makeHistory(demoSlug, true, random)
  await buyPlan(businessId)
  const owner = await ownerOf(businessId, timeZone)
  await joinTeam(owner)
  await takeCards(owner)
  // So many rows at once: the first screens are planned with what is there, not with an empty table in mind.
  await ownerPool().query('analyze')
  // Tomorrow is booked, not planned: the owner's first evening with the route map.
  await tellOfVisits(owner, { noticed: true })
  await bookEvents(owner)
  await keepViews(owner)
  await talk(owner)
  await tendJobs(owner)
  await raiseSeed(owner)
  await setStopRules(owner)
  await leaveWords(owner)
  await setRight(owner)
  await chargeOneFee(owner)
  await spend(owner)
  await showExemptions(owner)
  await payOut(owner, 'before')
  await leaveCards(owner)
  await takeCash(owner)
  await startPlans(owner)
  await disputePayments(owner)
  await payFromBanks(owner)
  await handOutLinks(owner)
  await showWaysToPay(owner)
  await payOut(owner, 'today')
  await closeBooks(owner)
  await keepBooks(owner)
  await keepTime(owner)
  await rainAhead(owner)
  await makeProspects(random)
}
