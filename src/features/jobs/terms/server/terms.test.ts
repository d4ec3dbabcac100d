import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { type Api, runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aLawn, everyDay } from '../../../../test/field.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { jobEditsApi } from '../../bulk/contract.ts'
import { type JobRecord, jobsApi } from '../../contract.ts'
import { pricesApi } from '../../prices/contract.ts'
import type { Recurrence } from '../../rules.ts'
import { lockScheduledJobsTx } from '../../schedule/server/queries.ts'
import { topUpVisits } from '../../server/tasks.ts'

// A Monday in season.
const today = '2026-04-06'
const june = '2026-06-01'
let business: TestBusiness
let api: Api
let [mow, hedge, north, south] = ['', '', '', '']

const every = (weekday: number, changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 1,
  weekdays: [weekday],
  phaseOn: today,
  holiday: 'next',
  exceptions: [],
  ...changes,
})
const weekly = (changes: object = {}) => ({ serviceId: mow, recurrence: every(2), unitPriceCents: 5800, ...changes })
const onDemand = () => ({ serviceId: hedge, recurrence: null, unitPriceCents: 9000, undated: { kind: 'on_demand' } })

const on = async (day: string) => {
  setClock(() => new Date(`${day}T15:00:00Z`))
  api = (await aPerson(business.id, 'Admin')).api
}
const aJob = async (...lines: object[]) => {
  await on(today)
  const { propertyId } = await aLawn(business)
  return api.ok(jobsApi.create, { body: { propertyId, startOn: today, crewId: north, lines } as never })
}
const fresh = (job: JobRecord) => api.ok(jobsApi.get, { params: { id: job.id } })
/** The lines as the form shows them, some of them changed. */
const shown = async (job: JobRecord, changes: object) => {
  const { version, lines } = await fresh(job)
  const drafts = lines.map(
    ({ id, serviceId, description, quantity, unitPriceCents, recurrence, onceOn, undated }, at) => ({
      ...{ id, serviceId, description, quantity, recurrence, onceOn, undated, unitPriceCents: unitPriceCents ?? 0 },
      ...(at === 0 ? changes : {}),
    }),
  )
  return { version, lines: drafts }
}
const update = async (job: JobRecord, body: object) =>
  api.ok(jobsApi.update, {
    params: { id: job.id },
    body: { version: (await fresh(job)).version, ...body } as never,
  })
const change = async (job: JobRecord, fromOn: string | undefined, changes: object) =>
  update(job, { ...(await shown(job, changes)), ...(fromOn ? { fromOn } : {}) })
const act = (job: JobRecord, verb: 'pause' | 'resume') =>
  api.ok(jobsApi.act, { params: { id: job.id, verb }, body: { until: null } })
const night = () => topUpVisits.run(systemActor(business.id as never), {})

/** What each visit of the rule is, as its customer sees it. */
const seen = async (job: JobRecord) => {
  const rows = await business.db((db) =>
    db
      .selectFrom('visits as v')
      .innerJoin('visitLines as l', (x) => x.onRef('l.businessId', '=', 'v.businessId').onRef('l.visitId', '=', 'v.id'))
      .select(['v.id', 'v.day', 'v.priceCents', 'v.budgetMinutes', 'v.status', 'l.serviceId', 'l.unitPriceCents'])
      .where('v.businessId', '=', business.id)
      .where('v.jobId', '=', job.id)
      .where('v.origin', '=', 'rule')
      .where('v.status', '<>', 'canceled')
      .orderBy('v.occurrenceOn')
      .execute(),
  )
  return rows.map(({ id: _id, status: _status, ...row }) => row)
}
const until = (rows: Awaited<ReturnType<typeof seen>>, day: string) => rows.filter((row) => (row.day ?? '') < day)
const since = (rows: Awaited<ReturnType<typeof seen>>, day: string) => rows.filter((row) => (row.day ?? '') >= day)
const finishFirst = async (job: JobRecord) => {
  const { nextVisits } = await fresh(job)
  await api.ok(visitsApi.finish, { params: { visitId: nextVisits[0]?.id ?? '' }, body: {} })
  await runTasks()
}

beforeAll(async () => {
  setClock(() => new Date(`${today}T15:00:00Z`))
  business = await aBusiness({ workDays: everyDay })
  api = business.api
  north = await aCrew(business, { name: 'North', workDays: everyDay })
  south = await aCrew(business, { name: 'South', workDays: everyDay })
  const { items } = await api.ok(servicesApi.addDefaults, {})
  mow = items.find((s) => s.code === 'mow')?.id ?? ''
  hedge = items.find((s) => s.code === 'hedge')?.id ?? ''
})
afterAll(() => resetClock())

