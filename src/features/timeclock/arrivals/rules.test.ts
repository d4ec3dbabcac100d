import { describe, expect, it } from 'vitest'
import { type Fix, leastReachMeters, metersBetween, mismatchesOf, nowhere, reachOf, withFix } from './rules.ts'

const home = { latitude: 32.06, longitude: -81.11 }
const start = Date.parse('2026-06-12T14:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
/** A thousandth of a degree of latitude is 111 m. */
const fix = (minutes: number, north: number, accuracyMeters = 10): Fix => ({
  at: at(minutes),
  latitude: home.latitude + north / 1000,
  longitude: home.longitude,
  accuracyMeters,
})
const spots = [{ id: 'bay', ...home }]
const seen = (...fixes: Fix[]) => fixes.reduce((where, one) => withFix(where, one, spots), nowhere)

it('a property reaches to the furthest corner of what was drawn, at least 80 m and never over the county', () => {
  expect(Math.round(metersBetween(home, { ...home, latitude: home.latitude + 0.001 }))).toBe(111)
  expect(reachOf(home, [])).toBe(leastReachMeters)
  expect(reachOf(home, [[home.latitude + 0.0001, home.longitude]])).toBe(80)
  expect(reachOf(home, [[home.latitude + 0.002, home.longitude]])).toBe(252)
  expect(reachOf(home, [[33, home.longitude]])).toBe(400)
})

describe('where a phone is', () => {
  it('knows since when it is at a stop, and when it left', () => {
    expect(seen(fix(0, 5), fix(3, 0.2), fix(4, 0)).inside).toEqual({ bay: at(3) })
    const gone = seen(fix(3, 0.2), fix(40, 0.1), fix(41, 3))
    expect([gone.inside, gone.left]).toEqual([{}, { bay: { since: at(3), at: at(41) } }])
  })
  it('does not take the edge, a vague place or an older one for leaving', () => {
    expect(seen(fix(3, 0), fix(5, 0.8), fix(6, 9, 500), fix(2, 9)).inside).toEqual({ bay: at(3) })
  })
  it('was never away for who is back within two minutes', () => {
    expect(seen(fix(3, 0), fix(20, 3), fix(21, 0)).inside).toEqual({ bay: at(3) })
    expect(seen(fix(3, 0), fix(20, 3), fix(23, 0)).inside).toEqual({ bay: at(23) })
  })
})

describe('what was told and what was seen', () => {
  const told = (from: number, to: number) => ({
    ...home,
    reachMeters: 80,
    startedAt: at(from),
    finishedAt: at(to),
  })
  const day = [fix(-8, 9), fix(0, 0.1), fix(5, 0), fix(30, 0.2), fix(35, 4), fix(60, 9)]
  it.each([
    ['as it was seen', told(2, 32), []],
    ['nine minutes late', told(9, 32), []],
    ['started 15 minutes after arriving', told(15, 32), [['start', 15]]],
    ['started before anybody was there', told(-25, 32), [['start', 17]]],
    ['finished half an hour after leaving', told(1, 65), [['finish', 30]]],
    ['finished while they stayed on', told(1, 12), [['finish', 18]]],
  ])('%s', (_, stop, expected) =>
    expect(mismatchesOf(stop, day).map(({ what, minutes }) => [what, minutes])).toEqual(expected),
  )
  it('a phone that was elsewhere all the time was not there; one that was silent says nothing', () => {
    expect(mismatchesOf(told(0, 30), [fix(1, 9), fix(10, 9), fix(20, 9)]).map(({ what }) => what)).toEqual(['away'])
    expect(mismatchesOf(told(0, 30), [fix(1, 9)])).toEqual([])
    expect(mismatchesOf(told(0, 30), [])).toEqual([])
  })
  it('between two places nobody knows when it was: only what is off from all of that time counts', () => {
    expect(mismatchesOf(told(20, 60), [fix(-40, 9), fix(20, 0), fix(50, 0)])).toEqual([])
    expect(mismatchesOf(told(-20, 60), [fix(-40, 9), fix(20, 0), fix(50, 0)])).toEqual([])
  })
})
