import { expect, it } from 'vitest'
import type { CalendarRange, CalendarVisit } from '../contract.ts'
import { cellWord, inTime, isShort, stopsHere } from './view.ts'

const visit = (id: string, day: string, startMinute: number | null, crewId: string | null) =>
  ({ id, day, startMinute, crewId }) as CalendarVisit

it('a list runs as the day does, over all crews', () => {
  const visits = [
    visit('a', '2026-11-23', 420, 'two'),
    visit('b', '2026-11-23', 441, 'two'),
    visit('c', '2026-11-23', null, null),
    visit('d', '2026-11-23', 420, 'one'),
    visit('e', '2026-11-22', 900, 'one'),
    visit('f', '2026-11-23', 427, 'one'),
  ]
  expect(inTime(visits, [{ id: 'one' }, { id: 'two' }]).map(({ id }) => id)).toEqual(['e', 'd', 'a', 'f', 'b', 'c'])
})

it('a cell of a day on which the business is closed says so, unless work stands on it', () => {
  expect(cellWord(true, { works: true, stops: 0 })).toBe('closed')
  expect(cellWord(true, { works: true, stops: 2 })).toBeNull()
  expect(cellWord(false, { works: false, stops: 0 })).toBe('off')
  expect(cellWord(false, { works: true, stops: 0 })).toBeNull()
})

it('visits at one place of a map stand together, over all crews; those that are nowhere are left out', () => {
  const day = '2026-11-23'
  const at = (id: string, crewId: string | null, latitude: number | null) =>
    ({ ...visit(id, day, null, crewId), latitude, longitude: -81, serviceIds: [] }) as unknown as CalendarVisit
  const range = {
    crews: [{ id: 'one' }, { id: 'two' }],
    visits: [at('a', 'one', 32), at('b', 'one', 33), at('c', 'two', 32), at('d', null, 32), at('e', null, null)],
  } as unknown as CalendarRange
  const found = stopsHere(range, day, { crewId: null, status: null, serviceId: null })
  expect(found.map((place) => place.map((stop) => `${stop.visit.id}${stop.number}`))).toEqual([
    ['a1', 'c1', 'd1'],
    ['b2'],
  ])
})

it('a crew is short when somebody is off the whole day, or for a part of it that what stands there needs', () => {
  const load = {
    works: true,
    people: 2,
    stops: 4,
    away: [],
    partly: [],
    capacityMinutes: 600,
    workMinutes: 560,
    driveMinutes: 40,
  }
  const part = { ...load, partly: ['Ann until 1:00 PM'] }
  expect(isShort(load)).toBe(false)
  expect(isShort({ ...load, away: ['Ann'] })).toBe(true)
  expect(isShort(part)).toBe(false)
  expect(isShort({ ...part, workMinutes: 620 })).toBe(true)
  expect(isShort({ ...load, workMinutes: 620 })).toBe(false)
  expect(isShort({ ...load, works: false, people: 0 })).toBe(true)
})
