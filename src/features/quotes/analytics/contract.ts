import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { lostReasons } from '../rules.ts'

const Group = z.object({
  name: z.string(),
  sent: z.number().int(),
  won: z.number().int(),
  wonCents: z.number().int(),
})

export const QuoteAnalytics = z.object({
  days: z.number().int(),
  sent: z.number().int(),
  sentCents: z.number().int(),
  viewed: z.number().int(),
  won: z.number().int(),
  wonCents: z.number().int(),
  lost: z.number().int(),
  lostCents: z.number().int(),
  open: z.number().int(),
  openCents: z.number().int(),
  /** From the first sending to the answer, in hours, the middle one; null while nobody answered. */
  medianHours: z.number().nullable(),
  reasons: z.array(
    z.object({ reason: z.enum(lostReasons).nullable(), count: z.number().int(), cents: z.number().int() }),
  ),
  bySource: z.array(Group),
  bySeller: z.array(Group),
  byTemplate: z.array(Group),
})
export type QuoteAnalytics = z.output<typeof QuoteAnalytics>

export const quoteAnalyticsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/quote-analytics',
    access: 'office',
    permission: 'money',
    query: z.object({ days: z.coerce.number().int().min(7).max(365).default(90) }),
    response: QuoteAnalytics,
    summary: 'What became of the quotes that were first sent in the last days',
  }),
}
