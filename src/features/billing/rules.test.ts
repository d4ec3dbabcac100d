import { describe, expect, test } from 'vitest'
import {
  annualLabel,
  conversionOf,
  findPlan,
  findPrice,
  limitsOf,
  onboardingFeeCents,
  planForCustomers,
  planHas,
  plans,
} from './rules.ts'

describe('plans', () => {
  test.each([
    ['basic', 'Basic', 4999, 49999, 25, 150, 14, false],
    ['pro', 'Pro', 7999, 79999, 100, 250, 0, true],
    ['enterprise', 'Enterprise', 19999, 199999, null, null, 0, false],
  ])('%s has its prices, limits and trial', (id, name, month, year, customers, messages, trialDays, recommended) => {
    expect(findPlan(id)).toMatchObject({
      name,
      monthlyCents: month,
      annualCents: year,
      customerLimit: customers,
      messageLimit: messages,
      trialDays,
      recommended,
      priceIds: { month: `price_${id}_month`, year: `price_${id}_year` },
    })
  })

  test('a year costs 17% less than twelve months, on every plan', () => {
    expect(annualLabel).toBe('Annual (Save 17%)')
    for (const plan of plans) expect(Math.round(100 * (1 - plan.annualCents / (12 * plan.monthlyCents)))).toBe(17)
  })

  test('each plan has everything of the one below it', () => {
    for (const [lower, higher] of [
      [plans[0], plans[1]],
      [plans[1], plans[2]],
    ] as const)
      for (const feature of lower.features) expect(higher.features).toContain(feature)
  })

  test.each([
    ['premium', 'pro'],
    ['pro', 'pro'],
    ['gold', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('the id %s means %s', (id, expected) => expect(findPlan(id)?.id).toBe(expected))

  test.each([
    [null, 25, 150],
    ['basic', 25, 150],
    ['premium', 100, 250],
    ['enterprise', null, null],
  ])('the limits of %s', (id, customerLimit, messageLimit) =>
    expect(limitsOf(id)).toEqual({ customerLimit, messageLimit }),
  )

  test.each([
    ['basic', 'routing', true],
    ['basic', 'campaigns', false],
    ['premium', 'jobCosting', true],
    ['pro', 'webhooks', false],
    ['enterprise', 'accountManager', true],
    [null, 'routing', false],
  ] as const)('%s has %s: %s', (id, feature, expected) => expect(planHas(id, feature)).toBe(expected))

  test('every price id leads to its plan, period and price', () => {
    expect(findPrice('price_pro_year')).toMatchObject({ plan: { id: 'pro' }, period: 'year', cents: 79999 })
    expect(findPrice('price_basic_month')).toMatchObject({ plan: { id: 'basic' }, period: 'month', cents: 4999 })
    expect(findPrice('price_gold_month')).toBeNull()
    expect(findPrice('price_premium_month')).toEqual(findPrice('price_pro_month'))
  })

  test.each([
    ['basic', { event: 'basic', value: '29.99' }],
    ['pro', { event: 'premium', value: '49.99' }],
    ['premium', { event: 'premium', value: '49.99' }],
    ['enterprise', null],
    ['gold', null],
  ])('a conversion to %s is told as %j', (plan, expected) => expect(conversionOf(plan)).toEqual(expected))

  test.each([
    [0, 'basic'],
    [25, 'basic'],
    [26, 'pro'],
    [100, 'pro'],
    [101, 'enterprise'],
  ])('%i customers need %s', (customers, expected) => expect(planForCustomers(customers).id).toBe(expected))

  test('the onboarding fee is $299', () => expect(onboardingFeeCents).toBe(29900))
})
