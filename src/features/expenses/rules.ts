import type { Refusal } from '../../shared/can.ts'
import { addDays, addMonths, type Day, daysBetween } from '../../shared/dates.ts'
import { allocateCents } from '../../shared/money.ts'

/** How an expense was paid; `personal` is money of a person who gets it back, `payout` what a card provider kept before it paid out. */
export const methods = {
  card: 'Company card',
  cash: 'Cash',
  check: 'Check',
  bank: 'Bank transfer',
  account: 'On account',
  personal: 'Own money',
  payout: 'Kept of a payout',
} as const
export type Method = keyof typeof methods
export const methodNames = Object.keys(methods) as Method[]
/** How a person can say that something was paid: what a provider keeps comes by itself. */
export const paidMethods: readonly Method[] = methodNames.filter((method) => method !== 'payout')

/** The most parts of one expense. */
export const mostParts = 20
/** The most that is handed in from a phone, in cents: a slip of the keys is no expense of a million. */
export const mostOnTheWayCents = 500_000
/** The most receipts of one expense. */
export const mostReceipts = 10
/** The longest span that is listed or added up at once, in days. */
export const longestDays = 366

/** Why a span of days is refused, or null. */
export const spanProblem = (from: Day, to: Day): string | null =>
  from > to
    ? 'The first day is after the last.'
    : daysBetween(from, to) >= longestDays
      ? 'Expenses are shown for a year at most.'
      : null

/** First and last day of the month that a day is in. */
export const spanOfMonth = (day: Day): { from: Day; to: Day } => {
  const from = `${day.slice(0, 7)}-01`
  return { from, to: addDays(addMonths(from, 1), -1) }
}

/** Why parts cannot stand, or null: they add up to the total to the cent. An expense without parts is one part. */
export const partsProblem = (totalCents: number, parts: readonly { amountCents: number }[]): string | null => {
  if (parts.length === 0) return null
  const sum = parts.reduce((all, part) => all + part.amountCents, 0)
  if (sum === totalCents) return null
  const off = (Math.abs(totalCents - sum) / 100).toFixed(2)
  return `The parts come to $${off} ${sum < totalCents ? 'less' : 'more'} than the total.`
}

/** A total spread evenly over so many parts, to the cent. */
export const evenParts = (totalCents: number, count: number): number[] =>
  allocateCents(
    totalCents,
    Array.from({ length: count }, () => 1),
  )

export type ExpenseAction = 'update' | 'remove' | 'restore' | 'addPhoto'
export type ExpenseFacts = { removed: boolean; receiptCount: number; source: string }

const gone: Refusal<ExpenseFacts> = ({ removed }) =>
  removed ? 'This expense was removed. Restore it first; nothing was changed.' : null

const kept: Refusal<ExpenseFacts> = (facts) =>
  facts.source === 'payout'
    ? 'The card provider kept this of a payout: it stands here as the provider says, and nobody changes it. Nothing was changed.'
    : gone(facts)

/** Why the state of an expense refuses an action. */
export const expenseRefusals: Record<ExpenseAction, Refusal<ExpenseFacts>> = {
  update: kept,
  remove: kept,
  restore: ({ removed }) => (removed ? null : 'This expense is in the books already.'),
  addPhoto: (facts) =>
    gone(facts) ??
    (facts.receiptCount >= mostReceipts
      ? `An expense keeps up to ${mostReceipts} receipts. This one was not added.`
      : null),
}

/** What a crew pays for on the way. */
export const kindsOnTheWay = ['fuel', 'disposal', 'materials', 'repairs', 'other'] as const

/** What a crew member paid on the way and hands in, with its photos behind it. */
export type PaidOnTheWay = {
  kind: (typeof kindsOnTheWay)[number]
  totalCents: number
  vendor: string
  note: string
  ownMoney: boolean
}

/** A day that is probably mistyped: said beside it before it is saved, and taken all the same. */
export const oddDay = (day: Day | null, today: Day): string | undefined =>
  day !== null && daysBetween(day, today) > 366 ? `More than a year ago: is ${day.slice(0, 4)} right?` : undefined
