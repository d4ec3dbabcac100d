import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { Evenness } from '../businesses/contract.ts'
import { visitStatuses } from '../visits/rules.ts'
import { Day, DayPlan, RouteTotals, routeStatus } from './plan/contract.ts'
import { RainFacts } from './rain/contract.ts'
import { runActions } from './rules.ts'

export { DayPlan, RouteCrew, RouteStop, RouteTotals, UnplacedVisit } from './plan/contract.ts'

/** A search for a better plan: under way, done at once, or a proposal that waits for a yes. */
export const runKinds = ['optimize', 'rain', 'crew_out'] as const
export const runStatuses = ['running', 'proposed', 'applied', 'kept', 'dismissed', 'failed'] as const

const ChangePlace = z.object({ day: Day, crewName: z.string().nullable(), startMinute: z.number().int().nullable() })

export const PlanChange = z.object({
  visitId: z.uuid(),
  street: z.string(),
  customerName: z.string(),
  kind: z.enum(['placed', 'dropped', 'other-day', 'other-crew', 'time', 'skipped']),
  from: ChangePlace,
  to: ChangePlace,
  /** Its crew was sent it there: the customer may have been told. */
  sent: z.boolean(),
  /** What to look at before saying yes. */
  warning: z.string().nullable(),
})
export type PlanChange = z.output<typeof PlanChange>

export const LeftVisit = z.object({
  visitId: z.uuid(),
  street: z.string(),
  reason: z.string(),
  advice: z.string().nullable(),
})
export type LeftVisit = z.output<typeof LeftVisit>

const EvennessChoice = z.object({
  evenness: Evenness,
  moreDriveSeconds: z.number().int(),
  /** Null for who may not see wages. */
  moreCents: z.number().int().nullable(),
  /** Between the first and the last crew to end, of the worst day. */
  apartMinutes: z.number().int(),
})

export const RunResult = z.object({
  /** The plan as it was is the best that was found. */
  kept: z.boolean(),
  tookMs: z.number().int(),
  iterations: z.number().int(),
  /** Somebody pressed Stop, or the time was over: this is the best until then. */
  stopped: z.boolean(),
  stops: z.number().int(),
  placed: z.number().int(),
  before: RouteTotals,
  after: RouteTotals,
  booked: RouteTotals,
  days: z.array(z.object({ day: Day, before: RouteTotals, after: RouteTotals, booked: RouteTotals })),
  /** At most 500; `changeCount` counts all. */
  changes: z.array(PlanChange),
  changeCount: z.number().int(),
  customersToNotify: z.number().int(),
  left: z.array(LeftVisit),
  /** How evenly the crews of a day were asked to end, and what each way costs against the least; none where one crew works. */
  evenness: z.object({ chosen: Evenness, choices: z.array(EvennessChoice) }).nullish(),
  /** Of a rain push: what it shows before it acts. */
  rain: RainFacts.nullish(),
})
export type RunResult = z.output<typeof RunResult>

export const RouteRun = z.object({
  id: z.uuid(),
  kind: z.enum(runKinds),
  label: z.string(),
  firstDay: Day,
  lastDay: Day,
  status: z.enum(runStatuses),
  /** What is found becomes the plan by itself; else it waits for a yes. */
  apply: z.boolean(),
  startedAt: z.string(),
  startedByName: z.string().nullable(),
  /** Why there is no result, for the person at the screen. */
  error: z.string().nullable(),
  result: RunResult.nullable(),
  /** Visits and crew-days by the numbers that progress speaks in; empty once it is over. */
  visitIds: z.array(z.uuid()),
  crewDays: z.array(z.object({ crewId: z.uuid(), day: Day })),
  /** What who asked may do with it now. */
  can: z.record(z.enum(runActions), z.boolean()),
})
export type RouteRun = z.output<typeof RouteRun>

