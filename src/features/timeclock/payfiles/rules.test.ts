import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvText } from '../../../shared/csv.ts'
import { type PaidDay, type PayTerms, payOfWeek, presets } from '../payroll/rules.ts'
import { type FileWeek, fileRows, notesOf } from './rules.ts'

const byHour = (centsPerHour: number, bonusCents: number | null = null): PayTerms => ({
  centsPerHour,
  pieceCents: null,
  bonusCents,
})
const day = (terms: PayTerms, hours: number, more: Partial<PaidDay> = {}): PaidDay => ({
  regular: hours * 3600,
  overtime: 0,
  double: 0,
  lawns: 0,
  terms,
  ...more,
})
const aWeek = (name: string, days: PaidDay[], mileageCents = 0, week = '2026-06-01'): FileWeek => ({
  userId: name,
  name,
  number: '00417',
  week,
  lawns: days.reduce((sum, one) => sum + one.lawns, 0),
  tenthMiles: 0,
  items: [
    ...payOfWeek(days).items,
    ...(mileageCents ? [{ item: 'mileage' as const, rateCents: null, hundredths: 0, cents: mileageCents }] : []),
  ],
})
const centsOf = (weeks: FileWeek[]) => weeks.flatMap(({ items }) => items).reduce((sum, { cents }) => sum + cents, 0)

/** What a provider pays who reads a file: hours at the rate of their row, overtime half again, and every amount. */
const paidBy = (preset: (typeof presets)[number], weeks: FileWeek[], rateThere = 0): number => {
  const [head = [], ...rows] = fileRows(preset, weeks, { companyCode: 'X7K' })
  return rows.reduce((sum, row) => {
    const cell = (name: string) => Number(row[head.indexOf(name)] || 0)
    const cents = (...names: string[]) => names.reduce((all, name) => all + Math.round(cell(name) * 100), 0)
    const hours = (name: string, rate: number, often: number) =>
      Math.round((Math.round(cell(name) * 100) * Math.round(rate * 100) * often) / 100)
    if (preset === 'plain') {
      const rate = cell('Rate')
      const paid =
        hours('REG hours', rate, 1) +
        hours('OT hours', rate, 1.5) +
        hours('DT hours', rate, 2) +
        cents('PIECE', 'BONUS', 'OT PREMIUM', 'MILEAGE')
      expect(paid).toBe(cents('Total'))
      return sum + paid
    }
    if (preset === 'adp') {
      const rate = cell('Temp Rate')
      const paid = hours('Reg Hours', rate, 1) + hours('O/T Hours', rate, 1.5) + hours('Hours 3 Amount', rate, 2)
      return sum + paid + cents('Earnings 3 Amount', 'Earnings 4 Amount', 'Earnings 5 Amount')
    }
    if (preset === 'gusto')
      return (
        sum +
        hours('regular_hours', rateThere, 1) +
        hours('overtime_hours', rateThere, 1.5) +
        hours('double_overtime_hours', rateThere, 2) +
        cents('bonus', 'commission', 'correction_payment', 'reimbursement')
      )
    const kind = String(row[head.indexOf(preset === 'paychex' ? 'PAY COMPONENT' : 'Pay Type')])
    const often = { Overtime: 1.5, Doubletime: 2 }[kind] ?? 1
    const atRate = hours(preset === 'paychex' ? 'HOURS' : 'Hours', cell(preset === 'paychex' ? 'RATE' : 'Rate'), often)
    const amount = cents(preset === 'paychex' ? 'AMOUNT' : 'Amount')
    if (preset === 'quickbooks' && atRate > 0) expect(amount).toBe(atRate)
    return sum + (preset === 'paychex' ? atRate + amount : amount)
  }, 0)
}

const lawns: PayTerms = { centsPerHour: 2000, pieceCents: 900, bonusCents: null }
const cases: Record<string, FileWeek[]> = {
  'hours with overtime': [aWeek('Ana', [day(byHour(2000), 40, { overtime: 5 * 3600 })])],
  'a person paid by the lawn, with overtime': [aWeek('Ana', [day(lawns, 40, { overtime: 5 * 3600, lawns: 10 })])],
  'a raise in the middle': [aWeek('Bo', [day(byHour(2000), 24), day(byHour(3000), 16)])],
  'a raise and overtime on the higher days': [
    aWeek('Bo', [day(byHour(2000), 24), day(byHour(3000), 16, { overtime: 6 * 3600, double: 3600 })]),
  ],
  'a bonus that raises overtime, and miles': [
    aWeek('Cy', [day(byHour(1855, 150), 40, { overtime: 3.5 * 3600, lawns: 31 })], 861),
  ],
  'all kinds of amounts at once': [
    aWeek('Di', [day(byHour(2000, 100), 20, { lawns: 5 }), day(lawns, 25, { overtime: 5 * 3600, lawns: 40 })], 500),
  ],
  'miles alone': [aWeek('Ed', [], 700)],
}

