import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaxRule } from '../../businesses/taxes/rules.ts'
import { invoiceTotals, type LineDraft } from '../rules.ts'
import { exemptOn, isExemptIn, type TaxExempt } from './rules.ts'

const ga = { state: 'GA', validFrom: '2026-01-01', validUntil: '2026-02-28' }
const everywhere = { state: null, validFrom: '2026-03-01', validUntil: null }

describe('who pays no sales tax', () => {
  it.each([
    [true, [], '2026-05-01', true],
    [false, [], '2026-05-01', false],
    [false, [ga], '2026-02-28', ['GA']],
    [true, [ga], '2026-03-01', []],
    [true, [ga], '2025-12-31', []],
    [false, [ga, everywhere], '2026-03-01', true],
    [false, [ga, { ...ga, state: 'AL' }, ga], '2026-02-01', ['AL', 'GA']],
  ])('%# is exempt where their certificates say so', (byHand, certificates, day, exempt) =>
    expect(exemptOn(byHand, certificates, day)).toEqual(exempt),
  )

  it('is exempt by the place of the work, and not where nobody knows it', () => {
    expect([isExemptIn(['GA'], 'GA'), isExemptIn(['GA'], 'SC'), isExemptIn(['GA'], null)]).toEqual([true, false, false])
  })
})

const lines = fc.array(
  fc.record({
    quantity: fc.integer({ min: 1, max: 30 }),
    unitPriceCents: fc.integer({ min: 0, max: 50_000 }),
    taxCategory: fc.constantFrom('lawn', 'goods', 'none'),
    place: fc.constantFrom('GA', 'SC', null).map((state) => ({ state })),
  }),
  { minLength: 1, maxLength: 12 },
)
const rates: TaxRule[] = [
  { name: 'GA lawn', ratePercent: 7, taxCategory: 'lawn', state: 'GA' },
  { name: 'Goods', ratePercent: 4.225, taxCategory: 'goods', state: null },
]

describe('the sums of an invoice', () => {
  it('spread a discount to the cent, tax what is left line by line, and leave out what is exempt', () => {
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 0, max: 400_000 }),
        fc.constantFrom<TaxExempt>(false, true, [], ['GA'], ['SC']),
        (some: LineDraft[], discountCents, taxExempt) => {
          const totals = invoiceTotals(some, { discountCents, taxes: rates, taxExempt })
          const subtotal = some.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0)
          expect(totals.subtotalCents).toBe(subtotal)
          expect(totals.discountCents).toBe(Math.min(discountCents, subtotal))
          expect(totals.totalCents).toBe(subtotal - totals.discountCents + totals.taxCents)
          expect(totals.totalCents).toBeGreaterThanOrEqual(0)
          // with a rate on everything, the bases are what the discount leaves of the lines: its shares are its sum
          const all = ['lawn', 'goods', 'none'].map((taxCategory) => ({
            name: taxCategory,
            ratePercent: 1,
            taxCategory,
          }))
          const bases = invoiceTotals(some, { discountCents, taxes: all }).taxes
          expect(bases.reduce((sum, { baseCents }) => sum + baseCents, 0)).toBe(subtotal - totals.discountCents)
          for (const { baseCents } of bases) expect(baseCents).toBeGreaterThanOrEqual(0)
          for (const { name, baseCents } of totals.taxes) {
            const taxed = some.filter(
              ({ taxCategory, place }) =>
                !isExemptIn(taxExempt, place?.state) &&
                (name === 'GA lawn' ? taxCategory === 'lawn' && place?.state === 'GA' : taxCategory === 'goods'),
            )
            const most = taxed.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0)
            expect(baseCents).toBeLessThanOrEqual(most)
            expect(baseCents).toBeGreaterThan(0)
          }
          if (taxExempt === true) expect(totals.taxCents).toBe(0)
        },
      ),
    )
  })
})
