import { expect, it } from 'vitest'
import type { Conversation } from '../contract.ts'
import { type Held, holdRow, withHeld } from './held.ts'

const row = (key: string, unreadCount = 1) => ({ key, unreadCount }) as Conversation
const keys = (rows: Conversation[] | undefined) => rows?.map(({ key, unreadCount }) => `${key}${unreadCount}`)

it('the row of who is open stays where it was once it is read, until another one is opened', () => {
  const before = [row('a'), row('b'), row('c')]
  const held = holdRow(null, before, 'b', 'unread')
  expect(keys(withHeld(before, held))).toEqual(['a1', 'b1', 'c1'])
  const after = [before[0], before[2]] as Conversation[]
  const still = holdRow(held, after, 'b', 'unread')
  expect(still).toBe(held)
  expect(keys(withHeld(after, still))).toEqual(['a1', 'b0', 'c1'])
  expect(keys(withHeld([], still))).toEqual(['b0'])
  const next = holdRow(still, after, 'c', 'unread')
  expect(keys(withHeld(after, next))).toEqual(['a1', 'c1'])
  expect(holdRow(next, after, null, 'unread')).toBeNull()
})

it('another filter holds nothing of the one before, and nothing is held that was never listed', () => {
  const held: Held = { row: row('b'), at: 0, filter: 'unread' }
  expect(holdRow(held, [row('a')], 'b', 'waiting')).toBeNull()
  expect(holdRow(null, [row('a')], 'b', 'unread')).toBeNull()
  // while a list loads
  expect(holdRow(held, undefined, 'b', 'unread')).toBe(held)
  expect(withHeld(undefined, held)).toBeUndefined()
})
