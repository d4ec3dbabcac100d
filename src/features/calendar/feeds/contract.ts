import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { feedActions } from './rules.ts'

export const CalendarFeed = z.object({
  id: z.uuid(),
  crewId: z.uuid().nullable(),
  userId: z.uuid().nullable(),
  /** Whose days it shows. */
  name: z.string(),
  /** The secret address: whoever has it reads the feed. */
  url: z.string(),
  createdAt: z.string(),
  can: z.record(z.enum(feedActions), z.boolean()),
})
export type CalendarFeed = z.output<typeof CalendarFeed>

const reads = { access: 'office', permission: 'schedule' } as const
const changes = { ...reads, needsSubscription: true, idempotent: true } as const

export const calendarFeedsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/calendar/feeds',
    ...reads,
    response: z.object({ items: z.array(CalendarFeed) }),
    summary: 'Calendars that other programs subscribe to',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/calendar/feeds',
    ...changes,
    body: z
      .object({ crewId: z.uuid().nullable().default(null), userId: z.uuid().nullable().default(null) })
      .refine((b) => (b.crewId === null) !== (b.userId === null), {
        path: ['crewId'],
        message: 'Pick a crew or a person.',
      }),
    response: CalendarFeed,
    summary: 'A feed for a crew or a person; where there is one it is answered',
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/calendar/feeds/:id/revoke',
    ...changes,
    params: z.object({ id: z.uuid() }),
    response: z.object({ id: z.uuid() }),
    summary: 'The address shows nothing from now on, for good',
  }),
  /** Read by calendar programs, which carry no session: the token is the key. */
  file: endpoint({
    method: 'GET',
    path: '/api/ics/:token',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    response: z.any(),
    summary: 'A feed as an iCalendar file',
  }),
}
