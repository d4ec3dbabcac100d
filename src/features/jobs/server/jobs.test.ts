import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, weekdayOf } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { servicesApi } from '../../services/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { type JobRecord, jobsApi } from '../contract.ts'
import type { Recurrence } from '../rules.ts'
import { materializeVisitsTx } from '../schedule/server/commands.ts'
import { topUpAll } from './tasks.ts'

// a Monday in season, so that twelve weeks lie ahead
const today = '2026-04-06'
const at = (day: string, time = '12:00') => setClock(() => new Date(`${day}T${time}:00Z`))

let business: TestBusiness
let mow: string
let feed: string

const tuesdays = (changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 1,
  weekdays: [2],
  phaseOn: today,
  holiday: 'next',
  exceptions: [],
  ...changes,
})

type Place = { customerId: string; propertyId: string }
const aPlace = async (
  b: TestBusiness,
  changes: { squareFeet?: number | null; pin?: boolean; archived?: boolean; tags?: string[]; name?: string } = {},
): Promise<Place> => {
  const [customerId, propertyId] = [newId(), newId()]
  await b.db(async (db) => {
    await db
      .insertInto('customers')
      .values({ businessId: b.id, id: customerId, name: changes.name ?? 'Ann Example', tags: changes.tags ?? [] })
      .execute()
    await db
      .insertInto('properties')
      .values({
        businessId: b.id,
        id: propertyId,
        customerId,
        street: '12 Oak St',
        city: 'Savannah',
        lawnSquareFeet: changes.squareFeet === undefined ? 10_000 : changes.squareFeet,
        latitude: changes.pin === false ? null : 32.05,
        longitude: changes.pin === false ? null : -81.1,
        archivedAt: changes.archived ? new Date().toISOString() : null,
      })
      .execute()
  })
  return { customerId, propertyId }
}

const aCrew = async (b: TestBusiness) => {
  const id = newId()
  await b.db((db) => db.insertInto('crews').values({ businessId: b.id, id, name: 'North', color: '#14432f' }).execute())
  return id
}

const services = async (b: TestBusiness) => {
  const { items } = await b.api.ok(servicesApi.addDefaults, {})
  const id = (code: string) => items.find((s) => s.code === code)?.id ?? ''
  return { mow: id('mow'), feed: id('fert-weed'), hedge: id('hedge') }
}

const visitsOf = (b: TestBusiness, jobId: string) =>
  b.db((db) =>
    db
      .selectFrom('visits')
      .selectAll()
      .where('businessId', '=', b.id)
      .where('jobId', '=', jobId)
      .orderBy('occurrenceOn')
      .execute(),
  )

const aJob = async (place: Place, changes: Record<string, unknown> = {}): Promise<JobRecord> =>
  business.api.ok(jobsApi.create, {
    body: {
      propertyId: place.propertyId,
      startOn: today,
      lines: [{ serviceId: mow, recurrence: tuesdays() }],
      ...changes,
    },
  })

beforeAll(async () => {
  at(today)
  business = await aBusiness()
  ;({ mow, feed } = await services(business))
})
afterAll(() => resetClock())

