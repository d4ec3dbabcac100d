import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { estimatedShares } from '../travel/rules.ts'
import { visitStatuses } from '../visits/rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const status = z.enum(['planned', 'published', 'started', 'closed'])

/** What a plan costs. Money is null for people who do not see wages. */
export const RouteTotals = z.object({
  stops: z.number().int(),
  driveSeconds: z.number().int(),
  driveMetres: z.number().int(),
  workSeconds: z.number().int(),
  /** Time from the start of the shift to the return, of the shift: above 100 the day runs over. */
  shiftPercent: z.number().int(),
  labourCents: z.number().int().nullable(),
  mileageCents: z.number().int().nullable(),
  endMinute: z.number().int().nullable(),
})
export type RouteTotals = z.output<typeof RouteTotals>

export const RouteStop = z.object({
  visitId: z.uuid(),
  jobNumber: z.number().int(),
  street: z.string(),
  city: z.string(),
  customerName: z.string(),
  title: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** Clock minutes on site for this crew. */
  minutes: z.number().int(),
  startMinute: z.number().int().nullable(),
  driveSecondsBefore: z.number().int(),
  driveMetresBefore: z.number().int(),
  windowStartMinute: z.number().int().nullable(),
  windowEndMinute: z.number().int().nullable(),
  pinned: z.boolean(),
  /** Under way or over: it stays where it is. */
  begun: z.boolean(),
  status: z.enum(visitStatuses),
  lateMinutes: z.number().int(),
  /** It ends after the shift. */
  overShift: z.boolean(),
})
export type RouteStop = z.output<typeof RouteStop>

export const RouteCrew = z.object({
  crewId: z.uuid(),
  name: z.string(),
  colour: z.string(),
  members: z.array(z.object({ userId: z.uuid(), name: z.string() })),
  /** Null: nobody said where the crew starts, so the way from and to the yard is not counted. */
  depot: z.object({ street: z.string(), latitude: z.number(), longitude: z.number() }).nullable(),
  shiftStartMinute: z.number().int(),
  shiftEndMinute: z.number().int(),
  works: z.boolean(),
  status: status.nullable(),
  dirty: z.boolean(),
  publishedAt: z.string().nullable(),
  /** Every open stop has its place and time. */
  ordered: z.boolean(),
  stops: z.array(RouteStop),
  homeDriveSeconds: z.number().int(),
  totals: RouteTotals,
  /** The same stops in the order in which they were booked. */
  booked: RouteTotals,
  violations: z.array(z.object({ visitId: z.uuid().nullable(), text: z.string() })),
})
export type RouteCrew = z.output<typeof RouteCrew>

export const UnplacedVisit = z.object({
  visitId: z.uuid(),
  street: z.string(),
  city: z.string(),
  customerName: z.string(),
  title: z.string(),
  day: Day,
  daysLate: z.number().int(),
  /** Man-minutes: no crew has it yet. */
  budgetMinutes: z.number().int(),
  windowStartMinute: z.number().int().nullable(),
  windowEndMinute: z.number().int().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** The cheapest places first, at most one a crew. */
  places: z.array(
    z.object({
      crewId: z.uuid(),
      position: z.number().int(),
      addedDriveSeconds: z.number().int(),
      startMinute: z.number().int(),
    }),
  ),
  /** Why no crew can take it. */
  reason: z.string().nullable(),
})
export type UnplacedVisit = z.output<typeof UnplacedVisit>

export const DayPlan = z.object({
  day: Day,
  today: Day,
  /** A day that is over is only looked at. */
  editable: z.boolean(),
  /** How many of the drives of these routes are estimated from distance; the others are from a road engine. */
  estimated: z.enum(estimatedShares),
  crews: z.array(RouteCrew),
  unplaced: z.array(UnplacedVisit),
  totals: RouteTotals,
  booked: RouteTotals,
  overCapacity: z.number().int(),
  /** How long the last search for this day took. */
  plannedMs: z.number().int().nullable(),
  undo: z.object({ id: z.uuid(), label: z.string(), at: z.string() }).nullable(),
})
export type DayPlan = z.output<typeof DayPlan>

const changes = { access: 'office', permission: 'schedule', needsSubscription: true } as const

