import { describe, expect, it } from 'vitest'
import { dayRefusal, openDaysAfter, type WorkCalendar } from './rules.ts'

const crew = (id: string, changes: Partial<WorkCalendar['crews'][number]> = {}) => ({
  id,
  name: id,
  workDays: [1, 2, 3, 4, 5],
  daysOff: [],
  ...changes,
})
// A Wednesday.
const calendar: WorkCalendar = {
  today: '2028-02-23',
  workDays: [1, 2, 3, 4, 5, 6],
  holidays: ['2028-02-29'],
  crews: [
    crew('North', { daysOff: [{ day: '2028-02-24', reason: 'rain' }] }),
    crew('South', { workDays: [6], daysOff: [{ day: '2028-02-26', reason: 'out' }] }),
  ],
}

describe('the days that a visit can be put on', () => {
  it.each([
    ['2028-02-22', null, 'Tue, Feb 22 is over.'],
    ['2028-02-29', null, 'Tue, Feb 29 is a holiday of yours.'],
    ['2028-02-27', null, 'You do not work on Sundays.'],
    ['2028-02-24', 'North', 'North is off on Thu, Feb 24: rain.'],
    ['2028-02-26', 'South', 'South is off on Sat, Feb 26: the crew is out.'],
    ['2028-02-25', 'South', 'South does not work on Fridays.'],
    ['2028-02-24', null, 'Every crew is off on Thu, Feb 24.'],
    ['2028-02-23', 'North', null],
    ['2028-02-25', 'a crew that is gone', null],
  ])('%s for %s', (day, crewId, why) => {
    expect(dayRefusal(calendar, day, crewId)).toBe(why)
  })

  it.each([
    ['North', null],
    [null, null],
    ['South', 'You do not work on Sundays.'],
  ])('%s on a Sunday that North was given to make up', (crewId, why) => {
    const north = crew('North', { extraDays: ['2028-02-27', '2028-02-29'] })
    const given = { ...calendar, crews: [north, calendar.crews[1]!] }
    expect(dayRefusal(given, '2028-02-27', crewId)).toBe(why)
    // Never on a holiday, never when it is off after all, and not offered as the next open day.
    expect(dayRefusal(given, '2028-02-29', 'North')).toMatch(/holiday/)
    const off = { ...given, crews: [{ ...north, daysOff: [{ day: '2028-02-27', reason: 'rain' as const }] }] }
    expect(dayRefusal(off, '2028-02-27', 'North')).toMatch(/is off/)
    expect(openDaysAfter(given, '2028-02-26', crewId, 1)).not.toContain('2028-02-27')
  })

  it('come in order, over a leap day that is a holiday, and end where none is left', () => {
    expect(openDaysAfter(calendar, '2028-02-23', 'North', 4)).toEqual([
      '2028-02-25',
      '2028-02-28',
      '2028-03-01',
      '2028-03-02',
    ])
    expect(openDaysAfter({ ...calendar, workDays: [] }, '2028-02-23', null, 4)).toEqual([])
  })
})
