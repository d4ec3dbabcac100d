import type { PaySplit } from '../overtime/rules.ts'
import type { ClockEntry } from '../rules.ts'

/** How the payroll reads the clock. It changes no record; zero reads the seconds. */
export const roundings = [0, 5, 6, 15] as const
export type Rounding = (typeof roundings)[number]

/**
 * The nearest step of the clock by full minutes, as 29 CFR 785.48(b) has it: of a quarter, 1 to 7 minutes go down and 8 to 14 up. Over time
 * that gives as much as it takes. Offsets of US time zones are whole quarters, so the wall clock rounds as the instant does.
 */
const rounded = (instant: string, minutes: Rounding): string => {
  const minute = Math.floor(Date.parse(instant) / 60_000)
  return new Date(Math.round(minute / minutes) * minutes * 60_000).toISOString()
}

/** Spells as the payroll reads them. Where one ends and the next begins stays one moment. */
export const roundedEntries = <E extends ClockEntry>(entries: readonly E[], minutes: Rounding): E[] =>
  minutes === 0
    ? [...entries]
    : entries.map((entry) => ({
        ...entry,
        startedAt: rounded(entry.startedAt, minutes),
        endedAt: entry.endedAt && rounded(entry.endedAt, minutes),
      }))

export type PayTerms = { centsPerHour: number; pieceCents: number | null; bonusCents: number | null }

/** A day as it is paid: its seconds, the lawns finished, and the terms of that day. */
export type PaidDay = PaySplit & { lawns: number; terms: PayTerms }

export type Pay = {
  /** By the hour, at the plain rate, for all hours. */
  hourCents: number
  pieceCents: number
  bonusCents: number
  /** What overtime and double time add to that. */
  premiumCents: number
  grossCents: number
}

const hours = (seconds: number): number => seconds / 3600

/**
 * The pay of a week. Who is paid by the lawn gets the lawns instead of the hours. Overtime adds half, double time the whole of the week's
 * regular rate: everything earned by all hours worked (29 CFR 778.109, 778.111, 778.209).
 */
export const payOfWeek = (days: readonly PaidDay[]): Pay => {
  const sum = (of: (day: PaidDay) => number): number => days.reduce((total, day) => total + of(day), 0)
  const all = (day: PaidDay) => day.regular + day.overtime + day.double
  const hourCents = Math.round(
    sum((day) => (day.terms.pieceCents === null ? hours(all(day)) * day.terms.centsPerHour : 0)),
  )
  const pieceCents = sum((day) => day.lawns * (day.terms.pieceCents ?? 0))
  const bonusCents = sum((day) => day.lawns * (day.terms.bonusCents ?? 0))
  const worked = hours(sum(all))
  const rate = worked > 0 ? (hourCents + pieceCents + bonusCents) / worked : 0
  const premiumCents = Math.round(rate * (hours(sum((day) => day.overtime)) / 2 + hours(sum((day) => day.double))))
  return {
    hourCents,
    pieceCents,
    bonusCents,
    premiumCents,
    grossCents: hourCents + pieceCents + bonusCents + premiumCents,
  }
}

/** The federal minimum; a state's own is often higher. */
const federalMinimumCents = 725

/** Whether a week paid by the lawn comes to less than the law's least. */
export const isBelowMinimum = (pay: Pay, seconds: number): boolean =>
  seconds > 0 && pay.grossCents - pay.premiumCents < Math.floor(hours(seconds) * federalMinimumCents)

/** What labor costs: pay with taxes and insurance on top. */
export const withBurden = (cents: number, percent: number): number => Math.round((cents * (100 + percent)) / 100)

/** A person at a job: seconds on the clock there, at what they cost. */
export type LaborPart = { seconds: number; centsPerHour: number; burdenPercent: number }

/** What labor on a job or a day cost, in cents. Each person is rounded once, so parts add up to what is shown. */
export const laborCostCents = (parts: readonly LaborPart[]): number =>
  parts.reduce((sum, part) => sum + withBurden(hours(part.seconds) * part.centsPerHour, part.burdenPercent), 0)

/** Tenths of a mile at tenths of a cent a mile, in cents. */
export const mileageCents = (tenthMiles: number, tenthCents: number): number =>
  Math.round((tenthMiles * tenthCents) / 100)

export const presets = ['plain', 'adp', 'gusto', 'quickbooks', 'paychex'] as const
export type Preset = (typeof presets)[number]
export const presetLabel: Record<Preset, string> = {
  plain: 'Plain CSV',
  adp: 'ADP Workforce Now',
  gusto: 'Gusto',
  quickbooks: 'QuickBooks Payroll',
  paychex: 'Paychex Flex',
}

/** A person as the payroll gets them. */
export type PayLine = {
  name: string
  number: string
  regular: number
  overtime: number
  double: number
  lawns: number
  pieceCents: number
  bonusCents: number
  tenthMiles: number
  mileageCents: number
}