describe('a job', () => {
  it('is priced by the lawn and has twelve weeks of visits', async () => {
    const job = await aJob(await aPlace(business))
    expect(job).toMatchObject({
      title: 'Mow, edge, trim and blow',
      status: 'active',
      perVisitCents: 5800,
      scheduleText: 'Every week on Tuesday, March 1 to November 30',
      nextVisitOn: '2026-04-07',
      openVisits: 12,
      flags: [],
    })
    const visits = await visitsOf(business, job.id)
    expect(visits.map((v) => v.day)).toEqual(Array.from({ length: 12 }, (_, n) => addDays('2026-04-07', 7 * n)))
    expect(visits.every((v) => v.priceCents === 5800 && v.budgetMinutes === 26 && v.status === 'scheduled')).toBe(true)
  })

  it('merges lines that fall on the same day into one visit with both prices', async () => {
    const job = await aJob(await aPlace(business), {
      lines: [
        { serviceId: mow, recurrence: tuesdays() },
        { serviceId: feed, recurrence: tuesdays({ interval: 6 }) },
      ],
    })
    const visits = await visitsOf(business, job.id)
    expect(visits).toHaveLength(12)
    expect(visits.filter((v) => v.priceCents === 5800 + 7500).map((v) => v.day)).toEqual(['2026-04-07', '2026-05-19'])
    expect(job.nextVisits[0]?.services).toEqual(['Mow, edge, trim and blow', 'Fertilize and weed control'])
  })

  it('once has one visit, also far away', async () => {
    const lines = [{ serviceId: feed, recurrence: null, onceOn: '2026-10-03' }]
    const job = await aJob(await aPlace(business), { lines })
    expect((await visitsOf(business, job.id)).map((v) => v.day)).toEqual(['2026-10-03'])
    expect(job.scheduleText).toBe('Once on October 3, 2026')
    const past = await business.api.call(jobsApi.create, {
      body: {
        propertyId: job.propertyId,
        startOn: today,
        lines: [{ serviceId: feed, recurrence: null, onceOn: addDays(today, -1) }],
      },
    })
    expect([past.status, past.error.errors?.[0]?.path]).toEqual([422, 'lines.0.onceOn'])
  })

  it('makes no visit before today unless asked', async () => {
    const startOn = '2026-03-01'
    const lines = [{ serviceId: mow, recurrence: tuesdays({ phaseOn: startOn }) }]
    const plain = await aJob(await aPlace(business), { startOn, lines })
    expect((await visitsOf(business, plain.id))[0]?.day).toBe('2026-04-07')
    const asked = await aJob(await aPlace(business), { startOn, lines, includePast: true })
    expect((await visitsOf(business, asked.id))[0]?.day).toBe('2026-03-03')
    expect(asked.flags).toContain('late')
  })

  it('needs a lawn size or a price, and changes nothing when it has neither', async () => {
    const place = await aPlace(business, { squareFeet: null })
    const body = { propertyId: place.propertyId, startOn: today, lines: [{ serviceId: mow, recurrence: tuesdays() }] }
    const answer = await business.api.call(jobsApi.create, { body })
    expect([answer.status, answer.error.errors?.[0]?.path]).toEqual([422, 'lines.0.unitPriceCents'])
    const { total } = await business.api.ok(jobsApi.list, { query: { propertyId: place.propertyId } })
    expect(total).toBe(0)
    const priced = await aJob(place, { lines: [{ serviceId: mow, recurrence: tuesdays(), unitPriceCents: 4700 }] })
    expect(priced.perVisitCents).toBe(4700)
  })

  it('keeps its days over the nights when the clocks change', async () => {
    const autumn = await aJob(await aPlace(business), {
      startOn: '2026-10-12',
      lines: [{ serviceId: mow, recurrence: tuesdays({ weekdays: [0], phaseOn: '2026-10-12', season: [] }) }],
    })
    const days = (await visitsOf(business, autumn.id)).map((v) => v.day ?? '')
    // November 1 is the night in New York
    expect(days.slice(0, 4)).toEqual(['2026-10-18', '2026-10-25', '2026-11-01', '2026-11-08'])
    expect(days.every((d) => weekdayOf(d) === 0)).toBe(true)
  })

  it('knows February 29', async () => {
    const rule = {
      ...tuesdays(),
      freq: 'month' as const,
      weekdays: [],
      dayOfMonth: 29,
      phaseOn: '2028-01-01',
      season: [],
    }
    const b = await aBusiness({ workDays: [0, 1, 2, 3, 4, 5, 6] })
    const s = await services(b)
    const place = await aPlace(b)
    const job = await b.api.ok(jobsApi.create, {
      body: { propertyId: place.propertyId, startOn: '2028-01-01', lines: [{ serviceId: s.mow, recurrence: rule }] },
    })
    expect((await visitsOf(b, job.id)).map((v) => v.day)).toEqual(['2028-01-29', '2028-02-29'])
  })

  it('booked in winter reaches into spring', async () => {
    at('2026-11-20')
    try {
      const b = await aBusiness()
      const s = await services(b)
      const place = await aPlace(b)
      const job = await b.api.ok(jobsApi.create, {
        body: {
          propertyId: place.propertyId,
          startOn: '2026-11-20',
          lines: [{ serviceId: s.mow, recurrence: tuesdays({ phaseOn: '2026-11-20' }) }],
        },
      })
      const days = (await visitsOf(b, job.id)).map((v) => v.day ?? '')
      expect(days.slice(0, 2)).toEqual(['2026-11-24', '2027-03-02'])
      expect(days).toHaveLength(12)
    } finally {
      at(today)
    }
  })

  it('moves off a holiday of the business', async () => {
    const b = await aBusiness()
    await b.db((db) =>
      db
        .updateTable('businesses')
        .set({ holidays: ['2026-04-07'] })
        .where('businessId', '=', b.id)
        .execute(),
    )
    const s = await services(b)
    const place = await aPlace(b)
    const job = await b.api.ok(jobsApi.create, {
      body: { propertyId: place.propertyId, startOn: today, lines: [{ serviceId: s.mow, recurrence: tuesdays() }] },
    })
    expect((await visitsOf(b, job.id))[0]).toMatchObject({ day: '2026-04-08', occurrenceOn: '2026-04-07' })
  })
})

