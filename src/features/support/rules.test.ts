import { describe, expect, it } from 'vitest'
import { grantEnd, looksText, visitEnd } from './rules.ts'

describe('a support visit', () => {
  it.each([
    ['2026-05-01T12:00:00.000Z', '2026-05-01T13:00:00.000Z', '2026-05-01T13:00:00.000Z'],
    ['2026-05-01T12:00:00.000Z', '2026-05-04T12:00:00.000Z', '2026-05-01T20:00:00.000Z'],
    ['2026-05-01T12:00:00.000Z', '2026-05-01T20:00:00Z', '2026-05-01T20:00:00.000Z'],
  ])('opened at %s on a grant until %s ends at %s', (openedAt, grantExpiresAt, end) => {
    expect(visitEnd(openedAt, grantExpiresAt)).toBe(end)
  })

  it('counts its hours over a change of the clocks', () => {
    expect(grantEnd('2026-03-08T05:00:00.000Z', 24)).toBe('2026-03-09T05:00:00.000Z')
  })

  it('is told in one sentence, the most looked at first', () => {
    expect(
      looksText([
        { area: 'Invoices', times: 1 },
        { area: 'Customers', times: 12 },
        { area: 'Dashboard', times: 1 },
      ]),
    ).toBe('Customers (12 times), Dashboard (once), Invoices (once)')
    expect(looksText([])).toBe('')
  })
})
