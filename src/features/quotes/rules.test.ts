import { describe, expect, test } from 'vitest'
import {
  contentProblem,
  firstChoice,
  isChosen,
  marginOf,
  type QuoteAction,
  type QuoteLine,
  type QuoteStatus,
  quoteActions,
  quoteRefusals,
  quoteStatuses,
  quoteTotals,
  type Share,
  sendProblem,
  tidyChoice,
  visitsIn,
} from './rules.ts'

const none: Share = { kind: 'none', value: 0 }
const line = (more: Partial<QuoteLine> = {}): QuoteLine => ({
  id: 'a',
  serviceId: 's',
  name: 'Mulch',
  description: '',
  quantity: 1,
  unit: 'visit',
  frequency: 'once',
  visits: 1,
  unitPriceCents: 10_000,
  ruleCents: null,
  inputs: null,
  costCents: 0,
  minutes: 60,
  taxCategory: 'lawn',
  optional: false,
  preselected: false,
  packageIds: [],
  round: null,
  ...more,
})
const quote = (lines: QuoteLine[], more: { discount?: Share; deposit?: Share; packages?: string[] } = {}) => ({
  lines,
  packages: (more.packages ?? []).map((id, at) => ({ id, name: id, description: '', recommended: at === 1 })),
  discount: more.discount ?? none,
  deposit: more.deposit ?? none,
})
const tax = {
  rules: [{ name: 'Sales tax', ratePercent: 7, taxCategory: 'lawn' }],
  place: { state: 'GA' },
  exempt: false,
  day: '2026-06-12',
}
const weekly = (more: Partial<QuoteLine> = {}) =>
  line({ id: 'w', frequency: 'weekly', visits: 30, unitPriceCents: 5555, ...more })

describe('what a quote comes to', () => {
  test.each([
    ['one line', quote([line()]), 10_700, 0],
    ['a season by its visits', quote([weekly()]), 178_316, 0],
    [
      'a percentage off each visit, rounded as it is invoiced',
      quote([weekly()], { discount: { kind: 'percent', value: 1000 } }),
      160_500,
      0,
    ],
    [
      'dollars off what is done once',
      quote([line(), weekly()], { discount: { kind: 'amount', value: 2500 } }),
      186_341,
      0,
    ],
    ['never more off than that', quote([line()], { discount: { kind: 'amount', value: 99_999 } }), 0, 0],
    ['a deposit in percent of all of it', quote([line()], { deposit: { kind: 'percent', value: 2500 } }), 10_700, 2675],
    [
      'a deposit of no more than all of it',
      quote([line()], { deposit: { kind: 'amount', value: 99_999 } }),
      10_700,
      10_700,
    ],
    ['without a price it is nothing yet', quote([line({ unitPriceCents: null })]), 0, 0],
  ])('%s', (_, content, totalCents, depositCents) => {
    expect(quoteTotals(content, firstChoice(content), tax)).toMatchObject({ totalCents, depositCents })
  })

  test('the lines add up to the subtotal less the discount, whatever the discount', () => {
    for (const discount of [none, { kind: 'percent', value: 333 }, { kind: 'amount', value: 777 }] as Share[]) {
      const content = quote([line(), line({ id: 'b', quantity: 3, unitPriceCents: 333 }), weekly()], { discount })
      const totals = quoteTotals(content, firstChoice(content), tax)
      const sum = totals.lines.reduce((all, one) => all + one.totalCents, 0)
      expect(sum).toBe(totals.subtotalCents - totals.discountCents)
      expect(totals.totalCents).toBe(sum + totals.taxCents)
    }
  })

  test('nobody who is exempt pays tax, and a visit is said with its tax', () => {
    const content = quote([weekly()])
    expect(quoteTotals(content, firstChoice(content), { ...tax, exempt: ['GA'] }).taxCents).toBe(0)
    expect(quoteTotals(content, firstChoice(content), tax).perVisit).toEqual([{ frequency: 'weekly', cents: 5944 }])
  })
})

describe('choices', () => {
  const content = quote(
    [line(), line({ id: 'best', packageIds: ['best'] }), line({ id: 'opt', optional: true, preselected: true })],
    { packages: ['good', 'best'] },
  )
  test('begin with what is recommended and ticked', () => {
    expect(firstChoice(content)).toEqual({ packageId: 'best', lineIds: ['opt'] })
    expect(content.lines.filter((one) => isChosen(one, firstChoice(content)))).toHaveLength(3)
  })
  test.each([
    ['what is not there', { packageId: 'gold', lineIds: ['x', 'a'] }, { packageId: 'best', lineIds: [] }],
    ['what stands there', { packageId: 'good', lineIds: ['opt', 'best'] }, { packageId: 'good', lineIds: ['opt'] }],
  ])('are tidied: %s', (_, wish, held) => {
    expect(tidyChoice(content, wish)).toEqual(held)
  })
})

test('margin is what is left after labor and material, and hidden where wages are', () => {
  const totals = { totalCents: 10_700, taxCents: 700, minutes: 60, costCents: 2000 }
  expect(marginOf(totals, 3000)).toEqual({ perHourCents: 8000, marginCents: 5000, percent: 50 })
  expect(marginOf(totals, null)).toEqual({ perHourCents: 8000, marginCents: null, percent: null })
  expect(marginOf({ ...totals, minutes: 0 }, 3000).perHourCents).toBeNull()
})

test.each([
  ['weekly', 210, 30],
  ['biweekly', 210, 15],
  ['monthly', 210, 7],
  ['once', 210, 1],
  ['monthly', 5, 1],
] as const)('%s in a season of %i days is %i visits', (frequency, days, visits) => {
  expect(visitsIn(frequency, days)).toBe(visits)
})

test.each([
  ['nothing', [], {}, /at least one line/],
  ['no price', [line({ unitPriceCents: null })], {}, /no price/],
  ['only options', [line({ optional: true })], {}, /Everything is optional/],
  ['packages that are the same', [line()], { packages: ['good', 'best'] }, /the same/],
] as const)('is not sent with %s', (_, lines, more, why) => {
  expect(sendProblem(quote([...lines], more as never))).toMatch(why)
})

test('dollars off need work that is done once', () => {
  expect(contentProblem(quote([weekly()], { discount: { kind: 'amount', value: 1 } }))?.path).toBe('discount.value')
  expect(contentProblem(quote([line(), weekly()], { discount: { kind: 'amount', value: 1 } }))).toBeNull()
})

describe('states', () => {
  const allowed: Record<QuoteAction, QuoteStatus[]> = {
    edit: ['draft'],
    send: ['draft'],
    resend: ['sent', 'viewed'],
    revise: ['sent', 'viewed', 'changes_requested', 'declined', 'expired'],
    approve: ['sent', 'viewed', 'changes_requested'],
    decline: ['sent', 'viewed', 'changes_requested'],
    convert: ['approved'],
    archive: ['draft', 'sent', 'viewed', 'changes_requested', 'approved', 'declined', 'expired'],
    copy: [...quoteStatuses],
  }
  test.each(quoteActions.flatMap((action) => quoteStatuses.map((status) => [action, status] as const)))(
    '%s of a quote that is %s',
    (action, status) => {
      const refusal = quoteRefusals[action]({ number: 1001, status })
      expect(refusal === null).toBe(allowed[action].includes(status))
      if (refusal) expect(refusal).toContain('Nothing was changed.')
    },
  )
})