it('a price of June is not asked in April, whatever happens to the job until then', async () => {
  const job = await aJob(weekly(), onDemand())
  const before = until(await seen(job), june)
  const raised = await change(job, june, { unitPriceCents: 6090 })
  expect(raised.lines[0]).toMatchObject({ unitPriceCents: 5800, nextPrice: { cents: 6090, on: june } })
  const holds = async () => {
    const now = await seen(job)
    expect(until(now, june)).toEqual(before)
    expect(new Set(since(now, june).map((row) => row.priceCents))).toEqual(new Set([6090]))
  }
  await holds()
  await finishFirst(job)
  await holds()
  await update(job, { crewId: south })
  await holds()
  await act(job, 'pause')
  await act(job, 'resume')
  await night()
  await holds()
})

it('a price that was to come is let go by who handles money', async () => {
  const job = await aJob(weekly())
  await change(job, june, { unitPriceCents: 6090 })
  // What is left as the form shows it keeps what is to come.
  expect((await change(job, undefined, {})).lines[0]?.nextPrice).toMatchObject({ cents: 6090 })
  const planner = await aPerson(business.id, 'Admin', { permissions: ['customers', 'schedule'] })
  const { lines, version } = await shown(job, { dropsNextPrice: true })
  const hidden = lines.map(({ unitPriceCents: _hidden, ...line }) => line)
  const refused = await planner.api.call(jobsApi.update, {
    params: { id: job.id },
    body: { version, lines: hidden } as never,
  })
  expect(refused.status).toBe(403)
  const dropped = await change(job, undefined, { dropsNextPrice: true })
  expect(dropped.lines[0]).toMatchObject({ unitPriceCents: 5800, nextPrice: null })
  expect(new Set((await seen(job)).map((row) => row.priceCents))).toEqual(new Set([5800]))
})

it('another weekday, another service and other minutes from June on begin in June', async () => {
  const job = await aJob(weekly(), onDemand())
  const before = until(await seen(job), june)
  await change(job, june, { recurrence: every(4), serviceId: hedge, budgetMinutes: 77, unitPriceCents: 5800 })
  const after = since(await seen(job), june)
  expect(new Set(after.map((row) => row.serviceId))).toEqual(new Set([hedge]))
  await finishFirst(job)
  await act(job, 'pause')
  await act(job, 'resume')
  await night()
  const now = await seen(job)
  expect(until(now, june)).toEqual(before)
  expect(since(now, june)).toEqual(after)
  // What is changed before that day changes, the rest of what is ahead stays.
  await change(job, '2026-05-01', { unitPriceCents: 6100 })
  await update(job, { crewId: north })
  const mixed = await seen(job)
  expect(mixed.map(({ day, serviceId }) => [day, serviceId])).toEqual(now.map(({ day, serviceId }) => [day, serviceId]))
  for (const row of mixed) expect(row.priceCents).toBe((row.day ?? '') < '2026-05-01' ? 5800 : 6100)
})

it('one visit before a change from June on is still the work of its day, with what was said about it alone', async () => {
  const oneVisit = async (job: JobRecord, visitId: string, changes: object) => {
    await update(job, { ...(await shown(job, changes)), scope: 'this', visitId })
    const rows = await business.db((db) =>
      db
        .selectFrom('visitLines')
        .select(['serviceId', 'unitPriceCents', 'budgetMinutes', 'description'])
        .where('businessId', '=', business.id)
        .where('visitId', '=', visitId)
        .orderBy('position')
        .execute(),
    )
    const [visit] = await business.db((db) =>
      db
        .selectFrom('visits')
        .select(['priceCents', 'budgetMinutes'])
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute(),
    )
    return { lines: rows, ...visit }
  }
  const may = async (job: JobRecord) => (await fresh(job)).nextVisits.find(({ day }) => day === '2026-05-05')?.id ?? ''
  // Hedges instead of the mow from June on.
  const other = await aJob(weekly({ budgetMinutes: 40, description: 'Bag it' }))
  await change(other, june, { serviceId: hedge, unitPriceCents: 7000, budgetMinutes: 90 })
  expect(await oneVisit(other, await may(other), { budgetMinutes: 60 })).toEqual({
    ...{ priceCents: 5800, budgetMinutes: 60 },
    lines: [{ serviceId: mow, unitPriceCents: 5800, budgetMinutes: 60, description: 'Bag it' }],
  })
  // What was said of this visit before is still said.
  expect(await oneVisit(other, await may(other), { unitPriceCents: 6400 })).toMatchObject({
    ...{ priceCents: 6400, budgetMinutes: 60 },
    lines: [{ serviceId: mow, unitPriceCents: 6400 }],
  })
  // No edging from June on.
  const less = await aJob(
    weekly({ budgetMinutes: 40 }),
    weekly({ serviceId: hedge, unitPriceCents: 900, budgetMinutes: 10 }),
  )
  const { lines } = await shown(less, {})
  await update(less, { lines: lines.slice(0, 1), fromOn: june })
  expect(await oneVisit(less, await may(less), { budgetMinutes: 60 })).toMatchObject({
    ...{ priceCents: 6700, budgetMinutes: 70 },
    lines: [
      { serviceId: mow, budgetMinutes: 60 },
      { serviceId: hedge, unitPriceCents: 900 },
    ],
  })
})

