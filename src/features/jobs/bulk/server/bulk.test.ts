import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { weekdayOf } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { jobsApi } from '../../contract.ts'
import type { Recurrence } from '../../rules.ts'
import { topUpVisits } from '../../server/tasks.ts'
import { jobEditsApi } from '../contract.ts'
import { type BulkChange, bulkLimit } from '../rules.ts'

// A Monday in season.
const today = '2026-04-06'
let business: TestBusiness
let [mow, beds] = ['', '']
let [north, south] = ['', '']

const every = (weekday: number, changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 1,
  weekdays: [weekday],
  phaseOn: today,
  holiday: 'next',
  exceptions: [],
  ...changes,
})

const aJob = async (changes: object = {}) => {
  const [customerId, propertyId] = [newId(), newId()]
  await business.db(async (db) => {
    await db.insertInto('customers').values({ businessId: business.id, id: customerId, name: 'Ann Example' }).execute()
    const street = '1 Oak St'
    const place = { street, city: 'Savannah', lawnSquareFeet: 9000 }
    await db
      .insertInto('properties')
      .values({ businessId: business.id, id: propertyId, customerId, ...place })
      .execute()
  })
  const lines = [{ serviceId: mow, recurrence: every(2), unitPriceCents: 5000 }]
  return business.api.ok(jobsApi.create, {
    body: { propertyId, startOn: today, crewId: north, lines, ...changes } as never,
  })
}

const visitsOf = (...jobIds: string[]) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'jobId', 'occurrenceOn', 'day', 'crewId', 'status', 'priceCents', 'budgetMinutes', 'billable'])
      .select(['locked', 'movedFrom', 'position', 'pinned', 'skipReason', 'plannedStartMinute'])
      .where('businessId', '=', business.id)
      .where('jobId', 'in', jobIds)
      .orderBy('id')
      .execute(),
  )

/** Everything that a change of many can write, as it stands now. */
const standing = async (...jobIds: string[]) => ({
  jobs: await business.db((db) =>
    db
      .selectFrom('jobs')
      .select(['id', 'status', 'crewId', 'endOn', 'pausedUntil', 'horizonOn', 'nextOn'])
      .where('businessId', '=', business.id)
      .where('id', 'in', jobIds)
      .orderBy('id')
      .execute(),
  ),
  lines: await business.db((db) =>
    db
      .selectFrom('jobLines')
      .select([
        'id',
        'unitPriceCents',
        'nextPriceOn',
        'recurrence',
        'onceOn',
        'undated',
        'dueOn',
        'budgetMinutes',
        'description',
      ])
      .where('businessId', '=', business.id)
      .where('jobId', 'in', jobIds)
      .orderBy('id')
      .execute(),
  ),
  visits: await visitsOf(...jobIds),
  contents: await business.db((db) =>
    db
      .selectFrom('visitLines as l')
      .innerJoin('visits as v', (join) =>
        join.onRef('v.businessId', '=', 'l.businessId').onRef('v.id', '=', 'l.visitId'),
      )
      .select(['l.visitId', 'l.jobLineId', 'l.serviceId', 'l.unitPriceCents', 'l.quantity', 'l.budgetMinutes'])
      .where('l.businessId', '=', business.id)
      .where('v.jobId', 'in', jobIds)
      .orderBy('l.visitId')
      .orderBy('l.position')
      .execute(),
  ),
})

const percent = (n: number): BulkChange => ({
  ...{ kind: 'price', mode: 'percent', percent: n, cents: 0, serviceId: null, roundTo: 'cent', fromOn: null },
})

const preview = (ids: string[], change: BulkChange) =>
  business.api.ok(jobEditsApi.preview, { body: { choice: { ids }, change } as never })
const edit = async (ids: string[], change: BulkChange) => {
  const { fingerprint } = await preview(ids, change)
  return business.api.ok(jobEditsApi.create, { body: { choice: { ids }, change, fingerprint } as never })
}
const undo = (id: string) => business.api.ok(jobEditsApi.undo, { params: { id } })
const move = (visitId: string, day: string, crewId: string | null = north) =>
  business.api.ok(visitsApi.move, { params: { visitId }, body: { day, crewId } })

beforeAll(async () => {
  setClock(() => new Date(`${today}T12:00:00Z`))
  business = await aBusiness()
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  mow = items.find((s) => s.code === 'mow')?.id ?? ''
  beds = items.find((s) => s.code === 'bed-weeding')?.id ?? ''
  ;[north, south] = [newId(), newId()]
  await business.db((db) =>
    db
      .insertInto('crews')
      .values([
        { businessId: business.id, id: north, name: 'North', color: '#14432f' },
        { businessId: business.id, id: south, name: 'South', color: '#14432f' },
      ])
      .execute(),
  )
})
afterAll(() => resetClock())

