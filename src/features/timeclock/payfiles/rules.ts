import type { Refusal } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { CodedItem, PayItem, PayItemKind, Preset } from '../payroll/rules.ts'

/** A person's week as it goes into a file. */
export type FileWeek = {
  userId: string
  name: string
  /** The person's own; it tells how a name is made where there are several words. */
  language?: 'en' | 'es'
  number: string
  week: Day
  lawns: number
  tenthMiles: number
  items: readonly PayItem[]
}

type Cell = string | number
type Rows = Cell[][]
/** What the payroll settings say of files. */
type FileTerms = { companyCode: string; codes?: Partial<Record<Preset, Partial<Record<CodedItem, string>>>> }
type Writer = (weeks: readonly FileWeek[], business: FileTerms) => Rows

/** What each kind of pay is called at a provider, unless a business says otherwise. Gusto's are the columns of its file. */
export const usualCodes: Record<Exclude<Preset, 'plain'>, Record<CodedItem, string>> = {
  adp: {
    double: 'DT',
    piece: 'PC',
    bonus: 'BON',
    premium: 'OTP',
    meal: 'MP',
    vacation: 'VAC',
    sick: 'SIC',
    holiday: 'HOL',
    mileage: 'MIL',
  },
  gusto: {
    double: 'double_overtime_hours',
    piece: 'commission',
    bonus: 'bonus',
    premium: 'correction_payment',
    meal: 'missed_break_hours',
    vacation: 'pto_hours',
    sick: 'sick_hours',
    holiday: 'holiday_hours',
    mileage: 'reimbursement',
  },
  quickbooks: {
    double: 'Doubletime',
    piece: 'Piecework',
    bonus: 'Bonus',
    premium: 'Overtime premium',
    meal: 'Meal premium',
    vacation: 'Vacation',
    sick: 'Sick',
    holiday: 'Holiday',
    mileage: 'Mileage',
  },
  paychex: {
    double: 'Doubletime',
    piece: 'Piecework',
    bonus: 'Bonus',
    premium: 'Overtime premium',
    meal: 'Meal premium',
    vacation: 'Vacation',
    sick: 'Sick',
    holiday: 'Holiday',
    mileage: 'Mileage',
  },
}

const codeOf = (preset: Exclude<Preset, 'plain'>, { codes }: FileTerms, item: CodedItem): string =>
  codes?.[preset]?.[item] || usualCodes[preset][item]

const offKinds = ['vacation', 'sick', 'holiday'] as const
const extraHours = ['meal', ...offKinds] as const
const isExtraHours = ({ item }: PayItem): boolean => (extraHours as readonly string[]).includes(item)

const hoursCell = (hundredths: number): string => (hundredths === 0 ? '' : (hundredths / 100).toFixed(2))
const dollars = (cents: number): string => (cents === 0 ? '' : (cents / 100).toFixed(2))
const usDate = (day: Day): string => `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`
const endOf = (week: Day): Day => addDays(week, 6)

const isHours = ({ item }: PayItem): boolean => item === 'regular' || item === 'overtime' || item === 'double'
const sumOf = (items: readonly PayItem[], ...kinds: PayItemKind[]): number =>
  items.reduce((sum, one) => sum + (kinds.includes(one.item) ? one.cents : 0), 0)
const hoursOf = (items: readonly PayItem[], kind: PayItemKind): number =>
  items.reduce((sum, one) => sum + (one.item === kind ? one.hundredths : 0), 0)

/** The hours of a week rate by rate, the lowest first. */
const byRate = (items: readonly PayItem[]): [rateCents: number, own: PayItem[]][] =>
  [...Map.groupBy(items.filter(isHours), ({ rateCents }) => rateCents ?? 0)].sort(([one], [other]) => one - other)

/** Wages by the hour of a person's weeks. */
const ratesOf = (weeks: readonly FileWeek[]): number[] => [
  ...new Set(
    weeks.flatMap(({ items }) =>
      items.filter((one) => isHours(one) || isExtraHours(one)).map(({ rateCents }) => rateCents ?? 0),
    ),
  ),
]

/** Second given names of many people, without accents: what follows a first name and is none of these is a surname. */
const givenNames = new Set(
  'ana andres angel ann anna anne antonio armando carlos carmen daniel david elena enrique eduardo fernando francisco guadalupe ignacio isabel james javier jean jesus joe john jorge jose juan lee louise lucia luis luz manuel marie maria mario michael miguel pablo patricia paul pedro rafael ramon ray ricardo roberto rosa rose sofia teresa thomas victor william'.split(
    ' ',
  ),
)
const plainOf = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
const particles = new Set(['de', 'del', 'la', 'las', 'los', 'y', 'da', 'dos', 'van', 'von', 'der'])

