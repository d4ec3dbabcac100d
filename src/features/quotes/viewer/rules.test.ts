import { expect, test } from 'vitest'
import { isMachine, pageState } from './rules.ts'

const facts = { own: 1, latest: 1, current: 1, validUntil: '2026-06-30', today: '2026-06-12' }

test.each([
  ['open', { status: 'sent' }],
  ['open', { status: 'viewed', validUntil: null }],
  ['open', { status: 'sent', today: '2026-06-30' }],
  ['expired', { status: 'sent', today: '2026-07-01' }],
  ['expired', { status: 'expired' }],
  ['newer', { status: 'sent', latest: 2, current: 2 }],
  ['newer', { status: 'draft', latest: 2, current: 3 }],
  ['revising', { status: 'draft', current: 2 }],
  ['changes', { status: 'changes_requested' }],
  ['declined', { status: 'declined' }],
  ['approved', { status: 'approved', today: '2027-01-01' }],
  ['approved', { status: 'converted', latest: 2, current: 2 }],
  ['closed', { status: 'archived' }],
] as const)('the page is %s for %o', (state, more) => {
  expect(pageState({ ...facts, ...more })).toBe(state)
})

test.each([
  ['', true],
  ['Barracuda Sentinel', true],
  ['Mozilla/5.0 (compatible; Googlebot/2.1)', true],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', false],
])('%s is a machine: %s', (agent, machine) => {
  expect(isMachine(agent)).toBe(machine)
})
