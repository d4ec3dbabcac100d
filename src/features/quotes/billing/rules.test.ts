import { describe, expect, it } from 'vitest'
import type { QuoteLine } from '../rules.ts'
import { billedRefusal, billRefusal, linesOfQuote } from './rules.ts'

const facts = { number: 1001, status: 'approved' as const, isRenewal: false, invoice: null }

describe('an invoice straight from a quote', () => {
  it.each([
    [{}, null],
    [{ status: 'sent' as const }, /not signed/],
    [{ status: 'declined' as const }, /not signed/],
    [{ status: 'converted' as const }, /invoiced by its visits/],
    [{ isRenewal: true }, /invoiced by its visits/],
    [{ invoice: { number: 7 } }, /INV-7 already/],
  ])('%o', (changes, words) => {
    const said = billRefusal({ ...facts, ...changes })
    if (words === null) expect(said).toBeNull()
    else expect(said).toMatch(words)
  })

  it('keeps the quote from becoming a job as long as that invoice counts', () => {
    expect(billedRefusal(1001, null)).toBeNull()
    expect(billedRefusal(1001, { number: 7, isCredited: true })).toBeNull()
    expect(billedRefusal(1001, { number: 7, isCredited: false })).toContain('Void that invoice or credit')
  })

  it('comes to what was signed, to the cent, also where it does not divide', () => {
    const line = (id: string, more: Partial<QuoteLine>): QuoteLine => ({
      id,
      serviceId: id,
      name: id,
      description: '',
      quantity: 1,
      unit: 'visit' as QuoteLine['unit'],
      frequency: 'once',
      visits: 1,
      unitPriceCents: 1,
      ruleCents: null,
      inputs: null,
      costCents: 0,
      minutes: 0,
      taxCategory: 'none',
      optional: false,
      preselected: false,
      packageIds: [],
      round: null,
      ...more,
    })
    const lines = [
      line('Mowing', { visits: 12, frequency: 'weekly' }),
      line('Mulch', { quantity: 3, description: 'Brown' }),
      line('Extra', { optional: true }),
    ]
    const totals = {
      lines: [
        { id: 'Mowing', unitCents: 4500, totalCents: 54_000 },
        { id: 'Mulch', unitCents: 3333, totalCents: 9900 },
      ],
    } as Parameters<typeof linesOfQuote>[2]
    expect(linesOfQuote(lines, { packageId: null, lineIds: [] }, totals)).toMatchObject([
      { description: 'Mowing (12 visits)', quantity: 12, unitPriceCents: 4500 },
      { description: '3 × Mulch: Brown', quantity: 1, unitPriceCents: 9900 },
    ])
  })
})
