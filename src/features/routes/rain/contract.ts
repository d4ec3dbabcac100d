import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'

/** What a rain push shows before it acts, beside what every proposal has. */

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

export const RainFacts = z.object({
  strategy: z.enum(['push', 'replan', 'skip']),
  /** What else was asked for, so that it can be asked for again with something changed. */
  crewIds: z.array(z.uuid()).nullable(),
  onDays: z.array(Day).nullable(),
  makeUpDay: Day.nullable(),
  days: z.array(
    z.object({
      day: Day,
      /** Rain that is to come on it, in words. */
      rain: z.string().nullable(),
      /** Past the shifts, of all crews. */
      overtimeBefore: z.number().int(),
      overtimeAfter: z.number().int(),
    }),
  ),
  overtimeBefore: z.number().int(),
  overtimeAfter: z.number().int(),
  /** Stops of the rained-off day that stay there, or may go because somebody ticked them. */
  held: z.array(
    z.object({
      visitId: z.uuid(),
      street: z.string(),
      customerName: z.string(),
      reason: z.string(),
      ticked: z.boolean(),
    }),
  ),
  /** Changes with something to look at. */
  warnings: z.number().int(),
  tells: z.object({
    texts: z.number().int(),
    emails: z.number().int(),
    /** Texts that quiet hours hold, and until when; null where none. */
    quietUntil: z.string().nullable(),
    /** Customers whom nothing reaches, and why; at most 50 of `unreached`. */
    nobody: z.array(z.object({ customerId: z.uuid(), name: z.string(), reason: z.string() })),
    unreached: z.number().int(),
  }),
})
export type RainFacts = z.output<typeof RainFacts>
