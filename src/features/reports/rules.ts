import { addDays, addMonths, type Day, formatDay, formatMinute, weekdayNames, weekdayOf } from '../../shared/dates.ts'
import { formatCents, formatPercent } from '../../shared/money.ts'
import { has, type Permission, type Rights } from '../../shared/roles.ts'
import { longestMonths } from '../analytics/rules.ts'
import { monthDayLabel } from '../businesses/autoinvoices/rules.ts'

/** Which reports there are, of which days, with which columns, and when one goes out by mail. */

export const reportKinds = ['sales', 'routes', 'skips', 'chemicals', 'aging', 'payroll', 'tax', 'renewals'] as const
export type ReportKind = (typeof reportKinds)[number]

/** What the rows of a report are told apart by, beside the usual one. */
export const groupings = [
  'service',
  'crew',
  'city',
  'source',
  'day',
  'route',
  'reason',
  'customer',
  'visit',
  'invoice',
  'person',
  'week',
] as const
export type Grouping = (typeof groupings)[number]

export const filterNames = ['crewId', 'customerId', 'reason', 'state', 'productId', 'personId'] as const
export type FilterName = (typeof filterNames)[number]

type KindInfo = {
  title: string
  what: string
  /** Whose list it is made of: who may not open that may not have it as a report. */
  permission: Permission
  by: readonly Grouping[]
  filters: readonly FilterName[]
  days: 'past' | 'asOf' | 'ahead'
}

export const kindInfo: Record<ReportKind, KindInfo> = {
  sales: {
    title: 'Sales by service',
    what: 'Completed work, what of it is paid, and what a labor hour earned.',
    permission: 'money',
    by: ['service', 'crew', 'city', 'source'],
    filters: ['crewId'],
    days: 'past',
  },
  routes: {
    title: 'Route efficiency',
    what: 'Planned against driven and worked minutes, stops per hour and the part on the road.',
    permission: 'schedule',
    by: ['crew', 'day', 'route'],
    filters: ['crewId'],
    days: 'past',
  },
  skips: {
    title: 'Skips',
    what: 'What was skipped and why, by reason, crew and customer.',
    permission: 'schedule',
    by: ['reason', 'crew', 'customer', 'visit'],
    filters: ['reason', 'crewId', 'customerId'],
    days: 'past',
  },
  chemicals: {
    title: 'Chemicals',
    what: 'The log of applications as a state inspector asks for it, a row for each product.',
    permission: 'schedule',
    by: [],
    filters: ['state', 'productId'],
    days: 'past',
  },
  aging: {
    title: 'Aging',
    what: 'What customers owed at the end of a day, by how long it was past due.',
    permission: 'money',
    by: ['customer', 'invoice'],
    filters: ['customerId'],
    days: 'asOf',
  },
  payroll: {
    title: 'Payroll',
    what: 'Approved hours and pay of whole weeks.',
    permission: 'payroll',
    by: ['person', 'week'],
    filters: ['personId'],
    days: 'past',
  },
  tax: {
    title: 'Sales tax',
    what: 'Taxable work and tax by rate and state, invoiced and collected.',
    permission: 'money',
    by: [],
    filters: ['state'],
    days: 'past',
  },
  renewals: {
    title: 'Renewals due',
    what: 'Seasons that end or renew in these days, and how far their renewal is.',
    permission: 'money',
    by: [],
    filters: ['crewId'],
    days: 'ahead',
  },
}

/** Whether somebody may have a report at all. */
export const mayHave = (who: Rights, kind: ReportKind): boolean =>
  who.role !== 'Employee' && has(who, kindInfo[kind].permission)

/** The grouping of a report: the wanted one where it has that, else its usual one; null where its rows are told apart by nothing else. */
export const groupingOf = (kind: ReportKind, wanted: string | null | undefined): Grouping | null =>
  kindInfo[kind].by.find((one) => one === wanted) ?? kindInfo[kind].by[0] ?? null

export const groupingLabel: Record<Grouping, string> = {
  service: 'Service',
  crew: 'Crew',
  city: 'City',
  source: 'Source',
  day: 'Day',
  route: 'Crew and day',
  reason: 'Reason',
  customer: 'Customer',
  visit: 'Each visit',
  invoice: 'Each invoice',
  person: 'Person',
  week: 'Person and week',
}

/** What a report is called on its rows and papers: "Sales by crew". */
export const titleOf = (kind: ReportKind, by: Grouping | null): string =>
  kind === 'sales' && by ? `Sales by ${groupingLabel[by].toLowerCase()}` : kindInfo[kind].title

// Periods

export const reportPeriods = [
  'last_7',
  'last_30',
  'last_90',
  'last_365',
  'this_month',
  'last_month',
  'last_quarter',
  'this_year',
  'last_year',
  'today',
  'month_end',
  'next_30',
  'next_60',
  'next_90',
  'next_365',
  'custom',
] as const
export type ReportPeriod = (typeof reportPeriods)[number]

