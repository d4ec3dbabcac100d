import { describe, expect, it } from 'vitest'
import { estimateMatrix } from './matrix.ts'
import { createRandom } from './random.ts'
import { seasonPlan } from './season.ts'
import { type JudgedRoute, judgeSeason } from './season-judge.ts'
import type { SeasonProblem, SeasonSlot } from './season-problem.ts'

const HOUR = 3600

/** Forty lawns of two crews, half of them every other week, given out without a look at the map. */
function aTown(): SeasonProblem {
  const random = createRandom(4)
  const points = Array.from({ length: 41 }, () => ({ lat: 38 + random.next() * 0.15, lng: -85 + random.next() * 0.2 }))
  const crews = [1, 2].map((n) => ({
    id: `crew ${n}`,
    days: [1, 2, 3],
    startLocation: 0,
    endLocation: 0,
    shiftSeconds: 9 * HOUR,
    wageCentsPerHour: 4000,
    centsPerMile: 70,
  }))
  const properties = points.slice(1).map((_, i) => ({
    id: `p${i}`,
    location: i + 1,
    serviceSeconds: 1500,
    serviceSecondsByCrew: { 'crew 2': 900 },
    everyWeeks: 1 + (i % 2),
    today: { crewId: `crew ${1 + (i % 2)}`, day: 1 + (i % 3), week: i % 4 === 1 ? 1 : 0 },
  }))
  return { matrix: estimateMatrix(points), properties, crews, weeks: 30 }
}

const slotsOf = (plan: { slots: ({ propertyId: string } & SeasonSlot)[] }): Map<string, SeasonSlot> =>
  new Map(plan.slots.map(({ propertyId, ...slot }) => [propertyId, slot]))
const todayOf = (problem: SeasonProblem): Map<string, SeasonSlot> =>
  new Map(problem.properties.map((p) => [p.id, p.today!]))

describe('a season counted without its search', () => {
  it('drives what the search says, within what two searches differ by', () => {
    const problem = aTown()
    const plan = seasonPlan(problem, { iterations: 6000 })
    const before = judgeSeason(problem, todayOf(problem))
    const after = judgeSeason(problem, slotsOf(plan), { orders: plan.routes })
    expect(plan.moves.length).toBeGreaterThan(5)
    for (const [judged, said] of [
      [before.driving, plan.before!],
      [after.driving, plan.after],
    ] as const) {
      expect(Math.abs(judged.seconds / said.seconds - 1)).toBeLessThan(0.01)
      expect(Math.abs(judged.cents / said.cents - 1)).toBeLessThan(0.01)
    }
    expect(after.driving.seconds).toBeLessThanOrEqual(plan.after.seconds)
    expect(after.routes.every((route) => route.overSeconds === 0)).toBe(true)
    expect(after.cycleWeeks).toBe(plan.cycleWeeks)
  })

  it('counts a route the same wherever it stands, and says how far it is over its day', () => {
    const problem = aTown()
    for (const property of problem.properties) property.everyWeeks = 1
    const known = new Map<string, JudgedRoute>()
    const slots = todayOf(problem)
    const once = judgeSeason(problem, slots, { known })
    expect(judgeSeason(problem, slots, { known })).toEqual(once)
    expect(known.size).toBe(once.routes.length)
    const all = new Map(problem.properties.map((p) => [p.id, { crewId: 'crew 2', day: 2, week: 0 }]))
    const [route] = judgeSeason(problem, all).routes
    expect(route?.workSeconds).toBe(40 * 900)
    expect(route?.overSeconds).toBe((route?.driveSeconds ?? 0) + 40 * 900 - 9 * HOUR)
    const slow = judgeSeason(problem, all, { percents: { 'crew 2': 200 } })
    expect(Math.abs(slow.driving.seconds / (2 * judgeSeason(problem, all).driving.seconds) - 1)).toBeLessThan(0.02)
  })

  it('counts the driving of work that comes for a part of the season in its weeks only', () => {
    const problem = aTown()
    const slots = todayOf(problem)
    const all = judgeSeason(problem, slots)
    const short = new Set(problem.properties.filter((_, n) => n % 3 === 0).map((p) => p.id))
    const rest = judgeSeason(problem, new Map([...slots].filter(([id]) => !short.has(id))))
    for (const property of problem.properties) if (short.has(property.id)) property.weeks = 10
    const half = judgeSeason(problem, slots)
    // Ten weeks of thirty with it, twenty without.
    expect(Math.abs(half.driving.seconds - (all.driving.seconds + 2 * rest.driving.seconds) / 3)).toBeLessThan(
      half.driving.seconds * 0.01,
    )
    expect(half.routes).toEqual(all.routes)
  })

  it('has the real minutes of each week, not their average, and takes them along to another week', () => {
    const problem = aTown()
    const [first] = problem.properties
    const one: SeasonProblem = {
      ...problem,
      properties: [
        {
          ...first!,
          ...{
            everyWeeks: 1,
            serviceSeconds: 3600,
            serviceSecondsByCrew: {},
            today: { crewId: 'crew 1', day: 1, week: 0 },
          },
          serviceByWeek: [{ seconds: 1800 }, { seconds: 5400 }],
        },
      ],
    }
    const work = (of: SeasonProblem, slot: SeasonSlot) =>
      judgeSeason(of, new Map([['p0', slot]])).routes.map(({ week, workSeconds }) => [week, workSeconds])
    expect(work(one, { crewId: 'crew 1', day: 1, week: 0 })).toEqual([
      [0, 1800],
      [1, 5400],
    ])
    const rare: SeasonProblem = {
      ...one,
      properties: [
        {
          ...one.properties[0]!,
          everyWeeks: 2,
          serviceByWeek: [{ seconds: 1800 }, { seconds: 0 }, { seconds: 5400 }, { seconds: 0 }],
        },
      ],
    }
    // A week back in time: what came in week 0 comes in week 3.
    expect(work(rare, { crewId: 'crew 1', day: 1, week: 1 })).toEqual([
      [1, 5400],
      [3, 1800],
    ])
    // Together they take 5,400 seconds on average and 7,200 in the second week.
    const crew = { ...problem.crews[0]!, days: [1] }
    const beside = {
      ...first!,
      id: 'beside',
      location: 0,
      serviceSeconds: 1800,
      serviceSecondsByCrew: {},
      everyWeeks: 1,
    }
    const { today: _, ...anew } = beside
    const placed = (shiftSeconds: number) =>
      seasonPlan({
        ...problem,
        crews: [{ ...crew, shiftSeconds }],
        properties: [{ ...one.properties[0]!, location: 0 }, anew],
      }).unplaced.map((left) => left.propertyId)
    expect(placed(7200)).toEqual([])
    expect(placed(7100)).toEqual(['beside'])
  })
})
