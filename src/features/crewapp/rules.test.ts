import { describe, expect, it } from 'vitest'
import { type VisitStatus, visitStatuses } from '../visits/rules.ts'
import {
  type CrewCommand,
  canDo,
  conflictTitle,
  onOurClock,
  ourInstant,
  type PhoneClock,
  skewOf,
  tapSkew,
  type VisitCommand,
  validationErrorOf,
  verdictOn,
} from './rules.ts'

const verdict = (type: VisitCommand, status: VisitStatus): string => {
  const v = verdictOn(type, { status, rebooked: false })
  return v.kind === 'conflict' || v.kind === 'refused' ? `${v.kind} ${v.reason}` : v.kind
}

describe('what becomes of a command', () => {
  const columns: VisitStatus[] = ['scheduled', 'en_route', 'in_progress', 'paused', 'completed', 'skipped', 'canceled']
  const table: [VisitCommand, string[]][] = [
    ['en_route', ['apply', 'already', 'already', 'already', 'already', 'conflict skipped', 'conflict canceled']],
    ['start', ['apply', 'apply', 'already', 'apply', 'already', 'conflict skipped', 'conflict canceled']],
    [
      'pause',
      [
        'refused not_started',
        'refused not_started',
        'apply',
        'already',
        'already',
        'conflict skipped',
        'conflict canceled',
      ],
    ],
    ['resume', ['apply', 'apply', 'already', 'apply', 'already', 'conflict skipped', 'conflict canceled']],
    ['finish', ['apply', 'apply', 'apply', 'apply', 'already', 'conflict skipped', 'conflict canceled']],
    ['skip', ['apply', 'apply', 'apply', 'apply', 'conflict begun', 'already', 'conflict canceled']],
    ['undo_skip', ['already', 'already', 'already', 'already', 'already', 'apply', 'conflict canceled']],
  ]
  it.each(table)('%s', (type, expected) => expect(columns.map((s) => verdict(type, s))).toEqual(expected))
  it('skips what was begun, but not by a press from before it was begun', () => {
    const begun = { status: 'in_progress' as const, rebooked: false, startedAt: '2026-06-12T13:00:00.000Z' }
    expect(verdictOn('skip', begun, '2026-06-12T13:10:00Z')).toEqual({ kind: 'apply' })
    expect(verdictOn('skip', begun, '2026-06-12T12:50:00Z')).toEqual({ kind: 'conflict', reason: 'begun' })
  })
  it('skips what was begun again after a skip, but not by a press from before it was begun again', () => {
    const again = {
      status: 'in_progress' as const,
      rebooked: false,
      startedAt: '2026-06-12T12:00:00.000Z',
      intervalStartedAt: '2026-06-12T12:20:00.000Z',
    }
    expect(verdictOn('skip', again, '2026-06-12T12:15:00Z')).toEqual({ kind: 'conflict', reason: 'begun' })
    expect(verdictOn('skip', again, '2026-06-12T12:25:00Z')).toEqual({ kind: 'apply' })
  })

  it('takes a skip back until the office has given the visit another day', () => {
    expect(canDo('undo_skip', { status: 'skipped', rebooked: false })).toBe(true)
    expect(verdictOn('undo_skip', { status: 'skipped', rebooked: true })).toEqual({
      kind: 'conflict',
      reason: 'rebooked',
    })
  })
  it('takes notes and ticks in every state', () => {
    for (const status of visitStatuses)
      expect([verdict('note', status), verdict('check', status)]).toEqual(['apply', 'apply'])
  })
})

