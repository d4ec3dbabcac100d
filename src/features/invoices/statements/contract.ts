import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { Reach } from '../../messages/paperways/contract.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Cents = z.number().int()
const Id = z.object({ id: z.uuid() })
const Period = z.object({ from: Day, to: Day })

/** What a customer owed, what came to it and what they paid, from a day to a day; its numbers are the ledger's. */
export const Statement = z.object({
  customer: z.object({
    id: z.uuid(),
    name: z.string(),
    /** Where it goes when it is sent; `why` says why no text goes although one is wanted. */
    reach: Reach,
  }),
  from: Day,
  to: Day,
  openingCents: Cents,
  entries: z.array(z.object({ id: z.uuid(), onDay: Day, label: z.string(), amountCents: Cents, balanceCents: Cents })),
  /** What was charged; what of their money went back, or was taken back; and what was paid, credited or let go, which is negative. */
  chargedCents: Cents,
  /** What of it was charged before the period and voided in it: zero or less. */
  voidedCents: Cents,
  returnedCents: Cents,
  paidCents: Cents,
  closingCents: Cents,
  /** Of what is open, what nobody asks for now, in sentences for the customer. */
  notes: z.array(z.string()),
})
export type Statement = z.output<typeof Statement>

/** Statements sent to all who owe: how far, and what became of each. */
export const StatementRun = z.object({
  id: z.uuid(),
  status: z.enum(['running', 'done']),
  from: Day,
  to: Day,
  /** How many were counted at the press; the sum of the four below is how many were looked at. */
  expected: z.number().int(),
  sentCount: z.number().int(),
  /** They paid, or were put on hold, before theirs was drawn. */
  settledCount: z.number().int(),
  unreachedCount: z.number().int(),
  failedCount: z.number().int(),
  /** The first who got none, with why. */
  without: z.array(z.object({ customerId: z.uuid(), name: z.string(), problem: z.string() })),
  by: z.string().nullable(),
  startedAt: z.string(),
  doneAt: z.string().nullable(),
})
export type StatementRun = z.output<typeof StatementRun>

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
  sinceZero: endpoint({
    ...read,
    method: 'GET',
    path: '/api/customers/:id/statement/since-zero',
    response: z.object({
      /** Null where nothing was booked for a year, or they owed or had money left on each day of it. */
      from: Day.nullable(),
    }),
    summary: 'From which day a statement goes that begins when the customer last owed nothing',
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
  findOpen: endpoint({
    method: 'GET',
    path: '/api/statements/open',
    access: 'office',
    permission: 'money',
    response: z.object({
      /** Customers who owe and whom a mail or a text reaches, and those whom neither does. */
      count: z.number().int(),
      unreachedCount: z.number().int(),
      owedCents: Cents,
    }),
    summary: 'Who would get a statement when all who owe do',
  }),
  lastRun: endpoint({
    method: 'GET',
    path: '/api/statements/runs/last',
    access: 'office',
    permission: 'money',
    response: z.object({ run: StatementRun.nullable() }),
    summary: 'The last time that all who owe were sent their statement: how far it is, and what became of each',
  }),
  sendOpen: endpoint({
    method: 'POST',
    path: '/api/statements/open',
    access: 'office',
    permission: 'money',
    needsSubscription: true,
    idempotent: true,
    body: Period.extend({
      /** What the person saw; where it is another number by now nothing is sent. */
      count: z.number().int().min(1),
      /** The sending that the person saw last (`lastRun`), or null: where another one was made since, nothing is sent. */
      lastId: z.uuid().nullable(),
    }),
    response: StatementRun,
    summary: 'Send all who owe their statement, each as they have their papers',
  }),
  link: endpoint({
    ...read,
    method: 'POST',
    path: '/api/customers/:id/statement/link',
    idempotent: true,
    response: z.object({ url: z.string() }),
    summary: 'The address of the page on which a customer sees and pays what is open; the same until it is taken back',
  }),
  revokeLink: endpoint({
    ...read,
    method: 'POST',
    path: '/api/customers/:id/statement/link/revoke',
    idempotent: true,
    response: z.object({ revoked: z.boolean() }),
    summary: 'Take that address back: it opens nothing any more, and the next one is another',
  }),
}
