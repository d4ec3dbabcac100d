import { expect, it } from 'vitest'
import { personState, stopAtHand, stopState } from './rules.ts'

it.each([
  ['in_progress', 'working'],
  ['en_route', 'onTheWay'],
  ['paused', 'paused'],
  ['completed', 'done'],
  ['skipped', 'skipped'],
  ['missed', 'skipped'],
  ['scheduled', 'open'],
  ['canceled', null],
  ['unscheduled', null],
] as const)('a visit that is %s stands there as %s', (status, state) => expect(stopState(status)).toBe(state))

it('a crew is where it works, else where it drives to, else where it paused', () => {
  expect(stopAtHand([{ state: 'paused' }, { state: 'onTheWay' }, { state: 'done' }])).toEqual({ state: 'onTheWay' })
  expect(stopAtHand([{ state: 'paused' }, { state: 'working' }])).toEqual({ state: 'working' })
  expect(stopAtHand([{ state: 'done' }, { state: 'open' }])).toBeNull()
})

it.each([
  ['work', false, 'working'],
  ['shop', false, 'shop'],
  ['break', true, 'break'],
  [null, false, 'off'],
  [null, true, 'away'],
] as const)('who is in with %s, off: %s, is %s', (kind, away, state) => expect(personState(kind, away)).toBe(state))
