import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sumRows } from './papers/rules.ts'
import {
  ageOf,
  canMove,
  dueOn,
  finishedVisitsLabel,
  groupKey,
  invoiceStatuses,
  invoiceTotals,
  isFarAbove,
  isOverdue,
  statusFromMoney,
} from './rules.ts'

const tax = { name: 'State', ratePercent: 7, taxCategory: 'lawn' }

describe('invoiceTotals', () => {
  it.each([
    [
      'one line',
      [{ quantity: 1, unitPriceCents: 5500, taxCategory: 'lawn' }],
      {},
      { subtotalCents: 5500, taxCents: 0, totalCents: 5500 },
    ],
    [
      'tax once per group, half up',
      [
        { quantity: 1, unitPriceCents: 105, taxCategory: 'lawn' },
        { quantity: 1, unitPriceCents: 105, taxCategory: 'lawn' },
      ],
      { taxes: [tax] },
      { taxCents: 15, totalCents: 225 },
    ],
    [
      'half a cent goes up',
      [{ quantity: 1, unitPriceCents: 50, taxCategory: 'lawn' }],
      { taxes: [tax] },
      { taxCents: 4, totalCents: 54 },
    ],
    [
      'only its category',
      [
        { quantity: 2, unitPriceCents: 1000, taxCategory: 'lawn' },
        { quantity: 1, unitPriceCents: 999, taxCategory: 'none' },
      ],
      { taxes: [tax] },
      { taxCents: 140, totalCents: 3139 },
    ],
    [
      'exempt pays none',
      [{ quantity: 1, unitPriceCents: 5000, taxCategory: 'lawn' }],
      { taxes: [tax], taxExempt: true },
      { taxCents: 0, totalCents: 5000 },
    ],
    [
      'a discount lowers the base',
      [{ quantity: 1, unitPriceCents: 10000, taxCategory: 'lawn' }],
      { taxes: [tax], discountCents: 1000 },
      { taxCents: 630, totalCents: 9630 },
    ],
    [
      'a discount never makes it negative',
      [{ quantity: 1, unitPriceCents: 100, taxCategory: 'lawn' }],
      { discountCents: 500 },
      { discountCents: 100, totalCents: 0 },
    ],
    ['quantities have decimals', [{ quantity: 2.5, unitPriceCents: 333, taxCategory: 'x' }], {}, { totalCents: 833 }],
    [
      'a rate of one state is on work done there, line by line',
      [
        { quantity: 1, unitPriceCents: 10_000, taxCategory: 'lawn', place: { state: 'GA' } },
        { quantity: 1, unitPriceCents: 10_000, taxCategory: 'lawn', place: { state: 'SC' } },
        { quantity: 1, unitPriceCents: 10_000, taxCategory: 'lawn', place: { state: null } },
      ],
      {
        taxes: [
          { ...tax, state: 'GA' },
          { ...tax, name: 'County', onTop: true },
        ],
      },
      {
        taxes: [
          { name: tax.name, ratePercent: tax.ratePercent, baseCents: 10_000, taxCents: 700 },
          { name: 'County', ratePercent: tax.ratePercent, baseCents: 30_000, taxCents: 2100 },
        ],
      },
    ],
    ['nothing is zero', [], { taxes: [tax] }, { totalCents: 0, taxes: [] }],
  ] as const)('%s', (_name, lines, options, expected) => {
    expect(invoiceTotals(lines, options)).toMatchObject(expected)
  })

  it('adds up to the cent, whatever the lines and the discount', () => {
    const line = fc.record({
      quantity: fc.integer({ min: 1, max: 9000 }).map((n) => n / 1000),
      unitPriceCents: fc.integer({ min: 0, max: 500_000 }),
      taxCategory: fc.constantFrom('lawn', 'none'),
    })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 0, max: 1_000_000 }), (lines, discountCents) => {
        const totals = invoiceTotals(lines, { discountCents, taxes: [tax] })
        expect(totals.lines.reduce((a, l) => a + l.totalCents, 0)).toBe(totals.subtotalCents)
        expect(totals.totalCents).toBe(totals.subtotalCents - totals.discountCents + totals.taxCents)
        expect(totals.totalCents).toBeGreaterThanOrEqual(0)
        expect(Number.isInteger(totals.totalCents)).toBe(true)
      }),
    )
  })
})

