import { z } from 'zod'
import { daysBetween, isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { SameWork } from '../visits/contract.ts'
import { visitStatuses } from '../visits/rules.ts'
import { CalendarEvent } from './events/contract.ts'
import { longestRangeDays } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const minute = z.number().int().nullable()

export const CalendarVisit = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  day: Day,
  crewId: z.uuid().nullable(),
  street: z.string(),
  city: z.string(),
  /** "R. Odom" */
  customer: z.string(),
  title: z.string(),
  serviceIds: z.array(z.uuid()),
  status: z.enum(visitStatuses),
  /** Labor minutes on site. */
  budgetMinutes: z.number().int(),
  /** As planned; null for what has no place in the order yet. */
  startMinute: minute,
  driveSeconds: z.number().int().nullable(),
  windowStartMinute: minute,
  windowEndMinute: minute,
  pinned: z.boolean(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** Skills and equipment that its services need. */
  skills: z.array(z.string()),
  /** Days that its services want between two visits; the days of the visits of the same job around it, read only where it wants some. */
  minGapDays: z.number().int(),
  previousDay: Day.nullable(),
  nextDay: Day.nullable(),
  /** Days around it on which other jobs do the same work there. */
  sameWork: z.array(SameWork),
  /** Null for people who do not see money. */
  priceCents: z.number().int().nullable(),
  version: z.number().int(),
  can: z.object({ move: z.boolean() }),
})
export type CalendarVisit = z.output<typeof CalendarVisit>

export const CalendarCrew = z.object({
  id: z.uuid(),
  name: z.string(),
  color: z.string(),
  shiftStartMinute: z.number().int(),
  shiftEndMinute: z.number().int(),
  skills: z.array(z.string()),
})
export type CalendarCrew = z.output<typeof CalendarCrew>

/** What a crew can do on a day and what stands on it, in labor minutes: driving takes everybody who sits in the truck. */
export const CrewDay = z.object({
  day: Day,
  crewId: z.uuid(),
  works: z.boolean(),
  people: z.number().int(),
  shiftStartMinute: z.number().int(),
  shiftEndMinute: z.number().int(),
  /** What it can do that day: its equipment, and what who is at work can and may. */
  skills: z.array(z.string()),
  away: z.array(z.string()),
  /** Who is off for a part of it: "Ann Lee until 1:00 PM". */
  partly: z.array(z.string()),
  /** How many are there from when to when on a day on which somebody is off for a part; else nothing. */
  presence: z.array(z.object({ fromMinute: z.number().int(), toMinute: z.number().int(), people: z.number().int() })),
  capacityMinutes: z.number().int(),
  workMinutes: z.number().int(),
  driveMinutes: z.number().int(),
  stops: z.number().int(),
  /** Stops whose drive nobody has planned yet: they are missing in the sum. */
  undriven: z.number().int(),
})
export type CrewDay = z.output<typeof CrewDay>

const DayFacts = z.object({ day: Day, closed: z.string().nullable() })

const Range = z.object({
  today: Day,
  crews: z.array(CalendarCrew),
  days: z.array(DayFacts),
  crewDays: z.array(CrewDay),
  visits: z.array(CalendarVisit),
  events: z.array(CalendarEvent),
})
export type CalendarRange = z.output<typeof Range>

/** Why work without a day is due: a round of a program, the waiting list, or on demand. */
const Waiting = z.object({
  kind: z.enum(['step', 'waiting', 'on_demand', 'other']),
  /** Of a round. */
  name: z.string().nullable(),
  opensOn: Day.nullable(),
  /** The last day of its window, or the one on which it is warned of. */
  closesOn: Day.nullable(),
  daysLate: z.number().int(),
})

const DueVisit = CalendarVisit.extend({
  day: Day.nullable(),
  /** Null for what has a day. */
  waiting: Waiting.nullable(),
  daysLate: z.number().int(),
  /** Where it fits on the day that was asked for, the least added driving first. */
  places: z.array(
    z.object({
      crewId: z.uuid(),
      position: z.number().int(),
      addedDriveSeconds: z.number().int(),
      startMinute: z.number().int(),
    }),
  ),
  reason: z.string().nullable(),
})
export type DueVisit = z.output<typeof DueVisit>

const reads = { access: 'office', permission: 'schedule' } as const

export const calendarApi = {
  range: endpoint({
    method: 'GET',
    path: '/api/calendar',
    ...reads,
    query: z
      .object({ from: Day, to: Day })
      .refine((q) => q.to >= q.from && daysBetween(q.from, q.to) < longestRangeDays, {
        path: ['to'],
        message: `Ask for 1 to ${longestRangeDays} days.`,
      }),
    response: Range,
    summary: 'Visits, events and capacity of some days',
  }),
  month: endpoint({
    method: 'GET',
    path: '/api/calendar/month',
    ...reads,
    query: z.object({
      month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Use a month like 2026-06.'),
      crewId: z.uuid().optional(),
      serviceId: z.uuid().optional(),
      status: z.enum(visitStatuses).optional(),
    }),
    response: z.object({
      today: Day,
      days: z.array(
        DayFacts.extend({
          visits: z.number().int(),
          finished: z.number().int(),
          unassigned: z.number().int(),
          /** Of all crews, or of the one that was asked for. */
          loadMinutes: z.number().int(),
          capacityMinutes: z.number().int(),
          /** Visits with a crew to which nobody planned the drive: it is missing in the load. */
          undriven: z.number().int(),
          events: z.array(z.object({ id: z.uuid(), title: z.string() })),
        }),
      ),
    }),
    summary: 'How much stands on each day of a month, whole weeks',
  }),
  due: endpoint({
    method: 'GET',
    path: '/api/calendar/due',
    ...reads,
    query: z.object({ day: Day }),
    response: z.object({
      day: Day,
      items: z.array(DueVisit),
      /** How many wait; at most 60 of those without a day are listed. */
      total: z.number().int(),
      /** The last change of the day's plan, where it can be taken back. */
      undo: z.object({ id: z.uuid(), label: z.string() }).nullable(),
    }),
    summary: 'What has no crew or no day, and where it would fit on a day',
  }),
}
