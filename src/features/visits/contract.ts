import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { ordered, page } from '../../shared/list.ts'
import { Stroke } from '../../shared/strokeShape.ts'
import { messageChannels, messageStatuses } from '../messages/rules.ts'
import { longestNote } from './notes/rules.ts'
import { visitActions, visitStatuses } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const minute = z.number().int().min(0).max(1440)

/** A day on which another job does the same work at the property. */
export const SameWork = z.object({ day: Day, jobNumber: z.number().int() })

/** A visit in the office's list. `priceCents` is null for people who do not see money. */
export const VisitRow = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  jobNumber: z.number().int(),
  customerId: z.uuid(),
  customerName: z.string(),
  propertyId: z.uuid(),
  street: z.string(),
  city: z.string(),
  title: z.string(),
  serviceNames: z.array(z.string()),
  day: Day.nullable(),
  occurrenceOn: Day,
  crewId: z.uuid().nullable(),
  crewName: z.string().nullable(),
  status: z.enum(visitStatuses),
  windowStartMinute: minute.nullable(),
  windowEndMinute: minute.nullable(),
  budgetMinutes: z.number().int(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  workedSeconds: z.number().int(),
  people: z.number().int().nullable(),
  skipReason: z.string().nullable(),
  photoCount: z.number().int(),
  invoiceId: z.uuid().nullable(),
  billable: z.boolean(),
  rebookedAs: z.uuid().nullable(),
  priceCents: z.number().int().nullable(),
  version: z.number().int(),
})
export type VisitRow = z.output<typeof VisitRow>

