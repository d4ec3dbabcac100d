import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { personStates, stopStates } from './rules.ts'

const LivePerson = z.object({
  id: z.uuid(),
  name: z.string(),
  leads: z.boolean(),
  state: z.enum(personStates),
  /** When that began; null for who is off the clock. */
  since: z.string().nullable(),
  /** Where the phone of who shares it was last, today and on the clock; null also for who may not see positions. */
  position: z
    .object({ at: z.string(), latitude: z.number(), longitude: z.number(), accuracyMeters: z.number().int() })
    .nullable(),
})
export type LivePerson = z.output<typeof LivePerson>

const LiveStop = z.object({
  visitId: z.uuid(),
  number: z.number().int(),
  street: z.string(),
  customer: z.string(),
  state: z.enum(stopStates),
  /** When that began, by the tap's own time: set out, came or went on, paused, finished. */
  since: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
})
export type LiveStop = z.output<typeof LiveStop>

export const LiveCrew = z.object({
  id: z.uuid(),
  name: z.string(),
  color: z.string(),
  people: z.array(LivePerson),
  stops: z.array(LiveStop),
  backAtMinute: z.number().int().nullable(),
  /** The visit where it was last, for a crew on the clock of which nobody's position is known. */
  lastKnownVisitId: z.uuid().nullable(),
})
export type LiveCrew = z.output<typeof LiveCrew>

export const liveboardApi = {
  now: endpoint({
    method: 'GET',
    path: '/api/live-board',
    access: 'office',
    permission: 'schedule',
    response: z.object({
      day: z.string(),
      crews: z.array(LiveCrew),
      /** On the clock without a crew today. */
      others: z.array(LivePerson),
    }),
    summary:
      'Who is where doing what now: by the stops and the clock; where the phones are only of who shares it, for who may see positions',
  }),
}
