import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Cents = z.number().int()
const Id = z.object({ id: z.uuid() })
const Period = z.object({ from: Day, to: Day })

/** What a customer owed, what came to it and what they paid, from a day to a day; its numbers are the ledger's. */
export const Statement = z.object({
  customer: z.object({ id: z.uuid(), name: z.string(), email: z.string().nullable() }),
  from: Day,
  to: Day,
  openingCents: Cents,
  entries: z.array(z.object({ id: z.uuid(), onDay: Day, label: z.string(), amountCents: Cents, balanceCents: Cents })),
  /** What was charged, and what was paid, credited or let go; the second is negative. */
  chargedCents: Cents,
  paidCents: Cents,
  closingCents: Cents,
})
export type Statement = z.output<typeof Statement>

const read = { access: 'office', permission: 'money', params: Id } as const

export const statementsApi = {
  get: endpoint({
    ...read,
    method: 'GET',
    path: '/api/customers/:id/statement',
    query: Period,
    response: Statement,
    summary: 'What a customer owed and paid in a period, entry by entry',
  }),
  pdf: endpoint({
    ...read,
    method: 'GET',
    path: '/api/customers/:id/statement/pdf',
    query: Period,
    response: z.any(),
    summary: 'The same as PDF',
  }),
  send: endpoint({
    ...read,
    method: 'POST',
    path: '/api/customers/:id/statement/send',
    needsSubscription: true,
    idempotent: true,
    body: Period,
    response: z.object({ address: z.string() }),
    summary: 'Mail it to the customer with the PDF',
  }),
}
