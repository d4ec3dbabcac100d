import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer } from '../../../../app-server.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Day, daysBetween, instantAt } from '../../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../../test/field.ts'
import { aWorkday, optimized, placeNear, runOver } from '../../../../test/planning.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { type RouteProgress, routesApi } from '../../contract.ts'
import { readStops } from '../../proposals/rules.ts'
import { configurePlanning } from '../search/planning.ts'

const day: Day = aWorkday()
let business: TestBusiness
let crews: string[]
let visits: string[]

const field = async () => {
  business = await aBusiness()
  crews = []
  for (const name of ['North', 'Coast'])
    crews.push(await aCrew(business, { name, members: [await business.employee({ wageCents: 2000 })] }))
  visits = []
  for (let i = 0; i < 14; i++)
    visits.push((await aVisit(business, { day, budgetMinutes: 25, street: `${i} Bluff Dr`, ...placeNear(i) })).visitId)
}
beforeEach(field)
afterEach(async () => {
  resetClock()
  await configurePlanning()
})

const held = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ task, flag }) => {
  while (Atomics.load(flag, 0) === 0) Atomics.wait(flag, 0, 0, 5)
  const [first, ...rest] = task.problem.crewDays
  const plan = { routes: [{ crewDayId: first.id, visitIds: task.problem.visits.map((v) => v.id) }, ...rest.map((c) => ({ crewDayId: c.id, visitIds: [] }))] }
  parentPort.postMessage({ answer: { kept: false, plan, unserved: [], iterations: 7, stopped: true } })
})`
const threadOf = (code: string) => ({ entry: new URL(`data:text/javascript,${encodeURIComponent(code)}`) })
const start = (body: Record<string, unknown> = {}, api = business.api) =>
  api.ok(routesApi.optimize, { body: { day, ...body } }).then(({ run }) => run)
const rows = () =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'day', 'crewId', 'position', 'plannedStartMinute', 'movedFrom'])
      .where('businessId', '=', business.id)
      .orderBy('id')
      .execute(),
  )

describe('a search', () => {
  it('is the same one for a doubled click and a second tab; another request for the day waits', async () => {
    await configurePlanning(threadOf(held))
    const colleague = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    const [one, two] = await Promise.all([start(), start()])
    expect(two?.id).toBe(one?.id)
    expect((await colleague.api.ok(routesApi.currentRun, { query: { day } })).run?.id).toBe(one?.id)
    const other = await colleague.api.call(routesApi.optimize, { body: { day, placeDue: false } })
    expect(other.status).toBe(409)
    expect(other.error.message).toContain('being planned right now')
    await business.api.ok(routesApi.stopRun, { params: { id: one!.id } })
    expect((await runOver(business.api, one!.id)).status).toBe('applied')
  })

  it('costs least unless the crews are asked to end together, and says what each way costs', async () => {
    const least = await optimized(business.api, { day })
    const price = (run: typeof least, way: string) => run.result.evenness?.choices.find((c) => c.evenness === way)
    expect(least.result.evenness?.chosen).toBe('cost')
    expect(price(least, 'cost')).toMatchObject({ moreDriveSeconds: 0, moreCents: 0 })
    expect(price(least, 'even')!.apartMinutes).toBeLessThan(price(least, 'cost')!.apartMinutes)
    expect(price(least, 'even')!.moreCents).toBeGreaterThan(0)
    const ends = (run: typeof least) => run.plan.crews.map((c) => c.totals.endMinute ?? 0)
    const apart = (run: typeof least) => Math.abs(ends(run)[0]! - ends(run)[1]!)

    const even = await optimized(business.api, { day, evenness: 'even' })
    expect(even.run.status).toBe('applied')
    expect(even.result.evenness?.chosen).toBe('even')
    expect(even.plan.crews.every((c) => c.stops.length > 0)).toBe(true)
    expect(apart(even)).toBeLessThanOrEqual(30)
    expect(even.result.after.driveSeconds).toBeGreaterThan(least.result.after.driveSeconds)

    const again = await optimized(business.api, { day })
    expect(again.result.after.driveSeconds).toBeLessThan(even.result.after.driveSeconds)
    const planner = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    const seen = await planner.api.ok(routesApi.run, { params: { id: again.run.id } })
    expect(seen.result?.evenness?.choices.map((c) => c.moreCents)).toEqual([null, null, null])
  })

  it('shares the day out as the business has it set, and otherwise only when it is asked', async () => {
    const chosenOn = async (body: { evenness?: 'cost' } = {}) =>
      (await optimized(business.api, { day, ...body })).result.evenness?.chosen
    expect(await chosenOn()).toBe('cost')
    const { version } = await business.api.ok(businessesApi.get, {})
    const set = await business.api.ok(businessesApi.update, { body: { version, routeEvenness: 'even' } })
    expect(set.routeEvenness).toBe('even')
    expect(await chosenOn()).toBe('even')
    expect(await chosenOn({ evenness: 'cost' })).toBe('cost')
    const wrong = await business.api.call(businessesApi.update, {
      body: { version: set.version, routeEvenness: 'fair' as 'even' },
    })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'routeEvenness'])
  })

  it('stopped keeps the best so far', async () => {
    await configurePlanning(threadOf(held))
    const run = await start()
    expect(run).toMatchObject({ status: 'running', kind: 'optimize', apply: true })
    expect(run.visitIds).toHaveLength(14)
    await business.api.ok(routesApi.stopRun, { params: { id: run.id } })
    const over = await runOver(business.api, run.id)
    expect(over).toMatchObject({ status: 'applied', result: { stopped: true, stops: 14 } })
    expect(new Set((await rows()).map((v) => v.crewId)).size).toBe(1)
    // once more changes nothing
    expect((await business.api.ok(routesApi.stopRun, { params: { id: run.id } })).status).toBe('applied')
  })

  it.each([
    ['crashes', 'setTimeout(()=>process.exit(3),20)'],
    ['cannot be started', 'throw new Error("no")'],
    ['hangs', 'for(;;){}'],
  ])('leaves the plan as it was when its thread %s, and says so', async (_, code) => {
    await configurePlanning({ ...threadOf(code), hardLimitMs: 500 })
    const before = await rows()
    const run = await runOver(business.api, (await start()).id)
    expect(run).toMatchObject({ status: 'failed', result: null, error: expect.stringContaining('Nothing was changed') })
    expect(await rows()).toEqual(before)
    await configurePlanning()
    expect((await optimized(business.api, { day })).result.placed).toBe(14)
  })

  it('is lost when its process is gone, and does not stand in the way of the next', async () => {
    await configurePlanning(threadOf(held))
    const before = await rows()
    const lost = await start()
    await business.db((db) =>
      db
        .updateTable('routeRuns')
        .set({ heartbeatAt: new Date(0).toISOString() })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const seen = await business.api.ok(routesApi.run, { params: { id: lost.id } })
    expect(seen).toMatchObject({ status: 'failed', error: expect.stringContaining('cut off') })
    expect((await business.api.ok(routesApi.currentRun, { query: { day } })).run).toBeNull()
    expect(await rows()).toEqual(before)
    await configurePlanning()
    await runOver(business.api, lost.id)
    expect((await optimized(business.api, { day })).run.status).toBe('applied')
  })

  it('plans again what changed meanwhile, and never overwrites it', async () => {
    await configurePlanning(threadOf(held))
    const run = await start()
    await business.api.ok(routesApi.move, { body: { visitId: visits[3]!, crewId: crews[1]! } })
    await business.api.ok(routesApi.pin, { body: { visitId: visits[3]!, pinned: true } })
    await configurePlanning()
    const over = await runOver(business.api, run.id)
    // the thread went away with the pool; the pin stands either way
    expect(['applied', 'failed']).toContain(over.status)
    expect((await rows()).find((v) => v.id === visits[3])?.crewId).toBe(crews[1])
  })

  it('tells how far it is by the stream of events, to planners only and money only to who sees wages', async () => {
    const app = await buildServer()
    await app.listen({ port: 0, host: '127.0.0.1' })
    try {
      const { port } = app.server.address() as AddressInfo
      const employee = await business.employee()
      const planner = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
      const heard = { owner: '', planner: '', employee: '' }
      const end = new AbortController()
      const listen = async (who: keyof typeof heard, token: string | null, app: string) => {
        const response = await fetch(`http://127.0.0.1:${port}/api/events/stream`, {
          headers: { authorization: `Bearer ${token}`, 'x-client-app': app },
          signal: end.signal,
        })
        const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
        const pump = async (): Promise<void> => {
          for (;;) {
            const { done, value } = await reader.read()
            if (done) return
            heard[who] += value
          }
        }
        void pump().catch(() => undefined)
      }
      await listen('owner', business.api.token, 'admin')
      await listen('planner', planner.api.token, 'admin')
      await listen('employee', employee.api.token, 'employee')
      const run = await start({ longer: true })
      await runOver(business.api, run.id)
      await expect.poll(() => heard.employee).toContain(run.id)
      await expect.poll(() => heard.owner).toContain('event: progress')
      const eventsOf = (text: string) =>
        [...text.matchAll(/event: progress\ndata: (.*)\n/g)].map(([, data]) => JSON.parse(data!) as RouteProgress)
      const [news] = eventsOf(heard.owner)
      expect(news).toMatchObject({ runId: run.id, unserved: 0, costCents: expect.any(Number) })
      const numbers = readStops(news!.stops!).flatMap((route) => route.map((stop) => run.visitIds[stop.visit]))
      expect(numbers.toSorted()).toEqual(visits.toSorted())
      expect(eventsOf(heard.planner)[0]).not.toHaveProperty('costCents')
      expect(heard.employee).not.toContain('event: progress')
      // at most five a second
      const last = eventsOf(heard.owner).at(-1)!
      expect(eventsOf(heard.owner).length).toBeLessThanOrEqual(Math.ceil(last.elapsedMs / 200) + 1)
      end.abort()
    } finally {
      await app.close()
    }
  })
})

