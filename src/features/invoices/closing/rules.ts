import { addDays, addMonths, type Day, formatDay, monthNames } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'

/** A month of the calendar: "2026-10". */
export type Month = string

/** The month that a day is in. */
export const monthOf = (day: Day): Month => day.slice(0, 7)

/** First and last day of a month. */
export const daysOfMonth = (month: Month): { from: Day; to: Day } => {
  const from = `${month}-01`
  return { from, to: addDays(addMonths(from, 1), -1) }
}

/** "October 2026". */
export const monthLabel = (month: Month): string =>
  `${monthNames[Number(month.slice(5, 7)) - 1] ?? month} ${month.slice(0, 4)}`

/** Whether money dated on a day is in a closed month. @param closedThrough the last closed day, or null */
export const isClosedDay = (closedThrough: Day | null, day: Day): boolean =>
  closedThrough !== null && day <= closedThrough

/** The last months that can be closed or were, newest first. @param count how many */
export const pastMonths = (today: Day, count: number): Month[] =>
  Array.from({ length: count }, (_, i) => monthOf(addMonths(`${monthOf(today)}-01`, -1 - i)))

/** What closing a month looks at. */
export type ClosingFacts = { month: Month; today: Day; closedThrough: Day | null }

/** Why a month cannot be closed or opened again. */
export const closingRefusals = {
  close: ({ month, today, closedThrough }: ClosingFacts): string | null => {
    const { to } = daysOfMonth(month)
    return to >= today
      ? `${monthLabel(month)} is not over yet. It can be closed from ${formatDay(addDays(to, 1), { year: true })}. Nothing was changed.`
      : isClosedDay(closedThrough, to)
        ? `${monthLabel(month)} is closed already. Nothing was changed.`
        : null
  },
  reopen: ({ month, closedThrough }: ClosingFacts): string | null =>
    isClosedDay(closedThrough, daysOfMonth(month).to)
      ? null
      : `${monthLabel(month)} is open already. Nothing was changed.`,
}

/** The open months before one that close with it, oldest first; null where nothing is closed yet, so that every month before does. */
export const monthsThatClose = (month: Month, closedThrough: Day | null): Month[] | null => {
  if (closedThrough === null) return null
  const months: Month[] = []
  for (let next = monthOf(addDays(closedThrough, 1)); next < month; next = monthOf(addMonths(`${next}-01`, 1)))
    months.push(next)
  return months
}

/** The closed months that open with one: it and all after it, oldest first. */
export const monthsThatOpen = (month: Month, closedThrough: Day | null): Month[] => {
  const months: Month[] = []
  for (
    let next = month;
    isClosedDay(closedThrough, daysOfMonth(next).to);
    next = monthOf(addDays(daysOfMonth(next).to, 1))
  )
    months.push(next)
  return months
}

const kindLabels = {
  invoice: 'Invoice',
  payment: 'Payment',
  credit: 'Credit',
  refund: 'Refund',
  void: 'Voided invoice',
  write_off: 'Write-off',
  adjustment: 'Correction',
  dispute: 'Disputed payment',
  tip: 'Tip',
} as const

/** "Payment of $85.00". */
export const movementLabel = (kind: keyof typeof kindLabels, amountCents: number): string =>
  `${kindLabels[kind]} of ${formatCents(Math.abs(amountCents))}`

/** Where months are closed and opened again, by the names of the buttons. */
const monthsPlace = 'at Invoices, “For the accountant”, Months'

/** What is said to who dates money in a closed month. @param mayReopen whether they are who opens it again */
export const closedMonthMessage = (day: Day, mayReopen = false): string =>
  `${monthLabel(monthOf(day))} is closed, so nothing is booked on ${formatDay(day, { year: true })}. Nothing was changed: date it today, or ${mayReopen ? `reopen the month ${monthsPlace}` : 'ask the owner to reopen the month'}.`

/** What is said to somebody other than an owner who asks for an exception. */
export const onlyOwnerMessage =
  'Only an owner can book into a closed month. Nothing was changed: date it today, or ask the owner.'

/** What stands on a payment whose message came late. */
export const lateNote = (paidOn: Day): string =>
  `Paid on ${formatDay(paidOn, { year: true })}; ${monthLabel(monthOf(paidOn))} was closed when it arrived here`
