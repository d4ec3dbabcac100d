import { describe, expect, test } from 'vitest'
import {
  mayDecide,
  monthOf,
  nextStatus,
  placesLeft,
  type SprintFacts,
  sprintEnd,
  sprintNotice,
  stepDue,
  stepNames,
  stepStates,
} from './rules.ts'

const start = '2026-06-01T14:00:00.000Z'
const end = '2026-06-15T14:00:00.000Z'
const call2 = '2026-06-12T15:00:00.000Z'
const facts = (changes: Partial<SprintFacts> = {}): SprintFacts => ({
  status: 'running',
  startedAt: start,
  endsAt: end,
  call2At: call2,
  done: {},
  ...changes,
})
const done = (at: string) => Object.fromEntries(stepNames.map((step) => [step, at]))

describe('a Sprint', () => {
  test('lasts 14 days on the clock of the owner, also over the night when it changes', () => {
    expect(sprintEnd(start, 'America/New_York')).toBe(end)
    expect(sprintEnd('2026-03-01T14:00:00.000Z', 'America/New_York')).toBe('2026-03-15T13:00:00.000Z')
  })
  test('has its homework due at call 2 and the calls at the end', () => {
    expect(stepDue('services_and_prices', facts())).toBe(call2)
    expect(stepDue('team_set_up', facts())).toBe(call2)
    expect(stepDue('call_2', facts())).toBe(end)
    expect(stepDue('invoice_sent', facts({ call2At: null }))).toBe(end)
    expect(stepDue('invoice_sent', facts({ call2At: '2026-07-01T00:00:00.000Z' }))).toBe(end)
    expect(stepDue('invoice_sent', facts({ endsAt: null }))).toBeNull()
  })
  test.each([
    ['waits for call 1', facts({ startedAt: null, endsAt: null }), '2026-06-20T00:00:00.000Z', 'admitted'],
    ['has not begun before call 1', facts({ status: 'admitted' }), '2026-05-30T00:00:00.000Z', 'admitted'],
    ['runs from call 1 on', facts({ status: 'admitted' }), '2026-06-02T00:00:00.000Z', 'running'],
    [
      'is finished when every step is done in time',
      facts({ done: done('2026-06-10T00:00:00.000Z') }),
      '2026-06-12T16:00:00.000Z',
      'finished',
    ],
    [
      'is missed when homework is open at call 2',
      facts({ done: { ...done('2026-06-10T00:00:00.000Z'), invoice_sent: null } }),
      '2026-06-12T15:00:01.000Z',
      'missed',
    ],
    [
      'is not yet missed at the very instant',
      facts({ done: { ...done('2026-06-10T00:00:00.000Z'), invoice_sent: null } }),
      call2,
      'running',
    ],
    [
      'is missed when homework came late',
      facts({ done: { ...done('2026-06-10T00:00:00.000Z'), invoice_sent: '2026-06-13T00:00:00.000Z' } }),
      '2026-06-13T00:00:00.000Z',
      'missed',
    ],
    [
      'does not mind a call that is marked afterwards',
      facts({ done: { ...done('2026-06-10T00:00:00.000Z'), call_2: '2026-06-16T00:00:00.000Z' } }),
      '2026-06-16T00:00:00.000Z',
      'finished',
    ],
    [
      'is missed when call 2 never came',
      facts({ call2At: null, done: { ...done('2026-06-10T00:00:00.000Z'), call_2: null } }),
      '2026-06-15T14:00:01.000Z',
      'missed',
    ],
    ['stays finished', facts({ status: 'finished' }), '2027-01-01T00:00:00.000Z', 'finished'],
    ['stays declined', facts({ status: 'declined' }), '2027-01-01T00:00:00.000Z', 'declined'],
  ])('%s', (_, given, now, expected) => expect(nextStatus(given, now)).toBe(expected))

  test('shows each step as done, open or missed', () => {
    const states = stepStates(
      facts({ done: { call_1: start, services_and_prices: '2026-06-03T00:00:00.000Z' } }),
      '2026-06-12T16:00:00.000Z',
    )
    expect(states.map(({ state }) => state)).toEqual(['done', 'done', ...Array(6).fill('missed'), 'open'])
  })
})

test.each([
  ['applied', 'admitted', true],
  ['queued', 'admitted', true],
  ['declined', 'queued', true],
  ['queued', 'queued', false],
  ['admitted', 'declined', false],
  ['finished', 'admitted', false],
] as const)('from %s to %s: %s', (from, to, expected) => expect(mayDecide(from, to)).toBe(expected))

test('places run out at zero, and months are the owner’s', () => {
  expect([placesLeft(10, 3), placesLeft(10, 12)]).toEqual([7, 0])
  expect(monthOf(new Date('2026-07-01T02:00:00Z'), 'America/New_York')).toBe('2026-06')
})

test.each([
  ['running', 'none', '2026-06-02', ''],
  ['finished', 'none', '2026-06-16', 'There is no onboarding fee'],
  ['finished', 'none', '2026-06-23', null],
  ['missed', 'due', '2027-01-01', 'write to you before anything is to be paid'],
  ['missed', 'confirmed', '2027-01-01', 'of $299 is to be paid'],
  ['missed', 'waived', '2026-06-16', 'of $299 is waived'],
  ['missed', 'paid', '2026-06-16', 'of $299 is paid'],
  ['missed', 'paid', '2026-07-16', null],
  ['queued', 'none', '2026-06-16', null],
  ['declined', 'none', '2026-06-16', null],
] as const)('the dashboard of a Sprint %s, fee %s, on %s says %s', (status, feeStatus, day, expected) => {
  const news = sprintNotice({ status, feeStatus, endsAt: end }, `${day}T15:00:00.000Z`, '$299')
  if (expected === null) expect(news).toBeNull()
  else expect(news?.message).toContain(expected)
})
