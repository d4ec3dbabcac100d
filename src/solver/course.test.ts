import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { compile } from './compile.ts'
import { COURSE, createCourse, shapeFor, temperatureAt } from './course.ts'
import { crossed } from './crossing.ts'
import { evaluate } from './evaluate.ts'
import { planFrom } from './orders.ts'
import { planOf } from './problem.ts'
import { randomProblem } from './random-problem.ts'
import { bestOrders, createSearch, restart, step } from './search.ts'
import { solve } from './solve.ts'

const LONG = process.env.SWATH_TEST_LONG === '1'

describe('the course of a search', () => {
  it('crosses two plans of a random rich problem into one that breaks no rule and loses nobody', () => {
    let mixed = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (seed, visits, crewDays, pins) => {
          const problem = randomProblem({ seed, visits, crewDays, pins, holes: seed % 3 === 0 })
          const c = compile(problem)
          const [one, other] = [createSearch(c, seed), createSearch(c, seed + 1)]
          for (let k = 0; k < 20; k++) {
            step(one, 500)
            step(other, 500)
          }
          const [base, taken] = [bestOrders(one, one.s.next), bestOrders(other, other.s.next)]
          const child = crossed(c, one.ruin.near, one.random, base, taken)
          if (JSON.stringify(child) !== JSON.stringify(base)) mixed++
          restart(one, child)
          const plan = planFrom(problem, bestOrders(one, one.s.next))
          const found = evaluate(problem, plan)
          expect(check(problem, found).filter((violation) => !violation.byPins)).toEqual([])
          const stops = plan.routes.flatMap((route) => route.visitIds)
          expect(new Set(stops).size).toBe(stops.length)
          expect(stops.length + one.poolCount + c.excluded.size).toBe(problem.visits.length)
          // The search goes on from there and keeps its books.
          for (let k = 0; k < 10; k++) step(one, 500)
          const after = evaluate(problem, planFrom(problem, bestOrders(one, one.s.next)))
          expect(check(problem, after).filter((violation) => !violation.byPins)).toEqual([])
        },
      ),
      { numRuns: LONG ? 10_000 : 300, seed: 12 },
    )
    expect(mixed).toBeGreaterThan(LONG ? 3000 : 90)
  })

  it('cools several times where there are the steps for it, which a large problem needs more of, from hot to a hundredth each', () => {
    const { mostVisits, leastSteps, leastStepsLarge } = COURSE
    const large = mostVisits + 1
    expect(shapeFor(large, large * leastStepsLarge - 1)).toBe(COURSE.one)
    expect(shapeFor(large, large * leastStepsLarge)).toBe(COURSE.several)
    expect(shapeFor(large, large * leastStepsLarge, true)).toBe(COURSE.island)
    expect(shapeFor(mostVisits, mostVisits * leastSteps - 1)).toBe(COURSE.one)
    expect(shapeFor(mostVisits, mostVisits * leastSteps)).toBe(COURSE.several)
    const search = createSearch(compile(randomProblem({ seed: 5, visits: 20, crewDays: 3 })), 5)
    const course = createCourse(COURSE.several, 100)
    const { coolings, coolingShare, children } = COURSE.several
    expect(temperatureAt(course, search, 0)).toBeCloseTo(100)
    expect(temperatureAt(course, search, (coolingShare / coolings) * 0.999)).toBeCloseTo(1, 1)
    expect(temperatureAt(course, search, coolingShare / coolings + 1e-9)).toBeCloseTo(100, 1)
    expect(temperatureAt(course, search, coolingShare + 1e-9)).toBeCloseTo(100 * COURSE.lukewarm, 1)
    expect(course.phase).toBe(coolings)
    expect(temperatureAt(course, search, 1)).toBeCloseTo(1, 1)
    expect(course.phase).toBe(coolings + children - 1)
  })

  it('is repeatable, and never ends dearer than the plan it starts from', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const problem = randomProblem({ seed, visits: 14, crewDays: 4 })
      const iterations = 14 * COURSE.leastSteps
      const one = solve(problem, { seed, iterations })
      expect(check(problem, one)).toEqual([])
      expect(JSON.stringify(solve(problem, { seed, iterations }))).toBe(JSON.stringify(one))
      const again = solve(problem, { seed: seed + 1, iterations, warmStart: planOf(one) })
      expect(again.cost.totalCents).toBeLessThanOrEqual(one.cost.totalCents + 2)
    }
  })
})
