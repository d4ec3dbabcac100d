import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bruteForceCents } from './brute-force.ts'
import { check } from './check.ts'
import { evaluate } from './evaluate.ts'
import { planOf } from './problem.ts'
import { randomProblem } from './random-problem.ts'
import { solve } from './solve.ts'

const LONG = process.env.SWATH_TEST_LONG === '1'

describe('solve on random rich problems', () => {
  it('never breaks a rule and never loses a visit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (seed, visits, crewDays) => {
          const problem = randomProblem({ seed, visits, crewDays, holes: seed % 3 === 0 })
          const solution = solve(problem, { seed, iterations: 150 })
          expect(check(problem, solution)).toEqual([])
          expect(solution.violations).toEqual([])
        },
      ),
      { numRuns: LONG ? 10_000 : 150, seed: 7 },
    )
  })

  it('breaks rules on pinned crew-days only, and keeps every fixed stop', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 5 }),
        (seed, visits, crewDays) => {
          const problem = randomProblem({ seed, visits, crewDays, pins: true, holes: seed % 3 === 0 })
          const solution = solve(problem, { seed, iterations: 100 })
          expect(check(problem, solution).filter((v) => !v.byPins)).toEqual([])
          expect(solution.violations.filter((v) => !v.byPins)).toEqual([])
          const served = new Set(
            solution.routes.flatMap((route) => route.stops.map((stop) => `${route.crewDayId} ${stop.visitId}`)),
          )
          for (const visit of problem.visits)
            if (visit.pin?.order !== undefined) expect(served).toContain(`${visit.pin.crewDayId} ${visit.id}`)
        },
      ),
      { numRuns: LONG ? 10_000 : 150, seed: 8 },
    )
  })

  it('finds what trying everything finds', () => {
    for (let seed = 1; seed <= (LONG ? 200 : 12); seed++) {
      const visits = LONG && seed % 20 === 0 ? 8 : 4 + (seed % 4)
      const problem = randomProblem({ seed, visits, crewDays: 1 + (seed % 3) })
      // With both, the search prices the wait for a break before the first stop, which the plan then does not have.
      if (problem.crewDays.some((c) => c.break)) problem.waitCentsPerHour = 0
      const least = bruteForceCents(problem)
      const found = solve(problem, { seed, iterations: LONG ? 12_000 : 4000 }).cost.totalCents
      // Cents are rounded per kind of cost and route in one, per kind in the other.
      expect(Math.abs(found - least), `seed ${seed}: ${found} against ${least}`).toBeLessThanOrEqual(4)
    }
  })

  it('gives the same bytes for the same seed and iterations, others for another seed', () => {
    const problem = randomProblem({ seed: 5, visits: 60, crewDays: 6 })
    const bytes = (seed: number): string => JSON.stringify(solve(problem, { seed, iterations: 2000 }))
    expect(bytes(3)).toBe(bytes(3))
    expect(bytes(3)).not.toBe(bytes(4))
  })

  it('starts from a plan and never returns a dearer one', () => {
    const problem = randomProblem({ seed: 9, visits: 50, crewDays: 5 })
    const first = solve(problem, { seed: 1, iterations: 3000 })
    const again = solve(problem, { seed: 2, iterations: 10, warmStart: planOf(first) })
    expect(again.cost.totalCents).toBeLessThanOrEqual(first.cost.totalCents)
    expect(evaluate(problem, planOf(first)).cost).toEqual(first.cost)
  })

  it('keeps the order of the problem where fixed stops have the same number, on large problems too', () => {
    const problem = randomProblem({ seed: 3, visits: 160, crewDays: 12, rich: false })
    const fixed = [70, 10, 90, 40, 20]
    for (const u of fixed) problem.visits[u]!.pin = { crewDayId: 'c0', order: 1 }
    const solution = solve(problem, { iterations: 50 })
    expect(solution.violations).toEqual([])
    expect(check(problem, solution)).toEqual([])
    const stops = solution.routes[0]!.stops.map((stop) => stop.visitId)
    expect(stops.filter((id) => fixed.includes(Number(id.slice(1))))).toEqual(['v10', 'v20', 'v40', 'v70', 'v90'])
  })

  it('stops at the deadline and at the signal, and says so', () => {
    const problem = randomProblem({ seed: 9, visits: 50, crewDays: 5 })
    let clock = 0
    const late = solve(problem, { deadlineMs: 50, now: () => clock++, iterations: 1e9 })
    expect(late.stats).toMatchObject({ truncated: true, stoppedBy: 'deadline' })
    const controller = new AbortController()
    const seen: number[] = []
    const onProgress = (p: { iterations: number; plan(): unknown }): void => {
      seen.push(p.iterations)
      expect(p.plan()).toBeTruthy()
      if (seen.length === 3) controller.abort()
    }
    const stopped = solve(problem, { iterations: 1e9, progressEvery: 100, onProgress, signal: controller.signal })
    expect(stopped.stats).toMatchObject({ truncated: true, stoppedBy: 'signal' })
    expect(seen).toHaveLength(3)
    expect(check(problem, stopped)).toEqual([])
  })
})
