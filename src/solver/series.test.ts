import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { evaluate } from './evaluate.ts'
import { explain } from './explain.ts'
import { type Problem, planOf } from './problem.ts'
import { propose } from './propose.ts'
import { createRandom } from './random.ts'
import { randomProblem } from './random-problem.ts'
import { repair } from './reflow.ts'
import { onDays } from './series.ts'
import { solve } from './solve.ts'

/** Ten days of two crews; every third visit is one of a series of four at the same place. */
function season(seed: number): Problem {
  const problem = randomProblem({ seed, visits: 60, crewDays: 20, rich: seed % 2 === 0 })
  for (const [r, crewDay] of problem.crewDays.entries()) crewDay.day = Math.floor(r / 2)
  const random = createRandom(seed)
  for (const [u, visit] of problem.visits.entries()) {
    if (u % 3 > 0) continue
    const series = Math.floor(u / 12)
    visit.location = 2 + series
    visit.series = {
      id: `weekly ${series}`,
      occurrence: Math.floor(u / 3) % 4,
      leastDaysAfterPrevious: 1 + random.int(3),
      mostDaysAfterPrevious: 3 + random.int(3),
    }
  }
  return problem
}

describe('a series of visits', () => {
  it('keeps its gaps in days in every plan, by the search and by check alike', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const problem = season(seed)
      const solution = solve(problem, { seed, iterations: 300 })
      expect(check(problem, solution), `seed ${seed}`).toEqual([])
      expect(solution.violations, `seed ${seed}`).toEqual([])
    }
  })

  it('says so when a hand-made plan breaks them', () => {
    const problem = season(1)
    const [first, second] = problem.visits.filter((v) => v.series?.id === 'weekly 0')
    const plan = { routes: [{ crewDayId: 'c0', visitIds: [first!.id, second!.id] }] }
    const broken = evaluate(problem, plan)
    expect(broken.violations.filter((v) => v.kind === 'series')).toMatchObject([{ visitId: second!.id, byPins: false }])
    expect(check(problem, broken).filter((v) => v.kind === 'series')).toMatchObject([{ visitId: second!.id }])
  })

  it('is kept by proposals, repairs and named in reasons', () => {
    const problem = season(3)
    const [first, second] = problem.visits.filter((v) => v.series?.id === 'weekly 0')
    second!.series = { id: 'weekly 0', occurrence: 1, leastDaysAfterPrevious: 3, mostDaysAfterPrevious: 4 }
    const plan = { routes: [{ crewDayId: 'c4', visitIds: [first!.id] }] }
    const { places } = propose(problem, plan, second!, { top: 100 })
    expect(new Set(places.map((p) => problem.crewDays.find((c) => c.id === p.crewDayId)!.day))).toEqual(new Set([5, 6]))
    expect(explain(problem, plan, second!.id).find((r) => r.crewDayId === 'c6')?.code).toBe('series')
    const days = problem.crewDays.filter((c) => (c.day ?? 0) >= 4).map((c) => c.id)
    const repaired = repair(problem, plan, days, { iterations: 300 })
    expect(check(problem, repaired.evaluation)).toEqual([])
    expect(planOf(repaired.evaluation).routes.find((r) => r.crewDayId === 'c4')?.visitIds).toEqual([first!.id])
  })

  it('costs more the further from the day it is meant for, and has no place outside its days', () => {
    const problem = season(5)
    const wanted = { targetDay: 5, earliestDay: 4, latestDay: 7, centsPerDayOff: 500 }
    const visit = onDays({ id: 'v', location: 2, serviceSeconds: 600 }, wanted, problem.crewDays)
    expect(visit.allowedCrewDayIds).toEqual(['c8', 'c9', 'c10', 'c11', 'c12', 'c13', 'c14', 'c15'])
    expect(visit.crewDayCostCents).toEqual({ c8: 500, c9: 500, c12: 500, c13: 500, c14: 1000, c15: 1000 })
    const solution = solve({ ...problem, visits: [visit] }, { iterations: 50 })
    expect(solution.routes.find((route) => route.stops.length)!.crewDayId).toMatch(/^c1[01]$/)
  })
})
