import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')

/** Whether and when an invoice is reminded of. */
export const InvoiceReminders = z.object({
  /** Whether the business reminds of open invoices by itself. */
  byRule: z.boolean(),
  /** When the next one leaves by itself. */
  nextOn: Day.nullable(),
  /** The day on which autopay charges it; none reminds of it until then. */
  autopay: Day.nullable(),
  /** Why none leaves any more; null while they do. */
  stopped: z.string().nullable(),
  /** What its next late fee comes to, where that rests because the customer answered: the office charges it or lets it go. */
  restingFeeCents: z.number().int().nullable(),
  promisedOn: Day.nullable(),
  /** The day from which they and late fees count, where that is later than the due day: what had been paid was owed again, or it came back and reached its customer later. */
  anew: z.object({ on: Day, why: z.enum(['open_again', 'reached']) }).nullable(),
})
