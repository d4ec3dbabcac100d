import {
  addDays,
  addMonths,
  type Day,
  formatDay,
  formatMinute,
  weekdayNames,
  weekdayOf,
} from '../../../shared/dates.ts'

/** When a business invoices its finished visits without anybody pressing. */

export const rhythms = ['daily', 'weekly', 'monthly'] as const
export type Rhythm = (typeof rhythms)[number]
export const autoInvoiceRhythms = ['off', ...rhythms] as const

/** What a customer may have of their own. */
export const ownRhythms = ['never', ...rhythms] as const
export type OwnRhythm = (typeof ownRhythms)[number]

export const ownRhythmLabels: Record<OwnRhythm, string> = {
  never: 'Never automatically',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
}

export type AutoInvoices = {
  rhythm: (typeof autoInvoiceRhythms)[number]
  /** 0 is Sunday; of those who are invoiced every week. */
  weekday: number
  /** 1 to 31, in a shorter month its last day; of those who are invoiced every month. */
  monthDay: number
  /** Of the business's clock. */
  hour: number
  /** Issued and sent; else drafts that somebody looks over. */
  send: boolean
}

/** Off, with what somebody who switches it on begins with. */
export const noAutoInvoices: AutoInvoices = { rhythm: 'off', weekday: 5, monthDay: 31, hour: 18, send: true }

/** The rule of a business from what is stored; nothing stored is off. */
export const autoInvoicesOf = (stored: unknown): AutoInvoices => ({
  ...noAutoInvoices,
  ...(typeof stored === 'object' && stored !== null ? (stored as Partial<AutoInvoices>) : {}),
})

type When = Pick<AutoInvoices, 'weekday' | 'monthDay' | 'hour'>

/**
 * The day of the last turn of a rhythm that has come.
 * @param today the day of the business
 * @param minute of its clock, since midnight
 */
export const lastTurn = (rhythm: Rhythm, { weekday, monthDay, hour }: When, today: Day, minute: number): Day => {
  const latest = minute >= hour * 60 ? today : addDays(today, -1)
  if (rhythm === 'daily') return latest
  if (rhythm === 'weekly') return addDays(latest, -((weekdayOf(latest) - weekday + 7) % 7))
  const thisMonth = addMonths(latest, 0, monthDay)
  return thisMonth <= latest ? thisMonth : addMonths(latest, -1, monthDay)
}

/** The day of the turn after one. */
export const turnAfter = (rhythm: Rhythm, { monthDay }: Pick<When, 'monthDay'>, turn: Day): Day =>
  rhythm === 'daily' ? addDays(turn, 1) : rhythm === 'weekly' ? addDays(turn, 7) : addMonths(turn, 1, monthDay)

const ordinal = (n: number): string => {
  const tail = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${tail}`
}

export const monthDayLabel = (monthDay: number): string =>
  monthDay === 31 ? 'the last day' : `the ${ordinal(monthDay)}`

const whenLabel = (rhythm: Rhythm, { weekday, monthDay }: When): string =>
  rhythm === 'daily'
    ? 'every day'
    : rhythm === 'weekly'
      ? `every ${weekdayNames[weekday] ?? 'week'}`
      : `on ${monthDayLabel(monthDay)} of every month`

/** "every Friday at 6:00 PM, sent at once"; "off". */
export const autoInvoicesLabel = (rule: AutoInvoices): string =>
  rule.rhythm === 'off'
    ? 'off'
    : `${whenLabel(rule.rhythm, rule)} at ${formatMinute(rule.hour * 60)}, ${rule.send ? 'sent at once' : 'as drafts'}`

/** "Fri, Dec 4, 6:00 PM": when the business's own rhythm has its next turn. */
export const nextTurnLabel = (rule: AutoInvoices & { rhythm: Rhythm }, today: Day, minute: number): string => {
  const next = turnAfter(rule.rhythm, rule, lastTurn(rule.rhythm, rule, today, minute))
  return `${formatDay(next)}, ${formatMinute(rule.hour * 60)}`
}