export const periodLabels: Record<ReportPeriod, string> = {
  last_7: 'Last 7 days',
  last_30: 'Last 30 days',
  last_90: 'Last 90 days',
  last_365: 'Last 365 days',
  this_month: 'This month',
  last_month: 'Last month',
  last_quarter: 'Last quarter',
  this_year: 'This year',
  last_year: 'Last year',
  today: 'Today',
  month_end: 'End of last month',
  next_30: 'Next 30 days',
  next_60: 'Next 60 days',
  next_90: 'Next 90 days',
  next_365: 'Next 365 days',
  custom: 'Chosen days',
}

const periodsBy: Record<KindInfo['days'], readonly ReportPeriod[]> = {
  past: [
    'last_30',
    'last_7',
    'last_90',
    'last_365',
    'this_month',
    'last_month',
    'last_quarter',
    'this_year',
    'last_year',
    'custom',
  ],
  asOf: ['today', 'month_end', 'custom'],
  ahead: ['next_60', 'next_30', 'next_90', 'next_365', 'custom'],
}

/** The periods that a report can be of, the usual one first. */
export const periodsOf = (kind: ReportKind): readonly ReportPeriod[] => periodsBy[kindInfo[kind].days]

/** The period of a report: the wanted one where it has that, else its usual one. */
export const periodOf = (kind: ReportKind, wanted: string | null | undefined): ReportPeriod =>
  periodsOf(kind).find((one) => one === wanted) ?? periodsOf(kind)[0] ?? 'custom'

export type Span = { from: Day; to: Day }