/** Surnames that many Spanish-speaking families have and that no ending shows. */
const spanishSurnames = new Set(
  'acosta aguilar aguirre alvarado avila ayala barrera bautista cabrera calderon campos cardenas carrillo castaneda castillo castro cervantes cisneros contreras cordova cortes cruz delgado diaz dominguez duran escobar espinoza estrada fierro figueroa flores franco fuentes galindo gallegos garcia garza guerra guerrero guevara herrera huerta ibarra jimenez juarez lara leon lopez lozano luna macias maldonado mata mejia medina mendoza meza miranda molina montoya mora morales moreno mota navarro nieto ochoa olivares orozco ortega ortiz pacheco padilla palacios paredes pena pineda ponce portillo quintero quiroz ramos reyes rios rivas rivera robles rocha rojas romero rosales rosario rubio ruiz salas salazar salgado salinas sandoval santana santiago santos serrano silva solis sosa soto tapia torres trejo trevino valencia valenzuela valdez vargas vega velasco vera villa villanueva villarreal zamora zavala zuniga'.split(
    ' ',
  ),
)
const spanishParticles = new Set(['de', 'del', 'la', 'las', 'los'])
const isSpanish = (name: string): boolean =>
  name.split(' ').some((word) => spanishParticles.has(word.toLowerCase())) ||
  /[áéíóúñ]/i.test(name.normalize('NFC')) ||
  /ez$/i.test(name) ||
  spanishSurnames.has(plainOf(name))
/** "A." is a given name, wherever it stands but last. */
const isInitial = (word: string): boolean => /^\p{L}\.?$/u.test(word)

/**
 * First and last name. Two surnames are kept together, as half of the crews have them, with their "de la": of a person who reads Spanish, and where
 * both look Spanish. Of anybody else what stands in the middle is a given name, as "Earl" in James Earl Jones.
 */
const namesOf = (name: string, language: 'en' | 'es' = 'en'): [first: string, last: string] => {
  const parts = name.trim().split(/\s+/)
  // Words with what belongs before them: "de la Cruz" is one.
  const words = parts.reduce<string[]>((all, part, at) => {
    const before = parts[at - 1]
    if (before !== undefined && at > 1 && particles.has(before.toLowerCase())) all.push(`${all.pop()} ${part}`)
    else all.push(part)
    return all
  }, [])
  if (words.length === 1) return [words[0] ?? '', '']
  const [middle = '', last = ''] = words.slice(-2)
  const mayBeSurname = words.length > 3 || (words.length === 3 && !givenNames.has(plainOf(middle)))
  const isTwo = mayBeSurname && !isInitial(middle) && (language === 'es' || (isSpanish(middle) && isSpanish(last)))
  const surnames = isTwo ? 2 : 1
  return [words.slice(0, -surnames).join(' '), words.slice(-surnames).join(' ')]
}

/** A row a person, week and rate; amounts stand in the first of them. */
const plain: Writer = (weeks) => [
  [
    'Name',
    'Number',
    'From',
    'To',
    'Rate',
    'REG hours',
    'OT hours',
    'DT hours',
    'Hours by the lawn',
    'Lawns',
    'PIECE',
    'BONUS',
    'OT PREMIUM',
    'MEAL PREMIUM',
    'Vacation hours',
    'Sick hours',
    'Holiday hours',
    'TIME OFF',
    'Own car miles',
    'MILEAGE',
    'Total',
  ],
  ...weeks.flatMap(({ items, ...one }) => {
    const rates = byRate(items)
    const rows: [number | null, PayItem[]][] = rates.length === 0 ? [[null, []]] : rates
    return rows.map(([rate, own], at): Cell[] => {
      const rest = at === 0 ? items.filter((item) => !isHours(item)) : []
      return [
        one.name,
        one.number,
        one.week,
        endOf(one.week),
        rate === null ? '' : (rate / 100).toFixed(2),
        hoursCell(hoursOf(own, 'regular')),
        hoursCell(hoursOf(own, 'overtime')),
        hoursCell(hoursOf(own, 'double')),
        hoursCell(hoursOf(rest, 'lawnHours')),
        at === 0 ? one.lawns || '' : '',
        dollars(sumOf(rest, 'piece')),
        dollars(sumOf(rest, 'bonus')),
        dollars(sumOf(rest, 'premium')),
        dollars(sumOf(rest, 'meal')),
        ...offKinds.map((kind) => hoursCell(hoursOf(rest, kind))),
        dollars(sumOf(rest, ...offKinds)),
        at === 0 && one.tenthMiles ? (one.tenthMiles / 10).toFixed(1) : '',
        dollars(sumOf(rest, 'mileage')),
        ([...own, ...rest].reduce((sum, { cents }) => sum + cents, 0) / 100).toFixed(2),
      ]
    })
  }),
]

const adpEarnings = ['piece', 'bonus', 'premium', 'mileage'] as const

