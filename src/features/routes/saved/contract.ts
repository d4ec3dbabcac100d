import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { DayPlan } from '../contract.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

const Stop = z.object({ jobId: z.uuid(), street: z.string(), customerName: z.string(), title: z.string() })

/** A crew's usual stops of a weekday. */
export const SavedRoute = z.object({
  id: z.uuid(),
  name: z.string(),
  /** 0 is Sunday. */
  weekday: z.number().int(),
  crewId: z.uuid(),
  crewName: z.string(),
  color: z.string(),
  stops: z.array(Stop),
  /** Jobs that ended since; they come on no day any more. */
  ended: z.number().int(),
  /** The next day on which it would be driven. */
  nextDay: Day,
  /** How the driving of this crew on this weekday has changed, from the routes that were sent; null until there are six. */
  drift: z.object({ since: Day, driveMinutes: z.number().int(), stops: z.number().int() }).nullable(),
  removed: z.boolean(),
  version: z.number().int(),
})
export type SavedRoute = z.output<typeof SavedRoute>

/** A job that can be put on a saved route by hand. */
const Candidate = Stop.extend({
  /** The stop behind which it costs the least; null is the first place. */
  afterJobId: z.uuid().nullable(),
})
export type RouteCandidate = z.output<typeof Candidate>

const Named = z.object({ visitId: z.uuid(), street: z.string(), customerName: z.string() })

/** What applying a saved route to a day would do; nothing is changed by asking. */
export const RouteDifferences = z.object({
  day: Day,
  crewName: z.string(),
  /** Stops that this crew has already. */
  kept: z.number().int(),
  /** Whether their order changes. */
  reordered: z.boolean(),
  /** Stops of the day that other crews have, or nobody; they come to this crew. */
  brought: z.array(Named.extend({ from: z.string().nullable() })),
  /** Stops of the saved route that stay with their crew, and why. */
  held: z.array(Named.extend({ why: z.string() })),
  /** Stops of the saved route that have no visit on the day. */
  missing: z.array(Stop.extend({ nextDay: Day.nullable() })),
  /** Stops of the day that are not in the saved route; they stay, where they cost the least. */
  extra: z.array(Named),
  /** Seconds of driving of this crew: as planned now, with the saved route, and in the best order found for the same stops. */
  driveSeconds: z.object({ now: z.number().int(), saved: z.number().int(), best: z.number().int() }),
  violations: z.array(z.string()),
  /** Why it cannot be applied to this day, or null. */
  refusal: z.string().nullable(),
})
export type RouteDifferences = z.output<typeof RouteDifferences>

const reads = { access: 'office', permission: 'schedule' } as const
const changes = { ...reads, needsSubscription: true, idempotent: true } as const
const Id = z.object({ id: z.uuid() })
const seen = { version: z.number().int() }
const name = z.string().trim().min(1, 'A name is needed').max(80)

export const savedRoutesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/routes/templates',
    ...reads,
    response: z.object({ items: z.array(SavedRoute) }),
    summary: 'Usual stops of crews by weekday',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/routes/templates',
    ...changes,
    body: z.object({ name, day: Day, crewId: z.uuid() }),
    response: SavedRoute,
    summary: 'Keep the stops of a crew’s day, in their order, for its weekday',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/routes/templates/:id',
    ...changes,
    params: Id,
    body: z.object({
      name,
      weekday: z.number().int().min(0).max(6),
      crewId: z.uuid(),
      jobIds: z.array(z.uuid()).min(1, 'A route has at least one stop').max(200),
      ...seen,
    }),
    response: SavedRoute,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/routes/templates/:id/remove',
    ...changes,
    params: Id,
    body: z.object(seen),
    response: SavedRoute,
    summary: 'Take it off the list; `restore` brings it back',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/routes/templates/:id/restore',
    ...changes,
    params: Id,
    body: z.object(seen),
    response: SavedRoute,
  }),
  candidates: endpoint({
    method: 'GET',
    path: '/api/routes/templates/:id/candidates',
    ...reads,
    params: Id,
    query: z.object({ q: z.string().trim().max(200).default('') }),
    response: z.object({ items: z.array(Candidate) }),
    summary: 'Jobs of its weekday that do not stand in it, each with the place where it costs the least',
  }),
  differences: endpoint({
    method: 'GET',
    path: '/api/routes/templates/:id/differences',
    ...reads,
    params: Id,
    query: z.object({ day: Day }),
    response: RouteDifferences,
    summary: 'What applying it to a day would do',
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/routes/templates/:id/apply',
    ...changes,
    params: Id,
    body: z.object({ day: Day }),
    response: z.object({ plan: DayPlan, changed: z.boolean() }),
    summary: 'Put its stops on a day in its order; taken back like every change of the plan',
  }),
}
