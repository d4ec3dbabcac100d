import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../shared/dates.ts'
import { autoInvoicesLabel, autoInvoicesOf, lastTurn, noAutoInvoices, rhythms, turnAfter } from './rules.ts'

const when = { weekday: 5, monthDay: 31, hour: 18 }
const evening = 18 * 60

describe('the turns at which finished visits are invoiced by themselves', () => {
  it.each([
    ['daily', when, '2026-11-28', evening, '2026-11-28'],
    ['daily', when, '2026-11-28', evening - 1, '2026-11-27'],
    // Friday
    ['weekly', when, '2026-11-27', evening, '2026-11-27'],
    ['weekly', when, '2026-11-27', evening - 1, '2026-11-20'],
    ['weekly', when, '2026-11-26', evening, '2026-11-20'],
    ['weekly', { ...when, weekday: 0 }, '2026-11-28', 0, '2026-11-22'],
    // the last day of a month, also of a short one
    ['monthly', when, '2026-11-29', evening, '2026-10-31'],
    ['monthly', when, '2026-11-30', evening, '2026-11-30'],
    ['monthly', when, '2026-11-30', evening - 1, '2026-10-31'],
    ['monthly', when, '2028-02-28', evening, '2028-01-31'],
    ['monthly', when, '2028-02-29', evening, '2028-02-29'],
    ['monthly', when, '2027-02-28', evening, '2027-02-28'],
    ['monthly', when, '2028-03-01', 0, '2028-02-29'],
    ['monthly', { ...when, monthDay: 30 }, '2028-02-29', evening, '2028-02-29'],
    ['monthly', { ...when, monthDay: 1 }, '2028-03-01', evening, '2028-03-01'],
    ['monthly', { ...when, monthDay: 1, hour: 0 }, '2027-01-01', 0, '2027-01-01'],
    // the night in which 2 am does not come: at 3 it has come
    ['daily', { ...when, hour: 2 }, '2026-03-08', 3 * 60, '2026-03-08'],
    ['daily', { ...when, hour: 2 }, '2026-03-08', 60, '2026-03-07'],
  ] as const)('%s, %o, on %s at minute %i is that of %s', (rhythm, rule, today, minute, turn) =>
    expect(lastTurn(rhythm, rule, today, minute)).toBe(turn),
  )

  it('follow each other without a gap: whenever one looks, the turn after the last one is still to come', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rhythms),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 0, max: 1500 }),
        (rhythm, weekday, monthDay, days) => {
          const rule = { weekday, monthDay, hour: 12 }
          const today = addDays('2026-01-01', days)
          const last = lastTurn(rhythm, rule, today, 720)
          const next = turnAfter(rhythm, rule, last)
          expect(last <= today && next > today).toBe(true)
          expect(lastTurn(rhythm, rule, next, 720)).toBe(next)
          expect(lastTurn(rhythm, rule, next, 719)).toBe(last)
        },
      ),
    )
  })

  it('are off until somebody wants them, and say when they are', () => {
    expect(autoInvoicesLabel(autoInvoicesOf({}))).toBe('off')
    expect(autoInvoicesLabel({ ...noAutoInvoices, rhythm: 'weekly' })).toBe('every Friday at 6:00 PM, sent at once')
    expect(autoInvoicesLabel({ ...noAutoInvoices, rhythm: 'monthly', hour: 7, send: false })).toBe(
      'on the last day of every month at 7:00 AM, as drafts',
    )
    expect(autoInvoicesLabel({ ...noAutoInvoices, rhythm: 'monthly', monthDay: 22 })).toContain('the 22nd of')
  })
})