describe('a proposal', () => {
  it('is looked at, then applied or thrown away; until then the plan stays', async () => {
    const before = await rows()
    const { run, result } = await optimized(business.api, { day, apply: false })
    expect(run.status).toBe('proposed')
    expect(await rows()).toEqual(before)
    expect(result.changes.map((c) => c.kind)).toEqual(Array(14).fill('placed'))
    const seen = await business.api.ok(routesApi.day, { query: { day, runId: run.id } })
    expect(seen).toMatchObject({ can: { change: false }, proposalId: run.id, unplaced: [], totals: { stops: 14 } })
    expect((await business.api.ok(routesApi.currentRun, { query: { day } })).run?.id).toBe(run.id)
    const compared = await business.api.ok(routesApi.compare, { query: { day, runId: run.id } })
    expect(compared.variants.map((v) => [v.key, v.totals.stops, v.unplaced])).toEqual([
      ['booked', 0, 14],
      ['now', 0, 14],
      ['proposal', 14, 0],
    ])
    expect(run.can).toEqual({ stopRun: false, applyRun: true, dismissRun: true })
    const thrown = await business.api.ok(routesApi.dismissRun, { params: { id: run.id } })
    expect(thrown.can).toEqual({ stopRun: false, applyRun: false, dismissRun: false })
    expect(thrown.status).toBe('dismissed')
    expect((await business.api.call(routesApi.applyRun, { params: { id: run.id } })).status).toBe(409)

    const next = await optimized(business.api, { day, apply: false })
    const applied = await business.api.ok(routesApi.applyRun, { params: { id: next.run.id } })
    expect(applied.status).toBe('applied')
    // the doubled click
    expect((await business.api.ok(routesApi.applyRun, { params: { id: next.run.id } })).status).toBe('applied')
    const after = await rows()
    expect(after.every((v) => v.crewId)).toBe(true)
    // Undo of this one is not Undo of what somebody did after it.
    await business.api.ok(routesApi.move, { body: { visitId: visits[0]!, crewId: null } })
    const undo = (changeId: string) => business.api.call(routesApi.undo, { body: { day, changeId } })
    const late = await undo(next.run.id)
    expect([late.status, late.error.message]).toEqual([409, expect.stringMatching(/changed this day after that/)])
    expect((await rows()).find((v) => v.id === visits[0])?.crewId).toBeNull()
    await business.api.ok(routesApi.undo, { body: { day } })
    const undone = await business.api.ok(routesApi.undo, { body: { day, changeId: next.run.id } })
    expect(undone.undone).toBe('Optimize')
    expect(await rows()).toEqual(before)
    const redone = await business.api.ok(routesApi.redo, { body: { day } })
    expect(redone).toMatchObject({ redone: 'Optimize', kept: 0, plan: { undo: { label: 'Optimize' } } })
    expect(await rows()).toEqual(after)
  })

  it('is not applied to days that changed since', async () => {
    const { run } = await optimized(business.api, { day, apply: false })
    await business.api.ok(routesApi.move, { body: { visitId: visits[0]!, crewId: crews[0]! } })
    const now = await rows()
    const refused = await business.api.call(routesApi.applyRun, { params: { id: run.id } })
    expect(refused.status).toBe(409)
    expect(refused.error.message).toContain('changed since')
    expect(await rows()).toEqual(now)
  })

  it('compares the plan with what was sent', async () => {
    await optimized(business.api, { day })
    await business.api.ok(routesApi.publish, { body: { day } })
    const sent = await business.api.ok(routesApi.day, { query: { day } })
    const [stop] = sent.crews[0]!.stops
    await business.api.ok(routesApi.move, { body: { visitId: stop!.visitId, crewId: sent.crews[1]!.crewId } })
    const { variants, changes } = await business.api.ok(routesApi.compare, { query: { day } })
    const of = (key: string) => variants.find((v) => v.key === key)!
    expect(of('published').totals).toEqual(sent.totals)
    expect(of('now').totals).toEqual((await business.api.ok(routesApi.day, { query: { day } })).totals)
    expect(changes.find((c) => c.visitId === stop!.visitId)).toMatchObject({
      kind: 'other-crew',
      sent: true,
      from: { crewName: sent.crews[0]!.name },
      to: { crewName: sent.crews[1]!.name },
    })
  })

  it("is nobody else's", async () => {
    const { run } = await optimized(business.api, { day, apply: false })
    const other = await aBusiness()
    for (const endpoint of [routesApi.stopRun, routesApi.applyRun, routesApi.dismissRun])
      expect((await other.api.call(endpoint, { params: { id: run.id } })).status).toBe(404)
    expect((await other.api.call(routesApi.run, { params: { id: run.id } })).status).toBe(404)
    expect((await other.api.call(routesApi.day, { query: { day, runId: run.id } })).status).toBe(404)
    expect((await other.api.call(routesApi.compare, { query: { day, runId: run.id } })).status).toBe(404)
    expect((await business.api.call(routesApi.run, { params: { id: newId() } })).status).toBe(404)
    expect((await business.api.ok(routesApi.run, { params: { id: run.id } })).status).toBe('proposed')
  })
})

