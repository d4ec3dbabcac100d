import { describe, expect, test } from 'vitest'
import { plans } from '../billing/rules.ts'
import {
  businessStateOf,
  downgradeWarnings,
  type Facts,
  fillTag,
  meterState,
  pastDueSince,
  pickSubscription,
  planLabel,
  retriesDue,
  trialEndsSoon,
} from './rules.ts'

const facts = (changes: Partial<Facts> = {}): Facts => ({
  id: 'sub_1',
  plan: 'pro',
  status: 'active',
  startedAt: '2026-03-01T00:00:00.000Z',
  trialEndsAt: null,
  periodEndsAt: '2026-04-01T00:00:00.000Z',
  cancelAt: null,
  ...changes,
})
const at = (iso: string) => Date.parse(iso)

describe('which subscription counts', () => {
  test('the oldest live one; further live ones are too many', () => {
    const old = facts({ id: 'a', status: 'canceled', startedAt: '2026-01-01T00:00:00.000Z' })
    const first = facts({ id: 'b', startedAt: '2026-02-01T00:00:00.000Z' })
    const second = facts({ id: 'c' })
    expect(pickSubscription([second, old, first])).toEqual({ current: first, tooMany: [second] })
  })
  test('without a live one the last; without any none', () => {
    const older = facts({ id: 'a', status: 'canceled', startedAt: '2026-01-01T00:00:00.000Z' })
    const newer = facts({ id: 'b', status: 'canceled' })
    expect(pickSubscription([newer, older])).toEqual({ current: newer, tooMany: [] })
    expect(pickSubscription([])).toEqual({ current: null, tooMany: [] })
  })
})

describe('what the business row says', () => {
  test.each([
    ['trialing', 'pro'],
    ['active', 'pro'],
    ['past_due', 'pro'],
    ['unpaid', 'pro'],
    ['paused', 'pro'],
    ['canceled', null],
    ['incomplete', null],
  ] as const)('%s leaves the tier %s', (status, planTier) =>
    expect(businessStateOf(facts({ status }), null)).toMatchObject({ planTier, subscriptionStatus: status }),
  )
  test('nothing is none', () =>
    expect(businessStateOf(null, null)).toMatchObject({ planTier: null, subscriptionStatus: 'none' }))
})

describe('a payment that failed', () => {
  const invoice = {
    status: 'open',
    attempts: 1,
    issuedAt: '2026-04-01T00:00:00.000Z',
    totalCents: 1,
    subscriptionId: 'sub_1',
  }
  test('counts from the oldest open invoice that was tried', () => {
    const later = { ...invoice, issuedAt: '2026-05-01T00:00:00.000Z' }
    const since = (all: (typeof invoice)[]) => pastDueSince({ id: 'sub_1', status: 'past_due' }, all, 'now')
    expect(since([later, invoice])).toBe('2026-04-01T00:00:00.000Z')
    expect(
      since([
        { ...invoice, status: 'paid' },
        { ...invoice, subscriptionId: 'sub_2' },
      ]),
    ).toBe('now')
    expect(pastDueSince({ id: 'sub_1', status: 'active' }, [invoice], 'now')).toBeNull()
  })
  test.each([
    ['2026-04-03T23:59:00Z', []],
    ['2026-04-04T00:00:00Z', [3]],
    ['2026-04-06T00:00:00Z', [3, 5]],
    ['2026-04-30T00:00:00Z', [3, 5, 7]],
  ])('at %s the tries of day %j have come', (now, days) =>
    expect(retriesDue('2026-04-01T00:00:00.000Z', at(now))).toEqual(days),
  )
})

test.each([
  ['2026-04-01T00:00:00Z', false],
  ['2026-04-12T00:00:00Z', true],
  ['2026-04-15T00:00:00Z', false],
  ['2026-04-16T00:00:00Z', false],
])('at %s a trial that ends on the 15th ends soon: %s', (now, soon) =>
  expect(trialEndsSoon('2026-04-15T00:00:00.000Z', at(now))).toBe(soon),
)

test('a smaller plan says what it will not hold, a larger one nothing', () => {
  const [basic, pro, enterprise] = plans
  expect(downgradeWarnings(basic, { customers: 26, segments: 150 })).toHaveLength(2)
  expect(downgradeWarnings(basic, { customers: 25, segments: 149 })).toEqual([])
  expect(downgradeWarnings(pro, { customers: 140, segments: 0 })[0]).toMatch(/Pro holds 100 customers and you have 140/)
  expect(downgradeWarnings(enterprise, { customers: 9000, segments: 9000 })).toEqual([])
})

test.each([
  [19, 25, 'fine'],
  [20, 25, 'near'],
  [25, 25, 'full'],
  [30, 25, 'full'],
  [9999, null, 'fine'],
])('%i of %s is %s', (used, limit, state) => expect(meterState(used, limit)).toBe(state))

test('a tag is filled, whatever stands in the values', () =>
  expect(fillTag('https://t.test/?e={event}&v={value}&x={other}', { event: 'a&b', value: '29.99' })).toBe(
    'https://t.test/?e=a%26b&v=29.99&x=',
  ))

test.each([
  ['pro', 'year', 'Pro, annual'],
  ['basic', 'month', 'Basic'],
  [null, null, 'No plan'],
] as const)('%s by %s is called %s', (plan, period, words) => expect(planLabel(plan, period)).toBe(words))