describe('the nightly top-up', () => {
  it('adds what is missing, and nothing the second time', async () => {
    const b = await aBusiness()
    const s = await services(b)
    const place = await aPlace(b)
    const job = await b.api.ok(jobsApi.create, {
      body: { propertyId: place.propertyId, startOn: today, lines: [{ serviceId: s.mow, recurrence: tuesdays() }] },
    })
    at(addDays(today, 21))
    try {
      await topUpAll.run({})
      await runTasks()
      const once = await visitsOf(b, job.id)
      expect(once).toHaveLength(15)
      await topUpAll.run({})
      await topUpAll.run({})
      await runTasks()
      expect((await visitsOf(b, job.id)).map((v) => v.id)).toEqual(once.map((v) => v.id))
    } finally {
      at(today)
    }
  })

  it('does not bring back a visit that was moved, and counts A/B weeks from the phase', async () => {
    const job = await aJob(await aPlace(business), {
      lines: [{ serviceId: mow, recurrence: tuesdays({ interval: 2 }) }],
    })
    const [first] = await visitsOf(business, job.id)
    await business.api.ok(visitsApi.move, {
      params: { visitId: first?.id ?? '' },
      body: { day: '2026-04-16', crewId: null },
    })
    await business.db((db) => materializeVisitsTx(db, [job.id], { untilDay: '2026-07-31' }))
    const visits = await visitsOf(business, job.id)
    expect(visits.map((v) => v.occurrenceOn).slice(0, 3)).toEqual(['2026-04-07', '2026-04-21', '2026-05-05'])
    expect(visits[0]?.day).toBe('2026-04-16')
  })
})

