import { expect, test } from 'vitest'
import { timeTeller } from './slotTimes.ts'

const timeOf = timeTeller('America/New_York')

const night = ['2026-11-01T04:30:00Z', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-01T07:30:00Z']

test('in the night when the clocks go back the hour that comes twice is told apart', () =>
  expect(night.map((at) => timeOf(at, night).replaceAll('\u202f', ' '))).toEqual([
    '12:30 AM',
    '1:30 AM EDT',
    '1:30 AM EST',
    '2:30 AM',
  ]))

test('any other time stands alone', () => {
  const day = ['2026-03-08T14:00:00Z', '2026-03-08T14:30:00Z']
  expect(day.map((at) => timeOf(at, day).replaceAll('\u202f', ' '))).toEqual(['10:00 AM', '10:30 AM'])
})