export const routesApi = {
  day: endpoint({
    method: 'GET',
    path: '/api/routes',
    access: 'office',
    permission: 'schedule',
    query: z.object({ day: Day.optional() }),
    response: DayPlan,
    summary: "A day's plan: every crew's stops in order, and what has no crew yet",
  }),
  week: endpoint({
    method: 'GET',
    path: '/api/routes/week',
    access: 'office',
    permission: 'schedule',
    query: z.object({ day: Day.optional() }),
    response: z.object({
      items: z.array(
        z.object({
          day: Day,
          stops: z.number().int(),
          finished: z.number().int(),
          unplaced: z.number().int(),
          crews: z.number().int(),
          published: z.number().int(),
          driveSeconds: z.number().int().nullable(),
        }),
      ),
    }),
    summary: 'Stops and drive of each day of a week, Monday first',
  }),
  saved: endpoint({
    method: 'GET',
    path: '/api/routes/saved',
    access: 'office',
    permission: 'schedule',
    query: z.object({
      crewId: z.uuid().optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(30),
    }),
    response: z.object({
      items: z.array(
        z.object({
          id: z.uuid(),
          day: Day,
          crewId: z.uuid(),
          crewName: z.string(),
          colour: z.string(),
          status,
          dirty: z.boolean(),
          publishedAt: z.string().nullable(),
          publishedByName: z.string().nullable(),
          stops: z.array(
            z.object({
              visitId: z.uuid(),
              label: z.string(),
              minutes: z.number().int(),
              driveMinutesBefore: z.number().int(),
              startMinute: z.number().int().nullable(),
              status: z.enum(visitStatuses),
            }),
          ),
          driveSeconds: z.number().int().nullable(),
          driveMetres: z.number().int().nullable(),
          bookedDriveSeconds: z.number().int().nullable(),
          endMinute: z.number().int().nullable(),
        }),
      ),
      nextCursor: z.string().nullable(),
      total: z.number().int(),
    }),
    summary: 'Routes that were sent to crews, newest day first',
  }),
  optimise: endpoint({
    method: 'POST',
    path: '/api/routes/optimise',
    ...changes,
    body: z.object({
      day: Day,
      /** Only these crews; all that work on the day when left out. */
      crewIds: z.array(z.uuid()).min(1).max(100).optional(),
      /** Stops stay with their crew; only their order changes. */
      keepAssignments: z.boolean().default(false),
      /** Also gives a place to what is due and has no crew. */
      placeDue: z.boolean().default(true),
    }),
    response: z.object({
      plan: DayPlan,
      result: z.object({
        /** The plan as it was is the best that was found. */
        kept: z.boolean(),
        tookMs: z.number().int(),
        stops: z.number().int(),
        placed: z.number().int(),
        before: RouteTotals,
        after: RouteTotals,
        booked: RouteTotals,
        left: z.array(z.object({ visitId: z.uuid(), street: z.string(), reason: z.string() })),
      }),
    }),
    summary: 'Find the best crews and order for a day',
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/routes/move',
    ...changes,
    body: z.object({
      visitId: z.uuid(),
      crewId: z.uuid().nullable(),
      /** Place in the crew's stops without this one, 0 is first; where it costs the least when left out. */
      position: z.number().int().min(0).max(1000).optional(),
      /** The day it goes to; its own when left out. */
      day: Day.optional(),
    }),
    response: z.object({ plan: DayPlan, violations: z.array(z.string()) }),
    summary: 'Put a visit exactly here; what that breaks is said, nothing else is moved',
  }),
  pin: endpoint({
    method: 'POST',
    path: '/api/routes/pin',
    ...changes,
    body: z.object({ visitId: z.uuid(), pinned: z.boolean() }),
    response: z.object({ plan: DayPlan }),
    summary: 'Keep a stop with its crew and in its order when the day is optimised',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/routes/undo',
    ...changes,
    body: z.object({ day: Day, changeId: z.uuid().optional() }),
    response: z.object({ plan: DayPlan, undone: z.string(), kept: z.number().int() }),
    summary: 'Take the last change of the plan of a day back',
  }),
  publish: endpoint({
    method: 'POST',
    path: '/api/routes/publish',
    ...changes,
    idempotent: true,
    body: z.object({ day: Day, crewIds: z.array(z.uuid()).min(1).max(100).optional() }),
    response: z.object({
      plan: DayPlan,
      published: z.array(z.object({ crewId: z.uuid(), stops: z.number().int(), told: z.number().int() })),
    }),
    summary: 'Send crews their day; pressed twice it happens once',
  }),
}