describe('a change', () => {
  it('keeps finished and hand-moved visits, moves the others and keeps their price history', async () => {
    const job = await aJob(await aPlace(business))
    const visits = await visitsOf(business, job.id)
    const [done, moved, third] = visits
    await business.api.ok(visitsApi.finish, { params: { visitId: done?.id ?? '' }, body: {} })
    await business.api.ok(visitsApi.move, {
      params: { visitId: moved?.id ?? '' },
      body: { day: '2026-04-15', crewId: null },
    })
    const line = job.lines[0]
    const lines = [{ id: line?.id, serviceId: mow, recurrence: tuesdays({ weekdays: [4] }), unitPriceCents: 6000 }]
    const current = await business.api.ok(jobsApi.get, { params: { id: job.id } })
    const preview = await business.api.ok(jobsApi.previewChange, {
      params: { id: job.id },
      body: { version: current.version, lines },
    })
    expect(preview).toMatchObject({ created: 1, removed: 0, changed: 10, moved: 10, told: [] })
    expect(preview.kept).toEqual([{ visitId: moved?.id, day: '2026-04-15', reason: 'moved' }])
    expect(await visitsOf(business, job.id)).toHaveLength(12)
    const changed = await business.api.ok(jobsApi.update, {
      params: { id: job.id },
      body: { version: current.version, lines },
    })
    expect(changed.version).toBe(current.version + 1)
    const after = await visitsOf(business, job.id)
    expect(after.find((v) => v.id === done?.id)).toMatchObject({ status: 'completed', priceCents: 5800 })
    expect(after.find((v) => v.id === moved?.id)).toMatchObject({ day: '2026-04-15', priceCents: 5800 })
    expect(after.find((v) => v.id === third?.id)).toMatchObject({ day: '2026-04-23', occurrenceOn: '2026-04-23' })
    const open = after.filter((v) => v.status === 'scheduled' && v.id !== moved?.id)
    expect(open.every((v) => weekdayOf(v.day ?? '') === 4 && v.priceCents === 6000)).toBe(true)
    const stale = await business.api.call(jobsApi.update, { params: { id: job.id }, body: { version: 1, title: 'x' } })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
  })

  it('moves biweekly work between week A and week B only when that is asked for', async () => {
    const everySecond = (phaseOn: string, weekday = 2) => tuesdays({ interval: 2, phaseOn, weekdays: [weekday] })
    const job = await aJob(await aPlace(business), { lines: [{ serviceId: mow, recurrence: everySecond(today) }] })
    const change = async (recurrence: Recurrence, movesPhase?: boolean) => {
      const { version } = await business.api.ok(jobsApi.get, { params: { id: job.id } })
      const lines = [{ id: job.lines[0]?.id, serviceId: mow, recurrence, ...(movesPhase ? { movesPhase } : {}) }]
      await business.api.ok(jobsApi.update, { params: { id: job.id }, body: { version, lines } })
      return (await visitsOf(business, job.id)).slice(0, 3).map((v) => v.day)
    }
    expect(await change(everySecond(addDays(today, 7), 4))).toEqual(['2026-04-09', '2026-04-23', '2026-05-07'])
    expect(await change(everySecond(addDays(today, -7), 4), true)).toEqual(['2026-04-16', '2026-04-30', '2026-05-14'])
  })

  it('refuses a rule that contradicts itself in words', async () => {
    const { propertyId } = await aPlace(business)
    const lines = [{ serviceId: mow, recurrence: tuesdays({ minGapDays: 10 }) }]
    const refused = await business.api.call(jobsApi.create, { body: { propertyId, startOn: today, lines } })
    expect(refused.status).toBe(422)
    expect(refused.error.errors?.[0]?.message).toContain('comes after 7 days')
  })

  it('of the price keeps each visit and its crew; from a day on it leaves earlier ones alone', async () => {
    const job = await aJob(await aPlace(business))
    const crewId = await aCrew(business)
    const before = await visitsOf(business, job.id)
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ crewId, position: 3 })
        .where('businessId', '=', business.id)
        .where('jobId', '=', job.id)
        .execute(),
    )
    const lines = [{ id: job.lines[0]?.id, serviceId: mow, recurrence: tuesdays(), unitPriceCents: 7000 }]
    await business.api.ok(jobsApi.update, {
      params: { id: job.id },
      body: { version: job.version, lines, fromOn: '2026-05-01' },
    })
    const after = await visitsOf(business, job.id)
    expect(after.map((v) => v.id).slice(0, 12)).toEqual(before.map((v) => v.id))
    for (const v of after)
      expect([v.priceCents, v.crewId, v.position]).toEqual([(v.day ?? '') < '2026-05-01' ? 5800 : 7000, crewId, 3])
  })

  it('of all open visits takes late ones along where they are, and moved ones when asked', async () => {
    const startOn = '2026-03-23'
    const job = await aJob(await aPlace(business), {
      startOn,
      includePast: true,
      lines: [{ serviceId: mow, recurrence: tuesdays({ phaseOn: startOn }) }],
    })
    const [late, , moved] = await visitsOf(business, job.id)
    await business.api.ok(visitsApi.move, {
      params: { visitId: moved?.id ?? '' },
      body: { day: '2026-04-09', crewId: null },
    })
    const change = async (includeMoved: boolean, unitPriceCents: number) => {
      const { version } = await business.api.ok(jobsApi.get, { params: { id: job.id } })
      const lines = [
        { id: job.lines[0]?.id, serviceId: mow, recurrence: tuesdays({ phaseOn: startOn }), unitPriceCents },
      ]
      const body = { version, lines, scope: 'all_open' as const, includeMoved }
      await business.api.ok(jobsApi.update, { params: { id: job.id }, body })
      const after = await visitsOf(business, job.id)
      return [late?.id, moved?.id].map((id) => {
        const visit = after.find((v) => v.id === id)
        return [visit?.day, visit?.priceCents]
      })
    }
    expect(await change(false, 6100)).toEqual([
      ['2026-03-24', 6100],
      ['2026-04-09', 5800],
    ])
    expect(await change(true, 6200)).toEqual([
      ['2026-03-24', 6200],
      ['2026-04-07', 6200],
    ])
  })

  it('refuses a single day outside of the job', async () => {
    const job = await aJob(await aPlace(business), { endOn: '2026-06-30' })
    const line = job.lines[0]
    const answer = await business.api.call(jobsApi.update, {
      params: { id: job.id },
      body: {
        version: job.version,
        lines: [
          { id: line?.id, serviceId: mow, recurrence: tuesdays() },
          { serviceId: feed, recurrence: null, onceOn: '2026-07-01' },
        ],
      },
    })
    expect([answer.status, answer.error.errors?.[0]?.path]).toEqual([422, 'lines.1.onceOn'])
    expect((await business.api.ok(jobsApi.get, { params: { id: job.id } })).version).toBe(job.version)
  })

  it('pauses, comes back by itself, and is canceled and brought back', async () => {
    const job = await aJob(await aPlace(business))
    const act = (verb: 'pause' | 'resume' | 'cancel' | 'reactivate' | 'complete', until: string | null = null) =>
      business.api.call(jobsApi.act, { params: { id: job.id, verb }, body: { until } })
    await act('pause', '2026-05-01')
    expect((await visitsOf(business, job.id)).map((v) => v.day ?? '')[0]).toBe('2026-05-05')
    at('2026-05-01')
    await topUpAll.run({})
    await runTasks()
    at(today)
    expect((await business.api.ok(jobsApi.get, { params: { id: job.id } })).status).toBe('active')
    expect((await act('pause')).body.openVisits).toBe(0)
    expect((await act('pause')).status).toBe(409)
    expect((await act('resume')).body.openVisits).toBeGreaterThanOrEqual(12)
    expect((await act('cancel')).body).toMatchObject({ status: 'canceled', openVisits: 0 })
    expect((await act('complete')).status).toBe(409)
    expect((await act('reactivate')).body.openVisits).toBeGreaterThanOrEqual(12)
  })

  it('of a visit that a crew was sent cancels it, and brings the same one back', async () => {
    const job = await aJob(await aPlace(business))
    const [first] = await visitsOf(business, job.id)
    const crewId = await aCrew(business)
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ publishedDay: first?.day ?? null, publishedCrewId: crewId, crewId })
        .where('businessId', '=', business.id)
        .where('id', '=', first?.id ?? '')
        .execute(),
    )
    await business.api.ok(jobsApi.act, { params: { id: job.id, verb: 'pause' }, body: {} })
    expect((await visitsOf(business, job.id)).map((v) => [v.id, v.status])).toEqual([[first?.id, 'canceled']])
    await business.api.ok(jobsApi.act, { params: { id: job.id, verb: 'resume' }, body: {} })
    expect((await visitsOf(business, job.id))[0]).toMatchObject({ id: first?.id, status: 'scheduled' })
  })
})

