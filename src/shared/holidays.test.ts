import { expect, test } from 'vitest'
import { federalHoliday } from './holidays.ts'

test.each([
  ['2026-11-26', 'Thanksgiving'],
  ['2026-11-27', null],
  ['2026-07-04', 'Independence Day'],
  ['2026-07-03', 'Independence Day'],
  ['2026-07-06', null],
  ['2027-07-05', 'Independence Day'],
  ['2026-05-25', 'Memorial Day'],
  ['2026-01-19', 'Martin Luther King Jr. Day'],
  ['2026-10-12', 'Columbus Day'],
  ['2027-12-31', "New Year's Day"],
  ['2027-12-24', 'Christmas Day'],
  ['2026-06-15', null],
])('%s: %s', (day, name) => expect(federalHoliday(day)).toBe(name))