describe('undo and redo', () => {
  it('walk back and forth over moves and pins exactly; a new change ends Redo', async () => {
    await optimized(business.api, { day })
    const states = [await rows()]
    const plan = await business.api.ok(routesApi.day, { query: { day } })
    const [a, b] = plan.crews[0]!.stops
    const move = (visitId: string, position: number) =>
      business.api.ok(routesApi.move, { body: { visitId, crewId: plan.crews[1]!.crewId, position } })
    await move(a!.visitId, 0)
    states.push(await rows())
    await move(b!.visitId, 2)
    states.push(await rows())
    const undo = () => business.api.ok(routesApi.undo, { body: { day } })
    const redo = () => business.api.ok(routesApi.redo, { body: { day } })
    await undo()
    expect(await rows()).toEqual(states[1])
    await undo()
    expect(await rows()).toEqual(states[0])
    expect((await redo()).redone).toBe(`Move ${a!.street}`)
    expect(await rows()).toEqual(states[1])
    await redo()
    expect(await rows()).toEqual(states[2])
    expect((await business.api.call(routesApi.redo, { body: { day } })).status).toBe(409)
    await undo()
    await move(plan.crews[0]!.stops[2]!.visitId, 1)
    expect((await business.api.ok(routesApi.day, { query: { day } })).redo).toBeNull()
  })

  it('takes a move to another day back on both days', async () => {
    await optimized(business.api, { day })
    const before = await rows()
    const next = aWorkday(daysBetween(today(), day) + 1)
    const visitId = (await business.api.ok(routesApi.day, { query: { day } })).crews[0]!.stops[0]!.visitId
    await business.api.ok(routesApi.move, { body: { visitId, crewId: crews[1]!, day: next } })
    const { undo } = await business.api.ok(routesApi.day, { query: { day } })
    expect(undo?.days).toEqual([day, next].toSorted())
    await business.api.ok(routesApi.undo, { body: { day } })
    expect(await rows()).toEqual(before)
  })
})

