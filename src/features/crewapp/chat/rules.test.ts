import { expect, test } from 'vitest'
import type { ChatMessage, ChatThread } from '../../chat/contract.ts'
import { keptOnPhone } from '../../chat/rules.ts'
import { type ChatKept, isStale, keepPage, linesOf, mergeMessages, unreadOf, unreadTotal } from './rules.ts'

const message = (number: number, changes: Partial<ChatMessage> = {}): ChatMessage => ({
  id: `m${number}`,
  threadId: 't',
  number,
  text: `${number}`,
  by: { id: 'luis', name: 'Luis', office: false },
  at: '2026-06-12T14:00:00.000Z',
  arrivedAt: '2026-06-12T14:00:00.000Z',
  visit: null,
  photos: [],
  readBy: [],
  readCount: 0,
  ...changes,
})
/** From the newest down. */
const page = (newest: number, count: number) => Array.from({ length: count }, (_, n) => message(newest - n))
const numbers = (messages: readonly ChatMessage[]) => messages.map(({ number }) => number)
const thread = (changes: Partial<ChatThread> = {}): ChatThread => ({
  id: 't',
  kind: 'person',
  name: 'Luis',
  color: null,
  gone: false,
  lastNumber: 3,
  version: 5,
  last: null,
  unreadCount: 2,
  can: { write: true },
  closed: null,
  ...changes,
})
const kept = (changes: Partial<ChatKept> = {}): ChatKept => ({ threads: [], messages: {}, reads: {}, ...changes })

test('a message that comes twice stands once, as it came last', () => {
  const read = message(2, { readCount: 1 })
  expect(mergeMessages(page(3, 3), [read])).toEqual([message(3), read, message(1)])
})

test.each([
  ['the first page', [], page(3, 3), [3, 2, 1]],
  ['what follows on what was known', page(3, 3), page(5, 3), [5, 4, 3, 2, 1]],
  ['only the page where something lies between', page(3, 3), page(9, 2), [9, 8]],
])('a phone keeps %s', (_, known, fresh, left) => expect(numbers(keepPage(known, fresh))).toEqual(left))

test('a phone keeps the newest of each thread and no more', () => {
  const left = keepPage(page(keptOnPhone, keptOnPhone), page(keptOnPhone + 5, 10))
  expect([left.length, left[0]?.number]).toEqual([keptOnPhone, keptOnPhone + 5])
})

test.each([
  ['never loaded', kept(), thread(), true],
  ['as it was loaded', kept({ threads: [thread()], messages: { t: [] } }), thread(), false],
  ['changed since', kept({ threads: [thread()], messages: { t: [] } }), thread({ version: 6 }), true],
  ['without a message', kept(), thread({ lastNumber: 0, version: 0 }), false],
])('a thread %s is loaded again or not', (_, known, now, stale) => expect(isStale(known, now)).toBe(stale))

test('what was read here without a signal is no news any more, until something new comes', () => {
  const reads = { t: { upTo: 3, at: 0 } }
  expect(unreadOf(kept({ reads }), thread())).toBe(0)
  expect(unreadOf(kept({ reads }), thread({ lastNumber: 4, unreadCount: 1 }))).toBe(1)
  expect(unreadTotal(kept({ reads, threads: [thread(), thread({ id: 'u', unreadCount: 4 })] }))).toBe(4)
})

const queued = (id: string, changes: object = {}) => ({
  command: {
    id,
    type: 'chat' as const,
    at: '2026-06-12T15:00:00.000Z',
    payload: { threadId: 't', text: id, aboutVisitId: 'v', photoIds: ['p'] },
  },
  state: 'waiting' as const,
  reason: null,
  ...changes,
})

test('what was not sent stands at the end, in the order of writing, and once', () => {
  const lines = linesOf(
    't',
    page(2, 2),
    [
      queued('m2'),
      queued('a'),
      queued('b', { state: 'attention', reason: 'chat_closed' }),
      { ...queued('c'), command: { ...queued('c').command, payload: { threadId: 'other', text: 'c' } } },
    ],
    { userId: 'luis', sending: false, visitOf: (id) => ({ id, street: '7 Bay St', day: null }) },
  )
  expect(lines.map(({ id, state, mine }) => [id, state, mine])).toEqual([
    ['m1', 'sent', true],
    ['m2', 'sent', true],
    ['a', 'waiting', true],
    ['b', 'refused', true],
  ])
  expect(lines[2]).toMatchObject({ number: null, visit: { street: '7 Bay St' }, photos: [{ id: 'p', url: null }] })
})

test('a message that waits says our time, as far as the phone knows it', () => {
  const at = '2026-06-12T11:19:00.000Z'
  const said = (clock?: { behind: number; sure: boolean; likely?: boolean }) => {
    const command = { ...queued('a').command, at, ...(clock ? { clock } : {}) }
    const asWritten = { userId: 'luis', sending: false, visitOf: () => null }
    return linesOf('t', [], [{ ...queued('a'), command }], asWritten)[0]?.at
  }
  expect(said({ behind: -3600, sure: true })).toBe('2026-06-12T10:19:00.000Z')
  expect(said({ behind: -3600, sure: false, likely: true })).toBe('2026-06-12T10:19:00.000Z')
  expect(said({ behind: -3600, sure: false })).toBe(at)
  expect(said()).toBe(at)
})