describe('what a payroll pays by the file is what the screen says', () => {
  for (const preset of presets)
    for (const [what, weeks] of Object.entries(cases))
      it(`${preset}: ${what}`, () => {
        const rate = weeks.flatMap(({ items }) => items).find(({ rateCents }) => rateCents !== null)?.rateCents ?? 0
        expect(paidBy(preset, weeks, rate / 100)).toBe(centsOf(weeks))
      })
  it.each(presets.filter((one) => one !== 'gusto'))('%s: whatever the weeks were', (preset) => {
    const seconds = fc.integer({ min: 0, max: 30_000 })
    const terms = fc.record({
      centsPerHour: fc.integer({ min: 725, max: 6000 }),
      pieceCents: fc.option(fc.integer({ min: 0, max: 3000 })),
      bonusCents: fc.option(fc.integer({ min: 0, max: 500 })),
    })
    const one = fc.record({
      regular: seconds,
      overtime: seconds,
      double: seconds,
      lawns: fc.integer({ min: 0, max: 30 }),
      terms,
    })
    fc.assert(
      fc.property(fc.array(fc.array(one, { maxLength: 7 }), { maxLength: 3 }), (all) => {
        const weeks = all.map((days, at) => aWeek(`P${at}`, days, at * 100))
        expect(paidBy(preset, weeks)).toBe(centsOf(weeks))
      }),
    )
  })
})

describe('a file', () => {
  const ana = aWeek('Ana Maria Reyes', [day(byHour(2000), 40, { overtime: 1.5 * 3600 })], 861)
  it('has as many cells in each row as its header, and nothing in it is a formula', () => {
    for (const preset of presets)
      for (const weeks of [...Object.values(cases), [{ ...ana, name: '=1+1' }]]) {
        const [head, ...rest] = fileRows(preset, weeks, { companyCode: 'X7K' })
        for (const row of rest) expect(row).toHaveLength(head?.length ?? 0)
        expect(csvText(fileRows(preset, weeks, { companyCode: 'X7K' }))).not.toMatch(/(^|,)=1/m)
      }
  })
  it('is what each payroll reads', () => {
    const rows = (preset: (typeof presets)[number], ...weeks: FileWeek[]) =>
      fileRows(preset, weeks, { companyCode: 'X7K' }).slice(1)
    expect(rows('adp', ana)).toEqual([
      ['X7K', '260607', '00417', '20.00', '40.00', '1.50', '', '', 'MIL', '8.61', '', '', '', ''],
    ])
    expect(rows('adp', ...(cases['a raise in the middle'] ?? [])).map((row) => row.slice(3, 6))).toEqual([
      ['20.00', '24.00', ''],
      ['30.00', '16.00', ''],
    ])
    expect(rows('gusto', ana, { ...ana, week: '2026-06-08' })).toEqual([
      ['Reyes', 'Ana Maria', '00417', '80.00', '3.00', '', '', '', '', '17.22'],
    ])
    expect(rows('quickbooks', ana).slice(0, 2)).toEqual([
      ['Ana Maria Reyes', '2026-06-01', '2026-06-07', 'Regular', '40.00', '20.00', '800.00'],
      ['Ana Maria Reyes', '2026-06-01', '2026-06-07', 'Overtime', '1.50', '20.00', '45.00'],
    ])
    const [paychex = []] = rows('paychex', ana)
    expect([0, 1, 4, 5, 7, 9, 10].map((at) => paychex[at])).toEqual([
      'X7K',
      '00417',
      'Regular',
      '20.00',
      '40.00',
      '06/07/2026',
      '',
    ])
  })
  it('says before it is made what it cannot carry, and of whom', () => {
    const weeks = [
      ...(cases['a raise in the middle'] ?? []),
      ...(cases['a person paid by the lawn, with overtime'] ?? []),
      ana,
    ]
    expect(notesOf('plain', weeks)).toEqual([])
    expect(notesOf('adp', weeks).map(({ names }) => names)).toEqual([['Ana']])
    expect(notesOf('gusto', weeks).map(({ names }) => names)).toEqual([['Bo'], ['Ana Maria Reyes $20.00'], ['Ana']])
  })
})
