import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { evaluate } from './evaluate.ts'
import { explain } from './explain.ts'
import { type Plan, type Problem, planOf } from './problem.ts'
import { createRandom } from './random.ts'
import { randomProblem } from './random-problem.ts'
import { solve } from './solve.ts'

const LONG = process.env.SWATH_TEST_LONG === '1'
const HOUR = 3600

/**
 * Crews a and b at place 0; the way from there to "far" leads through "near", on which crew a is not wanted. The seconds
 * straight to "far" and back home from "near" are the test's.
 */
function detour(straight: number, back: number, unwantedCents: number): Problem {
  const matrix = {
    size: 3,
    seconds: Int32Array.from([0, 100, straight, back, 0, 100, 100, 100, 0]),
    meters: new Int32Array(9),
  }
  const shift = { startLocation: 0, endLocation: 0, shiftStartSeconds: 8 * HOUR, shiftEndSeconds: 9 * HOUR }
  return {
    matrix,
    visits: [
      { id: 'near', location: 1, serviceSeconds: 60, crewDayCostCents: { a: unwantedCents } },
      { id: 'far', location: 2, serviceSeconds: 60, pin: { crewDayId: 'a' } },
    ],
    crewDays: [
      { ...shift, id: 'a' },
      { ...shift, id: 'b' },
    ],
  }
}

const through: Plan = { routes: [{ crewDayId: 'a', visitIds: ['near', 'far'] }] }

/** A rich problem on which every third way is much longer or shorter than its neighbors let expect. */
function bent(seed: number, visits: number, crewDays: number): Problem {
  const problem = randomProblem({ seed, visits, crewDays, pins: seed % 4 === 0, holes: seed % 3 === 0 })
  const random = createRandom(seed + 1)
  const { seconds } = problem.matrix
  for (let k = 0; k < seconds.length; k++)
    if (seconds[k]! > 0 && random.next() < 0.3) seconds[k] = Math.round(seconds[k]! * (0.3 + 2 * random.next()))
  return problem
}

describe('where the straight way is longer than the one through another stop, or missing', () => {
  it.each<[string, Problem, (problem: Problem) => void]>([
    ['the longest driving', detour(500, 100, 1000), ({ crewDays: [a] }) => Object.assign(a!, { maxDriveSeconds: 400 })],
    ['the shift', detour(2 * HOUR, 100, 10_000), () => {}],
    ['the way', detour(-1, 100, 80_000_000), () => {}],
  ])('a stop is not taken out of a route that would break a rule without it: %s', (_name, problem, change) => {
    change(problem)
    const solution = solve(problem, { iterations: 300, warmStart: through })
    expect(check(problem, solution)).toEqual([])
    expect(solution.routes[0]!.stops.map((stop) => stop.visitId)).toEqual(['near', 'far'])
  })

  it('a plan that is given stands although the beginning of a route alone has no way home', () => {
    const problem = detour(-1, -1, 0)
    const solution = solve(problem, { iterations: 0, warmStart: through })
    expect(planOf(solution).routes[0]).toEqual(through.routes[0])
  })

  it('a plan that is given is not made dearer by a stop that is not worth its way', () => {
    const problem = detour(100, 100, 0)
    problem.visits[1] = { id: 'far', location: 2, serviceSeconds: 60, prizeCents: 60 }
    const warmStart: Plan = { routes: [{ crewDayId: 'a', visitIds: ['near'] }] }
    const cents = evaluate(problem, warmStart).cost.totalCents
    problem.matrix.seconds[2] = problem.matrix.seconds[5] = problem.matrix.seconds[6] = 200
    for (let seed = 1; seed <= 60; seed++)
      expect(solve(problem, { seed, iterations: 0, warmStart }).cost.totalCents, `seed ${seed}`).toBeLessThanOrEqual(
        cents,
      )
  })

  it('a stop in reach of another one only is not said to be out of reach', () => {
    const problem = detour(-1, 100, 0)
    problem.visits[1] = { id: 'far', location: 2, serviceSeconds: 60, prizeCents: 1 }
    const plan: Plan = { routes: [{ crewDayId: 'a', visitIds: ['near'] }] }
    expect(explain(problem, plan, 'far').map(({ crewDayId, code }) => [crewDayId, code])).toEqual([
      [undefined, 'not-worth-it'],
      ['a', 'not-worth-it'],
      ['b', 'unreachable'],
    ])
  })

  it('no rule of a random rich problem is broken, and a plan never gets dearer by searching on', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 6 }),
        (seed, visits, crewDays) => {
          const problem = bent(seed, visits, crewDays)
          const solution = solve(problem, { seed, iterations: 150 })
          expect(check(problem, solution).filter((violation) => !violation.byPins)).toEqual([])
          const again = solve(problem, { seed: seed + 1, iterations: 5, warmStart: planOf(solution) })
          expect(again.cost.totalCents).toBeLessThanOrEqual(solution.cost.totalCents + 4)
        },
      ),
      { numRuns: LONG ? 10_000 : 150, seed: 41 },
    )
  })
})