it('raises prices by 5 percent, says the month before and after, and takes it back as it was', async () => {
  const [one, two] = [await aJob(), await aJob({ billing: 'flat' })]
  const [first] = await visitsOf(one.id)
  await move(first?.id ?? '', '2026-04-09')
  const before = await standing(one.id, two.id)
  const seen = await preview([one.id, two.id], percent(5))
  expect(seen).toMatchObject({
    matching: 2,
    jobs: 2,
    visits: { changed: 23, moved: 0, created: 0, removed: 0, kept: 1 },
  })
  const { beforeCents = 0, afterCents = 0 } = seen.month ?? {}
  expect(afterCents).toBe(Math.round(beforeCents * 1.05))
  expect(await standing(one.id, two.id)).toEqual(before)
  const done = await edit([one.id, two.id], percent(5))
  expect((await visitsOf(one.id)).filter((v) => v.id !== first?.id).every((v) => v.priceCents === 5250)).toBe(true)
  const undone = await undo(done.id)
  expect(undone).toMatchObject({ restoredJobs: 2, kept: [], keptCount: 0 })
  expect(await standing(one.id, two.id)).toEqual(before)
  const again = await business.api.call(jobEditsApi.undo, { params: { id: done.id } })
  expect(again.status).toBe(409)
})

it('gives the recurring jobs of chosen customers a day and a crew, says who is left out, and takes both back', async () => {
  const [one, two] = [await aJob(), await aJob({ crewId: south })]
  const twice = await aJob({
    lines: [{ serviceId: mow, recurrence: { ...every(2), weekdays: [2, 5] }, unitPriceCents: 5000 }],
  })
  const single = await aJob({
    lines: [{ serviceId: mow, recurrence: null, onceOn: '2026-04-20', unitPriceCents: 5000 }],
  })
  const over = await aJob()
  await business.api.ok(jobsApi.act, { params: { id: over.id, verb: 'complete' }, body: {} as never })
  const choice = { customers: { ids: [one, two, twice, single, over].map((job) => job.customerId) } }
  const change = { kind: 'assign', weekday: 4, crew: { id: south }, fromOn: null }
  const before = await standing(one.id, two.id, twice.id, single.id)
  const seen = await business.api.ok(jobEditsApi.preview, { body: { choice, change } as never })
  expect(seen).toMatchObject({
    matching: 3,
    jobs: 2,
    visits: { moved: 24, created: 0, removed: 0, kept: 0 },
    without: { count: 2, names: ['Ann Example', 'Ann Example'] },
  })
  expect(seen.items.filter((item) => item.reason).map((item) => [item.jobId, item.reason])).toEqual([
    [twice.id, 'several_days'],
  ])
  expect(await standing(one.id, two.id, twice.id, single.id)).toEqual(before)
  const done = await business.api.ok(jobEditsApi.create, {
    body: { choice, change, fingerprint: seen.fingerprint } as never,
  })
  const visits = await visitsOf(one.id, two.id)
  expect(visits.map((v) => [weekdayOf(v.day ?? ''), v.crewId])).toEqual(visits.map(() => [4, south]))
  const after = await standing(twice.id, single.id)
  expect(after.jobs.map((job) => job.crewId)).toEqual([north, north])
  expect(await undo(done.id)).toMatchObject({ restoredJobs: 2, keptCount: 0 })
  expect(await standing(one.id, two.id, twice.id, single.id)).toEqual(before)
})

it('refuses customers of another business, and a change of nothing', async () => {
  const other = await aBusiness()
  const job = await aJob()
  const ask = (api: TestBusiness['api'], customers: object, change: object) =>
    api.call(jobEditsApi.preview, { body: { choice: { customers }, change } as never })
  const day = { kind: 'assign', weekday: 4, crew: null, fromOn: null }
  expect((await ask(other.api, { ids: [job.customerId] }, day)).status).toBe(404)
  expect((await ask(business.api, { ids: [job.customerId] }, { ...day, crew: { id: newId() } })).status).toBe(404)
  expect(
    (await ask(business.api, { ids: [job.customerId] }, { ...day, weekday: null })).error.errors?.[0]?.message,
  ).toBe('Choose a day, a crew, or both.')
  // everybody of a filter: those of the list, as the list counts them
  const all = await ask(business.api, { filter: {} }, day)
  expect(all.status).toBe(200)
  expect(all.body.matching).toBeGreaterThan(1)
})

