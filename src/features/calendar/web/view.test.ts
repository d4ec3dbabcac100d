import { expect, it } from 'vitest'
import type { CalendarVisit } from '../contract.ts'
import { cellWord, inTime } from './view.ts'

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
