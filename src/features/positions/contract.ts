import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { mostAtOnce } from './rules.ts'

const Place = z.object({
  at: z.iso.datetime({ offset: true }),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracyMeters: z.number().int().min(0).max(100_000),
})

const Own = z.object({
  /** Since when I share positions; null: I do not. */
  since: z.string().nullable(),
  /** When the newest one was taken that the office sees. */
  lastAt: z.string().nullable(),
})
export type OwnPositions = z.output<typeof Own>

export const positionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/positions',
    access: 'office',
    permission: 'team',
    response: z.object({
      items: z.array(
        z.object({
          userId: z.uuid(),
          name: z.string(),
          since: z.string(),
          onClock: z.boolean(),
          last: Place.nullable(),
        }),
      ),
    }),
    summary: 'Who shares positions, and where they were last, on the clock',
  }),
  own: endpoint({
    method: 'GET',
    path: '/api/crew/positions',
    access: 'member',
    response: Own,
    summary: 'Whether I share positions, and what is kept of them',
  }),
  share: endpoint({
    method: 'POST',
    path: '/api/crew/positions/sharing',
    access: 'member',
    idempotent: true,
    body: z.object({ on: z.boolean() }),
    response: Own,
    summary: 'Shares my positions, or ends it and deletes what is kept',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/crew/positions',
    access: 'member',
    body: z.object({
      /** The phone's own clock now, by which ours knows how far off its instants are. */
      sentAt: z.iso.datetime({ offset: true }).optional(),
      positions: z
        .array(Place.extend({ id: z.uuid() }))
        .min(1)
        .max(mostAtOnce),
    }),
    response: Own,
    summary: 'Where I was on the clock; what I may not be asked for is dropped',
  }),
}
