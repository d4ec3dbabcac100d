import { expect, it } from 'vitest'
import { isOnClock, lastStop, personState, pinState, sinceText, stopAtHand, stopSince, stopState } from './rules.ts'

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

const times = { startedAt: '1', intervalStartedAt: '3', enRouteAt: '0', finishedAt: '4', pausedAt: '2' }
it.each([
  ['working', '3'],
  ['onTheWay', '0'],
  ['paused', '2'],
  ['done', '4'],
  ['open', null],
] as const)('a stop that is %s is so since its own tap', (state, since) => expect(stopSince(state, times)).toBe(since))

it('says the day of what began on another one, on the clock of the business', () => {
  const at = '2026-06-02T03:30:00Z'
  expect(sinceText(at, '2026-06-01', 'America/New_York')).toBe('11:30 PM')
  expect(sinceText(at, '2026-06-02', 'America/New_York')).toBe('Mon, Jun 1, 11:30 PM')
})

it('a crew was last at the stop at hand, else at the one that it closed last', () => {
  const done = { state: 'done', since: '2026-06-01T12:00:00Z' } as const
  const later = { state: 'skipped', since: '2026-06-01T13:00:00Z' } as const
  const open = { state: 'open', since: null } as const
  expect(lastStop([later, done, open])).toBe(later)
  const paused = { state: 'paused', since: '2026-06-01T11:00:00Z' } as const
  expect(lastStop([later, paused])).toBe(paused)
  expect(lastStop([open])).toBeNull()
  expect([pinState('working', [later, done]), pinState('break', [done]), pinState('working', [open])]).toEqual([
    'skipped',
    'paused',
    'open',
  ])
})

it('only who is on the clock, and on no break, has a pin', () =>
  expect((['working', 'shop', 'rain', 'break', 'off', 'away'] as const).filter(isOnClock)).toEqual([
    'working',
    'shop',
    'rain',
  ]))