describe('a command as it came', () => {
  const base: CrewCommand = { id: 'i', type: 'start', visitId: 'v', at: '2026-06-12T12:00:00Z', payload: {} }
  it.each<[string, Partial<CrewCommand>, string | null]>([
    ['whole', {}, null],
    ['without a time', { at: 'soon' }, 'invalid'],
    ['without a visit', { visitId: undefined }, 'invalid'],
    ['a skip without a reason', { type: 'skip' }, 'invalid'],
    ['a skip with a reason', { type: 'skip', payload: { reason: 'dog' } }, null],
    ['another reason without words', { type: 'skip', payload: { reason: 'other', note: ' ' } }, 'invalid'],
    ['a clock-in needs no visit', { type: 'clock_in', visitId: undefined }, null],
    ['an end that is no time', { type: 'clock_out', payload: { endedAt: 'x' } }, 'invalid'],
    ['an empty note', { type: 'note', payload: {} }, 'invalid'],
  ])('%s', (_, change, expected) => expect(validationErrorOf({ ...base, ...change })).toBe(expected))
})

describe("the phone's clock", () => {
  const now = Date.parse('2026-06-12T12:00:00Z')
  it.each([
    ['within two minutes it is believed', '2026-06-12T11:59:00Z', '2026-06-12T11:00:00Z', '2026-06-12T11:00:00.000Z'],
    ['ten minutes behind', '2026-06-12T11:50:00Z', '2026-06-12T11:00:00Z', '2026-06-12T11:10:00.000Z'],
    ['an hour ahead', '2026-06-12T13:00:00Z', '2026-06-12T12:30:00Z', '2026-06-12T11:30:00.000Z'],
    ['never in the future', '2026-06-12T12:00:00Z', '2026-06-12T12:05:00Z', '2026-06-12T12:00:00.000Z'],
    ['nothing said', undefined, '2026-06-12T11:00:00Z', '2026-06-12T11:00:00.000Z'],
  ])('%s', (_, sentAt, at, expected) => expect(ourInstant(at, skewOf(sentAt, now), now)).toBe(expected))

  it.each<[string, { behind: number; sure: boolean } | undefined, number, { shift: number; told: number }]>([
    [
      'the app was opened without a signal: what it shows when it sends',
      undefined,
      -3600,
      { shift: -3600, told: -3600 },
    ],
    [
      'known for sure, and put right before it was sent',
      { behind: -3600, sure: true },
      0,
      { shift: -3600, told: -3600 },
    ],
    ['known for sure, and set wrong before it was sent', { behind: 0, sure: true }, -3600, { shift: 0, told: 0 }],
    ['slept since, nothing changed', { behind: 3600, sure: false }, 3601, { shift: 3601, told: 3601 }],
    ['set some time in between: the office looks at it', { behind: 3600, sure: false }, 0, { shift: 0, told: 3600 }],
    ['set wrong some time in between', { behind: 0, sure: false }, 3600, { shift: 3600, told: 3600 }],
  ])('%s', (_, known, sent, expected) => expect(tapSkew(known, sent)).toEqual(expected))
})

it('a drawing that waits for the office says what it is', () => {
  const one = { name: 'Luis', type: 'mark' as const, street: '7 Bay St', reason: 'not_yours' }
  expect(conflictTitle(one)).toBe('Luis drew on a photo of 7 Bay St, but the stop is with another crew')
})

it('a tap stands on the screen at the time at which it will be booked, where the phone knows its clock for sure', () => {
  const tap = { id: 'a', type: 'start' as const, visitId: 'v', at: '2026-06-12T13:00:00.000Z', payload: {} }
  const shownAt = (clock?: PhoneClock) => onOurClock({ ...tap, ...(clock ? { clock } : {}) }).at
  expect(shownAt({ behind: -3600, sure: true })).toBe('2026-06-12T12:00:00.000Z')
  expect(shownAt({ behind: 3600, sure: true })).toBe('2026-06-12T14:00:00.000Z')
  expect(shownAt({ behind: -3600, sure: false, likely: true })).toBe('2026-06-12T12:00:00.000Z')
  for (const clock of [{ behind: -3600, sure: false }, { behind: -100, sure: true }, undefined])
    expect(shownAt(clock)).toBe(tap.at)
})