describe('who may', () => {
  it('keeps employees out and other businesses apart', async () => {
    const job = await aJob(await aPlace(business))
    const employee = await business.employee()
    const other = await aBusiness()
    const body = { propertyId: job.propertyId, startOn: today, lines: [{ serviceId: mow, recurrence: tuesdays() }] }
    expect((await employee.api.call(jobsApi.list, { query: {} })).status).toBe(403)
    expect((await employee.api.call(jobsApi.create, { body })).status).toBe(403)
    const answers = await Promise.all([
      other.api.call(jobsApi.get, { params: { id: job.id } }),
      other.api.call(jobsApi.update, { params: { id: job.id }, body: { version: 1, title: 'x' } }),
      other.api.call(jobsApi.act, { params: { id: job.id, verb: 'pause' }, body: {} }),
      other.api.call(jobsApi.create, { body }),
    ])
    expect(answers.map((a) => a.status)).toEqual([404, 404, 404, 404])
    const foreignCrew = await aCrew(other)
    const withCrew = await business.api.call(jobsApi.create, { body: { ...body, crewId: foreignCrew } })
    expect([withCrew.status, withCrew.error.code]).toEqual([404, 'not_found'])
    const changed = await business.api.call(jobsApi.update, {
      params: { id: job.id },
      body: { version: job.version, crewId: foreignCrew },
    })
    expect(changed.status).toBe(404)
  })

  it('lets who does not see money book at the price of the rule, and give or see none', async () => {
    const dispatcher = await aPerson(business.id, 'Admin', { permissions: ['customers', 'schedule'] })
    const { propertyId } = await aPlace(business)
    const line = { serviceId: mow, recurrence: tuesdays() }
    const body = { propertyId, startOn: today, lines: [{ ...line, unitPriceCents: 100 }] }
    for (const unitPriceCents of [100, 5800])
      expect(
        (await dispatcher.api.call(jobsApi.create, { body: { ...body, lines: [{ ...line, unitPriceCents }] } })).status,
      ).toBe(403)
    const made = await dispatcher.api.ok(jobsApi.create, { body: { ...body, lines: [line] } })
    expect([made.perVisitCents, made.lines[0]?.unitPriceCents, made.totals.openCents]).toEqual([null, null, null])
    const kept = { ...line, id: made.lines[0]?.id ?? '' }
    const change = (unitPriceCents?: number) =>
      dispatcher.api.call(jobsApi.update, {
        params: { id: made.id },
        body: {
          version: made.version,
          lines: [{ ...kept, description: 'Back first', ...(unitPriceCents === undefined ? {} : { unitPriceCents }) }],
        },
      })
    expect((await change(5800)).status).toBe(403)
    expect((await change()).status).toBe(200)
    const seen = await business.api.ok(jobsApi.get, { params: { id: made.id } })
    expect([seen.lines[0]?.unitPriceCents, seen.lines[0]?.description]).toEqual([5800, 'Back first'])
    // The order of prices would tell them too.
    const query = { order: 'asc', limit: '200' } as never
    const sorted = (sort: string) => dispatcher.api.ok(jobsApi.list, { query: { ...(query as object), sort } as never })
    expect((await sorted('price')).items.map((job) => job.id)).toEqual((await sorted('number')).items.map((j) => j.id))
    const lapsed = await aBusiness({ status: 'canceled' })
    expect((await lapsed.api.call(jobsApi.create, { body })).status).toBe(402)
  })

  it('makes one job of a doubled click', async () => {
    const { propertyId } = await aPlace(business)
    const body = { propertyId, startOn: today, lines: [{ serviceId: mow, recurrence: tuesdays() }] }
    const key = { 'idempotency-key': 'one-job-please' }
    const first = await business.api.call(jobsApi.create, { body }, key)
    const second = await business.api.call(jobsApi.create, { body }, key)
    expect(second.body.id).toBe(first.body.id)
    expect((await business.api.ok(jobsApi.list, { query: { propertyId } })).total).toBe(1)
  })
})