export const VisitPhoto = z.object({
  id: z.uuid(),
  kind: z.enum(['before', 'after', 'other']),
  url: z.string(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  takenAt: z.string().nullable(),
  byName: z.string().nullable(),
  /** The customer sent it; `byName` added it to the visit. */
  fromCustomer: z.boolean(),
  /** What the crew drew on it. */
  strokes: z.array(Stroke),
})

export const Visit = VisitRow.extend({
  /** What who asked may do with it now. */
  can: z.record(z.enum(visitActions), z.boolean()),
  origin: z.string(),
  movedFrom: Day.nullable(),
  /** What the crew says to the office. */
  note: z.string(),
  /** What it says to the customer: one text of before, and in three parts. */
  customerNote: z.string(),
  sawNote: z.string(),
  didNote: z.string(),
  expectNote: z.string(),
  /** What it says to whoever comes next. */
  nextNote: z.string(),
  skipNote: z.string(),
  /** What its skip costs the customer; null for nothing, and for people who do not see money. */
  skipChargeCents: z.number().int().nullable(),
  /** The reasons that the office may skip it for, with what each would cost; empty where it cannot be skipped. */
  skips: z.array(
    z.object({
      code: z.string(),
      needsNote: z.boolean(),
      /** Whether the reason has a charge for this visit, and how much for who sees money. */
      charged: z.boolean(),
      chargeCents: z.number().int().nullable(),
    }),
  ),
  enRouteAt: z.string().nullable(),
  finishedByName: z.string().nullable(),
  checked: z.array(z.string()),
  checklist: z.array(
    z.object({ text: z.string(), es: z.string().optional(), required: z.boolean(), photo: z.boolean().optional() }),
  ),
  /** Why it was finished although a required item was not ticked. */
  untickedReason: z.string(),
  /** What the crew should know on this visit alone. */
  officeNote: z.string(),
  lines: z.array(
    z.object({
      id: z.uuid(),
      serviceId: z.uuid(),
      name: z.string(),
      description: z.string(),
      quantity: z.number(),
      budgetMinutes: z.number().int(),
      /** Null for people who do not see money. */
      totalCents: z.number().int().nullable(),
    }),
  ),
  place: z.object({
    unit: z.string(),
    state: z.string(),
    zip: z.string(),
    dog: z.string(),
    parking: z.string(),
    noGo: z.string(),
    notes: z.string(),
    hasGateCode: z.boolean(),
    hasPin: z.boolean(),
  }),
  job: z.object({
    status: z.string(),
    instructions: z.string(),
    recurring: z.boolean(),
    /** The day of its next visit after this one. */
    nextDay: Day.nullable(),
  }),
  /** What decides where it may go: skills and equipment, and the days that its services want between it and those of its job around it. */
  needs: z.object({
    skills: z.array(z.string()),
    minGapDays: z.number().int(),
    previousDay: Day.nullable(),
    nextDay: Day.nullable(),
    sameWork: z.array(SameWork),
  }),
  crew: z.object({ id: z.uuid(), name: z.string(), color: z.string(), people: z.number().int() }).nullable(),
  /** Whether the crew was sent the day, and whether it is still what they were sent. */
  sent: z.enum(['no', 'yes', 'changed']),
  plannedStartMinute: z.number().int().nullable(),
  /** Clock minutes on site for the people of the crew. */
  plannedMinutes: z.number().int(),
  rebookedDay: Day.nullable(),
  /** The skipped or missed visit in whose place this one was booked. */
  rebookedFrom: z.object({ id: z.uuid(), day: Day.nullable() }).nullable(),
  /** Null for people who do not see customers. */
  phone: z.string().nullable(),
  email: z.string().nullable(),
  invoice: z.object({ id: z.uuid(), number: z.number().int(), status: z.string() }).nullable(),
  /** About the visit, or with its customer on the days around it; null for people who do not see customers. */
  messages: z
    .array(
      z.object({
        id: z.uuid(),
        channel: z.enum(messageChannels),
        direction: z.enum(['inbound', 'outbound']),
        text: z.string(),
        status: z.enum(messageStatuses),
        /** Why it did not leave or arrive, or waits. */
        reason: z.string().nullable(),
        runAfter: z.string().nullable(),
        at: z.string(),
      }),
    )
    .nullable(),
  /** Who did what when, the newest first. */
  history: z.array(
    z.object({ id: z.uuid(), at: z.string(), by: z.string().nullable(), fromPhone: z.boolean(), text: z.string() }),
  ),
  photos: z.array(VisitPhoto),
  /** What a phone did that could not be applied: somebody should look at it. */
  conflicts: z.array(
    z.object({ id: z.uuid(), type: z.string(), reason: z.string(), at: z.string(), byName: z.string().nullable() }),
  ),
})
export type Visit = z.output<typeof Visit>

export const VisitCalendar = z.object({
  today: Day,
  workDays: z.array(z.number().int()),
  holidays: z.array(Day),
  crews: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      color: z.string(),
      workDays: z.array(z.number().int()),
      daysOff: z.array(z.object({ day: Day, reason: z.enum(['rain', 'out']) })),
      extraDays: z.array(Day),
      /** Skills that only a license gives, with the days on which somebody at work on the crew has a valid one. */
      licenses: z.array(z.object({ skill: z.string(), spans: z.array(z.object({ from: Day, to: Day.nullable() })) })),
    }),
  ),
})
export type VisitCalendar = z.output<typeof VisitCalendar>

export const BoardStop = z.object({
  visitId: z.uuid(),
  label: z.string(),
  customer: z.string(),
  state: z.enum(visitStatuses),
  /** Clock minutes on site as planned. */
  minutes: z.number().int(),
  driveMinutesBefore: z.number().int(),
  /** As planned. */
  startMinute: z.number().int().nullable(),
  /** When the work really began and, once it is over, ended: minutes of this day. */
  actual: z.object({ startMinute: z.number().int(), endMinute: z.number().int().nullable() }).nullable(),
  workedMinutes: z.number().int(),
  skipReason: z.string().nullable(),
})

export const CrewBoard = z.object({
  crewId: z.uuid(),
  name: z.string(),
  color: z.string(),
  members: z.array(z.string()),
  shiftStartMinute: z.number().int(),
  shiftEndMinute: z.number().int(),
  published: z.boolean(),
  dirty: z.boolean(),
  /** Visits put on a crew that has its route: they are not on its phone before it is sent again. */
  unsent: z.number().int(),
  routeStatus: z.enum(['planned', 'published', 'started', 'closed']).nullable(),
  stops: z.array(BoardStop),
  counts: z.object({
    total: z.number().int(),
    finished: z.number().int(),
    skipped: z.number().int(),
    remaining: z.number().int(),
    canceled: z.number().int(),
  }),
  backAtMinute: z.number().int().nullable(),
})
export type CrewBoard = z.output<typeof CrewBoard>

