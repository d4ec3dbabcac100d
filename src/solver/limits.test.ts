import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { estimateMatrix } from './matrix.ts'
import type { CrewDay, Problem, Visit } from './problem.ts'
import { solve } from './solve.ts'

const HOUR = 3600

/** Four stops around the depot and two crews that could both do everything, changed by the test. */
function two(crewA: Partial<CrewDay>, crewB: Partial<CrewDay>, change: (visits: Visit[]) => void = () => {}): Problem {
  const points = [0, 1, 2, 3, 4].map((k) => ({ lat: 38 + 0.02 * Math.sin(k), lng: -85 + 0.02 * Math.cos(2 * k) }))
  const crew = (id: string, own: Partial<CrewDay>): CrewDay => ({
    id,
    startLocation: 0,
    endLocation: 0,
    shiftStartSeconds: 8 * HOUR,
    shiftEndSeconds: 16 * HOUR,
    ...own,
  })
  const visits = [1, 2, 3, 4].map((location): Visit => ({ id: `v${location}`, location, serviceSeconds: 1800 }))
  change(visits)
  return { matrix: estimateMatrix(points), visits, crewDays: [crew('a', crewA), crew('b', crewB)] }
}

function served(problem: Problem): Record<string, string[]> {
  const solution = solve(problem, { iterations: 400 })
  expect(check(problem, solution)).toEqual([])
  return Object.fromEntries(solution.routes.map((route) => [route.crewDayId, route.stops.map((s) => s.visitId)]))
}

describe('each rule of the problem decides who goes where', () => {
  it.each<[string, Problem, (plan: Record<string, string[]>) => void]>([
    [
      'skills and equipment: every one',
      two({ skills: ['spray'] }, { skills: ['spray', 'trailer'] }, (v) => {
        v[0]!.skills = ['spray', 'trailer']
        v[1]!.skills = ['crane']
      }),
      (plan) => {
        expect(plan.b).toContain('v1')
        expect(Object.values(plan).flat()).not.toContain('v2')
      },
    ],
    [
      'allowed and forbidden crew-days',
      two({}, {}, (v) => {
        v[0]!.allowedCrewDayIds = ['b']
        v[1]!.forbiddenCrewDayIds = ['b']
      }),
      (plan) => expect([plan.b!.includes('v1'), plan.a!.includes('v2')]).toEqual([true, true]),
    ],
    [
      'windows that name a day',
      two({ day: 0 }, { day: 1 }, (v) => {
        v[2]!.windows = [{ startSeconds: 9 * HOUR, endSeconds: 10 * HOUR, day: 1 }]
      }),
      (plan) => expect(plan.b).toContain('v3'),
    ],
    [
      'time on site by class of crew',
      two({ crewClass: 'slow', shiftEndSeconds: 10 * HOUR }, { shiftEndSeconds: 10 * HOUR }, (v) => {
        for (const visit of v) visit.serviceSecondsByClass = { slow: 3 * HOUR }
      }),
      (plan) => expect(plan.a).toEqual([]),
    ],
    [
      'stops',
      two({ maxStops: 1 }, { maxStops: 2 }),
      (plan) => expect([plan.a!.length, plan.b!.length]).toEqual([1, 2]),
    ],
    [
      'load in the second dimension',
      two({ capacity: [9, 1] }, { capacity: [9, 0] }, (v) => {
        for (const visit of v) visit.demand = [1, 1]
      }),
      (plan) => expect([plan.a!.length, plan.b!.length]).toEqual([1, 0]),
    ],
    ['driving', two({ maxDriveSeconds: 1 }, {}), (plan) => expect(plan.a).toEqual([])],
    ['the shift', two({ shiftEndSeconds: 8 * HOUR + 1900 }, {}), (plan) => expect(plan.a).toEqual([])],
    ['opening cost', two({ fixedCostCents: 9000 }, {}), (plan) => expect(plan.a).toEqual([])],
    [
      'wage times people',
      two({ crewSize: 3, wageCentsPerHour: 2500 }, { crewSize: 1, wageCentsPerHour: 2500 }),
      (plan) => expect(plan.a).toEqual([]),
    ],
    ['miles', two({ centsPerMile: 500 }, { centsPerMile: 50 }), (plan) => expect(plan.a).toEqual([])],
    [
      'overtime',
      two({ overtimeAfterSeconds: 8 * HOUR, overtimeCentsPerHour: 9000 }, { overtimeAfterSeconds: 16 * HOUR }),
      (plan) => expect(plan.a).toEqual([]),
    ],
    [
      'the price of leaving a visit out',
      two({ maxStops: 0 }, {}, (v) => {
        v[3]!.prizeCents = 1
      }),
      (plan) => expect(plan.b!.toSorted()).toEqual(['v1', 'v2', 'v3']),
    ],
    [
      'the crew and day it is pinned to, in the order pinned',
      two({ crewSize: 3 }, {}, (v) => {
        v[3]!.pin = { crewDayId: 'a', order: 1 }
        v[0]!.pin = { crewDayId: 'a', order: 2, lockGapBefore: true }
        v[1]!.pin = { crewDayId: 'a' }
      }),
      (plan) => {
        expect(plan.a!.indexOf('v1')).toBe(plan.a!.indexOf('v4') + 1)
        expect(plan.a).toContain('v2')
      },
    ],
  ])('%s', (_name, problem, holds) => holds(served(problem)))

  it('a day under way keeps its beginning: where the crew is, what is done, no gap to fill', () => {
    const problem = two({ startLocation: 3, shiftStartSeconds: 11 * HOUR }, { maxStops: 0 }, (v) => {
      v[2]!.pin = { crewDayId: 'a', order: 0, lockGapBefore: true }
      v[0]!.pin = { crewDayId: 'a', order: 1, lockGapBefore: true }
    })
    const solution = solve(problem, { iterations: 400 })
    expect(check(problem, solution)).toEqual([])
    expect(solution.routes[0]!.stops.slice(0, 2).map((s) => [s.visitId, s.driveSeconds === 0])).toEqual([
      ['v3', true],
      ['v1', false],
    ])
    expect(solution.routes[0]!.stops).toHaveLength(4)
  })

  it('a crew-day that may not have a visit is not taken for one that may, whatever either costs', () => {
    const problem = two({}, {}, (v) => {
      v.length = 1
      v[0]!.allowedCrewDayIds = ['b']
      v[0]!.crewDayCostCents = { a: 31 }
    })
    expect(served(problem)).toEqual({ a: [], b: ['v1'] })
    expect(compile(problem).types).toBe(2)
    const dearer = two({}, {}, (v) => {
      v[0]!.crewDayCostCents = { a: 0.2, b: 0.4 }
    })
    expect(compile(dearer).types).toBe(2)
  })

  it('an open end drives nowhere after the last stop', () => {
    const closed = two({}, { maxStops: 0 })
    const open = two({ endLocation: null }, { maxStops: 0 })
    const plan = { routes: [{ crewDayId: 'a', visitIds: ['v1', 'v2'] }] }
    const home = closed.matrix.seconds[2 * 5]!
    expect(evaluate(closed, plan).totals.driveSeconds - evaluate(open, plan).totals.driveSeconds).toBe(home)
  })
})