describe('the list', () => {
  it('has seven views whose counts are the rows in them, and pages without a gap', async () => {
    const b = await aBusiness()
    const s = await services(b)
    const make = async (name: string, changes: Record<string, unknown> = {}) =>
      b.api.ok(jobsApi.create, {
        body: {
          propertyId: (await aPlace(b, { name })).propertyId,
          startOn: today,
          lines: [{ serviceId: s.mow, recurrence: tuesdays() }],
          ...changes,
        },
      })
    const plain = await make('Plain')
    const late = await make('Late', {
      startOn: '2026-03-02',
      includePast: true,
      lines: [{ serviceId: s.mow, recurrence: tuesdays({ phaseOn: '2026-03-02' }) }],
    })
    const ending = await make('Ending', { endOn: '2026-04-30' })
    const once = { lines: [{ serviceId: s.feed, recurrence: null, onceOn: today }] }
    const done = await make('Done', once)
    await b.api.ok(visitsApi.finish, { params: { visitId: (await visitsOf(b, done.id))[0]?.id ?? '' }, body: {} })
    const over = await make('Over', once)
    await b.api.ok(visitsApi.cancel, { params: { visitId: (await visitsOf(b, over.id))[0]?.id ?? '' }, body: {} })
    const waiting = await make('Waiting')
    await b.api.ok(visitsApi.move, {
      params: { visitId: (await visitsOf(b, waiting.id))[0]?.id ?? '' },
      body: { day: null, crewId: null },
    })
    const gone = await make('Gone')
    await b.api.ok(jobsApi.act, { params: { id: gone.id, verb: 'cancel' }, body: {} })
    const counts = await b.api.ok(jobsApi.counts, {})
    expect(counts).toEqual({
      active: 6,
      late: 1,
      unscheduled: 1,
      action_required: 1,
      requires_invoicing: 1,
      ending_30d: 1,
      archived: 1,
    })
    const view = async (v: keyof typeof counts) => (await b.api.ok(jobsApi.list, { query: { view: v } })).items
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
      const items = await view(name)
      expect(items).toHaveLength(counts[name])
      if (name !== 'active' && name !== 'archived') expect(items[0]?.flags).toContain(name)
    }
    expect((await view('late'))[0]?.id).toBe(late.id)
    expect((await view('ending_30d'))[0]?.id).toBe(ending.id)
    expect((await view('action_required'))[0]?.id).toBe(over.id)
    expect((await view('requires_invoicing'))[0]?.id).toBe(done.id)
    for (const sort of ['number', 'customer', 'nextVisit', 'price'] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await b.api.ok(jobsApi.list, { query: { sort, order: 'asc', limit: 2, cursor } })
        expect(page.total).toBe(6)
        seen.push(...page.items.map((i) => i.id))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(new Set(seen).size).toBe(6)
      expect(seen).toHaveLength(6)
    }
    const found = await b.api.ok(jobsApi.list, { query: { q: `plain ${plain.number}` } })
    expect(found.items.map((i) => i.id)).toEqual([plain.id])
    expect((await b.api.call(jobsApi.list, { query: { cursor: 'junk' } })).status).toBe(422)
    const places = await b.api.ok(jobsApi.places, { query: { q: 'plain' } })
    expect(places.items).toMatchObject([{ customerName: 'Plain', lawnSquareFeet: 10_000, serviceIds: [s.mow] }])
    await b.api.ok(jobsApi.act, { params: { id: gone.id, verb: 'reactivate' }, body: {} })
    for (const job of [plain, late]) await b.api.ok(jobsApi.act, { params: { id: job.id, verb: 'cancel' }, body: {} })
    expect(await b.api.ok(jobsApi.counts, {})).toMatchObject({ active: 5, archived: 2 })
  })
})
