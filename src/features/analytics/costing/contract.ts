import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { costKinds, costPeriods, costSorts, noKey, priceReasons, routeKey } from './rules.ts'

const Cents = z.number().int()
const Count = z.number().int()

const costs = {
  completions: Count,
  worthCents: Cents,
  laborSeconds: Count,
  laborCents: Cents,
  expenseCents: Cents,
  /** Used from stock, at cost, without what was bought for the same visits. */
  materialCents: Cents,
  /** Of the visits of which the clock says how long they took. */
  clockedCompletions: Count,
  clockedWorthCents: Cents,
  clockedLaborSeconds: Count,
}

export const CostRow = z.object({
  key: z.string(),
  name: z.string(),
  /** What tells it from others of the same name. */
  sub: z.string(),
  ...costs,
  /** Visits in tenths: one with several services counts in the rows of each with its part of the minutes, so that the rows add up to all visits. */
  visitTenths: Count,
  /** What a visit at a property would have to cost to earn the target and what it costs now, or why none is told; null where it is no property. */
  targetPriceCents: Cents.nullable(),
  nowPriceCents: Cents.nullable(),
  priceReason: z.enum(priceReasons).nullable(),
  priceWhy: z.string().nullable(),
})
export type CostRow = z.output<typeof CostRow>

export const CostList = z.object({
  by: z.enum(costKinds),
  from: z.string(),
  to: z.string(),
  targetLaborHourCents: Cents,
  total: z.object(costs),
  /** Spent in these days for no crew, job or visit that was at work in them. */
  otherExpenseCents: Cents,
  /** Bought for stock in days that used of it: it counts where it is used, and is in no other figure. */
  stockExpenseCents: Cents,
  /** Uses of material that has no cost, so that nothing is counted for them. */
  uncostedUses: Count,
  /** Groups that earn less than the target for a labor hour. */
  belowTarget: Count,
  /** Groups of which enough time is known to say what an hour earned. */
  told: Count,
  count: Count,
  items: z.array(CostRow),
})
export type CostList = z.output<typeof CostList>

export const CostVisit = z.object({
  id: z.uuid(),
  day: z.string(),
  customer: z.string(),
  place: z.string(),
  ...costs,
})
export type CostVisit = z.output<typeof CostVisit>

/** Costs tell wages and money at once. */
const office = { access: 'office', permission: ['money', 'payroll'], needsSubscription: true } as const
const which = {
  period: z.enum(costPeriods).default('month'),
  by: z.enum(costKinds).default('property'),
}

export const costingApi = {
  list: endpoint({
    ...office,
    method: 'GET',
    path: '/api/analytics/costs',
    query: z.object({
      ...which,
      sort: z.enum(costSorts).default('least'),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
    }),
    response: CostList,
    summary: 'What finished work came to and what it cost, by property, visit, service, crew, route or customer',
  }),
  visits: endpoint({
    ...office,
    method: 'GET',
    path: '/api/analytics/costs/visits',
    query: z.object({
      ...which,
      key: z.uuid().or(z.literal(noKey)).or(z.string().regex(routeKey, 'Not a route')),
      limit: z.coerce.number().int().min(1).max(200).default(200),
    }),
    response: z.object({ items: z.array(CostVisit), count: Count }),
    summary: 'The visits that such a figure is made of, the newest first',
  }),
}