export type PayPeriod = { from: string; to: string; companyCode: string }
type Cell = string | number
type Rows = Cell[][]

const hoursCell = (seconds: number): string => (seconds === 0 ? '' : hours(seconds).toFixed(2))
const dollars = (cents: number): string => (cents === 0 ? '' : (cents / 100).toFixed(2))

/** First and last name: the last word is the last name. */
const namesOf = (name: string): [first: string, last: string] => {
  const parts = name.trim().split(/\s+/)
  return parts.length === 1 ? [parts[0] ?? '', ''] : [parts.slice(0, -1).join(' '), parts.at(-1) ?? '']
}

const plain = (lines: readonly PayLine[], { from, to }: PayPeriod): Rows => [
  [
    'Name',
    'Number',
    'From',
    'To',
    'REG hours',
    'OT hours',
    'DT hours',
    'Lawns',
    'PIECE',
    'BONUS',
    'Own car miles',
    'MILEAGE',
  ],
  ...lines.map((one) => [
    one.name,
    one.number,
    from,
    to,
    hoursCell(one.regular),
    hoursCell(one.overtime),
    hoursCell(one.double),
    one.lawns || '',
    dollars(one.pieceCents),
    dollars(one.bonusCents),
    one.tenthMiles ? (one.tenthMiles / 10).toFixed(1) : '',
    dollars(one.mileageCents),
  ]),
]

/** Paydata import of ADP Workforce Now: company, batch and file number first; double time and earnings by code. */
const adp = (lines: readonly PayLine[], { to, companyCode }: PayPeriod): Rows => [
  [
    'Co Code',
    'Batch ID',
    'File #',
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
  ...lines.map((one): Cell[] => [
    companyCode,
    to.replaceAll('-', '').slice(2),
    one.number,
    hoursCell(one.regular),
    hoursCell(one.overtime),
    one.double ? 'DT' : '',
    hoursCell(one.double),
    one.pieceCents ? 'PC' : '',
    dollars(one.pieceCents),
    one.bonusCents ? 'BON' : '',
    dollars(one.bonusCents),
    one.mileageCents ? 'MIL' : '',
    dollars(one.mileageCents),
  ]),
]

const gusto = (lines: readonly PayLine[]): Rows => [
  [
    'last_name',
    'first_name',
    'gusto_employee_id',
    'regular_hours',
    'overtime_hours',
    'double_overtime_hours',
    'piece_rate',
    'bonus',
    'reimbursement',
  ],
  ...lines.map((one): Cell[] => {
    const [first, last] = namesOf(one.name)
    return [
      last,
      first,
      one.number,
      hoursCell(one.regular),
      hoursCell(one.overtime),
      hoursCell(one.double),
      dollars(one.pieceCents),
      dollars(one.bonusCents),
      dollars(one.mileageCents),
    ]
  }),
]

/** One row a pay item: hours or an amount. */
const itemsOf = (one: PayLine): { item: string; hours: string; amount: string }[] =>
  [
    { item: 'Regular', hours: hoursCell(one.regular), amount: '' },
    { item: 'Overtime', hours: hoursCell(one.overtime), amount: '' },
    { item: 'Doubletime', hours: hoursCell(one.double), amount: '' },
    { item: 'Piecework', hours: '', amount: dollars(one.pieceCents) },
    { item: 'Bonus', hours: '', amount: dollars(one.bonusCents) },
    { item: 'Mileage', hours: '', amount: dollars(one.mileageCents) },
  ].filter((row) => row.hours !== '' || row.amount !== '')

const quickbooks = (lines: readonly PayLine[], { from, to }: PayPeriod): Rows => [
  ['Employee', 'Period Start', 'Period End', 'Pay Type', 'Hours', 'Amount'],
  ...lines.flatMap((one) => itemsOf(one).map((row) => [one.name, from, to, row.item, row.hours, row.amount])),
]

/** Import of Paychex Flex: all columns of its header, also those that stay empty. */
const paychex = (lines: readonly PayLine[], { to, companyCode }: PayPeriod): Rows => [
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
  ...lines.flatMap((one) =>
    itemsOf(one).map((row): Cell[] => [
      companyCode,
      one.number,
      '',
      '',
      row.item,
      '',
      '',
      row.hours,
      '',
      `${to.slice(5, 7)}/${to.slice(8, 10)}/${to.slice(0, 4)}`,
      row.amount,
      '',
      '',
      '',
      '',
      '',
    ]),
  ),
]

const writers: Record<Preset, (lines: readonly PayLine[], period: PayPeriod) => Rows> = {
  plain,
  adp,
  gusto,
  quickbooks,
  paychex,
}

/** The rows of a payroll's file. */
export const payRows = (preset: Preset, lines: readonly PayLine[], period: PayPeriod): Rows =>
  writers[preset](lines, period)

/** Presets that know a person only by their number there. */
export const needsNumber: readonly Preset[] = ['adp', 'paychex']
