import { addDays, type Day } from './dates.ts'

/** Days to pay are those of the invoices that were paid in full in the last so many days, today included. */
export const daysToPayWindow = 90

/** The first of those days. */
export const daysToPayFrom = (today: Day): Day => addDays(today, 1 - daysToPayWindow)

/** "18 days", "1 day", "same day". */
export const daysToPayLabel = (days: number): string =>
  days === 0 ? 'same day' : days === 1 ? '1 day' : `${days} days`