/**
 * Paydata import of ADP Workforce Now: company, batch and file number first; a row a rate (Temp Rate), three earnings by code in each. Hours of time off
 * and of meals each have a row of their own, by their code.
 */
const adp: Writer = (weeks, terms) => [
  [
    'Co Code',
    'Batch ID',
    'File #',
    'Temp Rate',
    'Reg Hours',
    'O/T Hours',
    'Hours 3 Code',
    'Hours 3 Amount',
    'Earnings 3 Code',
    'Earnings 3 Amount',
    'Earnings 4 Code',
    'Earnings 4 Amount',
    'Earnings 5 Code',
    'Earnings 5 Amount',
  ],
  ...weeks.flatMap(({ items, number, week }) => {
    const rates = byRate(items)
    const earned = adpEarnings.flatMap((kind) => {
      const cents = sumOf(items, kind)
      return cents === 0 ? [] : [[codeOf('adp', terms, kind), dollars(cents)]]
    })
    const batch = endOf(week).replaceAll('-', '').slice(2)
    const extra = items
      .filter(isExtraHours)
      .map(({ item, rateCents, hundredths }): Cell[] => [
        terms.companyCode,
        batch,
        number,
        ((rateCents ?? 0) / 100).toFixed(2),
        '',
        '',
        codeOf('adp', terms, item as (typeof extraHours)[number]),
        hoursCell(hundredths),
        ...Array<string>(6).fill(''),
      ])
    const worked = Array.from({ length: Math.max(rates.length, Math.ceil(earned.length / 3)) }, (_, at): Cell[] => {
      const [rate, own] = rates[at] ?? [null, []]
      const double = hoursOf(own, 'double')
      const codes = earned.slice(3 * at, 3 * at + 3).flat()
      return [
        terms.companyCode,
        batch,
        number,
        rate === null ? '' : (rate / 100).toFixed(2),
        hoursCell(hoursOf(own, 'regular')),
        hoursCell(hoursOf(own, 'overtime')),
        double ? codeOf('adp', terms, 'double') : '',
        hoursCell(double),
        ...codes,
        ...Array<string>(6 - codes.length).fill(''),
      ]
    })
    return [...worked, ...extra]
  }),
]

/** Gusto's own columns, a row a person. It knows no rates and no earnings of ours: what it could not count itself comes as an amount. */
const gusto: Writer = (weeks, terms) => [
  [
    'last_name',
    'first_name',
    'gusto_employee_id',
    'regular_hours',
    'overtime_hours',
    ...(['double', ...extraHours, 'bonus', 'piece', 'premium', 'mileage'] as const).map((item) =>
      codeOf('gusto', terms, item),
    ),
  ],
  ...[...Map.groupBy(weeks, ({ userId }) => userId).values()].map((own): Cell[] => {
    const [{ name, number, language } = { name: '', number: '', language: undefined }] = own
    const [first, last] = namesOf(name, language)
    const items = own.flatMap((one) => one.items)
    const asHours = ratesOf(own).length <= 1
    const cell = (kind: PayItemKind) => (asHours ? hoursCell(hoursOf(items, kind)) : '')
    return [
      last,
      first,
      number,
      cell('regular'),
      cell('overtime'),
      cell('double'),
      ...extraHours.map(cell),
      dollars(sumOf(items, 'bonus')),
      dollars(sumOf(items, 'piece')),
      dollars(sumOf(items, 'premium') + (asHours ? 0 : sumOf(items, 'regular', 'overtime', 'double', ...extraHours))),
      dollars(sumOf(items, 'mileage')),
    ]
  }),
]

const listed = ['regular', 'overtime', 'double', 'piece', 'bonus', 'premium', 'meal', ...offKinds, 'mileage'] as const
const listedName = (preset: 'quickbooks' | 'paychex', terms: FileTerms, item: (typeof listed)[number]): string =>
  item === 'regular' ? 'Regular' : item === 'overtime' ? 'Overtime' : codeOf(preset, terms, item)
type ItemRow = {
  name: string
  rate: string
  /** What an hour of it is paid: hours times this is the amount. */
  paidRate: string
  hours: string
  cents: number
}
const often: Partial<Record<PayItemKind, number>> = { overtime: 1.5, double: 2 }
/** To the half cent, where one and a half times a wage has one. */
const exactDollars = (cents: number): string => (cents / 100).toFixed(Number.isInteger(cents) ? 2 : 3)

/** One row a pay item: hours at a rate, or an amount. */
const rowsOf = (items: readonly PayItem[], preset: 'quickbooks' | 'paychex', terms: FileTerms): ItemRow[] =>
  listed.flatMap((kind) =>
    items
      .filter(({ item }) => item === kind)
      .map((one) => ({
        name: listedName(preset, terms, kind),
        rate: one.rateCents === null ? '' : (one.rateCents / 100).toFixed(2),
        paidRate: one.rateCents === null ? '' : exactDollars(one.rateCents * (often[kind] ?? 1)),
        hours: hoursCell(one.hundredths),
        cents: one.cents,
      })),
  )

