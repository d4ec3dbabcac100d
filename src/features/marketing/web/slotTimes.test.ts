import { expect, test } from 'vitest'
import { isNight, timeTeller } from './slotTimes.ts'

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

test('nine in the morning in New York is night in Hawaii', () => {
  const [nine, noon, four] = ['2026-12-01T14:00:00Z', '2026-12-01T17:00:00Z', '2026-12-01T21:00:00Z'] as const
  expect([nine, noon, four].map((at) => isNight(at, 'Pacific/Honolulu'))).toEqual([true, false, false])
  expect([nine, noon, four].map((at) => isNight(at, 'America/New_York'))).toEqual([false, false, false])
  expect(['2026-12-01T12:00:00Z', '2026-12-02T02:00:00Z'].map((at) => isNight(at, 'America/New_York'))).toEqual([
    false,
    true,
  ])
})
