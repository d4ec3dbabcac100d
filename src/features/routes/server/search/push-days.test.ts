import { expect, it } from 'vitest'
import type { Problem } from '../../../../solver/problem.ts'
import { pushDays } from './push-days.ts'

const hour = 3600
const day = (n: number, hours: number) => ({
  id: `day-${n}`,
  crewId: 'crew',
  day: n,
  startLocation: 0,
  endLocation: 0,
  shiftStartSeconds: 0,
  shiftEndSeconds: hours * hour,
  wageCentsPerHour: 0,
  centsPerMile: 0,
  crewSize: 1,
})
/** Stops of one crew without drives: how many hours each takes, by the day it is on. */
const pushed = (days: { hours: number; stops: Record<string, number> }[], closed = ['day-0']) => {
  const problem: Problem = {
    matrix: { size: 1, seconds: new Int32Array(1), meters: new Int32Array(1) },
    crewDays: days.map(({ hours }, n) => day(n, hours)),
    visits: days.flatMap(({ stops }) =>
      Object.entries(stops).map(([id, hours]) => ({ id, location: 0, serviceSeconds: hours * hour })),
    ),
  }
  const plan = { routes: days.map(({ stops }, n) => ({ crewDayId: `day-${n}`, visitIds: Object.keys(stops) })) }
  return Object.fromEntries(
    pushDays(problem, plan, new Set(closed)).routes.map((route) => [route.crewDayId, route.visitIds]),
  )
}

it('does the closed day first thing on the next, whose own stops move on when they have no room', () => {
  expect(
    pushed([
      { hours: 8, stops: { a: 4 } },
      { hours: 8, stops: { b: 6 } },
      { hours: 8, stops: { c: 2 } },
    ]),
  ).toEqual({ 'day-1': ['a'], 'day-2': ['b', 'c'] })
})

it('leaves nothing without a place while its own day, or another, has room for it', () => {
  // b is sent on by a, and the last day is full: it goes back to where it was.
  const routes = pushed([
    { hours: 8, stops: { a: 2 } },
    { hours: 8, stops: { b: 3, c: 4 } },
    { hours: 8, stops: { d: 6 } },
  ])
  expect(routes['day-2']).toEqual(['d'])
  expect(routes['day-1']?.toSorted()).toEqual(['a', 'b'])
  // c of four hours fits beside neither; what is too much stays out.
  const all = Object.values(routes).flat()
  expect(all).not.toContain('c')
  const short = pushed([
    { hours: 8, stops: { a: 7, b: 1 } },
    { hours: 6, stops: { c: 4 } },
    { hours: 8, stops: { d: 7 } },
  ])
  expect(short['day-1']).toContain('b')
  expect(Object.values(short).flat().toSorted()).toEqual(['b', 'c', 'd'])
})
