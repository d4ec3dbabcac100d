import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import type { CrewDay, Matrix, Problem, Visit } from './problem.ts'
import { randomProblem } from './random-problem.ts'
import { solve } from './solve.ts'

const HOUR = 3600

function square(size: number, seconds: number): Matrix {
  const s = new Int32Array(size * size).fill(seconds)
  for (let i = 0; i < size; i++) s[i * size + i] = 0
  return { size, seconds: s, meters: s.slice() }
}

const crew: CrewDay = {
  id: 'mon',
  startLocation: 0,
  endLocation: 0,
  shiftStartSeconds: 8 * HOUR,
  shiftEndSeconds: 16 * HOUR,
}

function problemOf(
  visits: Partial<Visit>[],
  crewDays: CrewDay[] = [crew],
  matrix = square(visits.length + 1, 600),
): Problem {
  return {
    matrix,
    crewDays,
    visits: visits.map((visit, i) => ({ id: `v${i}`, location: i + 1, serviceSeconds: 1800, ...visit })),
  }
}

function reasonFor(problem: Problem, id: string): string {
  const solution = solve(problem, { iterations: 200 })
  expect(check(problem, solution)).toEqual([])
  expect(solution.totals.served).toBe(problem.crewDays.length ? problem.visits.length - 1 : 0)
  return solution.unserved.find((u) => u.visitId === id)?.reasons[0]?.text ?? 'served'
}

describe('bad input gives a plan for the rest and a reason', () => {
  it.each<[string, Partial<Visit>, string]>([
    [
      'a window that closes before it opens',
      { windows: [{ startSeconds: 10 * HOUR, endSeconds: 9 * HOUR }] },
      'Its time window closes before it opens.',
    ],
    ['a visit longer than any shift', { serviceSeconds: 9 * HOUR }, 'It takes longer than any shift.'],
    ['a place off the matrix', { location: 99 }, 'Its place is not on the map.'],
    ['time on site that is no number', { serviceSeconds: Number.NaN }, 'Its time on site is not a number of seconds.'],
    [
      'time on site by class that is no number',
      { serviceSecondsByClass: { fast: Number.NaN } },
      'Its time on site is not a number of seconds.',
    ],
    ['a skill no crew has', { skills: ['crane'] }, 'No crew has all of: crane.'],
    [
      'a window outside the shift',
      { windows: [{ startSeconds: 5 * HOUR, endSeconds: 6 * HOUR }] },
      'No crew can get there inside its window.',
    ],
    [
      'a pin to a crew-day that is not there',
      { pin: { crewDayId: 'tue', order: 1 } },
      'It is pinned to a crew-day that is not in the plan.',
    ],
    ['the same id twice', { id: 'v0' }, 'Another visit has the same id.'],
  ])('%s', (_name, bad, text) => {
    expect(reasonFor(problemOf([{}, bad, {}]), bad.id ?? 'v1')).toBe(text)
  })

  it('an unreachable pair: the other stops are planned around it', () => {
    const problem = problemOf([{}, {}, {}])
    for (let i = 0; i < 4; i++) if (i !== 2) problem.matrix.seconds[2 * 4 + i] = problem.matrix.seconds[i * 4 + 2] = -1
    expect(reasonFor(problem, 'v1')).toBe('There is no way to it from any crew.')
  })

  it('a price of being left out that is no number counts as the usual one', () => {
    const solution = solve(problemOf([{}, { prizeCents: Number.NaN }, { priority: Number.NaN }]), { iterations: 400 })
    expect([solution.totals.served, solution.unserved, Number.isFinite(solution.cost.totalCents)]).toEqual([
      3,
      [],
      true,
    ])
  })

  it('0 crews, 0 visits', () => {
    expect(reasonFor(problemOf([{}], []), 'v0')).toBe('There is no crew in the plan.')
    expect(solve(problemOf([]), { iterations: 100 })).toMatchObject({ unserved: [], violations: [] })
  })

  it('more work than the day holds: the least urgent stays out', () => {
    const solution = solve(problemOf(Array.from({ length: 20 }, (_, i) => ({ priority: i % 5 }))), { iterations: 3000 })
    expect(solution.unserved.length).toBe(9)
    expect(solution.unserved[0]!.reasons[0]!.text).toBe('Every day it could go on is full.')
    expect(Math.min(...solution.routes[0]!.stops.map((s) => Number(s.visitId.slice(1)) % 5))).toBeGreaterThanOrEqual(2)
  })

  it('5,000 stops', () => {
    const problem = randomProblem({ seed: 1, visits: 600, crewDays: 60, rich: false })
    problem.visits = Array.from({ length: 5000 }, (_, i) => ({
      id: `v${i}`,
      location: 2 + (i % 600),
      serviceSeconds: 900,
    }))
    const solution = solve(problem, { iterations: 100 })
    expect(check(problem, solution)).toEqual([])
    expect(solution.totals.served).toBeGreaterThan(500)
  }, 60_000)
})
