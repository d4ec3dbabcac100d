import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'

const Cents = z.number().int()
const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Person = z.object({ userId: z.uuid(), name: z.string(), cents: Cents })

/** A tip as it came, or what of one went back (below zero), with whose it is. */
export const TipMove = z.object({
  id: z.uuid(),
  paymentId: z.uuid(),
  onDay: z.string(),
  amountCents: Cents,
  customerName: z.string(),
  /** Null for one that was handed over at the door. */
  invoice: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** "R-1007" */
  receipt: z.string().nullable(),
  /** Nobody where somebody still has to say whose it is. */
  people: z.array(Person),
})
export type TipMove = z.output<typeof TipMove>

export const TipsReport = z.object({
  /** Whether the business takes tips now. */
  isOn: z.boolean(),
  from: z.string(),
  to: z.string(),
  totalCents: Cents,
  /** Whose nobody has said yet. */
  unnamedCents: Cents,
  people: z.array(Person.extend({ count: z.number().int() })),
  /** The newest, those that are nobody's first. */
  items: z.array(TipMove),
  /** There are more than are listed; the file has all. */
  more: z.boolean(),
})
export type TipsReport = z.output<typeof TipsReport>

const Period = z.object({ from: Day, to: Day })
const read = { access: 'office', permission: 'payroll' } as const

export const tipsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/tips',
    ...read,
    query: Period,
    response: TipsReport,
    summary: 'Tips of a span of days by person, for payroll; what went back is taken off on its day',
  }),
  csv: endpoint({
    method: 'GET',
    path: '/api/tips/csv',
    ...read,
    query: Period,
    response: z.any(),
    summary: 'The same as CSV, a row a tip and person',
  }),
  setPeople: endpoint({
    method: 'PUT',
    path: '/api/payments/:id/tip/people',
    ...read,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({ memberUserIds: z.array(z.uuid()).min(1, 'Choose at least one person').max(20) }),
    response: z.object({ people: z.array(Person) }),
    summary: 'Say whose a tip is; they share it evenly',
  }),
}