/** A `progress` event of the stream, at most five a second. */
export type RouteProgress = {
  runId: string
  elapsedMs: number
  iterations: number
  driveSeconds: number
  unserved: number
  /** 0 to 1. */
  share: number
  /** By crew-day: visits as numbers with their start, see `readStops`; null when the plan is too big for a message. */
  stops: string | null
  /** Driving and miles, for who may see wages. */
  costCents?: number
}

/** One plan of some days: as it is, as it was sent, as it was booked, as it is proposed. */
export const PlanVariant = z.object({
  key: z.enum(['now', 'published', 'booked', 'proposal']),
  totals: RouteTotals,
  unplaced: z.number().int(),
  days: z.array(z.object({ day: Day, totals: RouteTotals })),
})
export type PlanVariant = z.output<typeof PlanVariant>

const searches = { access: 'office', permission: 'schedule', needsSubscription: true } as const
const changes = { ...searches, idempotent: true } as const

const Id = z.object({ id: z.uuid() })
const Started = z.object({ run: RouteRun })

export const routesApi = {
  day: endpoint({
    method: 'GET',
    path: '/api/routes',
    access: 'office',
    permission: 'schedule',
    /** With a proposal: the day as it would be. */
    query: z.object({ day: Day.optional(), runId: z.uuid().optional() }),
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
      ...page(30),
    }),
    response: z.object({
      items: z.array(
        z.object({
          id: z.uuid(),
          day: Day,
          crewId: z.uuid(),
          crewName: z.string(),
          color: z.string(),
          status: routeStatus,
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
          driveMeters: z.number().int().nullable(),
          bookedDriveSeconds: z.number().int().nullable(),
          endMinute: z.number().int().nullable(),
        }),
      ),
      nextCursor: z.string().nullable(),
      /** Null where there are more than 1,000: they are not counted. */
      total: z.number().int().nullable(),
    }),
    summary: 'Routes that were sent to crews, newest day first',
  }),
  optimize: endpoint({
    method: 'POST',
    path: '/api/routes/optimize',
    ...searches,
    body: z.object({
      day: Day,
      /** The last day of a range of at most 14 days; the one day when left out. */
      lastDay: Day.optional(),
      /** Only these crews; all that work on the day when left out. */
      crewIds: z.array(z.uuid()).min(1).max(100).optional(),
      /** Stops stay with their crew; only their order changes. */
      keepAssignments: z.boolean().default(false),
      /** Also gives a place to what is due and has no crew, in a range on the best day. */
      placeDue: z.boolean().default(true),
      /** How many days a visit that repeats may go from its own; never one that was sent, pinned or moved by hand. */
      moveDays: z.number().int().min(0).max(3).default(0),
      /** What is found becomes the plan by itself, with Undo; else it is a proposal. */
      apply: z.boolean().default(true),
      /** Searches four times as long, from what is there. */
      longer: z.boolean().default(false),
      /** As the business has it set when left out; the result says what each way costs. */
      evenness: Evenness.optional(),
    }),
    response: Started,
    summary: 'Start a search for the best crews and order; pressed twice it is the same search',
  }),
  rain: endpoint({
    method: 'POST',
    path: '/api/routes/rain',
    ...searches,
    body: z.object({
      day: Day,
      crewIds: z.array(z.uuid()).min(1).max(100).optional(),
      /** `push`: the day's stops whole and in order to each crew's next working day, whose own move on when both do not fit; `replan`: where they cost least; `skip`: what repeats is left out this time. */
      strategy: z.enum(['push', 'replan', 'skip']),
      /** Working days after the rain to use. */
      days: z.number().int().min(1).max(13).default(6),
      /** A Saturday or Sunday on which crews usually do not work may be used too. */
      makeUpDay: Day.optional(),
      /** Only these days take stops, weekends too; usual working days when left out. */
      onDays: z.array(Day).min(1).max(13).optional(),
      /** Pinned, hand-placed and promised stops of the day stay on it unless they are named here. */
      moveIds: z.array(z.uuid()).max(500).default([]),
    }),
    response: Started,
    summary: 'A day that cannot be worked: propose where its stops go',
  }),
  crewOut: endpoint({
    method: 'POST',
    path: '/api/routes/crew-out',
    ...searches,
    body: z.object({
      day: Day,
      crewId: z.uuid(),
      /** Days that what does not fit may go to: 0 leaves it due on the day. */
      days: z.number().int().min(0).max(13).default(0),
    }),
    response: Started,
    summary: 'A crew is out for a day: propose which crews take its stops',
  }),
  crewBack: endpoint({
    method: 'POST',
    path: '/api/routes/crew-back',
    ...changes,
    body: z.object({ day: Day, crewId: z.uuid() }),
    response: z.object({ plan: DayPlan }),
    summary: 'A crew works on a day after all',
  }),
  currentRun: endpoint({
    method: 'GET',
    path: '/api/routes/runs',
    access: 'office',
    permission: 'schedule',
    query: z.object({ day: Day }),
    response: z.object({ run: RouteRun.nullable() }),
    summary: 'The search or proposal that this day is part of now',
  }),
  run: endpoint({
    method: 'GET',
    path: '/api/routes/runs/:id',
    access: 'office',
    permission: 'schedule',
    params: Id,
    response: RouteRun,
    summary: 'How a search ended, and what it brought',
  }),
  stopRun: endpoint({
    method: 'POST',
    path: '/api/routes/runs/:id/stop',
    ...searches,
    params: Id,
    response: RouteRun,
    summary: 'End a search with the best that it has found so far',
  }),
  applyRun: endpoint({
    method: 'POST',
    path: '/api/routes/runs/:id/apply',
    ...changes,
    params: Id,
    body: z
      .object({ tell: z.boolean().default(true) })
      .nullish()
      .transform((body) => body ?? { tell: true }),
    response: RouteRun,
    summary:
      'Make a proposal the plan; refused when the days changed since. Rain tells the customers, unless it is told not to',
  }),
  dismissRun: endpoint({
    method: 'POST',
    path: '/api/routes/runs/:id/dismiss',
    ...changes,
    params: Id,
    response: RouteRun,
    summary: 'Throw a proposal away; the plan stays as it is',
  }),
  compare: endpoint({
    method: 'GET',
    path: '/api/routes/compare',
    access: 'office',
    permission: 'schedule',
    query: z.object({ day: Day, lastDay: Day.optional(), runId: z.uuid().optional() }),
    response: z.object({
      firstDay: Day,
      lastDay: Day,
      variants: z.array(PlanVariant),
      /** From what was sent to the plan, or from the plan to the proposal. */
      changes: z.array(PlanChange),
      changeCount: z.number().int(),
      customersToNotify: z.number().int(),
    }),
    summary: 'The plan beside what was sent, what was booked and what is proposed',
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
      /** The version of the visit that was seen: over somebody else's move nothing is written. */
      version: z.number().int().optional(),
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
    summary: 'Keep a stop with its crew and in its order when the day is optimized',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/routes/undo',
    ...changes,
    body: z.object({ day: Day, changeId: z.uuid().optional() }),
    response: z.object({
      plan: DayPlan,
      undone: z.string(),
      kept: z.number().int(),
      /** Messages of a rain push that were recalled, and the customers whom it had reached already. */
      recalled: z.number().int(),
      told: z.array(z.string()),
    }),
    summary: 'Take the last change of the plan of a day back',
  }),
  redo: endpoint({
    method: 'POST',
    path: '/api/routes/redo',
    ...changes,
    body: z.object({ day: Day, changeId: z.uuid().optional() }),
    response: z.object({ plan: DayPlan, redone: z.string(), kept: z.number().int() }),
    summary: 'Make the change again that was undone last',
  }),
  publish: endpoint({
    method: 'POST',
    path: '/api/routes/publish',
    ...changes,
    body: z.object({ day: Day, crewIds: z.array(z.uuid()).min(1).max(100).optional() }),
    response: z.object({
      plan: DayPlan,
      published: z.array(z.object({ crewId: z.uuid(), stops: z.number().int(), notified: z.number().int() })),
    }),
    summary: 'Send crews their day; pressed twice it happens once',
  }),
}
