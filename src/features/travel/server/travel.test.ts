import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { configurePatience, ServiceError } from '../../../platform/geo/ask-service.ts'
import { configureTravelEngine } from '../../../platform/geo/engines.ts'
import { noWay, PlacesRefused, type TravelEngine } from '../../../platform/geo/travel-engine.ts'
import { addDays, weekdayOf } from '../../../shared/dates.ts'
import { crowMeters, type Point } from '../../../solver/matrix.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../test/field.ts'
import { optimized } from '../../../test/planning.ts'
import { type DayPlan, routesApi } from '../../routes/contract.ts'
import { forgetRest, tidyTravelTimes } from './commands.ts'

const day = (() => {
  let d = addDays(today(), 3)
  while ([0, 6].includes(weekdayOf(d))) d = addDays(d, 1)
  return d
})()

/** Roads that are twice as slow to the north, so that both ways differ and nothing of it looks like the estimate. */
const secondsOf = (a: Point, b: Point): number => Math.round(60 + crowMeters(a, b) / (b.lat > a.lat ? 5 : 10))

type Asked = { sources: number; targets: number }

const anEngine = (changes: Partial<TravelEngine> = {}): { engine: TravelEngine; asked: Asked[] } => {
  const asked: Asked[] = []
  return {
    asked,
    engine: {
      id: `test-${Math.random()}`,
      limits: { sources: 10, targets: 10, pairs: 80, places: 20 },
      keepDays: 30,
      bucketOf: () => 0,
      ask: async (sources, targets) => {
        asked.push({ sources: sources.length, targets: targets.length })
        const pairs = sources.flatMap((a) => targets.map((b) => [a, b] as const))
        return {
          seconds: Int32Array.from(pairs, ([a, b]) => secondsOf(a, b)),
          meters: Int32Array.from(pairs, ([a, b]) => Math.round(crowMeters(a, b) * 2)),
        }
      },
      ...changes,
    },
  }
}

let business: TestBusiness

const aDay = async (visits: number): Promise<void> => {
  business = await aBusiness()
  const pair = [await business.employee({ wageCents: 2000 })]
  await aCrew(business, { members: pair })
  for (let i = 0; i < visits; i++)
    await aVisit(business, {
      day,
      budgetMinutes: 10,
      street: `${i} Bluff Dr`,
      latitude: 32.05 + Math.sin((i + 1) * 12.9898) * 0.05,
      longitude: -81.1 + Math.sin((i + 1) * 78.233) * 0.05,
    })
}

const read = (): Promise<DayPlan> => business.api.ok(routesApi.day, { query: { day } })
const optimize = () => optimized(business.api, { day })
const kept = () =>
  business.db((db) => db.selectFrom('travelTimes').selectAll().where('businessId', '=', business.id).execute())

beforeEach(() => configurePatience(1))
afterEach(() => {
  configureTravelEngine(null)
  configurePatience()
  forgetRest()
  resetClock()
})

