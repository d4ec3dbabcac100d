import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { bases, cashWeeks, listedKinds } from './rules.ts'

const Cents = z.number().int()
const Count = z.number().int()

export const CashFlow = z.object({
  today: z.string(),
  weeks: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      in: z.object({ invoices: Cents, drafts: Cents, work: Cents, plans: Cents }),
      out: z.object({ labor: Cents, recurring: Cents, other: Cents }),
    }),
  ),
  /** What it is reckoned from. */
  known: z.object({
    /** Days from an invoice to its money of the last 90 days; null where nothing was paid in them. */
    daysToPay: Count.nullable(),
    /** Days from work to its invoice of the last 90 days; null where none was made in them. */
    daysToBill: Count.nullable(),
    /** What an hour of a person costs with taxes and insurance. */
    hourCents: Cents,
    /** Part of the labor time on the road in the last 30 days, in percent. */
    drivePercent: z.number(),
    /** What other costs came to in a week, and of how many weeks that is the mean. */
    otherCents: Cents,
    otherWeeks: Count,
    /** Paid ahead, and taken off the first work of these weeks that it pays. */
    aheadCents: Cents,
  }),
  /**
   * Open and counted on in none of these weeks: too late to count on, disputed, or expected after them; finished work that nobody billed for long, and
   * visits that nobody closed for long, with the first day of such; planned work of jobs that are billed by contract, which no billing plan covers.
   */
  leftOut: z.object({
    doubtfulCents: Cents,
    disputedCents: Cents,
    laterCents: Cents,
    neverBilledCents: Cents,
    neverClosedCents: Cents,
    neverClosedFrom: z.string().nullable(),
    byContractCents: Cents,
  }),
})
export type CashFlow = z.output<typeof CashFlow>

export const CashItem = z.object({
  /** Unique in its list. */
  key: z.string(),
  /** Of the invoice, the visit, the plan's customer or the cost. */
  id: z.uuid(),
  title: z.string(),
  /** Of an invoice. */
  number: Count.nullable(),
  /** The day of the work, of the bill, or on which it is due. */
  onDay: z.string().nullable(),
  /** The day on which it is expected. */
  day: z.string(),
  /** Without sales tax, and without what was paid ahead for it. */
  cents: Cents,
  taxCents: Cents,
  aheadCents: Cents,
  basis: z.enum(bases).nullable(),
})
export type CashItem = z.output<typeof CashItem>

const office = { access: 'office', permission: ['money', 'payroll'], needsSubscription: true } as const

export const cashFlowApi = {
  get: endpoint({
    ...office,
    method: 'GET',
    path: '/api/analytics/cash-flow',
    response: CashFlow,
    summary: 'What comes in and goes out in the next 12 weeks, as far as it can be told',
  }),
  items: endpoint({
    ...office,
    method: 'GET',
    path: '/api/analytics/cash-flow/items',
    query: z.object({
      week: z.coerce
        .number()
        .int()
        .min(0)
        .max(cashWeeks - 1),
      kind: z.enum(listedKinds),
    }),
    response: z.object({ items: z.array(CashItem), count: Count }),
    summary: 'The amounts that such a figure is made of, the largest first; 200 at most',
  }),
}
