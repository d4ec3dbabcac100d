import { expect, it } from 'vitest'
import type { Conversation } from '../contract.ts'
import type { ThreadItem } from '../conversations/contract.ts'
import { type Held, holdRow, withHeld } from './held.ts'

const row = (key: string, unreadCount = 1) => ({ key, unreadCount }) as Conversation
const nothing = { record: undefined, items: undefined }
const keys = (rows: Conversation[] | undefined) => rows?.map(({ key, unreadCount }) => `${key}${unreadCount}`)

it('the row of who is open stays where it was once it is read, until another one is opened', () => {
  const before = [row('a'), row('b'), row('c')]
  const held = holdRow(null, before, 'b', 'unread')
  expect(keys(withHeld(before, held, nothing))).toEqual(['a1', 'b1', 'c1'])
  const after = [before[0], before[2]] as Conversation[]
  const still = holdRow(held, after, 'b', 'unread')
  expect(still).toBe(held)
  expect(keys(withHeld(after, still, nothing))).toEqual(['a1', 'b0', 'c1'])
  expect(keys(withHeld([], still, nothing))).toEqual(['b0'])
  const next = holdRow(still, after, 'c', 'unread')
  expect(keys(withHeld(after, next, nothing))).toEqual(['a1', 'c1'])
  expect(holdRow(next, after, null, 'unread')).toBeNull()
})

it('another filter holds nothing of the one before, and nothing is held that was never listed', () => {
  const held: Held = { row: row('b'), at: 0, filter: 'unread' }
  expect(holdRow(held, [row('a')], 'b', 'waiting')).toBeNull()
  expect(holdRow(null, [row('a')], 'b', 'unread')).toBeNull()
  // while a list loads
  expect(holdRow(held, undefined, 'b', 'unread')).toBe(held)
  expect(withHeld(undefined, held, nothing)).toBeUndefined()
})

it('a row that is held says what its conversation is now: whose it is, that it is done, and the newest message', () => {
  const last = {
    channel: 'sms',
    direction: 'inbound',
    text: 'When?',
    status: 'received',
    createdAt: '2026-06-12T14:00:00Z',
  }
  const listed = { ...row('b'), state: 'open', assignee: null, snoozedUntil: null, last } as Conversation
  const held: Held = { row: listed, at: 0, filter: 'waiting' }
  const note = { kind: 'note', note: { text: 'Gate', createdAt: '2026-06-12T16:00:00Z' } } as ThreadItem
  const answer = {
    kind: 'message',
    message: { ...last, direction: 'outbound', subject: '', text: 'On Friday', status: 'queued' },
  } as ThreadItem
  const ana = { id: 'a', name: 'Ana' }
  const record = { state: 'done', assignee: ana, snoozedUntil: null } as const
  expect(withHeld([], held, { record, items: [note, answer] })?.[0]).toMatchObject({
    state: 'done',
    assignee: ana,
    unreadCount: 0,
    last: { direction: 'outbound', text: 'On Friday' },
  })
  // of notes alone the newest stands there; while the thread loads, what was listed
  expect(withHeld([], held, { record, items: [note] })?.[0]?.last).toMatchObject({ channel: 'note', text: 'Gate' })
  expect(withHeld([], held, nothing)?.[0]).toMatchObject({ state: 'open', last: { text: 'When?' } })
})
