import { describe, expect, it } from 'vitest'
import { accessLogText, grantEnd, momentText, visitEnd, visitOver } from './rules.ts'

describe('a support visit', () => {
  it.each([
    ['2026-05-01T12:00:00.000Z', '2026-05-01T13:00:00.000Z', '2026-05-01T13:00:00.000Z'],
    ['2026-05-01T12:00:00.000Z', '2026-05-04T12:00:00.000Z', '2026-05-01T20:00:00.000Z'],
    ['2026-05-01T12:00:00.000Z', '2026-05-01T20:00:00Z', '2026-05-01T20:00:00.000Z'],
  ])('opened at %s on a grant until %s ends at %s', (openedAt, grantExpiresAt, end) => {
    expect(visitEnd(openedAt, grantExpiresAt)).toBe(end)
  })

  it.each([
    [null, null, null],
    [null, '2026-05-01T13:00:00Z', '2026-05-01T13:00:00Z'],
    ['2026-05-01T12:30:00Z', '2026-05-01T13:00:00Z', '2026-05-01T12:30:00Z'],
    ['2026-05-01T13:30:00Z', '2026-05-01T13:00:00Z', '2026-05-01T13:00:00Z'],
  ])('left at %s on a grant that ended at %s was over at %s', (endedAt, grantEndedAt, over) => {
    const visit = { endedAt, grantEndedAt, expiresAt: '2026-05-01T20:00:00Z' }
    expect(visitOver(visit, Date.parse('2026-05-01T15:00:00Z'))).toBe(over)
    expect(visitOver({ ...visit, endedAt: null, grantEndedAt: null }, Date.parse('2026-05-01T20:00:00Z'))).toBe(
      visit.expiresAt,
    )
  })

  it('counts its hours over a change of the clocks', () => {
    expect(grantEnd('2026-03-08T05:00:00.000Z', 24)).toBe('2026-03-09T05:00:00.000Z')
  })

  it.each([
    ['2026-05-06T01:40:00Z', '2026-05-05T16:00:00Z', '9:40 PM'],
    ['2026-05-06T05:40:00Z', '2026-05-05T16:00:00Z', 'Wed, May 6 at 1:40 AM'],
  ])('until %s, seen at %s, reads %s in Savannah', (until, now, words) => {
    expect(momentText(until, 'America/New_York', now)).toBe(words)
  })

  it('is told in one sentence, the most looked at first', () => {
    expect(
      accessLogText([
        { area: 'Invoices', times: 1 },
        { area: 'Customers', times: 12 },
        { area: 'Dashboard', times: 1 },
      ]),
    ).toBe('Customers (12 times), Dashboard (once), Invoices (once)')
    expect(accessLogText([])).toBe('')
  })
})
