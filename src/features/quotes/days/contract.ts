import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

export const QuoteRules = z.object({
  /** Hundredths of a percent off where a place adds at most so many minutes of driving a visit; 0 gives none. */
  densityPercent: z.number().int().min(0).max(5000, 'At most 50%.'),
  densityMinutes: z.number({ error: 'A number is needed' }).int().min(0).max(120, 'At most two hours.'),
  /** The customer reads which day it would be. */
  offersDay: z.boolean(),
  version: z.number().int(),
})
export type QuoteRules = z.output<typeof QuoteRules>

export const BestDays = z.object({
  offers: z.array(
    z.object({
      weekday: z.number().int().min(0).max(6),
      crewId: z.uuid(),
      crewName: z.string(),
      /** Of a visit, on average over the next two weeks. */
      addedSeconds: z.number().int(),
      stops: z.number().int(),
      /** What is off for that day, in hundredths of a percent. */
      densityPercent: z.number().int(),
    }),
  ),
  /** Weekdays on which no crew has room. */
  full: z.array(z.number().int()),
  /** Why nothing can be said, or null. */
  problem: z.string().nullable(),
})
export type BestDays = z.output<typeof BestDays>

const read = { access: 'office', permission: 'money' } as const

export const quoteDaysApi = {
  best: endpoint({
    method: 'GET',
    path: '/api/quotes/:id/best-days',
    ...read,
    params: z.object({ id: z.uuid() }),
    response: BestDays,
    summary: 'Weekdays and crews by the driving that the work of a quote adds, the least first',
  }),
  rules: endpoint({
    method: 'GET',
    path: '/api/quote-rules',
    ...read,
    response: QuoteRules,
    summary: 'What is off for a place on the way, and whether a customer reads of the day',
  }),
  setRules: endpoint({
    method: 'PUT',
    path: '/api/quote-rules',
    access: 'office',
    permission: 'settings',
    needsSubscription: true,
    idempotent: true,
    body: QuoteRules,
    response: QuoteRules,
    summary: 'Change what is off for a place on the way; quotes that have a day keep theirs',
  }),
}