describe('states', () => {
  it('only moves that are listed', () => {
    const allowed = invoiceStatuses.flatMap((from) =>
      invoiceStatuses.filter((to) => canMove(from, to)).map((to) => `${from}>${to}`),
    )
    expect(allowed).toEqual([
      'draft>issued',
      'draft>void',
      'issued>partially_paid',
      'issued>paid',
      'issued>void',
      'issued>written_off',
      'partially_paid>issued',
      'partially_paid>paid',
      'partially_paid>written_off',
      'paid>issued',
      'paid>partially_paid',
      'written_off>issued',
      'written_off>partially_paid',
    ])
  })
  it.each([
    ['issued', 100, 0, 'issued'],
    ['issued', 100, 1, 'partially_paid'],
    ['issued', 100, 100, 'paid'],
    ['partially_paid', 100, 130, 'paid'],
    ['void', 100, 100, 'void'],
    ['issued', 0, 0, 'paid'],
  ] as const)('%s of %i with %i paid is %s', (status, total, paid, expected) => {
    expect(statusFromMoney(status, total, paid)).toBe(expected)
  })
  it('is overdue the day after', () => {
    expect(isOverdue({ status: 'issued', dueOn: '2026-06-12' }, '2026-06-12')).toBe(false)
    expect(isOverdue({ status: 'partially_paid', dueOn: '2026-06-12' }, '2026-06-13')).toBe(true)
    expect(isOverdue({ status: 'paid', dueOn: '2026-06-12' }, '2026-07-13')).toBe(false)
    expect(dueOn('2028-02-15', 14)).toBe('2028-02-29')
  })
  it.each([
    ['2026-06-13', 'not_due'],
    ['2026-06-12', 'not_due'],
    ['2026-06-11', 'late_30'],
    ['2026-05-13', 'late_30'],
    ['2026-05-12', 'late_60'],
    ['2026-04-13', 'late_60'],
    ['2026-04-12', 'late_90'],
    ['2026-03-14', 'late_90'],
    ['2026-03-13', 'late_more'],
    ['2020-02-29', 'late_more'],
  ] as const)('due %s is %s on June 12', (due, age) => {
    expect(ageOf(due, '2026-06-12')).toBe(age)
  })
  it('groups', () => {
    const visit = { id: 'v', customerId: 'c', propertyId: 'p' }
    expect([groupKey(visit, 'customer'), groupKey(visit, 'property'), groupKey(visit, 'visit')]).toEqual([
      'c',
      'c:p',
      'v',
    ])
  })
})

describe('sumRows', () => {
  const words = { paid: 'Paid so far', balance: 'To pay' }
  const taxed = invoiceTotals([{ quantity: 1, unitPriceCents: 4900, taxCategory: 'lawn' }], {
    taxes: [{ ...tax, ratePercent: 4.5 }],
  })
  it.each([
    ['untouched', {}, { paidCents: 0 }, ['Subtotal 4900', 'State 4.5% of $49.00 221', 'Total 5121', 'To pay 5121']],
    [
      'with a discount and a part paid',
      { discountCents: 900 },
      { paidCents: 1000 },
      ['Subtotal 4900', 'Discount -900', 'State 4.5% of $49.00 221', 'Total 5121', 'Paid so far -1000', 'To pay 4121'],
    ],
  ])('%s', (_name, changes, { paidCents }, expected) => {
    const rows = sumRows({ ...taxed, ...changes, paidCents, balanceCents: taxed.totalCents - paidCents }, words)
    expect(rows.map(({ label, cents }) => `${label} ${cents}`)).toEqual(expected)
  })
})

it.each([
  [533_000, 5330, true],
  [5330, 5330, false],
  [6000, 5330, false],
  // a tip, and a rounded-up check
  [2000, 500, false],
  [10_000, 5330, false],
  [20_000, 5330, true],
])('isFarAbove(%i, %i) is %s', (amountCents, openCents, expected) => {
  expect(isFarAbove(amountCents, openCents)).toBe(expected)
})

it.each([
  [1, '1 finished visit'],
  [38, '38 finished visits'],
  [1000, '1,000 finished visits'],
  [null, '1,000+ finished visits'],
])('%s are "%s"', (count, label) => expect(finishedVisitsLabel(count)).toBe(label))