describe('drive times', () => {
  it('are all estimated without an engine, and the plan says so', async () => {
    await aDay(6)
    const { plan } = await optimize()
    expect(plan.estimated).toBe('all')
    expect(await kept()).toEqual([])
  })

  it('come from the engine when a day is planned, both ways, within its limits; afterwards from the cache', async () => {
    await aDay(24)
    const { engine, asked } = anEngine()
    configureTravelEngine(engine)
    const { plan } = await optimize()
    expect(plan.estimated).toBe('none')
    expect(asked.every(({ sources: s, targets: t }) => s <= 10 && t <= 10 && s * t <= 80 && s + t <= 20)).toBe(true)
    const stops = plan.crews[0]!.stops
    expect(stops.length).toBeGreaterThan(10)
    for (const [i, stop] of stops.entries()) {
      const before = stops[i - 1] ?? { latitude: 32.05, longitude: -81.1 }
      const [a, b] = [before, stop].map((s) => ({ lat: s.latitude!, lng: s.longitude! }))
      expect(stop.driveSecondsBefore).toBe(secondsOf(a!, b!))
    }
    expect(await kept()).toHaveLength(25 * 24)
    asked.length = 0
    await optimize()
    expect(asked).toEqual([])
    expect(await read()).toMatchObject({ estimated: 'none' })
  })

  it('ask only for what a new stop brings', async () => {
    await aDay(18)
    const { engine, asked } = anEngine()
    configureTravelEngine(engine)
    await optimize()
    asked.length = 0
    await aVisit(business, { day, latitude: 32.0717, longitude: -81.0717 })
    await optimize()
    expect(asked.reduce((sum, { sources, targets }) => sum + sources * targets, 0)).toBeLessThanOrEqual(2 * 19 * 1.6)
  })

  it('stay estimates for what the engine did not answer; it is not asked again at once', async () => {
    await aDay(12)
    let calls = 0
    const { engine } = anEngine({
      ask: async () => {
        calls++
        throw new ServiceError('down', { passing: true })
      },
    })
    configureTravelEngine(engine)
    expect((await optimize()).plan.estimated).toBe('all')
    const before = calls
    expect(before).toBeGreaterThan(2)
    expect((await optimize()).plan.estimated).toBe('all')
    expect(calls).toBe(before)
  })

  it.each([
    ['half a block', () => ({ seconds: new Int32Array(3), meters: new Int32Array(3) })],
    ['a drive of a year', (n: number) => ({ seconds: new Int32Array(n).fill(31_536_000), meters: new Int32Array(n) })],
    ['negative meters', (n: number) => ({ seconds: new Int32Array(n), meters: new Int32Array(n).fill(-7) })],
  ])('never become a plan from %s', async (_, answer) => {
    await aDay(5)
    const { engine } = anEngine({ ask: async (s, t) => answer(s.length * t.length) })
    configureTravelEngine(engine)
    const { plan } = await optimize()
    expect(plan.estimated).toBe('all')
    expect(await kept()).toEqual([])
  })

  it('say where no road leads, and leave that stop out of the plan with the reason', async () => {
    await aDay(8)
    await aVisit(business, { day, street: '1 Island Way', latitude: 31.95, longitude: -81.2 })
    const { engine } = anEngine()
    const island = (p: Point) => p.lat === 31.95
    configureTravelEngine({
      ...engine,
      ask: async (sources, targets, options) => {
        const block = await engine.ask(sources, targets, options)
        sources.forEach((a, i) => {
          targets.forEach((b, j) => {
            if (island(a) !== island(b)) block.seconds[i * targets.length + j] = noWay
          })
        })
        return block
      },
    })
    const { plan, result } = await optimize()
    expect(result.left).toMatchObject([{ street: '1 Island Way', reason: expect.stringMatching(/no way/i) }])
    const visitId = plan.unplaced[0]!.visitId
    const moved = await business.api.ok(routesApi.move, { body: { visitId, crewId: plan.crews[0]!.crewId, day } })
    expect(moved.violations.join()).toContain('No road leads to 1 Island Way')
    expect(moved.plan.crews[0]!.totals.driveSeconds).toBeLessThan(8 * 3600)
  })

  it('leave out only the one place that the engine refuses', async () => {
    await aDay(14)
    await aVisit(business, { day, street: '1 Far Rd', latitude: 32.4, longitude: -81.4 })
    const { engine } = anEngine()
    configureTravelEngine({
      ...engine,
      ask: (sources, targets, options) =>
        [...sources, ...targets].some((p) => p.lat === 32.4)
          ? Promise.reject(new PlacesRefused('too far'))
          : engine.ask(sources, targets, options),
    })
    expect((await optimize()).plan.estimated).toBe('some')
    expect(await kept()).toHaveLength(15 * 14)
  })

  it('come behind the first look at a day, once', async () => {
    await aDay(6)
    const { plan } = await optimize()
    expect(plan.estimated).toBe('all')
    const { engine, asked } = anEngine()
    configureTravelEngine(engine)
    expect((await read()).estimated).toBe('all')
    await runTasks()
    expect((await read()).estimated).toBe('none')
    asked.length = 0
    await read()
    await runTasks()
    expect(asked).toEqual([])
  })

  it('are forgotten when they are old', async () => {
    await aDay(3)
    const { engine } = anEngine()
    configureTravelEngine(engine)
    await optimize()
    expect(await kept()).toHaveLength(12)
    await business.db(tidyTravelTimes)
    expect(await kept()).toHaveLength(12)
    setClock(() => new Date(Date.now() + 31 * 86_400_000))
    await business.db(tidyTravelTimes)
    expect(await kept()).toEqual([])
  })

  it('are nobody else’s', async () => {
    await aDay(4)
    const { engine } = anEngine()
    configureTravelEngine(engine)
    await optimize()
    const other = await aBusiness()
    const seen = await other.db((db) => db.selectFrom('travelTimes').selectAll().execute())
    expect(seen).toEqual([])
  })
})
