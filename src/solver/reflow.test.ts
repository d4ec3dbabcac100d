import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { planOf } from './problem.ts'
import { randomProblem } from './random-problem.ts'
import { reflow, repair, spread } from './reflow.ts'
import { solve } from './solve.ts'

const problem = randomProblem({ seed: 21, visits: 45, crewDays: 6, rich: false })
for (const [r, crewDay] of problem.crewDays.entries()) {
  crewDay.crewId = r < 3 ? 'green' : 'blue'
  crewDay.day = r % 3
}
const first = solve(problem, { iterations: 2000 })
const plan = planOf(first)
const stopsOf = (p: typeof plan, id: string): string[] =>
  p.routes.find((route) => route.crewDayId === id)?.visitIds ?? []

describe('repair', () => {
  it('leaves every other crew-day as it is and never makes the plan dearer', () => {
    const worse = { routes: plan.routes.map((route) => ({ ...route, visitIds: [...route.visitIds].reverse() })) }
    const result = repair(problem, worse, ['c0', 'c1'], { iterations: 1000 })
    for (const id of ['c2', 'c3', 'c4', 'c5']) expect(stopsOf(result.plan, id)).toEqual(stopsOf(worse, id))
    expect(check(problem, result.evaluation)).toEqual([])
    expect(repair(problem, plan, ['c0'], { iterations: 200 }).evaluation.cost.totalCents).toBeLessThanOrEqual(
      first.cost.totalCents,
    )
  })
})

describe('reflow', () => {
  it('pushes whole days on in their order', () => {
    const result = reflow(problem, plan, ['c0'], 'push')
    expect(stopsOf(result.plan, 'c0')).toEqual([])
    expect(stopsOf(result.plan, 'c1')).toEqual(stopsOf(plan, 'c0'))
    expect(stopsOf(result.plan, 'c2')).toEqual(stopsOf(plan, 'c1'))
    expect(stopsOf(result.plan, 'c4')).toEqual(stopsOf(plan, 'c4'))
    expect(result.evaluation.unserved.map((u) => u.visitId).sort()).toEqual([...stopsOf(plan, 'c2')].sort())
    expect(result.changes.filter((c) => c.kind === 'dropped')).toHaveLength(stopsOf(plan, 'c2').length)
  })

  it('plans a closed day anew, and moves fewer others the dearer moving is', () => {
    const moved = (price: number): number => {
      const stability = { otherDayCents: price, otherCrewCents: price }
      const result = reflow(problem, plan, ['c1'], 'replan', { iterations: 2000, stability })
      expect(stopsOf(result.plan, 'c1')).toEqual([])
      expect(check(problem, result.evaluation)).toEqual([])
      const own = new Set(stopsOf(plan, 'c1'))
      return result.changes.filter((c) => !own.has(c.visitId) && c.kind.startsWith('other')).length
    }
    expect(moved(100_000)).toBeLessThanOrEqual(moved(0))
  })
})

describe('a day skipped', () => {
  it('leaves out what may be skipped, with the reason, and moves nobody else', () => {
    const [kept, ...others] = stopsOf(plan, 'c1')
    const result = reflow(problem, plan, ['c1'], 'skip', { mustServeVisitIds: [kept!] })
    expect(result.evaluation.unserved.filter((u) => others.includes(u.visitId)).map((u) => u.reasons[0]!.code)).toEqual(
      others.map(() => 'skipped'),
    )
    const place = result.plan.routes.find((route) => route.visitIds.includes(kept!))
    expect(place?.crewDayId).not.toBe('c1')
    for (const route of result.plan.routes)
      expect(route.visitIds.filter((id) => id !== kept)).toEqual(
        route.crewDayId === 'c1' ? [] : stopsOf(plan, route.crewDayId),
      )
    expect(check(problem, result.evaluation)).toEqual([])
  })
})

describe('spread', () => {
  it('gives the stops of a crew that is out to the other crews of the same day only', () => {
    const result = spread(problem, plan, ['c2'], { iterations: 1000 })
    expect(stopsOf(result.plan, 'c2')).toEqual([])
    for (const id of ['c0', 'c1', 'c3', 'c4']) expect(stopsOf(result.plan, id)).toEqual(stopsOf(plan, id))
    const served = result.evaluation.totals.served + result.evaluation.unserved.length
    expect(served).toBe(problem.visits.length)
    expect(check(problem, result.evaluation)).toEqual([])
  })
})