it('work that follows its last visit keeps the price and the pace of the day', async () => {
  const rule = every(2, { anchor: 'completion' })
  const job = await aJob(weekly({ recurrence: rule }))
  await change(job, june, { unitPriceCents: 6090, recurrence: { ...rule, interval: 2 } })
  await finishFirst(job)
  expect((await fresh(job)).nextVisits).toMatchObject([{ day: '2026-04-14', priceCents: 5800 }])
  const finishOn = async (day: string) => {
    await on(day)
    await finishFirst(job)
  }
  await finishOn('2026-04-14')
  expect((await fresh(job)).nextVisits).toMatchObject([{ day: '2026-04-21', priceCents: 5800 }])
  await finishOn('2026-05-26')
  expect((await fresh(job)).nextVisits).toMatchObject([{ day: '2026-06-09', priceCents: 6090 }])
})

it('a change of many from June on shows the new price and leaves open rounds what they are until then', async () => {
  const round = { kind: 'step', name: 'Round 1', opensOn: today, closesOn: '2026-07-01', minGapDays: 0 }
  const job = await aJob({ serviceId: hedge, recurrence: null, unitPriceCents: 5000, undated: round })
  const edit = { kind: 'price', mode: 'percent', percent: 10, fromOn: june }
  const body = { choice: { ids: [job.id] }, change: edit } as never
  const preview = await api.ok(jobEditsApi.preview, { body })
  expect(preview.items[0]).toMatchObject({ beforeCents: 5000, afterCents: 5500 })
  await api.ok(jobEditsApi.create, { body: { ...(body as object), fingerprint: preview.fingerprint } as never })
  const cents = async () => (await fresh(job)).nextVisits.map((visit) => visit.priceCents)
  await night()
  expect(await cents()).toEqual([5000])
  await on('2026-06-02')
  await night()
  expect(await cents()).toEqual([5500])
})

it('what ends on a later day is still booked and decided until then', async () => {
  const round = { kind: 'step', name: 'Round 1', opensOn: '2026-04-06', closesOn: '2026-04-20', minGapDays: 0 }
  const job = await aJob(
    onDemand(),
    { serviceId: hedge, recurrence: null, unitPriceCents: 5000, undated: round },
    weekly(),
  )
  const [extra, step, rule] = (await fresh(job)).lines
  const { version, lines } = await shown(job, {})
  await api.ok(jobsApi.update, {
    params: { id: job.id },
    body: { version, lines: lines.filter(({ id }) => id === rule?.id), fromOn: june } as never,
  })
  await api.ok(jobsApi.bookLine, {
    params: { id: job.id, lineId: extra?.id ?? '' },
    body: { day: '2026-04-09', crewId: north },
  })
  await on('2026-04-21')
  await night()
  const decide = () =>
    api.ok(jobsApi.decideStep, { params: { id: job.id, lineId: step?.id ?? '' }, body: { decision: 'late' } })
  await decide()
  await night()
  const rounds = await business.db((db) =>
    db
      .selectFrom('visits')
      .select(['status', 'priceCents'])
      .where('jobId', '=', job.id)
      .where('priceCents', 'in', [5000, 9000])
      .orderBy('priceCents')
      .execute(),
  )
  expect(rounds).toEqual([
    { status: 'unscheduled', priceCents: 5000 },
    { status: 'scheduled', priceCents: 9000 },
  ])
})

