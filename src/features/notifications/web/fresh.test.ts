import { expect, test } from 'vitest'
import type { Notification } from '../contract.ts'
import { customerName, freshOnes, targetOf } from './fresh.ts'

const note = (changes: Partial<Notification>): Notification => ({
  _id: 'n1',
  type: 'system',
  title: 'Title',
  content: '',
  read: false,
  readAt: null,
  createdAt: null,
  customerId: null,
  path: null,
  ...changes,
})

test('only unread ones that were not there before are new', () => {
  const list = [note({ _id: 'a' }), note({ _id: 'b' }), note({ _id: 'c', read: true })]
  expect(freshOnes(null, list)).toEqual([])
  expect(freshOnes(new Set(['a']), list).map((n) => n._id)).toEqual(['b'])
})

test.each([
  [note({ path: '/i/abc' }), '/i/abc'],
  [note({ type: 'sms', customerId: 'c1' }), '/customers?tab=messages&customerId=c1&activeTab=messages'],
  [note({ type: 'job', customerId: { _id: 'c1', name: 'R. Odom' } }), '/customers?tab=manage&customerId=c1'],
  [note({}), null],
])('a click leads to its screen', (notification, target) => {
  expect(targetOf(notification)).toBe(target)
})

test('the customer is an object or only an id', () => {
  expect(customerName({ customerId: { _id: 'c1', name: 'R. Odom' } })).toBe('R. Odom')
  expect(customerName({ customerId: 'c1' })).toBeNull()
})