it('a new weekday and a new crew leave a visit that was placed by hand, and a colleague keeps what he did since', async () => {
  const job = await aJob()
  const visits = await visitsOf(job.id)
  await move(visits[3]?.id ?? '', '2026-05-01')
  const before = await standing(job.id)
  const days = await edit([job.id], { kind: 'day', weekday: 4, fromOn: null })
  expect(days.visits).toMatchObject({ moved: 11, kept: 1 })
  const crew = await edit([job.id], { kind: 'crew', crewId: south, fromOn: null })
  expect((await visitsOf(job.id)).filter((v) => v.crewId === south)).toHaveLength(11)
  // Meanwhile: one is moved, another one is finished.
  const [moved, , , , finished] = visits
  await move(moved?.id ?? '', '2026-04-08', south)
  await business.api.ok(visitsApi.finish, { params: { visitId: finished?.id ?? '' }, body: {} })
  const back = await undo(crew.id)
  expect(back.kept.map((one) => one.why).toSorted()).toEqual(['is over by now', 'was changed since'])
  expect(back.kept[0]).toMatchObject({ number: job.number, customerName: 'Ann Example' })
  await undo(days.id)
  const now = await standing(job.id)
  const others = (rows: { id: string }[]) => rows.filter((v) => v.id !== moved?.id && v.id !== finished?.id)
  expect(others(now.visits)).toEqual(others(before.visits))
  expect(now.visits.find((v) => v.id === moved?.id)).toMatchObject({ day: '2026-04-08', crewId: south })
  expect(now.lines).toEqual(before.lines)
})

it('an undo in the wrong order says what to undo first and is not used up', async () => {
  const job = await aJob()
  const before = await standing(job.id)
  const first = await edit([job.id], percent(5))
  setClock(() => new Date(`${today}T12:05:00Z`))
  const second = await edit([job.id], percent(3))
  const refused = await business.api.call(jobEditsApi.undo, { params: { id: first.id } })
  expect(refused.status).toBe(409)
  expect(refused.error.message).toMatch(
    /^These jobs were changed together again by .+ on Mon, Apr 6 at .+ Undo that change first\./,
  )
  await undo(second.id)
  await undo(first.id)
  expect(await standing(job.id)).toEqual(before)
  setClock(() => new Date(`${today}T12:00:00Z`))
})

it('a price goes back while the day that somebody gave it since stays', async () => {
  const job = await aJob()
  const done = await edit([job.id], percent(10))
  const [first] = await visitsOf(job.id)
  await move(first?.id ?? '', '2026-04-10')
  expect((await undo(done.id)).kept).toEqual([])
  expect((await visitsOf(job.id))[0]).toMatchObject({ id: first?.id, day: '2026-04-10', priceCents: 5000 })
})

it('a job whose price somebody set since stays and is named; a new title is nobody’s loss', async () => {
  const [one, two] = [await aJob(), await aJob()]
  const done = await edit([one.id, two.id], percent(10))
  const line = one.lines[0]
  const { version } = await business.api.ok(jobsApi.get, { params: { id: one.id } })
  const lines = [{ id: line?.id, serviceId: mow, recurrence: every(2), unitPriceCents: 7000 }]
  await business.api.ok(jobsApi.update, { params: { id: one.id }, body: { version, lines } as never })
  const other = await business.api.ok(jobsApi.get, { params: { id: two.id } })
  await business.api.ok(jobsApi.update, { params: { id: two.id }, body: { version: other.version, title: 'Lawn' } })
  const undone = await undo(done.id)
  expect(undone).toMatchObject({ restoredJobs: 1, keptCount: 1, kept: [{ jobId: one.id, day: null }] })
  expect((await visitsOf(one.id))[0]?.priceCents).toBe(7000)
  expect((await visitsOf(two.id))[0]?.priceCents).toBe(5000)
})

