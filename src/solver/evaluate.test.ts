import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { evaluate } from './evaluate.ts'
import { estimateMatrix } from './matrix.ts'
import type { CrewDay, Problem } from './problem.ts'
import { solve } from './solve.ts'

const HOUR = 3600

function line(count: number, crewDay: Partial<CrewDay> = {}): Problem {
  const size = count + 1
  const seconds = new Int32Array(size * size)
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) seconds[i * size + j] = Math.abs(i - j) * 600
  return {
    matrix: { size, seconds, meters: seconds.map((s) => s * 10) },
    visits: Array.from({ length: count }, (_, i) => ({ id: `v${i + 1}`, location: i + 1, serviceSeconds: 1800 })),
    crewDays: [
      {
        id: 'mon',
        startLocation: 0,
        endLocation: 0,
        shiftStartSeconds: 8 * HOUR,
        shiftEndSeconds: 16 * HOUR,
        crewSize: 2,
        wageCentsPerHour: 1800,
        ...crewDay,
      },
    ],
  }
}

describe('evaluate', () => {
  it('times and prices a hand-made order', () => {
    const problem = line(2, { centsPerMile: 70, overtimeAfterSeconds: 9 * HOUR, fixedCostCents: 500 })
    const result = evaluate(problem, { routes: [{ crewDayId: 'mon', visitIds: ['v2', 'v1'] }] })
    expect(result.routes[0]!.stops.map((s) => [s.visitId, s.arriveSeconds, s.leaveSeconds])).toEqual([
      ['v2', 8 * HOUR + 1200, 8 * HOUR + 3000],
      ['v1', 8 * HOUR + 3600, 8 * HOUR + 5400],
    ])
    // 40 min of driving x 2 people x $18; 24 km at 70 cents a mile; 100 - 60 min of overtime x 2 x $9.
    expect(result.cost).toMatchObject({
      driveLaborCents: 2400,
      mileageCents: 1044,
      overtimeCents: 1200,
      fixedCents: 500,
      totalCents: 5144,
    })
  })

  it('accepts an order that is late and says by how much, without changing it', () => {
    const problem = line(3)
    problem.visits[2]!.windows = [{ startSeconds: 8 * HOUR, endSeconds: 8 * HOUR + 1800 }]
    const result = evaluate(problem, { routes: [{ crewDayId: 'mon', visitIds: ['v1', 'v2', 'v3'] }] })
    expect(result.routes[0]!.stops.map((s) => s.visitId)).toEqual(['v1', 'v2', 'v3'])
    expect(result.violations).toMatchObject([{ kind: 'late', visitId: 'v3', amount: 3600, byPins: false }])
    expect(result.cost.latenessCents).toBe(6000)
    expect(check(problem, result).map((v) => v.kind)).toEqual(['late'])
  })

  it('reports every kind of broken rule, as check does', () => {
    const problem = line(4, { capacity: [3], maxStops: 3, maxDriveSeconds: 3600, shiftEndSeconds: 10 * HOUR })
    for (const visit of problem.visits) visit.demand = [1]
    problem.visits[0]!.skills = ['crane']
    problem.visits[1]!.forbiddenCrewDayIds = ['mon']
    const result = evaluate(problem, {
      routes: [{ crewDayId: 'mon', visitIds: ['v1', 'v2', 'v3', 'v4', 'v4', 'nobody'] }],
    })
    const kinds = new Set(result.violations.map((v) => v.kind))
    expect(kinds).toEqual(
      new Set(['duplicate', 'unknown', 'shift', 'capacity', 'max-stops', 'max-drive', 'skill', 'not-allowed']),
    )
    const checked = new Set(check(problem, result).map((v) => v.kind))
    expect(checked).toEqual(new Set(['shift', 'capacity', 'max-stops', 'max-drive', 'skill', 'not-allowed']))
  })

  it('puts the break where it costs least, and asks for none when the crew is back early', () => {
    const problem = line(6, { break: { earliestSeconds: 9 * HOUR, latestSeconds: 10 * HOUR, durationSeconds: 1800 } })
    const all = evaluate(problem, { routes: [{ crewDayId: 'mon', visitIds: ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'] }] })
    expect(all.violations).toEqual([])
    expect(all.routes[0]!.totals.endSeconds).toBe(8 * HOUR + 12 * 600 + 6 * 1800 + 1800)
    expect(check(problem, all)).toEqual([])
    expect(evaluate(problem, { routes: [{ crewDayId: 'mon', visitIds: ['v1', 'v2'] }] }).routes[0]!.break).toBeNull()
  })
})

describe('pins', () => {
  it('keeps a fixed order that breaks a window, makes it no worse and lets others in where the gap is open', () => {
    const problem = line(5)
    problem.visits[3]!.pin = { crewDayId: 'mon', order: 1 }
    problem.visits[0]!.pin = { crewDayId: 'mon', order: 2, lockGapBefore: true }
    problem.visits[0]!.windows = [{ startSeconds: 8 * HOUR, endSeconds: 8 * HOUR + 60 }]
    const result = solve(problem, { iterations: 500 })
    expect(result.unserved).toEqual([])
    const ids = result.routes[0]!.stops.map((s) => s.visitId)
    expect(ids.slice(0, 2)).toEqual(['v4', 'v1'])
    expect(result.violations).toMatchObject([{ kind: 'late', visitId: 'v1', byPins: true }])
  })
})

describe('estimateMatrix', () => {
  it('is 180 s at one kilometer, asymmetric nowhere, and has no way to a point off the map', () => {
    const km = 360 / (2 * Math.PI * 6371.0088)
    const m = estimateMatrix([
      { lat: 0, lng: 0 },
      { lat: km, lng: 0 },
      { lat: 95, lng: 0 },
      { lat: Number.NaN, lng: 0 },
    ])
    expect([m.seconds[1], m.seconds[4], m.meters[1], m.seconds[2], m.seconds[3], m.seconds[10]]).toEqual([
      180, 180, 1400, -1, -1, 0,
    ])
  })
})
