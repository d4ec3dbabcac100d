import { describe, expect, it } from 'vitest'
import { cheapestPlace, differencesOf, driftOf, nextWeekday } from './rules.ts'

describe('the place of one more stop', () => {
  const way = (a: number, b: number) => Math.abs(a - b)
  it.each([
    [0, [10, 20, 30], 21, 2],
    [0, [10, 20, 30], 29, 2],
    [0, [10, 20, 30], 5, 0],
    [null, [10, 20, 30], 40, 3],
    [null, [], 40, 0],
    [0, [10, 20], null, 2],
  ])('from %s among %o for %s is %i', (depot, stops, point, place) => {
    const found = cheapestPlace(depot, stops, point, way)
    const cost = (at: number) => {
      const line = [depot, ...stops.toSpliced(at, 0, point as number), depot].filter((one) => one !== null)
      return line.slice(1).reduce((sum: number, one, n) => sum + way(one, line[n] ?? 0), 0)
    }
    expect(point === null ? found : cost(found)).toBe(point === null ? place : cost(place))
  })
})

describe('a saved route beside a day', () => {
  const stop = (id: string, jobId: string, crewId: string | null, pinned = false) => ({ id, jobId, crewId, pinned })

  it('keeps, brings, holds and misses, in its own order; what is not in it stays', () => {
    const found = differencesOf(['j3', 'j1', 'j4', 'j5', 'j2', 'j1'], 'north', [
      stop('v1', 'j1', 'north'),
      stop('v2', 'j2', 'coast'),
      stop('v3', 'j3', null),
      stop('v4', 'j4', 'coast', true),
      stop('v6', 'j6', 'north'),
      stop('v7', 'j7', 'coast'),
    ])
    expect(found).toEqual({
      order: ['v3', 'v1', 'v2'],
      kept: ['v1'],
      brought: ['v3', 'v2'],
      held: ['v4'],
      missing: ['j5'],
      extra: ['v6'],
    })
  })

  it('takes both visits that a job has on the day, and nothing of an empty day', () => {
    expect(differencesOf(['j1'], 'north', [stop('a', 'j1', 'north'), stop('b', 'j1', null)]).order).toEqual(['a', 'b'])
    expect(differencesOf(['j1'], 'north', [])).toMatchObject({ order: [], missing: ['j1'], extra: [] })
  })
})

it('the next of a weekday is today when it is one', () => {
  expect([nextWeekday('2028-02-29', 2), nextWeekday('2028-02-29', 1)]).toEqual(['2028-02-29', '2028-03-06'])
})

describe('drift', () => {
  const days = (minutes: readonly number[]) =>
    minutes.map((m, i) => ({ day: `2026-03-${String(i + 1).padStart(2, '0')}`, driveSeconds: m * 60, stops: 10 + i }))

  it('is the middle of the newest three days against the first three', () => {
    expect(driftOf(days([100, 300, 102, 120, 143, 20, 150]))).toEqual({
      since: '2026-03-01',
      driveMinutes: 41,
      stops: 4,
    })
  })

  it('is not said of less than six days', () => {
    expect(driftOf(days([100, 100, 100, 140, 140]))).toBeNull()
  })
})
