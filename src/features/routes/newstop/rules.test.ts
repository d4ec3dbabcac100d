import { expect, it } from 'vitest'
import { type DayAnswer, rankWeekdays } from './rules.ts'

const answer = (day: string, crew: string, addedSeconds: number | null, stops = 8): DayAnswer => ({
  day,
  crewId: crew,
  crewName: crew,
  addedSeconds,
  stops,
  reason: addedSeconds === null ? 'Full.' : null,
})

it('ranks weekdays by the mean of the driving that the place adds, each with its best crew', () => {
  const { offers, full } = rankWeekdays([
    // Mondays
    answer('2026-06-15', 'A', 600),
    answer('2026-06-22', 'A', 400),
    answer('2026-06-15', 'B', 900),
    answer('2026-06-22', 'B', 900),
    // Tuesdays
    answer('2026-06-16', 'A', 100),
    answer('2026-06-23', 'A', 120),
    // Wednesdays are full in one of two weeks, Thursdays in both
    answer('2026-06-17', 'A', 10),
    answer('2026-06-24', 'A', null),
    answer('2026-06-18', 'A', null),
    answer('2026-06-25', 'A', null),
  ])
  expect(offers.map(({ weekday, crewId, addedSeconds }) => [weekday, crewId, addedSeconds])).toEqual([
    [2, 'A', 110],
    [1, 'A', 500],
  ])
  expect(full).toEqual([3, 4])
})

it('prefers a day that has stops where both add the same', () => {
  const { offers } = rankWeekdays([answer('2026-06-15', 'A', 300, 0), answer('2026-06-16', 'A', 300, 9)])
  expect(offers.map(({ weekday }) => weekday)).toEqual([2, 1])
  expect(rankWeekdays([])).toEqual({ offers: [], full: [] })
})
