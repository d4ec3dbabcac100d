import { describe, expect, it } from 'vitest'
import { type AutomaticRun, reportOf } from './rules.ts'

const run: AutomaticRun = {
  send: true,
  invoiceCount: 12,
  totalCents: 64_000,
  unmailedCount: 0,
  changedCount: 0,
  noPriceCount: 0,
  onHoldCount: 0,
  more: false,
}

describe('what the office is told of an automatic turn', () => {
  it.each([
    [{}, '12 invoices totaling $640.00 were made and sent automatically', ''],
    [{ invoiceCount: 1 }, '1 invoice totaling $640.00 was made and sent automatically', ''],
    [
      { send: false },
      '12 drafts totaling $640.00 were made automatically',
      '12 drafts are to be looked over and sent.',
    ],
    [
      { unmailedCount: 1, noPriceCount: 2, onHoldCount: 1 },
      '12 invoices totaling $640.00 were made and sent automatically',
      '1 invoice that no mail and no text carries: print it. 2 visits left out without a price. 1 visit left out on hold.',
    ],
    [
      { more: true },
      '12 invoices totaling $640.00 were made and sent automatically',
      'More waits than one batch holds: invoice the rest by hand.',
    ],
    [
      { invoiceCount: 0, noPriceCount: 3 },
      'No automatic invoice was made: what is finished waits for you',
      '3 visits left out without a price.',
    ],
  ])('%o', (changes, title, content) => expect(reportOf({ ...run, ...changes })).toEqual({ title, content }))

  it('is nothing where nothing waits, or only what is on hold', () => {
    expect(reportOf({ ...run, invoiceCount: 0 })).toBeNull()
    expect(reportOf({ ...run, invoiceCount: 0, onHoldCount: 4 })).toBeNull()
  })
})