const quickbooks: Writer = (weeks, terms) => [
  ['Employee', 'Period Start', 'Period End', 'Pay Type', 'Hours', 'Rate', 'Amount'],
  ...weeks.flatMap(({ items, name, week }) =>
    rowsOf(items, 'quickbooks', terms).map((row) => [
      name,
      week,
      endOf(week),
      row.name,
      row.hours,
      row.paidRate,
      (row.cents / 100).toFixed(2),
    ]),
  ),
]

/** Import of Paychex Flex: all columns of its header, also those that stay empty. Hours are paid at their rate, the rest is an amount. */
const paychex: Writer = (weeks, terms) => [
  [
    'CLIENT ID',
    'WORKER ID',
    'ORG',
    'JOB NUMBER',
    'PAY COMPONENT',
    'RATE',
    'RATE NUMBER',
    'HOURS',
    'UNITS',
    'LINE DATE',
    'AMOUNT',
    'CHECK SEQ NUMBER',
    'OVERRIDE STATE',
    'OVERRIDE LOCAL',
    'OVERRIDE LOCAL JURISDICTION',
    'LABOR ASSIGNMENT',
  ],
  ...weeks.flatMap(({ items, number, week }) =>
    rowsOf(items, 'paychex', terms).map((row): Cell[] => [
      terms.companyCode,
      number,
      '',
      '',
      row.name,
      row.rate,
      '',
      row.hours,
      '',
      usDate(endOf(week)),
      row.hours === '' ? dollars(row.cents) : '',
      '',
      '',
      '',
      '',
      '',
    ]),
  ),
]

const writers: Record<Preset, Writer> = { plain, adp, gusto, quickbooks, paychex }

/** The rows of a payroll's file. @param weeks by person, each person's in their order */
export const fileRows = (preset: Preset, weeks: readonly FileWeek[], business: FileTerms): Rows =>
  writers[preset](weeks, business)

/** Presets that know a person only by their number there. */
export const needsNumber: readonly Preset[] = ['adp', 'paychex']

/** Something that a format cannot carry, and whom it is about. */
export type FileNote = { text: string; names: string[] }

/** What a file will not say, to be read before it is made. */
export const notesOf = (preset: Preset, weeks: readonly FileWeek[]): FileNote[] => {
  const people = [...Map.groupBy(weeks, ({ userId }) => userId).values()].map((own) => ({
    name: own[0]?.name ?? '',
    language: own[0]?.language,
    rates: ratesOf(own),
    byLawn: own.some(({ items }) => items.some(({ item }) => item === 'lawnHours')),
  }))
  const several = people.filter(({ rates }) => rates.length > 1)
  const notes: FileNote[] = []
  if (preset === 'gusto') {
    notes.push({
      text: 'Gusto takes one rate a person, and these had several wages. Their pay is in the file as a correction payment, without the hours.',
      names: several.map(({ name }) => name),
    })
    notes.push({
      text: 'Gusto is told hours, not rates. Its own rate of these people has to be the wage they had here.',
      names: people.flatMap(({ name, rates: [rate, ...more] }) =>
        rate === undefined || more.length > 0 ? [] : [`${name} ${formatCents(rate)}`],
      ),
    })
  }
  if (preset === 'gusto')
    notes.push({
      text: 'Gusto wants first and last names apart, and we know whole names. Compare how these were taken apart with Gusto.',
      names: people.flatMap(({ name, language }) => {
        if (name.trim().split(/\s+/).length < 3) return []
        const [first, last] = namesOf(name, language)
        return [`${last}, ${first}`]
      }),
    })
  const hasExtra = (kinds: readonly PayItemKind[]) => [
    ...new Set(weeks.filter(({ items }) => items.some(({ item }) => kinds.includes(item))).map(({ name }) => name)),
  ]
  if (preset === 'gusto')
    notes.push({
      text: 'Time off and meal premiums stand in columns that Gusto has only where they are switched on there. Compare the titles with its own template; the payroll settings change them.',
      names: hasExtra(extraHours),
    })
  if (preset !== 'plain')
    notes.push({
      text: 'Paid by the lawn: the file has what the lawns came to, without the hours of those days.',
      names: people.filter(({ byLawn }) => byLawn).map(({ name }) => name),
    })
  return notes.filter(({ names }) => names.length > 0)
}

/** Why a file cannot be taken back. */
export const withdrawRefusal: Refusal<{ withdrawnAt: string | null }> = ({ withdrawnAt }) =>
  withdrawnAt === null ? null : 'This file was taken back already. Nothing was changed.'