it('what an undo could take back on some jobs only is not over: the rest says why, and goes back once that is gone', async () => {
  const [one, two] = [await aJob(), await aJob()]
  const before = await standing(one.id, two.id)
  const both = await edit([one.id, two.id], percent(10))
  setClock(() => new Date(`${today}T12:05:00Z`))
  const later = await edit([two.id], percent(3))
  const half = await undo(both.id)
  expect(half).toMatchObject({ restoredJobs: 1, keptCount: 1, undoneAt: null, undoneJobs: 1, jobs: 2 })
  expect(half.kept[0]?.why).toMatch(/^was changed with others by .+ on Mon, Apr 6 at .+: undo that first$/)
  const [listed] = (await business.api.ok(jobEditsApi.list, {})).items.filter((one) => one.id === both.id)
  expect(listed).toMatchObject({ undoneAt: null, undoneJobs: 1 })
  expect((await business.api.call(jobEditsApi.undo, { params: { id: both.id } })).status).toBe(409)
  // Taken back, a job is nobody's any more: what is done to it now stays.
  const { version } = await business.api.ok(jobsApi.get, { params: { id: one.id } })
  await business.api.ok(jobsApi.update, { params: { id: one.id }, body: { version, title: 'Lawn' } })
  await undo(later.id)
  expect(await undo(both.id)).toMatchObject({ restoredJobs: 1, keptCount: 0, undoneJobs: 2 })
  expect(await standing(one.id, two.id)).toEqual(before)
  expect((await business.api.call(jobEditsApi.undo, { params: { id: both.id } })).status).toBe(409)
  setClock(() => new Date(`${today}T12:00:00Z`))
})

it('pauses, resumes and ends many, and nights that went by are made up for by the old rules', async () => {
  const [one, two] = [await aJob(), await aJob({ endOn: '2026-05-31' })]
  const before = await standing(one.id, two.id)
  const paused = await edit([one.id, two.id], { kind: 'pause', until: '2026-05-04' })
  expect(paused.visits.removed).toBe(8)
  const resumed = await edit([one.id, two.id], { kind: 'resume' })
  expect(resumed.visits.created).toBe(8)
  await undo(resumed.id)
  await undo(paused.id)
  expect(await standing(one.id, two.id)).toEqual(before)
  const ended = await edit([one.id, two.id], { kind: 'end', lastOn: null })
  expect(ended.month).toMatchObject({ afterCents: 0 })
  expect(await visitsOf(one.id)).toEqual([])
  await undo(ended.id)
  expect(await standing(one.id, two.id)).toEqual(before)
  // A week later the walk of every night reached farther, by the new weekday.
  const moved = await edit([one.id], { kind: 'day', weekday: 5, fromOn: null })
  setClock(() => new Date('2026-04-13T12:00:00Z'))
  await topUpVisits.run(systemActor(business.id as never), {})
  // The session of the week before is over.
  await (await business.admin()).api.ok(jobEditsApi.undo, { params: { id: moved.id } })
  const after = await visitsOf(one.id)
  setClock(() => new Date(`${today}T12:00:00Z`))
  expect(after).toHaveLength(13)
  expect(after.every((v) => weekdayOf(v.day ?? '') === 2)).toBe(true)
})

it('says of each job why it stays, and refuses when nothing is left', async () => {
  const once = await aJob({ lines: [{ serviceId: mow, recurrence: null, onceOn: '2026-04-20', unitPriceCents: 9000 }] })
  const twice = await aJob({
    lines: [{ serviceId: mow, recurrence: every(2, { weekdays: [1, 4] }), unitPriceCents: 1 }],
  })
  const both = await aJob({
    lines: [mow, beds].map((serviceId) => ({ serviceId, recurrence: every(4), unitPriceCents: 4000 })),
  })
  const ids = [once.id, twice.id, both.id]
  const why = async (change: BulkChange) => {
    const { items } = await preview(ids, change)
    return ids.map((id) => items.find((item) => item.jobId === id)?.reason)
  }
  expect(await why({ kind: 'day', weekday: 4, fromOn: null })).toEqual(['once', 'several_days', 'same'])
  const set = { ...percent(0), mode: 'set' as const, cents: 6000 }
  expect(await why(set as BulkChange)).toEqual([null, null, 'several_services'])
  expect(await why({ ...set, serviceId: beds } as BulkChange)).toEqual(['no_service', 'no_service', null])
  const off = { ...percent(0), mode: 'amount' as const, cents: -100 }
  expect(await why(off as BulkChange)).toEqual([null, 'below_zero', null])
  expect(await why({ kind: 'resume' })).toEqual(['not_resting', 'not_resting', 'not_resting'])
  const { fingerprint } = await preview(ids, { kind: 'resume' })
  const refused = await business.api.call(jobEditsApi.create, {
    body: { choice: { ids }, change: { kind: 'resume' }, fingerprint } as never,
  })
  expect(refused.status).toBe(409)
})

