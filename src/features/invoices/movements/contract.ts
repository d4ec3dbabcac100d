import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { page } from '../../../shared/list.ts'
import { movementViews } from './rules.ts'

const Cents = z.number().int()
const Day = z.string().refine(isDay, 'Not a day of the calendar')

export const Movement = z.object({
  id: z.uuid(),
  onDay: Day,
  customer: z.object({ id: z.uuid(), name: z.string() }),
  /** "Payment by check, R-7". */
  label: z.string(),
  /** Of money that came: what was noted with it, as the number of a check. */
  note: z.string(),
  /** What the customer owes more or less by it. */
  amountCents: Cents,
  /** It was recorded by mistake, and taken back by a movement of its own. */
  takenBack: z.boolean(),
  /** It was only played. */
  test: z.boolean(),
  /** The invoice that it is about; the oldest of several, null where there is none. */
  invoiceId: z.uuid().nullable(),
})
export type Movement = z.output<typeof Movement>

export const movementsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/books/movements',
    access: 'office',
    permission: 'money',
    query: z.object({ view: z.enum(movementViews).default('received'), from: Day, to: Day, ...page(50) }),
    response: z.object({
      items: z.array(Movement),
      nextCursor: z.string().nullable(),
      count: z.number().int(),
      totalCents: Cents,
      /** What came by which way, the most first; empty where it is nothing that came. */
      ways: z.array(z.object({ method: z.string(), count: z.number().int(), cents: Cents })),
    }),
    summary: 'Movements of the ledger of a span of days, the newest first, and what they come to',
  }),
}