it('earlier terms of many jobs are read at once, however many there are', async () => {
  const jobs = [await aJob(weekly()), await aJob(weekly()), await aJob(weekly())]
  for (const job of jobs) await update(job, { crewId: south, fromOn: june })
  const asked = await business.db(async (db) => {
    let count = 0
    const counting = (db as unknown as Kysely<unknown>).withPlugin({
      transformQuery: ({ node }) => {
        count++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const ask = async (ids: string[]) => {
      count = 0
      const found = await lockScheduledJobsTx(Object.assign(counting, { businessId: business.id }) as never, ids)
      expect(found.map(({ earlier }) => earlier.map(({ crewId }) => crewId))).toEqual(ids.map(() => [north]))
      return count
    }
    const ids = jobs.map(({ id }) => id).sort()
    return [await ask(ids.slice(0, 1)), await ask(ids)]
  })
  expect(asked[1]).toBe(asked[0])
})

it('another service or description reaches every open visit, also at the same price', async () => {
  const round = { kind: 'step', name: 'Round 1', opensOn: today, closesOn: '2026-07-01', minGapDays: 0 }
  for (const line of [
    weekly({ budgetMinutes: 30 }),
    { ...weekly({ budgetMinutes: 30 }), recurrence: null, undated: round },
  ]) {
    const job = await aJob(line)
    await change(job, undefined, { serviceId: hedge, description: 'Bag it', budgetMinutes: 30, unitPriceCents: 5800 })
    const lines = await business.db((db) =>
      db
        .selectFrom('visitLines as l')
        .innerJoin('visits as v', (x) => x.onRef('l.businessId', '=', 'v.businessId').onRef('l.visitId', '=', 'v.id'))
        .select(['l.serviceId', 'l.description'])
        .where('v.businessId', '=', business.id)
        .where('v.jobId', '=', job.id)
        .execute(),
    )
    expect(lines.length).toBeGreaterThan(0)
    for (const one of lines) expect(one).toEqual({ serviceId: hedge, description: 'Bag it' })
  }
})

it('a waiting list of the first day takes no visit of the rule away', async () => {
  const waiting = { serviceId: hedge, recurrence: null, undated: { kind: 'waiting', fromOn: today, warnOn: null } }
  for (const draft of [false, true]) {
    const { propertyId } = await aLawn(business)
    await on(today)
    const lines = [weekly({ recurrence: every(1) }), { ...waiting, unitPriceCents: 9000 }]
    const job = await api.ok(jobsApi.create, { body: { propertyId, startOn: today, draft, lines } as never })
    if (draft) await api.ok(jobsApi.act, { params: { id: job.id, verb: 'activate' }, body: { until: null } })
    const { nextVisits } = await fresh(job)
    expect(nextVisits.filter((visit) => visit.day === null)).toHaveLength(1)
    expect(nextVisits.map((visit) => visit.day)).toContain(today)
  }
})

it('a raise of what a line will be from June on leaves what it is until then, also at the same price', async () => {
  const job = await aJob(weekly())
  const before = until(await seen(job), june)
  await change(job, june, { serviceId: hedge, unitPriceCents: 5800 })
  const raise = { serviceIds: [hedge], by: { percent: 10, rounding: 'cent' } }
  const body = { fromOn: '2026-05-01', scope: 'future', raise, ownPrices: 'raise' }
  const changed = await api.ok(pricesApi.apply, { body: body as never })
  const holds = async () => {
    const now = await seen(job)
    expect(until(now, june)).toEqual(before)
    expect(new Set(since(now, june).map((row) => row.priceCents))).toEqual(new Set([6380]))
  }
  await holds()
  await update(job, { crewId: south })
  await night()
  await holds()
  await api.ok(pricesApi.undo, { params: { id: changed.id } })
  expect(until(await seen(job), june)).toEqual(before)
  expect(new Set(since(await seen(job), june).map((row) => row.priceCents))).toEqual(new Set([5800]))
})

it('any sequence of what happens to a job leaves the days before a change what they were', {
  timeout: 300_000,
}, async () => {
  const step = fc.constantFrom('finish', 'crew', 'pause', 'night', 'billing', 'again')
  const wish = fc.record({
    cents: fc.constantFrom(undefined, 6090, 7000),
    weekday: fc.constantFrom(2, 4, 6),
    interval: fc.constantFrom(1, 2),
    service: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(wish, fc.array(step, { minLength: 1, maxLength: 5 }), async (to, steps) => {
      const job = await aJob(weekly(), onDemand())
      const before = until(await seen(job), june)
      await change(job, june, {
        recurrence: every(to.weekday, { interval: to.interval }),
        ...(to.cents ? { unitPriceCents: to.cents } : {}),
        ...(to.service ? { serviceId: hedge } : {}),
      })
      const after = since(await seen(job), june)
      for (const [at, one] of steps.entries()) {
        if (one === 'finish') await finishFirst(job)
        if (one === 'crew') await update(job, { crewId: at % 2 === 0 ? south : north })
        if (one === 'billing') await update(job, { billing: at % 2 === 0 ? 'flat' : 'per_visit' })
        if (one === 'pause') {
          await act(job, 'pause')
          await act(job, 'resume')
        }
        if (one === 'night') await night()
        if (one === 'again') await change(job, '2026-05-04', { description: `Note ${at}` })
        const now = await seen(job)
        expect(until(now, june)).toEqual(before)
        expect(since(now, june)).toEqual(after)
      }
    }),
    { numRuns: process.env.SWATH_TEST_LONG ? 40 : 8 },
  )
})
