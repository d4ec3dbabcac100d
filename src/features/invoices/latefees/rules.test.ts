import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../shared/dates.ts'
import {
  isCapBelowFees,
  type LateFees,
  lateFeesLabel,
  lateFeesOf,
  noLateFees,
  secondFeeProblem,
} from '../../businesses/latefees/rules.ts'
import { feeCents, feeStep } from './rules.ts'

const percent: LateFees = { ...noLateFees, kind: 'percent', percent: 1.5, graceDays: 10, capCents: null }
const fixed: LateFees = { ...noLateFees, kind: 'fixed', fixedCents: 1500, graceDays: 0, capCents: 2500 }
const open = { totalCents: 10_700, taxCents: 700, paidCents: 0 }

describe('a late fee', () => {
  it.each([
    [percent, '2026-02-19', '2026-03-01', null],
    [percent, '2026-02-18', '2026-03-01', 0],
    [{ ...percent, kind: 'off' as const }, '2026-01-01', '2026-03-01', null],
    [{ ...percent, repeats: true }, '2026-02-18', '2026-03-30', 0],
    [{ ...percent, repeats: true }, '2026-02-18', '2026-03-31', 1],
    [percent, '2026-02-18', '2027-02-18', 0],
    [fixed, '2028-02-28', '2028-02-28', null],
    [fixed, '2028-02-28', '2028-02-29', 0],
  ])('%# is of its period', (rule, dueOn, today, period) =>
    expect(feeStep(rule, dueOn, today)?.period ?? null).toBe(period),
  )

  it.each([
    [10, 2, null],
    [11, 2, 2],
    [40, 2, 2],
    [41, 2, 3],
    [41, 0, 1],
  ])('%i days after it counts anew from period %i is of period %s', (days, first, period) =>
    expect(
      feeStep({ ...percent, repeats: true }, '2026-02-18', addDays('2026-02-18', days), first)?.period ?? null,
    ).toBe(period),
  )

  it.each([
    [percent, open, 0, 150],
    [{ ...percent, minimumCents: 500 }, open, 0, 500],
    [{ ...percent, capCents: 200 }, open, 150, 50],
    [percent, { ...open, paidCents: 5350 }, 0, 75],
    [percent, { ...open, paidCents: 10_700 }, 0, 0],
    [fixed, open, 0, 1500],
    [fixed, open, 1500, 1000],
    [fixed, open, 2500, 0],
    [fixed, { totalCents: 900, taxCents: 0, paidCents: 0 }, 0, 900],
  ])('%# is so much', (rule, invoice, charged, cents) => expect(feeCents(rule, invoice, charged)).toBe(cents))

  const twice: LateFees = {
    ...noLateFees,
    kind: 'percent',
    percent: 5,
    graceDays: 14,
    capCents: null,
    second: { fromDays: 30, kind: 'fixed', percent: 1, fixedCents: 2500 },
  }

  it.each([
    [twice, 14, 0, null],
    [twice, 15, 0, { period: 0, isSecond: false }],
    [twice, 29, 0, { period: 0, isSecond: false }],
    [twice, 30, 0, { period: 1, isSecond: true }],
    [twice, 300, 0, { period: 1, isSecond: true }],
    // what counts anew after all was charged costs each once all the same
    [twice, 30, 2, { period: 1, isSecond: true }],
    [{ ...twice, repeats: true }, 29, 0, { period: 0, isSecond: false }],
    [{ ...twice, repeats: true }, 59, 0, { period: 1, isSecond: true }],
    [{ ...twice, repeats: true }, 60, 0, { period: 2, isSecond: true }],
    [{ ...twice, repeats: true }, 15, 3, { period: 3, isSecond: false }],
    [{ ...twice, repeats: true }, 90, 3, { period: 6, isSecond: true }],
  ])('%# with a second fee: %#', (rule, days, first, step) =>
    expect(feeStep(rule, '2026-02-18', addDays('2026-02-18', days), first)).toEqual(step),
  )

  it('of the second kind is its own sum, within what is open and the cap of both', () => {
    expect([feeCents(twice, open, 0), feeCents(twice, open, 500, true)]).toEqual([500, 2500])
    expect(feeCents({ ...twice, capCents: 2000 }, open, 500, true)).toBe(1500)
    expect(
      feeCents({ ...twice, second: { fromDays: 30, kind: 'percent', percent: 10, fixedCents: 1 } }, open, 0, true),
    ).toBe(1000)
    expect([isCapBelowFees({ ...twice, capCents: 2500 }), isCapBelowFees({ ...twice, capCents: 3000 })]).toEqual([
      true,
      false,
    ])
  })

  it('of the second kind begins after the first, and is said with it', () => {
    expect(secondFeeProblem(twice)).toBeNull()
    expect(secondFeeProblem({ ...twice, graceDays: 29 })).toBe(
      'Later than the first fee, which is charged from 30 days late',
    )
    expect(lateFeesLabel(twice)).toBe('5% of what is open, from 15 days late, then $25.00 from 30 days late, each once')
    expect(lateFeesLabel({ ...twice, repeats: true })).toContain('late, again every 30 days')
  })

  it('is never negative, never more than is open, and all of them never more than the cap', () => {
    fc.assert(
      fc.property(
        fc.record({
          kind: fc.constantFrom('percent', 'fixed'),
          percent: fc.integer({ min: 1, max: 2500 }).map((n) => n / 100),
          fixedCents: fc.integer({ min: 1, max: 100_000 }),
          minimumCents: fc.integer({ min: 0, max: 10_000 }),
          capCents: fc.option(fc.integer({ min: 1, max: 100_000 })),
        }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rule, totalCents, tax, paid) => {
          const invoice = {
            totalCents,
            taxCents: Math.floor(totalCents * tax * 0.2),
            paidCents: Math.floor(totalCents * paid),
          }
          let charged = 0
          for (let i = 0; i < 5; i++) {
            const cents = feeCents({ ...noLateFees, ...rule } as LateFees, invoice, charged)
            expect(Number.isInteger(cents) && cents >= 0).toBe(true)
            expect(cents).toBeLessThanOrEqual(totalCents - invoice.paidCents)
            charged += cents
          }
          if (rule.capCents !== null) expect(charged).toBeLessThanOrEqual(rule.capCents)
        },
      ),
    )
  })

  it('is off until a business wants it, and says what it is', () => {
    expect(lateFeesOf({}).kind).toBe('off')
    expect(lateFeesLabel(percent)).toBe('1.5% of what is open, from 11 days late, once')
    expect(lateFeesLabel(fixed)).toBe('$15.00, from 1 day late, once, $25.00 in all at most')
  })
})