const params = z.object({ visitId: z.uuid() })
const version = z.number().int().optional()
const reason = z.string().trim().max(300).default('')
const clockMinute = z.number().int().min(0).max(1439)
const statuses = z.enum(visitStatuses)

export const visitsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/visits',
    access: 'office',
    permission: 'schedule',
    query: z.object({
      from: Day.optional(),
      to: Day.optional(),
      crewId: z.union([z.uuid(), z.literal('none')]).optional(),
      customerId: z.uuid().optional(),
      jobId: z.uuid().optional(),
      status: z.union([statuses, z.array(statuses)]).optional(),
      /** Finished, billable and on no invoice. */
      uninvoiced: z.stringbool().optional(),
      q: z.string().trim().max(100).optional(),
      ...ordered('asc'),
      ...page(50),
    }),
    response: z.object({
      items: z.array(VisitRow),
      nextCursor: z.string().nullable(),
      /** Null for more than 1,000. */
      total: z.number().int().nullable(),
    }),
    summary: 'Visits by day',
  }),
  dayBoard: endpoint({
    method: 'GET',
    path: '/api/visits/day-board',
    access: 'office',
    query: z.object({ day: Day.optional() }),
    response: z.object({ day: Day, today: Day, crews: z.array(CrewBoard), unassigned: z.number().int() }),
    summary: "Every crew's day, stop by stop",
  }),
  calendar: endpoint({
    method: 'GET',
    path: '/api/visits/calendar',
    access: 'office',
    permission: 'schedule',
    response: VisitCalendar,
    summary: 'The days that visits can be put on, and the crews that work then',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/visits/:visitId',
    access: 'office',
    permission: 'schedule',
    params,
    response: Visit,
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/move',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    params,
    idempotent: true,
    body: z.object({ day: Day.nullable(), crewId: z.uuid().nullable(), version }),
    response: Visit,
    summary: 'Another day or crew; without a day the visit waits to be scheduled',
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/cancel',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    params,
    idempotent: true,
    body: z.object({ reason: z.string().trim().max(300).default(''), version }),
    response: Visit,
  }),
  finish: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/finish',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    params,
    idempotent: true,
    body: z.object({
      minutes: z.number().int().min(0).max(1440).optional(),
      people: z.number().int().min(1).max(50).optional(),
      /** Times on the visit's day, both or none; without them it ended now. */
      startMinute: clockMinute.optional(),
      endMinute: clockMinute.optional(),
      /** The lines that were done; the others leave the visit. All when left out. */
      lineIds: z.array(z.uuid()).min(1, 'At least one service was done, or skip the visit.').max(50).optional(),
      note: z.string().trim().max(2000).optional(),
      version,
    }),
    response: Visit,
    summary: 'Mark as finished for a crew without its phone',
  }),
  skip: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/skip',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    params,
    idempotent: true,
    body: z.object({
      reason: z.string().trim().min(1, 'Pick a reason.').max(60),
      note: z.string().trim().max(500).default(''),
      /** Charge what the reason says; the office's own skips cost nothing unless it is chosen. */
      charge: z.boolean().default(false),
      version,
    }),
    response: Visit,
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/reopen',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    params,
    idempotent: true,
    body: z.object({ reason, version }),
    response: Visit,
    summary: 'Open a finished visit again, before it is on an invoice; put a skipped or canceled one back on its day',
  }),
  rebook: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/rebook',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    idempotent: true,
    params,
    body: z.object({ day: Day, crewId: z.uuid().nullable().optional() }),
    response: Visit,
    summary: 'A new visit on another day for a skipped or missed one, once',
  }),
  note: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/note',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    idempotent: true,
    params,
    body: z.object({
      note: z.string().trim().max(1000).optional(),
      customerNote: z.string().trim().max(longestNote).optional(),
      sawNote: z.string().trim().max(longestNote).optional(),
      didNote: z.string().trim().max(longestNote).optional(),
      expectNote: z.string().trim().max(longestNote).optional(),
      nextNote: z.string().trim().max(longestNote).optional(),
      version,
    }),
    response: Visit,
    summary: 'What the crew should know on this visit alone, and what the customer and the next crew read of it',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/undo',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    idempotent: true,
    params,
    body: z.object({ version: z.number().int() }),
    response: Visit,
    summary: 'Take back what the office did to a visit last, while nothing else happened to it',
  }),
}
