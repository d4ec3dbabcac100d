import { describe, expect, it, test } from 'vitest'
import { graceMinutes, pauseVerdict, readAddress, skipUntil, skipVerdict, unskipVerdict } from './rules.ts'

const timeZone = 'America/New_York'
const visit = { status: 'scheduled' as const, day: '2026-06-12', windowStartMinute: null }
const rules = { skipAllowed: true, skipHours: 48 }

test.each([
  [' Ann@Test.example ', { channel: 'email', address: 'ann@test.example' }],
  ['(912) 555-0147', { channel: 'sms', address: '+19125550147' }],
  ['912 555', null],
  ['ann@', null],
  ['', null],
  [`${'a'.repeat(250)}@b.co`, null],
])('%s is read as what it is', (typed, read) => expect(readAddress(typed)).toEqual(read))

describe('skipping', () => {
  it('ends so many hours before the window, else before eight in the morning, also where the clocks change', () => {
    expect(skipUntil(visit, 48, timeZone)).toBe('2026-06-10T12:00:00.000Z')
    expect(skipUntil({ ...visit, windowStartMinute: 13 * 60 }, 48, timeZone)).toBe('2026-06-10T17:00:00.000Z')
    expect(skipUntil({ ...visit, day: '2026-03-08' }, 24, timeZone)).toBe('2026-03-07T12:00:00.000Z')
    expect(skipUntil({ ...visit, day: null }, 48, timeZone)).toBeNull()
  })
  test.each([
    ['2026-06-10T12:00:00.000Z', {}, {}, 'yes'],
    ['2026-06-10T12:00:00.001Z', {}, {}, 'late'],
    ['2026-06-10T12:00:00.001Z', {}, { skipHours: 0 }, 'yes'],
    ['2026-06-01T12:00:00.000Z', {}, { skipAllowed: false }, 'off'],
    ['2026-06-01T12:00:00.000Z', { status: 'en_route' as const }, {}, 'over'],
    ['2026-06-01T12:00:00.000Z', { status: 'skipped' as const }, {}, 'over'],
    ['2026-06-01T12:00:00.000Z', { day: null }, {}, 'over'],
  ])('at %s, %o, %o: %s', (now, changed, rule, verdict) =>
    expect(skipVerdict({ ...visit, ...changed }, { ...rules, ...rule }, { now, timeZone })).toBe(verdict),
  )
  test.each([
    ['in time', '2026-06-10T11:59:00.000Z', '2026-06-01T00:00:00.000Z', true],
    ['late, but a moment after it', '2026-06-10T12:05:00.000Z', '2026-06-10T11:59:00.000Z', true],
    ['late', '2026-06-10T12:30:00.000Z', '2026-06-10T11:59:00.000Z', false],
    ['skipped by somebody else', '2026-06-01T12:00:00.000Z', null, false],
  ])('is taken back: %s', (_, now, skippedAt, may) => {
    expect(graceMinutes).toBe(10)
    expect(unskipVerdict({ ...visit, status: 'skipped' }, rules, { now, timeZone, skippedAt })).toBe(may)
  })
})

test.each([
  ['2026-06-01T12:00:00.000Z', 'active', true, visit, 'yes'],
  ['2026-06-11T12:00:00.000Z', 'active', true, visit, 'near'],
  ['2026-06-11T12:00:00.000Z', 'active', true, null, 'yes'],
  ['2026-06-01T12:00:00.000Z', 'active', false, visit, 'off'],
  ['2026-06-01T12:00:00.000Z', 'paused', true, visit, 'not_running'],
])('a pause at %s of a job that is %s, allowed %s', (now, status, pauseAllowed, next, verdict) =>
  expect(pauseVerdict({ status }, next, { pauseAllowed, skipHours: 48 }, { now, timeZone })).toBe(verdict),
)
