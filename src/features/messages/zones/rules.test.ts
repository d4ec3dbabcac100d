import { describe, expect, it } from 'vitest'
import { homesAt, quietAtHome } from './rules.ts'

const quiet = { startMinute: 1260, endMinute: 480 }
const savannah = { latitude: 32.06, longitude: -81.11, state: 'GA' }
const phoenix = { latitude: 33.45, longitude: -112.07, state: 'az ' }
const providence = { latitude: 41.82, longitude: -71.41, state: 'RI' }
const honolulu = { latitude: 21.3, longitude: -157.86, state: 'HI' }

it('a place has its zone and its state, each once', () => {
  expect(homesAt([savannah, { ...savannah, latitude: 32.1 }, phoenix])).toEqual([
    { timeZone: 'America/New_York', state: 'GA' },
    { timeZone: 'America/Phoenix', state: 'AZ' },
  ])
  expect(homesAt([])).toEqual([])
})

describe('when a text may leave', () => {
  const until = (purpose: 'transactional' | 'marketing', now: string, places: Parameters<typeof homesAt>[0]) =>
    quietAtHome(purpose, new Date(now), homesAt(places), 'America/New_York', quiet)
  it.each([
    [
      'morning in Georgia is night in Arizona',
      'transactional',
      '2026-06-12T13:00:00Z',
      [phoenix],
      '2026-06-12T15:00:00.000Z',
    ],
    ['evening in Georgia is afternoon there', 'transactional', '2026-06-13T02:00:00Z', [phoenix], null],
    [
      'without a place the business’s clock holds',
      'transactional',
      '2026-06-13T02:00:00Z',
      [],
      '2026-06-13T12:00:00.000Z',
    ],
    [
      'land in two zones: quiet in either holds it',
      'transactional',
      '2026-06-13T02:00:00Z',
      [savannah, phoenix],
      '2026-06-13T15:00:00.000Z',
    ],
    ['Arizona has no summer time', 'transactional', '2026-12-12T14:30:00Z', [phoenix], '2026-12-12T15:00:00.000Z'],
    [
      'five and more hours apart',
      'marketing',
      '2026-06-14T16:30:00Z',
      [savannah, honolulu],
      '2026-06-15T19:00:00.000Z',
    ],
    [
      'offers end at 6 PM in Rhode Island',
      'marketing',
      '2026-06-12T22:30:00Z',
      [providence],
      '2026-06-13T14:00:00.000Z',
    ],
    ['and begin at 10 on a Saturday', 'marketing', '2026-06-13T13:30:00Z', [providence], '2026-06-13T14:00:00.000Z'],
    ['news of a visit does not', 'transactional', '2026-06-12T22:30:00Z', [providence], null],
    ['nor offers elsewhere', 'marketing', '2026-06-12T22:30:00Z', [savannah], null],
  ] as const)('%s', (_name, purpose, now, places, expected) => {
    expect(until(purpose, now, places)).toBe(expected)
  })
})
