import { expect, test } from 'vitest'
import { relativeTime } from './relativeTime.ts'
import { dollarsText, parseDay, parseMinute, parseNumber } from './typedValues.ts'

test.each([
  ['7', 420],
  ['7:15', 435],
  ['715', 435],
  ['7:15 pm', 1155],
  ['1915', 1155],
  ['230p', 870],
  ['2', 840],
  ['02:00', 120],
  ['12a', 0],
  ['12 pm', 720],
  ['noon', 720],
  ['7 a.m.', 420],
  ['25', null],
  ['7:75', null],
  ['13 pm', null],
  ['soon', null],
  ['', null],
])('time %s', (text, minute) => {
  expect(parseMinute(text)).toBe(minute)
})

test.each([
  ['2026-06-12', '2026-06-12'],
  ['6/12', '2026-06-12'],
  ['6/12/27', '2027-06-12'],
  ['jun 12', '2026-06-12'],
  ['12 June 2026', '2026-06-12'],
  ['Fri, 12 June 2026', '2026-06-12'],
  ['june 12, 2025', '2025-06-12'],
  ['today', '2026-06-10'],
  ['tomorrow', '2026-06-11'],
  ['fri', '2026-06-12'],
  ['wed', '2026-06-17'],
  ['1/5', '2026-01-05'],
  ['2/30', null],
  ['13/1', null],
  ['m', null],
  ['', null],
  ['to', null],
])('day %s', (text, day) => {
  expect(parseDay(text, '2026-06-10')).toBe(day)
})

test('a day without a year is the nearest one', () => {
  expect(parseDay('1/5', '2026-12-20')).toBe('2027-01-05')
  expect(parseDay('12/28', '2026-01-03')).toBe('2025-12-28')
})

test.each([
  ['12', 12],
  ['1,250.5', 1250.5],
  ['-3', -3],
  ['.5', 0.5],
  ['5 min', null],
  ['1,2', null],
  ['', null],
])('number %s', (text, number) => {
  expect(parseNumber(text)).toBe(number)
})

test('dollars', () => {
  expect([dollarsText(115000), dollarsText(5), dollarsText(null)]).toEqual(['1,150.00', '0.05', ''])
})

test.each([
  [10, 'just now'],
  [600, '10 min ago'],
  [7_300, '2 h ago'],
  [90_000, '1 day ago'],
  [200_000, '2 days ago'],
  [-200_000, 'in 2 days'],
  [1_300_000, '2 weeks ago'],
  [-7_300, 'in 2 h'],
])('%s s', (seconds, words) => {
  expect(relativeTime(1_000_000_000_000 - seconds * 1000, 1_000_000_000_000)).toBe(words)
})