const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`
const back = (today: Day, days: number): Span => ({ from: addDays(today, 1 - days), to: today })
const ahead = (today: Day, days: number): Span => ({ from: today, to: addDays(today, days) })
/** The last day before a day. */
const dayBefore = (day: Day): Day => addDays(day, -1)

const firstOfQuarter = (day: Day): Day =>
  `${day.slice(0, 5)}${String(Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`

/** The first and the last day of a period, both included. Of one as of a day both are that day. @param chosen the days of a custom one */
export const spanOf = (
  period: ReportPeriod,
  today: Day,
  chosen: { from?: Day | undefined; to?: Day | undefined },
): Span => {
  const month = monthOf(today)
  const quarter = firstOfQuarter(today)
  const year = `${today.slice(0, 4)}-01-01`
  switch (period) {
    case 'last_7':
      return back(today, 7)
    case 'last_30':
      return back(today, 30)
    case 'last_90':
      return back(today, 90)
    case 'last_365':
      return back(today, 365)
    case 'this_month':
      return { from: month, to: today }
    case 'last_month':
      return { from: addMonths(month, -1), to: dayBefore(month) }
    case 'last_quarter':
      return { from: addMonths(quarter, -3), to: dayBefore(quarter) }
    case 'this_year':
      return { from: year, to: today }
    case 'last_year':
      return { from: addMonths(year, -12), to: dayBefore(year) }
    case 'today':
      return { from: today, to: today }
    case 'month_end':
      return { from: dayBefore(month), to: dayBefore(month) }
    case 'next_30':
      return ahead(today, 30)
    case 'next_60':
      return ahead(today, 60)
    case 'next_90':
      return ahead(today, 90)
    case 'next_365':
      return ahead(today, 365)
    case 'custom': {
      const to = chosen.to ?? today
      return { from: chosen.from ?? to, to }
    }
  }
}

/** The days of a report as somebody chose them; those of one as of a day are that day. */
export const spanFor = (
  kind: ReportKind,
  { period, from, to }: { period?: string | undefined; from?: Day | undefined; to?: Day | undefined },
  today: Day,
): Span => {
  const span = spanOf(periodOf(kind, period), today, { from, to })
  return kindInfo[kind].days === 'asOf' ? { from: span.to, to: span.to } : span
}

/** What is wrong with days that somebody chose, as a sentence with where it stands; null for nothing. */
export const spanProblem = (
  kind: ReportKind,
  { from, to }: Span,
  today: Day,
): { path: 'from' | 'to'; message: string } | null => {
  const { days } = kindInfo[kind]
  if (to < from) return { path: 'to', message: 'It ends before it begins.' }
  if (days === 'asOf') {
    if (to > today) return { path: 'to', message: 'That day is still to come. Choose today or an earlier day.' }
    if (addMonths(to, longestMonths) < today)
      return { path: 'to', message: `Choose a day of the last ${longestMonths} months.` }
    return null
  }
  if (addMonths(from, longestMonths) <= to)
    return { path: 'to', message: `A report holds ${longestMonths} months at most. Choose a shorter period.` }
  return null
}

/** "Nov 1 to Nov 30, 2026", "As of Nov 30, 2026". */
export const spanText = (kind: ReportKind, { from, to }: Span): string => {
  const last = formatDay(to, { year: true })
  if (kindInfo[kind].days === 'asOf') return `As of ${last}`
  return from === to ? last : `${formatDay(from, { year: true })} to ${last}`
}

// Cells

export const cellTypes = ['text', 'day', 'cents', 'count', 'percent', 'hours', 'minutes', 'tenths', 'number'] as const
export type CellType = (typeof cellTypes)[number]
export type Cell = string | number | null

/** A cell as a person reads it. Hours are seconds inside, minutes are seconds too. */
export const cellText = (type: CellType, value: Cell): string => {
  if (value === null || value === '') return '–'
  if (typeof value === 'string') return type === 'day' ? formatDay(value, { year: true }) : value
  switch (type) {
    case 'cents':
      return formatCents(value)
    case 'percent':
      return formatPercent(value)
    case 'hours':
      return (value / 3600).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    case 'minutes':
      return Math.round(value / 60).toLocaleString('en-US')
    case 'tenths':
      return value.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    default:
      return value.toLocaleString('en-US')
  }
}

/** The same as a spreadsheet adds it up: dollars, hours with two decimals, whole minutes, percent as written. */
export const cellNumber = (type: CellType, value: Cell): Cell => {
  if (typeof value !== 'number') return value
  if (type === 'cents') return value / 100
  if (type === 'hours') return Math.round(value / 36) / 100
  if (type === 'minutes') return Math.round(value / 60)
  return value
}

/** The same in a plain file, which has no format: a number to one decimal is written with it, so that 1.0 stands below 1.7. */
export const cellPlain = (type: CellType, value: Cell): Cell =>
  type === 'tenths' && typeof value === 'number' ? value.toFixed(1) : cellNumber(type, value)

/** A column's head as a file has it: with its unit, because there a number stands alone. */
export const fileHead = ({ label, type }: { label: string; type: CellType }): string =>
  type === 'percent' ? `${label} (%)` : label

// When it goes out

/**
 * On a phone what a row comes to stands right behind its name, so that it is seen without a swipe: the sum of all first where a report has one, then
 * the other numbers, then words and days. @returns the place of each column
 */
export const phoneOrder = (columns: readonly { id: string; type: CellType }[]): number[] => {
  const rank = ({ id, type }: { id: string; type: CellType }): number =>
    id === 'total' ? 0 : type === 'text' || type === 'day' ? 2 : 1
  const [name, ...rest] = columns.map((column, at) => ({ at, rank: rank(column) }))
  return name ? [name.at, ...rest.toSorted((a, b) => a.rank - b.rank).map(({ at }) => at)] : []
}

export const reportFormats = ['csv', 'xlsx', 'pdf'] as const
export type ReportFormat = (typeof reportFormats)[number]
export const formatLabels: Record<ReportFormat, string> = { csv: 'CSV', xlsx: 'Excel', pdf: 'PDF' }

export const rhythms = ['weekly', 'monthly'] as const

export type When = {
  rhythm: (typeof rhythms)[number]
  /** 0 is Sunday. */
  weekday: number
  /** 1 to 31, in a shorter month its last day. */
  monthDay: number
  /** Of the business's clock. */
  hour: number
}

/** The first day on which it goes out, today among them while its hour has not come. @param minute of the business's clock */
export const nextTurn = ({ rhythm, weekday, monthDay, hour }: When, today: Day, minute: number): Day => {
  const earliest = minute < hour * 60 ? today : addDays(today, 1)
  if (rhythm === 'weekly') return addDays(earliest, (weekday - weekdayOf(earliest) + 7) % 7)
  const thisMonth = addMonths(earliest, 0, monthDay)
  return thisMonth >= earliest ? thisMonth : addMonths(monthOf(earliest), 1, monthDay)
}

/** "Every Monday at 7:00 AM". */
export const whenText = ({ rhythm, weekday, monthDay, hour }: When): string =>
  `${rhythm === 'weekly' ? `Every ${weekdayNames[weekday]}` : `On ${monthDayLabel(monthDay)} of every month`} at ${formatMinute(hour * 60)}`

/** For so many days a mailed report's files are kept: as long as its mail may be asked about. */
export const fileDays = 30

/** Most addresses that one report goes to, and most reports that a business keeps. */
export const mostRecipients = 20
export const mostSaved = 100
/** Rows on the screen at once, and in a file or on the screen at all. */
export const pageRows = 200
export const mostRows = 5000

/** What is said where a report has more rows than it shows. */
export const cappedText = (count: number): string =>
  `The first ${mostRows.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} rows. The totals are of all of them; choose a shorter period or a filter for the rest.`