it('a second tab, a second try and somebody else’s jobs change nothing twice', async () => {
  const job = await aJob()
  const change = percent(5)
  const { fingerprint } = await preview([job.id], change)
  const body = { choice: { ids: [job.id] }, change, fingerprint } as never
  const key = newId()
  const results = await Promise.all(
    [1, 2].map(() => business.api.call(jobEditsApi.create, { body }, { 'idempotency-key': key })),
  )
  const made = results.filter((r) => r.status === 200).map((r) => (r.body as { id: string }).id)
  expect(new Set(made).size).toBe(1)
  const again = await business.api.call(jobEditsApi.create, { body })
  expect(again.status).toBe(409)
  expect((await visitsOf(job.id)).every((v) => v.priceCents === 5250)).toBe(true)
  const stranger = await aBusiness()
  const foreign = { body: { choice: { ids: [job.id] }, change } as never }
  expect((await stranger.api.call(jobEditsApi.preview, foreign)).status).toBe(404)
})

it('takes all that match up to its limit, and money only from those who may', async () => {
  const own = await aBusiness()
  const dispatcher = await own.employee({ permissions: ['schedule'] })
  const choice = { filter: { view: 'active' } }
  const empty = await own.api.ok(jobEditsApi.preview, { body: { choice, change: { kind: 'resume' } } as never })
  expect(empty).toMatchObject({ matching: 0, jobs: 0 })
  const price = { body: { choice, change: percent(5) } as never }
  expect((await dispatcher.api.call(jobEditsApi.preview, price)).status).toBe(403)
  const many = { ids: Array.from({ length: bulkLimit + 1 }, () => newId()) }
  const refused = await own.api.call(jobEditsApi.preview, { body: { choice: many, change: percent(5) } as never })
  expect(refused.status).toBe(422)
})

it('any sequence of changes, taken back from the last to the first, ends as it began', {
  timeout: 120_000,
}, async () => {
  const jobs = [
    await aJob(),
    await aJob({ lines: [{ serviceId: mow, recurrence: every(5, { interval: 2 }), unitPriceCents: 6100 }] }),
    await aJob({
      lines: [
        { serviceId: mow, recurrence: every(3), unitPriceCents: 4000 },
        { serviceId: beds, recurrence: every(3, { interval: 4 }), unitPriceCents: 9900 },
      ],
    }),
    await aJob({ lines: [{ serviceId: mow, recurrence: every(1, { anchor: 'completion' }), unitPriceCents: 5500 }] }),
    await aJob({ lines: [{ serviceId: beds, recurrence: null, onceOn: '2026-04-20', unitPriceCents: 9000 }] }),
    await aJob({
      lines: [{ serviceId: beds, recurrence: null, undated: { kind: 'waiting', fromOn: today }, unitPriceCents: 9100 }],
    }),
  ]
  const ids = jobs.map((job) => job.id)
  const [, second, third] = await visitsOf(ids[0] ?? '')
  await move(second?.id ?? '', '2026-04-17')
  await move(third?.id ?? '', '2026-04-22', south)
  const before = await standing(...ids)
  const fromOn = fc.constantFrom(null, '2026-04-15', '2026-05-20')
  const change = fc.oneof(
    fc.record({ kind: fc.constant('day' as const), weekday: fc.integer({ min: 0, max: 6 }), fromOn }),
    fc.record({ kind: fc.constant('crew' as const), crewId: fc.constantFrom(null, north, south), fromOn }),
    fc.record({
      kind: fc.constant('price' as const),
      mode: fc.constantFrom('set' as const, 'amount' as const, 'percent' as const),
      cents: fc.integer({ min: 0, max: 9000 }),
      percent: fc.integer({ min: -20, max: 20 }),
      serviceId: fc.constantFrom(null, mow, beds),
      roundTo: fc.constantFrom('cent' as const, 'dollar' as const, 'five' as const),
      fromOn,
    }),
    fc.record({ kind: fc.constant('pause' as const), until: fc.constantFrom(null, '2026-05-04') }),
    fc.constant({ kind: 'resume' as const }),
    fc.record({ kind: fc.constant('end' as const), lastOn: fc.constantFrom(null, '2026-05-12') }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ change, some: fc.subarray(ids, { minLength: 1 }) }), { minLength: 1, maxLength: 4 }),
      async (steps) => {
        const done: string[] = []
        for (const step of steps) {
          const { jobs: meant, fingerprint } = await preview(step.some, step.change)
          if (meant === 0) continue
          const body = { choice: { ids: step.some }, change: step.change, fingerprint }
          done.push((await business.api.ok(jobEditsApi.create, { body: body as never })).id)
        }
        for (const id of done.reverse()) expect((await undo(id)).kept).toEqual([])
        expect(await standing(...ids)).toEqual(before)
      },
    ),
    { numRuns: process.env.SWATH_TEST_LONG ? 60 : 8 },
  )
})
