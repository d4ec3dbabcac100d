import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

/** Visits that stand on a holiday, by day. */
const BookedOff = z.object({
  today: Day,
  days: z.array(z.object({ day: Day, visits: z.number().int() })),
})

const Moved = z.object({ visitId: z.uuid(), version: z.number().int() })
const change = { access: 'office', permission: 'schedule', needsSubscription: true, idempotent: true } as const

/** Visits that are moved in one go. */
export const mostMoved = 500

export const daysOffApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/visits/days-off',
    access: 'office',
    permission: 'schedule',
    response: BookedOff,
    summary: 'Visits that stand on holidays of the business',
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/visits/days-off/move',
    ...change,
    body: z.object({ days: z.array(Day).min(1).max(60) }),
    response: z.object({
      moved: z.array(Moved),
      /** What found no open day within reach of its crew, or was too much for one go. */
      left: z.number().int(),
    }),
    summary: 'Move what stands on holidays to the next day that its crew works, each with its crew',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/visits/days-off/undo',
    ...change,
    body: z.object({ moved: z.array(Moved).min(1).max(mostMoved) }),
    response: z.object({ back: z.number().int(), kept: z.number().int() }),
    summary: 'Put them back, but for those that somebody changed since',
  }),
}
