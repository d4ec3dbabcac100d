import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvText } from '../../../shared/csv.ts'
import { mealItems, offItems, type PaidDay, type PayTerms, payOfWeek, presets } from '../payroll/rules.ts'
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
    // a wage has cents; one and a half times it may have half of one
    const hours = (name: string, rate: number, often: number) =>
      Math.round((Math.round(cell(name) * 100) * Math.round(rate * 1000) * often) / 1000)
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
    // QuickBooks says what an hour of overtime is paid, Paychex knows it by the component
    const often = preset === 'quickbooks' ? 1 : ({ Overtime: 1.5, Doubletime: 2 }[kind] ?? 1)
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
      ['Reyes', 'Ana Maria', '00417', '80.00', '3.00', '', '', '', '', '', '', '', '', '17.22'],
    ])
    expect(rows('quickbooks', ana).slice(0, 2)).toEqual([
      ['Ana Maria Reyes', '2026-06-01', '2026-06-07', 'Regular', '40.00', '20.00', '800.00'],
      ['Ana Maria Reyes', '2026-06-01', '2026-06-07', 'Overtime', '1.50', '30.00', '45.00'],
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
  it.each([
    ['Ana Reyes', 'Ana', 'Reyes'],
    ['Ana María Reyes', 'Ana María', 'Reyes'],
    ['Luis Ortega Villaseñor', 'Luis', 'Ortega Villaseñor'],
    ['José Luis Ortega Villaseñor', 'José Luis', 'Ortega Villaseñor'],
    ['Juan de la Cruz', 'Juan', 'de la Cruz'],
    ['Rosa Peña de la Cruz', 'Rosa', 'Peña de la Cruz'],
    ['Prince', 'Prince', ''],
    ['John A. Smith', 'John A.', 'Smith'],
    ['Juan A Reyes', 'Juan A', 'Reyes'],
    ['James Earl Jones', 'James Earl', 'Jones'],
    ['Mary Beth Smith', 'Mary Beth', 'Smith'],
    ['Mary Jo Ellen Smith', 'Mary Jo Ellen', 'Smith'],
    ['Luis Lopez Garcia', 'Luis', 'Lopez Garcia'],
  ])('Gusto is given "%s" as "%s", "%s"', (name, first, last) => {
    expect(fileRows('gusto', [{ ...ana, name }], { companyCode: '' })[1]?.slice(0, 2)).toEqual([last, first])
  })
  it.each([
    ['Luis Bautista Chan', 'Luis', 'Bautista Chan'],
    ['Luis A. Chan', 'Luis A.', 'Chan'],
    ['Ana Maria Chan', 'Ana Maria', 'Chan'],
  ])('Gusto is given "%s", who reads Spanish, as "%s", "%s"', (name, first, last) => {
    const weeks = [{ ...ana, name, language: 'es' as const }]
    expect(fileRows('gusto', weeks, { companyCode: '' })[1]?.slice(0, 2)).toEqual([last, first])
    expect(notesOf('gusto', weeks).flatMap(({ names }) => names)).toContain(`${last}, ${first}`)
  })
  it('says before it is made what it cannot carry, and of whom', () => {
    const weeks = [
      ...(cases['a raise in the middle'] ?? []),
      ...(cases['a person paid by the lawn, with overtime'] ?? []),
      ana,
    ]
    expect(notesOf('plain', weeks)).toEqual([])
    expect(notesOf('adp', weeks).map(({ names }) => names)).toEqual([['Ana']])
    expect(notesOf('gusto', weeks).map(({ names }) => names)).toEqual([
      ['Bo'],
      ['Ana Maria Reyes $20.00'],
      ['Reyes, Ana Maria'],
      ['Ana'],
    ])
  })
})

describe('time off and meal premiums', () => {
  const off = offItems([
    { day: '2026-06-01', kind: 'vacation', minutes: 480, rateCents: 2000 },
    { day: '2026-06-02', kind: 'vacation', minutes: 480, rateCents: 2000 },
    { day: '2026-06-03', kind: 'sick', minutes: 240, rateCents: 2000 },
  ])
  const worked = payOfWeek([day(byHour(2000), 16)])
  const meal = mealItems(1, worked, 16 * 3600)
  const ana: FileWeek = { ...aWeek('Ana Reyes', []), items: [...worked.items, ...meal, ...off] }
  it('are hours at the wage of their day, in the gross, and no part of overtime', () => {
    expect(off).toEqual([
      { item: 'vacation', rateCents: 2000, hundredths: 1600, cents: 32_000 },
      { item: 'sick', rateCents: 2000, hundredths: 400, cents: 8000 },
    ])
    expect(meal).toEqual([{ item: 'meal', rateCents: 2000, hundredths: 100, cents: 2000 }])
    expect(mealItems(1, payOfWeek([day(lawns, 10, { lawns: 20 })]), 36_000)[0]?.cents).toBe(1800)
  })
  it('stand in each file under their codes, and under those of the business where it has others', () => {
    const rows = (preset: (typeof presets)[number], codes = {}) =>
      fileRows(preset, [ana], { companyCode: 'X7K', codes: { [preset]: codes } })
    expect(
      rows('adp')
        .slice(1)
        .map((row) => row.slice(3, 8)),
    ).toEqual([
      ['20.00', '16.00', '', '', ''],
      ['20.00', '', '', 'MP', '1.00'],
      ['20.00', '', '', 'VAC', '16.00'],
      ['20.00', '', '', 'SIC', '4.00'],
    ])
    expect(rows('adp', { vacation: 'V' })[3]?.[6]).toBe('V')
    const [head = [], row = []] = rows('gusto')
    const cell = (name: string) => row[head.indexOf(name)]
    expect([cell('regular_hours'), cell('pto_hours'), cell('sick_hours'), cell('missed_break_hours')]).toEqual([
      '16.00',
      '16.00',
      '4.00',
      '1.00',
    ])
    expect(rows('gusto', { vacation: 'vacation_hours' })[0]).toContain('vacation_hours')
    const listed = (preset: 'quickbooks' | 'paychex', at: number) =>
      rows(preset)
        .slice(1)
        .map((one) => one[at])
    expect(listed('quickbooks', 3)).toEqual(['Regular', 'Meal premium', 'Vacation', 'Sick'])
    expect(listed('paychex', 4)).toEqual(['Regular', 'Meal premium', 'Vacation', 'Sick'])
    const plain = rows('plain')
    const plainCell = (name: string) => plain[1]?.[plain[0]?.indexOf(name) ?? -1]
    expect(['Vacation hours', 'Sick hours', 'TIME OFF', 'MEAL PREMIUM', 'Total'].map(plainCell)).toEqual([
      '16.00',
      '4.00',
      '400.00',
      '20.00',
      '740.00',
    ])
    for (const preset of presets) {
      const [titles, ...rest] = rows(preset)
      for (const one of rest) expect(one).toHaveLength(titles?.length ?? 0)
    }
    expect(notesOf('gusto', [ana]).some(({ text }) => text.startsWith('Time off and meal premiums'))).toBe(true)
  })
})
