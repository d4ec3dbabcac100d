import { describe, expect, it, test } from 'vitest'
import { dayOf, minuteOfDay, weekdayOf } from '../../../shared/dates.ts'
import { foldedState, snoozeProblem, snoozeUntil, stateOf } from './rules.ts'

const zone = 'America/New_York'
const wall = (at: string | null) => (at === null ? null : `${dayOf(at, zone)} ${minuteOfDay(at, zone)}`)
const from = (iso: string) => (choice: 'later' | 'tomorrow' | 'monday') =>
  wall(snoozeUntil(choice, new Date(iso), zone))

describe('until when it rests', () => {
  it('later today is three hours on, to the next half hour, and nothing when the day is too old', () => {
    expect(from('2026-06-12T14:10:00Z')('later')).toBe('2026-06-12 810')
    expect(from('2026-06-13T00:31:00Z')('later')).toBeNull()
    expect(from('2026-06-13T00:29:00Z')('later')).toBe('2026-06-12 1410')
  })

  it('tomorrow and Monday are 8 AM by the clock of the business, also over a change of the clock', () => {
    // Saturday evening before the clocks go forward, and before they go back
    for (const iso of ['2026-03-08T01:00:00Z', '2026-11-01T00:00:00Z']) {
      const today = dayOf(iso, zone)
      expect(weekdayOf(today)).toBe(6)
      expect(from(iso)('tomorrow')).toMatch(/ 480$/)
      expect(from(iso)('monday')).toMatch(/ 480$/)
    }
    expect(snoozeUntil('tomorrow', new Date('2026-03-08T01:00:00Z'), zone)).toBe('2026-03-08T12:00:00.000Z')
    expect(snoozeUntil('tomorrow', new Date('2026-03-07T01:00:00Z'), zone)).toBe('2026-03-07T13:00:00.000Z')
  })

  it('Monday is the next one, on a Monday too', () => {
    expect(from('2026-06-08T14:00:00Z')('monday')).toBe('2026-06-15 480')
    expect(from('2026-06-14T14:00:00Z')('monday')).toBe('2026-06-15 480')
  })

  it('a chosen time is still to come, and within a year', () => {
    const now = new Date('2026-06-12T14:10:00Z')
    expect(snoozeProblem({ day: '2026-06-12', minute: 611 }, now, zone)).toBeNull()
    expect(snoozeProblem({ day: '2026-06-12', minute: 610 }, now, zone)).toContain('has passed')
    expect(snoozeProblem({ day: '2027-06-14', minute: 0 }, now, zone)).toContain('more than a year')
    expect(snoozeProblem({ day: '2026-02-30', minute: 0 }, now, zone)).toContain('Use a day')
  })
})

const now = Date.parse('2026-06-12T12:00:00Z')
const open = { snoozedUntil: null, closedAt: null }
const rests = (at: string) => ({ snoozedUntil: at, closedAt: null })
const done = { snoozedUntil: null, closedAt: '2026-06-01T00:00:00Z' }

test('a snooze that is over is none', () => {
  expect(stateOf(rests('2026-06-12T12:00:00Z'), now)).toBe('open')
  expect(stateOf(rests('2026-06-12T12:00:01Z'), now)).toBe('snoozed')
  expect(stateOf(done, now)).toBe('done')
})

test('two conversations as one are open unless neither is', () => {
  const [soon, late] = ['2026-06-13T00:00:00Z', '2026-06-14T00:00:00Z']
  expect(foldedState(null, done, now)).toEqual({ snoozedUntil: null, closed: false })
  expect(foldedState(open, rests(soon), now)).toEqual({ snoozedUntil: null, closed: false })
  expect(foldedState(rests(late), rests(soon), now)).toEqual({ snoozedUntil: soon, closed: false })
  expect(foldedState(done, rests(soon), now)).toEqual({ snoozedUntil: soon, closed: false })
  expect(foldedState(done, done, now)).toEqual({ snoozedUntil: null, closed: true })
})
