import { describe, expect, it } from 'vitest'
import {
  balances,
  bankOf,
  costWeeks,
  keptBank,
  laborCents,
  outlookOf,
  recurringDays,
  together,
  type Week,
  weekOf,
  weeksFrom,
} from './rules.ts'

const week = (from: string, income: number, costs: number): Week => ({
  from,
  to: from,
  in: { invoices: income, drafts: 0, work: 0, plans: 0 },
  out: { labor: costs, recurring: 0, other: 0 },
})

describe('the cash flow', () => {
  it('has twelve weeks of seven days from today, over the night in which clocks change', () => {
    const weeks = weeksFrom('2026-10-30')
    expect(weeks).toHaveLength(12)
    expect([weeks[0], weeks.at(-1)]).toEqual([
      { from: '2026-10-30', to: '2026-11-05' },
      { from: '2027-01-15', to: '2027-01-21' },
    ])
  })

  it('adds up from what is there', () => {
    expect(balances(1000, [week('2026-06-01', 500, 200), week('2026-06-08', 0, 2000)])).toEqual([1300, -700])
  })

  it('puts weeks together, the last ones too where they do not divide', () => {
    const weeks = [week('2026-06-01', 500, 200), week('2026-06-08', 100, 50), week('2026-06-15', 7, 0)]
    expect(together(weeks, 2)).toEqual([
      { from: '2026-06-01', inCents: 600, outCents: 250 },
      { from: '2026-06-15', inCents: 7, outCents: 0 },
    ])
    expect([weekOf('2026-06-01', '2026-06-07'), weekOf('2026-06-01', '2026-06-08')]).toEqual([0, 1])
  })

  it('reckons the drive on top of planned minutes', () => {
    // 45 minutes on site and 15 on the road at $20.00
    expect(laborCents(45, 0.25, 2000)).toBe(2000)
    expect(laborCents(0, 0.25, 2000)).toBe(0)
    expect(laborCents(60, 1, 2000)).toBe(20_000)
  })

  it('finds the days of a cost, of the 31st and until it ends', () => {
    const cost = { firstOn: '2026-01-31', endOn: '2026-04-15', every: 'month' as const }
    expect(recurringDays(cost, '2026-02-28', '2026-06-30')).toEqual(['2026-02-28', '2026-03-31'])
    expect(recurringDays(cost, null, '2026-06-30')).toEqual([])
  })

  it('says when it gets tight', () => {
    const weeks = [week('2026-06-01', 500, 200), week('2026-06-08', 0, 2000), week('2026-06-15', 5000, 0)]
    expect(outlookOf(null, weeks)).toBe('In these 12 weeks $33.00 more comes in than goes out.')
    expect(outlookOf(1000, weeks)).toBe(
      'In the week of Mon, Jun 8 you would be $7.00 short. Ask for what is late, or move a cost.',
    )
    expect(outlookOf(10_000, weeks)).toBe('The least is $83.00, in the week of Mon, Jun 8.')
    expect(outlookOf(0, [week('2026-06-01', 500, 200)])).toBe(
      'At the end of no week is there less than the $0.00 of today.',
    )
  })

  it('knows of which day the amount in the bank is: another day it is not what is there today', () => {
    const kept = keptBank('2026-06-01', 800_000)
    expect(bankOf(kept, '2026-06-01')).toEqual({ day: '2026-06-01', cents: 800_000, isToday: true })
    expect(bankOf(kept, '2026-07-20')).toEqual({ day: '2026-06-01', cents: 800_000, isToday: false })
    // what was kept before the day was, and nothing
    expect([bankOf('8000.00', '2026-06-01'), bankOf('', '2026-06-01')]).toEqual([null, null])
  })

  it('takes the mean of other costs over the weeks that are known, and no one purchase for a habit', () => {
    expect(costWeeks('2026-06-30', null)).toBe(12)
    expect(costWeeks('2026-06-30', '2026-06-29')).toBe(4)
    expect(costWeeks('2026-06-30', '2026-05-20')).toBe(6)
    expect(costWeeks('2026-06-30', '2024-05-20')).toBe(12)
  })
})
