import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSums, creditedOfInvoice, negated } from './rules.ts'

const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)
const rate = (name: string, ratePercent: number, baseCents: number) => ({
  name,
  ratePercent,
  baseCents,
  taxCents: Math.round((baseCents * ratePercent) / 100),
})
const work = (state: string, treatment: 'taxed' | 'exempt', netCents: number) => ({ state, treatment, netCents })

describe('creditedOfInvoice', () => {
  it('takes a part off each rate in proportion, and off what was not taxed', () => {
    const invoice = {
      taxes: [rate('Ohio', 5.75, 10_000), rate('Local', 1, 10_000), rate('Indiana', 7, 5000)],
      work: [work('OH', 'taxed', 10_000), work('IN', 'taxed', 5000), work('IN', 'exempt', 5000)],
    }
    expect(creditedOfInvoice(invoice, { netCents: 2000, taxCents: 102 })).toEqual({
      taxes: [
        { name: 'Ohio', ratePercent: 5.75, baseCents: 1000, taxCents: 57 },
        { name: 'Local', ratePercent: 1, baseCents: 1000, taxCents: 10 },
        { name: 'Indiana', ratePercent: 7, baseCents: 500, taxCents: 35 },
      ],
      work: [work('OH', 'taxed', 1000), work('IN', 'taxed', 500), work('IN', 'exempt', 500)],
      restCents: 0,
    })
  })

  it('to the cent: nothing of its tax is lost, and all of it leaves nothing', () => {
    const cents = fc.integer({ min: 0, max: 500_000 })
    fc.assert(
      fc.property(
        fc.array(cents, { minLength: 1, maxLength: 5 }),
        cents,
        fc.integer({ min: -900, max: 40_000 }),
        (bases, netCents, taxCents) => {
          const invoice = {
            taxes: bases.map((base, n) => rate(`R${n}`, n + 1, base)),
            work: bases.map((base, n) => work(`S${n}`, 'taxed', base)),
          }
          const part = creditedOfInvoice(invoice, { netCents, taxCents })
          expect(sum(part.taxes.map((tax) => tax.taxCents)) + part.restCents).toBe(taxCents)
          const whole = { netCents: sum(bases), taxCents: sum(invoice.taxes.map((tax) => tax.taxCents)) }
          const all = addSums([invoice, negated(creditedOfInvoice(invoice, whole))])
          expect(all.taxes.filter((tax) => tax.taxCents !== 0 || tax.baseCents !== 0)).toEqual([])
          expect(all.work.filter((one) => one.netCents !== 0)).toEqual([])
        },
      ),
    )
  })
})
