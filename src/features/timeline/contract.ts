import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { Photo } from '../messages/contract.ts'
import { timelineKinds } from './rules.ts'

export const TimelineItem = z.object({
  id: z.uuid(),
  kind: z.enum(timelineKinds),
  at: z.string(),
  /** Only the day is known, not the minute. */
  dayOnly: z.boolean(),
  title: z.string(),
  text: z.string(),
  /** Who: the crew, the person, the address. */
  who: z.string().nullable(),
  amountCents: z.number().int().nullable(),
  /** What a customer sent along. */
  photos: z.array(Photo),
  /** Where it stands. */
  path: z.string().nullable(),
})
export type TimelineItem = z.output<typeof TimelineItem>

const byId = z.object({ id: z.uuid() })
const change = { access: 'office', permission: 'customers', needsSubscription: true, idempotent: true } as const

export const timelineApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/customers/:id/timeline',
    access: 'office',
    permission: 'customers',
    params: byId,
    query: z.object({ kind: z.enum(timelineKinds).optional(), ...page(30) }),
    response: z.object({ items: z.array(TimelineItem), nextCursor: z.string().nullable() }),
    summary: 'What happened with a customer, the latest first; money only for who may see it',
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/api/customers/:id/notes',
    ...change,
    params: byId,
    body: z.object({
      text: z.string().trim().min(1, 'Write the note first.').max(4000, 'A note can have at most 4,000 characters.'),
    }),
    response: TimelineItem,
  }),
  removeNote: endpoint({
    method: 'DELETE',
    path: '/api/notes/:id',
    ...change,
    params: byId,
    response: z.object({ id: z.uuid(), text: z.string() }),
  }),
}
