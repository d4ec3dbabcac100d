import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'

/** Neighbors who asked in writing to be told before a lawn beside theirs is treated. */

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

export const NeighborDraft = z.object({
  name: z.string().trim().min(1, 'Who asked?').max(120),
  contact: z.string().trim().min(1, 'How are they told?').max(200),
  note: z.string().trim().max(300).default(''),
  askedOn: Day,
})

export const Neighbor = z.object({
  id: z.uuid(),
  propertyId: z.uuid(),
  name: z.string(),
  contact: z.string(),
  note: z.string(),
  askedOn: Day,
  removed: z.boolean(),
  version: z.number().int(),
  /** What they were told of the visit that was asked about, for the day on which it stands. */
  told: z.object({ at: z.string(), by: z.string().nullable(), how: z.string() }).nullable(),
})
export type Neighbor = z.output<typeof Neighbor>

const Id = z.object({ id: z.uuid() })
const change = { access: 'office', permission: 'schedule', needsSubscription: true, idempotent: true } as const

export const neighborsApi = {
  ofVisit: endpoint({
    method: 'GET',
    path: '/api/visits/:visitId/neighbors',
    access: 'office',
    permission: 'schedule',
    params: z.object({ visitId: z.uuid() }),
    response: z.object({
      propertyId: z.uuid(),
      treats: z.boolean(),
      items: z.array(Neighbor),
      /** The last day on which they are told in time: one business day before; null without a day. */
      tellBy: Day.nullable(),
      today: Day,
    }),
    summary: 'Neighbors of a lawn who asked to be told before a treatment, and whether they were',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/properties/:id/neighbors',
    ...change,
    params: Id,
    body: NeighborDraft,
    response: Neighbor,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/neighbors/:id',
    ...change,
    params: Id,
    body: z.object({ removed: z.boolean(), version: z.number().int() }),
    response: Neighbor,
    summary: 'Take a neighbor off the list, or bring them back; what they were told stays',
  }),
  tell: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/neighbors/told',
    ...change,
    params: z.object({ visitId: z.uuid() }),
    body: z.object({
      neighborId: z.uuid(),
      how: z.string().trim().min(1, 'How were they told?').max(120),
    }),
    response: Neighbor,
    summary: 'A neighbor was told of the day of a visit; once for each day',
  }),
}