describe('planning in the middle of a day', () => {
  it('lets a crew that has not started begin now once another has begun', async () => {
    const at = (minute: number) => new Date(instantAt(day, minute, 'America/New_York'))
    const offset = at(600).getTime() - clock.nowMs()
    setClock(() => new Date(Date.now() + offset))
    await field()
    const morning = await optimized(business.api, { day })
    expect(Math.min(...morning.plan.crews.flatMap((c) => c.stops.map((s) => s.startMinute ?? 9999)))).toBeLessThan(480)
    const first = morning.plan.crews[0]!.stops[0]!.visitId
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'completed', startedAt: at(430).toISOString(), finishedAt: at(590).toISOString() })
        .where('businessId', '=', business.id)
        .where('id', '=', first)
        .execute(),
    )
    const { plan } = await optimized(business.api, { day })
    const open = plan.crews.flatMap((c) => c.stops.filter((s) => !s.begun))
    expect(open.length).toBe(13)
    for (const stop of open) expect(stop.startMinute).toBeGreaterThanOrEqual(590)
    expect(plan.crews.find((c) => c.stops.some((s) => s.visitId === first))?.stops[0]?.visitId).toBe(first)
  })

  it('says of a crew that is through when it was back, not what time it is', async () => {
    const at = (minute: number) => new Date(instantAt(day, minute, 'America/New_York'))
    const offset = at(900).getTime() - clock.nowMs()
    setClock(() => new Date(Date.now() + offset))
    await field()
    const { plan } = await optimized(business.api, { day })
    const busy = plan.crews.find((c) => c.stops.length > 0)!
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'completed', startedAt: at(430).toISOString(), finishedAt: at(590).toISOString() })
        .where('businessId', '=', business.id)
        .where(
          'id',
          'in',
          busy.stops.map((s) => s.visitId),
        )
        .execute(),
    )
    const after = (await business.api.ok(routesApi.day, { query: { day } })).crews.find(
      (c) => c.crewId === busy.crewId,
    )!
    expect(after.totals.endMinute).toBe(590 + Math.ceil(after.homeDriveSeconds / 60))
  })
})
