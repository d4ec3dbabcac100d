import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { estimatedShares } from '../../travel/rules.ts'
import { visitStatuses } from '../../visits/rules.ts'
import { planActions, stopActions } from '../rules.ts'

/** A day's plan as it goes over the wire: crews, their stops in order, and what has no crew yet. */

export const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
export const routeStatus = z.enum(['planned', 'published', 'started', 'closed'])

/** What a plan costs. Money is null for people who do not see wages. */
export const RouteTotals = z.object({
  stops: z.number().int(),
  driveSeconds: z.number().int(),
  driveMeters: z.number().int(),
  workSeconds: z.number().int(),
  /** Time from the start of the shift to the return, of the shift: above 100 the day runs over. */
  shiftPercent: z.number().int(),
  laborCents: z.number().int().nullable(),
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
  /** The pin stands only in the middle of its ZIP code or area. */
  approximate: z.boolean(),
  /** Clock minutes on site for this crew. */
  minutes: z.number().int(),
  startMinute: z.number().int().nullable(),
  driveSecondsBefore: z.number().int(),
  driveMetersBefore: z.number().int(),
  windowStartMinute: z.number().int().nullable(),
  windowEndMinute: z.number().int().nullable(),
  pinned: z.boolean(),
  /** Under way or over: it stays where it is. */
  begun: z.boolean(),
  status: z.enum(visitStatuses),
  /** What who asked may do with it while the plan can be changed. */
  can: z.record(z.enum(stopActions), z.boolean()),
  lateMinutes: z.number().int(),
  /** It ends after the shift. */
  overShift: z.boolean(),
})
export type RouteStop = z.output<typeof RouteStop>

export const RouteCrew = z.object({
  crewId: z.uuid(),
  name: z.string(),
  color: z.string(),
  /** Who is at work that day; `away`: who of it is off the whole day. */
  members: z.array(z.object({ userId: z.uuid(), name: z.string() })),
  away: z.array(z.string()),
  /** Null: nobody said where the crew starts, so the way from and to the depot is not counted. */
  depot: z.object({ street: z.string(), latitude: z.number(), longitude: z.number() }).nullable(),
  shiftStartMinute: z.number().int(),
  shiftEndMinute: z.number().int(),
  works: z.boolean(),
  /** Why it does not work on this day although it usually does. */
  off: z.enum(['rain', 'out']).nullable(),
  skills: z.array(z.string()),
  status: routeStatus.nullable(),
  dirty: z.boolean(),
  publishedAt: z.string().nullable(),
  /** Every open stop has its place and time. */
  ordered: z.boolean(),
  stops: z.array(RouteStop),
  homeDriveSeconds: z.number().int(),
  /** As the dashboard and the crew's phone have it; null without stops. */
  backAtMinute: z.number().int().nullable(),
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
  /** Labor minutes: no crew has it yet. */
  budgetMinutes: z.number().int(),
  windowStartMinute: z.number().int().nullable(),
  windowEndMinute: z.number().int().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** The pin stands only in the middle of its ZIP code or area. */
  approximate: z.boolean(),
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
  /** What one can do about it, and where. */
  advice: z.string().nullable(),
  adviceHref: z.string().nullable(),
})
export type UnplacedVisit = z.output<typeof UnplacedVisit>

/** A change that Undo undoes or Redo makes again; `days` when it is on more than one. */
const Step = z.object({
  id: z.uuid(),
  label: z.string(),
  at: z.string(),
  days: z.array(Day),
  /** A rain push is taken back until then; null is without end. */
  until: z.string().nullable(),
})

export const DayPlan = z.object({
  day: Day,
  today: Day,
  /** A day that is over, and a proposal, are only looked at. */
  can: z.record(z.enum(planActions), z.boolean()),
  /** How many of the drives of these routes are estimated from distance; the others are from a road engine. */
  estimated: z.enum(estimatedShares),
  crews: z.array(RouteCrew),
  unplaced: z.array(UnplacedVisit),
  totals: RouteTotals,
  booked: RouteTotals,
  overCapacity: z.number().int(),
  /** How long the last search for this day took. */
  plannedMs: z.number().int().nullable(),
  undo: Step.nullable(),
  redo: Step.nullable(),
  /** The proposal that this is, not the plan; nothing of it is changed by hand. */
  proposalId: z.uuid().nullable(),
})
export type DayPlan = z.output<typeof DayPlan>
