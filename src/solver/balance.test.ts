import { describe, expect, it } from 'vitest'
import { evennessChoices, unevenCents, withEvenness } from './balance-choices.ts'
import { apartSeconds } from './balance-of.ts'
import { check } from './check.ts'
import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { estimateMatrix } from './matrix.ts'
import { planFrom } from './orders.ts'
import { type Problem, planOf } from './problem.ts'
import { randomProblem } from './random-problem.ts'
import { bestOrders, createSearch } from './search.ts'
import { solve } from './solve.ts'

const HOUR = 3600

/** Twelve lawns in one place far from the depot: one crew could do them all. */
function lopsided(): Problem {
  const points = [{ lat: 38, lng: -85 }]
  for (let i = 0; i < 12; i++) points.push({ lat: 38.12 + 0.002 * (i % 4), lng: -85 + 0.002 * Math.floor(i / 4) })
  return {
    matrix: estimateMatrix(points),
    visits: points.slice(1).map((_, i) => ({ id: `v${i}`, location: i + 1, serviceSeconds: 1800 })),
    crewDays: ['a', 'b'].map((id) => ({
      id,
      startLocation: 0,
      endLocation: 0,
      shiftStartSeconds: 7 * HOUR,
      shiftEndSeconds: 17 * HOUR,
      crewSize: 2,
    })),
  }
}

describe('evenness is a choice with a price', () => {
  it('costs the least unless it is asked for, and says what each choice costs', () => {
    const choices = evennessChoices(lopsided(), { iterations: 1500 })
    const [least, hour, even] = choices
    expect(choices.map((choice) => choice.evenness)).toEqual(['cost', 'hour', 'even'])
    expect(least!.plan.routes.filter((route) => route.visitIds.length > 0)).toHaveLength(1)
    expect(least!.apartSeconds).toBeGreaterThan(5 * HOUR)
    expect(hour!.apartSeconds).toBeLessThanOrEqual(HOUR)
    expect(even!.apartSeconds).toBeLessThanOrEqual(hour!.apartSeconds)
    expect(even!.apartSeconds).toBeLessThan(HOUR / 2)
    const minutes = Math.round((even!.solution.totals.driveSeconds - least!.solution.totals.driveSeconds) / 60)
    const dollars = Math.round((even!.solution.cost.totalCents - least!.solution.cost.totalCents) / 100)
    expect(minutes).toBeGreaterThan(10)
    expect(even!.text).toBe(`Ending together costs ${minutes} min of driving, $${dollars}.`)
  })

  it('breaks no rule, leaves nobody out for it, and no choice is beaten by the plan of another', () => {
    for (let seed = 1; seed <= 25; seed++) {
      const problem = randomProblem({ seed, visits: 24, crewDays: 5 })
      const choices = evennessChoices(problem, { seed, iterations: 250 })
      for (const choice of choices) expect(check(problem, choice.solution)).toEqual([])
      const [least, , even] = choices
      expect(least!.solution.cost.totalCents).toBe(Math.min(...choices.map((c) => c.solution.cost.totalCents)))
      if (least!.solution.unserved.length === even!.solution.unserved.length)
        expect(even!.moreCents).toBeGreaterThanOrEqual(0)
    }
  })

  it('is measured by the search as the choice is, also beside a crew whose fixed stops leave no room', () => {
    let frozen = 0
    for (let seed = 1; seed <= 200; seed++) {
      const problem = withEvenness(randomProblem({ seed, visits: 24, crewDays: 5, pins: true, holes: true }), 'hour')
      const c = compile(problem)
      frozen += c.frozen.includes(1) && c.balance ? 1 : 0
      const search = createSearch(c, seed)
      const plan = evaluate(problem, planFrom(problem, bestOrders(search)))
      expect(search.uneven, `seed ${seed}`).toBeCloseTo(unevenCents(problem.crewDays, plan, 'hour'), 0)
    }
    expect(frozen).toBeGreaterThan(3)
  })

  it('never ends worse than the plan it starts from by the measure it was given', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const problem = withEvenness(randomProblem({ seed, visits: 30, crewDays: 4, rich: false }), 'even')
      const worth = (solution: ReturnType<typeof solve>): number =>
        solution.cost.totalCents +
        [0, 1, 2].reduce((sum, day) => {
          const crewDays = problem.crewDays.filter((crewDay) => crewDay.day === day)
          return sum + (apartSeconds({ ...problem, crewDays }, solution) / HOUR) * problem.balance!.centsPerHour
        }, 0)
      const first = solve(problem, { seed, iterations: 400 })
      const again = solve(problem, { seed: seed + 1, iterations: 5, warmStart: planOf(first) })
      expect(worth(again)).toBeLessThanOrEqual(worth(first) + 2)
    }
  })
})
