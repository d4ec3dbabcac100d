import { describe, expect, it } from 'vitest'
import { instantAt } from '../../../shared/dates.ts'
import { type ClockEntry, type EntryKind, weekOf } from '../rules.ts'
import {
  approvalDoubts,
  exceptionsOf,
  hoursText,
  moreHoursText,
  type SheetFacts,
  sheetRefusals,
  sheetStates,
  submitReason,
} from './rules.ts'

const zone = 'America/New_York'
const day = '2026-06-12'
const spell = (kind: EntryKind, from: number, to: number | null, changes: Partial<ClockEntry> = {}): ClockEntry => ({
  id: `${kind}${from}`,
  kind,
  startedAt: instantAt(day, from, zone),
  endedAt: to === null ? null : instantAt(day, to, zone),
  flagged: null,
  ...changes,
})
const now = Date.parse(instantAt('2026-06-13', 480, zone))
const kinds = (entries: readonly ClockEntry[], nowMs = now) =>
  exceptionsOf(entries, { timeZone: zone, nowMs, meal: null }).map((one) => one.kind)

describe('what has to be looked at', () => {
  it.each([
    ['a day in order', [spell('work', 420, 720), spell('break', 720, 750), spell('work', 750, 960)], []],
    ['nobody clocked out', [spell('work', 420, null)], ['missing_out', 'long_day', 'no_break']],
    ['it was ended for them', [spell('work', 420, 720, { flagged: 'forgotten' })], ['missing_out']],
    ['two at once', [spell('work', 420, 700), spell('work', 690, 720)], ['overlap']],
    ['over 14 hours', [spell('work', 300, 700), spell('break', 700, 730), spell('work', 730, 1200)], ['long_day']],
    ['no break', [spell('work', 420, 790)], ['no_break']],
    [
      'a short break is none',
      [spell('work', 420, 700), spell('break', 700, 715), spell('work', 715, 900)],
      ['no_break'],
    ],
    ['time off the clock is one', [spell('work', 420, 700), spell('work', 730, 900)], []],
    ['six hours need none', [spell('work', 420, 780)], []],
    ['an end said later', [spell('work', 420, 700, { flagged: 'adjusted' })], ['end_given_later']],
    ['a phone’s clock', [spell('work', 420, 700, { flagged: 'skew' })], ['phone_clock']],
  ])('%s', (_, entries, expected) =>
    // 14 hours and more have passed where nobody clocked out
    expect(kinds(entries, Date.parse(instantAt(day, 1320, zone)))).toEqual(expected),
  )
})

describe('a night on which the clock is changed', () => {
  const night = (of: string, from: number, to: number, endDay: string): ClockEntry => ({
    ...spell('work', 0, 0),
    startedAt: instantAt(of, from, zone),
    endedAt: instantAt(endDay, to, zone),
  })
  it('pays the hours that went by, not those on the wall', () => {
    const paid = (entry: ClockEntry, of: string) => weekOf([entry], of, zone, 0).paidSeconds / 3600
    // 10 PM to 6 AM are seven hours in the spring night and nine in the autumn one
    expect(paid(night('2026-03-07', 1320, 360, '2026-03-08'), '2026-03-07')).toBe(7)
    expect(paid(night('2026-10-31', 1320, 360, '2026-11-01'), '2026-10-31')).toBe(9)
  })
})

const facts = (changes: Partial<SheetFacts> = {}): SheetFacts => ({
  name: 'Ana',
  status: 'submitted',
  locked: false,
  isRunning: false,
  isAhead: false,
  hasTime: true,
  request: '',
  heldCount: 0,
  ...changes,
})

describe('what may be done with a week', () => {
  it('is nothing once it is locked, whatever its state, but to leave out what came late', () => {
    const { leaveOut, ...others } = sheetRefusals
    expect(leaveOut(facts({ locked: true, heldCount: 2 }))).toBeNull()
    expect(leaveOut(facts({ locked: true }))).toMatch(/No late time/)
    for (const status of sheetStates)
      for (const refusal of Object.values(others))
        expect(refusal(facts({ status, locked: true, request: 'x' }))).toMatch(/locked/)
    expect(submitReason(facts({ locked: true }))).toBe('locked_week')
  })
  it.each([
    ['approve', { status: 'approved' }, /approved already/],
    ['approve', { isRunning: true }, /still on the clock/],
    ['approve', { hasTime: false }, /nothing to approve/],
    ['approve', { status: 'open' }, null],
    ['sendBack', { status: 'open' }, /not handed in/],
    ['sendBack', {}, null],
    ['reopen', {}, /open already/],
    ['reopen', { status: 'approved' }, null],
    ['correct', { isAhead: true }, /not begun/],
    ['correct', { status: 'approved' }, null],
    ['answer', {}, /asks for nothing/],
    ['answer', { request: 'Friday' }, null],
  ] as const)('%s with %j', (action, changes, expected) => {
    const said = sheetRefusals[action](facts(changes))
    if (expected) expect(said).toMatch(expected)
    else expect(said).toBeNull()
  })
  it('is handed in when the clock stands and there is time', () => {
    expect([
      submitReason(facts({ status: 'open' })),
      submitReason(facts({ isRunning: true })),
      submitReason(facts({ hasTime: false })),
    ]).toEqual([null, 'still_in', 'no_time'])
  })
})

it('reads hours as payroll does', () => expect([hoursText(27_900), hoursText(0)]).toEqual(['7.75', '–']))

it('what is paid double never stands as overtime', () => {
  const hours = (overtime: number, double: number) =>
    moreHoursText({ overtimeSeconds: overtime * 3600, doubleSeconds: double * 3600 })
  expect([hours(4, 1.5), hours(4, 0), hours(0, 1.5), hours(0, 0)]).toEqual([
    '4.00 overtime, 1.50 double time',
    '4.00 overtime',
    '1.50 double time',
    '',
  ])
})

it('approving asks about weeks that are not over, not handed in or not in order, and about no others', () => {
  const sheet = (status: 'open' | 'submitted', ...kinds: 'meal_missing'[]) => ({
    status,
    exceptions: kinds.map((kind) => ({ kind })),
  })
  expect(approvalDoubts([sheet('submitted')], { isOver: true })).toEqual([])
  expect(approvalDoubts([sheet('submitted'), sheet('open'), sheet('open', 'meal_missing')], { isOver: false })).toEqual(
    [
      'The week is not over: what is worked in it from now on opens it again.',
      '2 weeks nobody has handed in yet.',
      '1 week with something to look at, such as a missing meal or clock-out.',
    ],
  )
})
