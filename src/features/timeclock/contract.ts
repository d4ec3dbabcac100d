import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { entryKinds, isClockDay } from './rules.ts'

const Day = z.string().refine(isClockDay, 'Use a day like 2026-06-12.')

export const TimeEntry = z.object({
  id: z.uuid(),
  kind: z.enum(entryKinds),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  flagged: z.string().nullable(),
})
export type TimeEntry = z.output<typeof TimeEntry>

const Sums = z.object({ workSeconds: z.number(), breakSeconds: z.number(), paidSeconds: z.number() })

/** A person's own clock: now, today and this week. */
export const Clock = z.object({
  state: z.enum(['off', 'working', 'break']),
  since: z.string().nullable(),
  /** When today's first piece of work began. */
  clockedInAt: z.string().nullable(),
  today: Day,
  timeZone: z.string(),
  serverTime: z.string(),
  entries: z.array(TimeEntry),
  week: z.object({ from: Day, to: Day, paidSeconds: z.number(), days: z.array(Sums.extend({ day: Day })) }),
  /** An entry that nobody ended, or that was ended by a guess, with when it probably did. */
  forgotten: z.object({ id: z.uuid(), startedAt: z.string(), suggestedEnd: z.string() }).nullable(),
  /** Commands that had come into a locked week and about which the office has decided; a clock that is stored on a phone may not know. */
  settled: z.array(z.uuid()).optional(),
  /** The state whose law owes a meal; null where none does. A clock that is stored on a phone may not know. */
  mealState: z.string().nullish(),
})
export type Clock = z.output<typeof Clock>

export const timeclockApi = {
  clock: endpoint({
    method: 'GET',
    path: '/api/crew/clock',
    access: 'member',
    query: z.object({ week: Day.optional() }),
    response: Clock,
    summary: 'My clock: state, today, a week',
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/time-entries',
    access: 'member',
    query: z.object({
      from: Day,
      to: Day,
      userId: z.uuid().optional(),
      flagged: z.stringbool().optional(),
      ...page(100),
    }),
    response: z.object({
      items: z.array(
        TimeEntry.extend({
          userId: z.uuid(),
          name: z.string(),
          crewId: z.uuid().nullable(),
          crewName: z.string().nullable(),
          source: z.enum(['clock', 'manual']),
          skewSeconds: z.number().int(),
          note: z.string(),
        }),
      ),
      nextCursor: z.string().nullable(),
      total: z.number().int(),
    }),
    summary: 'Time entries: all with the payroll permission, else only my own',
  }),
}
