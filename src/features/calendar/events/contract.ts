import { z } from 'zod'
import { daysBetween, isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { offPays } from '../../timeclock/timeoff/rules.ts'
import { eventActions, eventKinds, longestEventDays } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

export const CalendarEvent = z.object({
  id: z.uuid(),
  kind: z.enum(eventKinds),
  title: z.string(),
  note: z.string(),
  firstDay: Day,
  lastDay: Day,
  /** Minutes of each of its days; null for the whole day. */
  startMinute: z.number().int().nullable(),
  endMinute: z.number().int().nullable(),
  userId: z.uuid().nullable(),
  userName: z.string().nullable(),
  crewId: z.uuid().nullable(),
  /** What a time off is to the payroll; null: nothing was said. */
  payKind: z.enum(offPays).nullable(),
  /** Paid minutes of each of its working days; null: it is not paid. */
  paidMinutes: z.number().int().nullable(),
  version: z.number().int(),
  /** What who asked may do with it now. */
  can: z.record(z.enum(eventActions), z.boolean()),
})
export type CalendarEvent = z.output<typeof CalendarEvent>

export const EventDraft = z
  .object({
    kind: z.enum(eventKinds),
    title: z.string().trim().min(1, 'Say what it is.').max(120),
    note: z.string().trim().max(1000).default(''),
    firstDay: Day,
    lastDay: Day,
    startMinute: z.number().int().min(0).max(1439).nullable().default(null),
    endMinute: z.number().int().min(1).max(1440).nullable().default(null),
    userId: z.uuid().nullable().default(null),
    crewId: z.uuid().nullable().default(null),
    payKind: z.enum(offPays).nullable().default(null),
    paidMinutes: z.number().int().min(1).max(1440, 'A day has 24 hours.').nullable().default(null),
  })
  .refine((e) => e.lastDay >= e.firstDay, { path: ['lastDay'], message: 'It ends before it begins.' })
  .refine((e) => daysBetween(e.firstDay, e.lastDay) <= longestEventDays, {
    path: ['lastDay'],
    message: `At most ${longestEventDays} days; make another one after it.`,
  })
  .refine((e) => (e.startMinute === null) === (e.endMinute === null), {
    path: ['endMinute'],
    message: 'Give both times, or none for the whole day.',
  })
  .refine((e) => e.startMinute === null || e.endMinute === null || e.endMinute > e.startMinute, {
    path: ['endMinute'],
    message: 'It ends before it begins.',
  })
  .refine((e) => e.kind !== 'time_off' || e.userId !== null, { path: ['userId'], message: 'Who is off?' })
  .refine((e) => e.payKind === null || e.kind === 'time_off', { path: ['payKind'], message: 'Only time off is paid.' })
  .refine((e) => e.paidMinutes === null || e.payKind !== null, { path: ['payKind'], message: 'Paid as what?' })

const change = { access: 'office', permission: 'schedule', needsSubscription: true, idempotent: true } as const
const Id = z.object({ id: z.uuid() })
const seen = z.object({ version: z.number().int() })

export const calendarEventsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/calendar/events/:id',
    access: 'office',
    permission: 'schedule',
    params: Id,
    response: CalendarEvent,
    summary: 'One event as it stands, on whatever days; also one that was removed',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/calendar/events',
    ...change,
    body: EventDraft,
    response: CalendarEvent,
    summary: 'Put something on the calendar beside visits; asked again by itself by no client',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/calendar/events/:id',
    ...change,
    params: Id,
    body: EventDraft.and(seen),
    response: CalendarEvent,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/calendar/events/:id/remove',
    ...change,
    params: Id,
    body: seen,
    response: CalendarEvent,
    summary: 'Take it off the calendar; `restore` brings it back',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/calendar/events/:id/restore',
    ...change,
    params: Id,
    body: seen,
    response: CalendarEvent,
  }),
}
