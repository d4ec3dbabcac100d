import { expect, it } from 'vitest'
import { peopleAtStop } from './people.ts'

const stop = { startMinute: 540, budgetMinutes: 20, people: null }
const until = (toMinute: number, people: number, fromMinute = 480) => ({ fromMinute, toMinute, people })

it.each([
  ['finished by two, before a third joined', { ...stop, status: 'completed', people: 2 }, [], 3, 2],
  ['finished by two, of whom one has left the crew', { ...stop, status: 'completed', people: 2 }, [], 1, 2],
  ['finished, and nobody wrote down by how many', { ...stop, status: 'completed' }, [], 3, 3],
  [
    'finished by two, on a day on which one is off later',
    { ...stop, status: 'completed', people: 2 },
    [until(500, 2), until(900, 1, 500)],
    2,
    2,
  ],
  // an earlier finish that was taken back
  ['open again', { ...stop, status: 'paused', people: 2 }, [], 3, 3],
  ['still to be done', { ...stop, status: 'scheduled' }, [], 3, 3],
  ['still to be done, while one is off', { ...stop, status: 'scheduled' }, [until(500, 2), until(900, 1, 500)], 2, 1],
] as const)('%s', (_name, one, there, members, people) => expect(peopleAtStop(one, there, members)).toBe(people))
