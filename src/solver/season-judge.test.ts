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
})
