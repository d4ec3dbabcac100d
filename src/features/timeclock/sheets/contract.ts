import { z } from 'zod'
import { startOfWeek } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { TimeEntry } from '../contract.ts'
import { clockActions, entryKinds, isClockDay, isClockInstant } from '../rules.ts'
import { offPays } from '../timeoff/rules.ts'
import { exceptionKinds, sheetActions, sheetStates } from './rules.ts'

const Day = z.string().refine(isClockDay, 'Use a day like 2026-06-12.')
/** Any day of a week stands for the week. */
const Week = Day.transform(startOfWeek)
const Why = z.string().trim().min(1, 'Say why, for the record.').max(500)

const seconds = z.number()
const Split = { regularSeconds: seconds, overtimeSeconds: seconds, doubleSeconds: seconds }

export const SheetDay = z.object({
  day: Day,
  workSeconds: seconds,
  breakSeconds: seconds,
  paidSeconds: seconds,
  ...Split,
  /** Time off or a holiday, by its name. */
  off: z.string().nullable(),
  /** The office pays the hour that the law gives for a meal. */
  mealPremium: z.boolean(),
  /** Paid time off, counted toward no overtime. */
  paidOff: z.array(z.object({ kind: z.enum(offPays), seconds })),
})

/** A person's week. */
export const Sheet = z.object({
  userId: z.uuid(),
  name: z.string(),
  week: Day,
  status: z.enum(sheetStates),
  /** Payroll has been run for the week. */
  locked: z.boolean(),
  version: z.number().int(),
  submittedAt: z.string().nullable(),
  decidedAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  /** Why it was sent back or opened again. */
  reason: z.string(),
  /** What the person asks the office to put right. */
  request: z.string(),
  isRunning: z.boolean(),
  days: z.array(SheetDay),
  paidSeconds: seconds,
  ...Split,
  /** Paid time off of the week, on top of what was worked. */
  offSeconds: seconds,
  /** The law of the state gives an hour of pay for a meal that was not had in time. */
  mealPremium: z.boolean(),
  exceptions: z.array(z.object({ kind: z.enum(exceptionKinds), day: Day, entryId: z.uuid().nullable() })),
  can: z.record(z.enum(sheetActions), z.boolean()),
})
export type Sheet = z.output<typeof Sheet>

const SheetEntry = TimeEntry.extend({
  crewName: z.string().nullable(),
  source: z.enum(['clock', 'manual']),
  note: z.string(),
})
export type SheetEntry = z.output<typeof SheetEntry>

const Span = z.object({ kind: z.enum(entryKinds), startedAt: z.string(), endedAt: z.string().nullable() })
export const SheetChange = z.object({
  id: z.uuid(),
  action: z.enum([
    'submitted',
    'approved',
    'returned',
    'reopened',
    'asked',
    'answered',
    'added',
    'changed',
    'removed',
    'late',
    'counted',
    'left_out',
  ]),
  at: z.string(),
  by: z.string(),
  reason: z.string(),
  before: Span.nullable(),
  after: Span.nullable(),
})
export type SheetChange = z.output<typeof SheetChange>

/** The same with every spell on the clock, what the time went into, and who changed what. */
export const SheetDetail = Sheet.extend({
  entries: z.array(SheetEntry),
  segments: z.array(
    z.object({ day: Day, onSite: seconds, drive: seconds, shop: seconds, rain: seconds, break: seconds }),
  ),
  changes: z.array(SheetChange),
  /** Where what was told of a stop and this person's own phone disagree; for who may see positions, as long as they are kept. */
  mismatches: z.array(
    z.object({
      visitId: z.uuid(),
      street: z.string(),
      day: Day,
      what: z.enum(['start', 'finish', 'away']),
      toldAt: z.string(),
      seenAt: z.string().nullable(),
      minutes: z.number().int(),
    }),
  ),
  /** Time that came in after the week was locked, as it was said; it is in no sum until the office counts it. */
  held: z.array(
    z.object({ id: z.uuid(), action: z.enum(clockActions), kind: z.enum(entryKinds).nullable(), at: z.string() }),
  ),
})
export type SheetDetail = z.output<typeof SheetDetail>

const payroll = { access: 'office', permission: 'payroll' } as const
const change = { ...payroll, idempotent: true } as const
const Id = z.object({ id: z.uuid() })
const ofWeek = z.object({ week: Week.optional() })
/** The version that the screen showed: what came since is not approved unseen. */
const seen = { week: Week, version: z.number().int() }
const Instant = z.iso
  .datetime({ offset: true, error: 'Give the day and the time.' })
  .refine(isClockInstant, 'Give a day of this century.')

export const sheetsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/timesheets',
    ...payroll,
    query: ofWeek,
    response: z.object({
      week: Day,
      today: Day,
      locked: z.boolean(),
      /** "over 40 hours a week", as overtime is counted here. */
      rule: z.string(),
      items: z.array(Sheet),
    }),
    summary: 'Everybody’s week, with what to look at',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/employees/:id/timesheet',
    ...payroll,
    params: Id,
    query: ofWeek,
    response: SheetDetail,
    summary: 'A person’s week with every spell and every change',
  }),
  own: endpoint({
    method: 'GET',
    path: '/api/crew/timesheets',
    access: 'member',
    response: z.object({ today: Day, timeZone: z.string(), items: z.array(SheetDetail) }),
    summary: 'My last five weeks',
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/timesheets/approve',
    ...change,
    body: z.object({
      week: Week,
      items: z
        .array(z.object({ userId: z.uuid(), version: z.number().int() }))
        .min(1)
        .max(500),
    }),
    response: z.object({ items: z.array(Sheet) }),
    summary: 'Approve weeks as they were seen; all of them or none',
  }),
  sendBack: endpoint({
    method: 'POST',
    path: '/api/employees/:id/timesheet/send-back',
    ...change,
    params: Id,
    body: z.object({ ...seen, reason: Why }),
    response: SheetDetail,
    summary: 'Send a week back to its person, with the reason',
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/employees/:id/timesheet/reopen',
    ...change,
    params: Id,
    body: z.object({ ...seen, reason: Why }),
    response: SheetDetail,
    summary: 'Take an approval back, with the reason',
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/employees/:id/timesheet/answer',
    ...change,
    params: Id,
    body: z.object({ ...seen, reason: Why }),
    response: SheetDetail,
    summary: 'Answer what a person asked for; nothing else changes',
  }),
  count: endpoint({
    method: 'POST',
    path: '/api/employees/:id/timesheet/count',
    ...change,
    params: Id,
    body: z.object(seen),
    response: SheetDetail,
    summary: 'Count the time that came in while the week was locked, where it was said',
  }),
  leaveOut: endpoint({
    method: 'POST',
    path: '/api/employees/:id/timesheet/leave-out',
    ...change,
    params: Id,
    body: z.object({ ...seen, reason: Why }),
    response: SheetDetail,
    summary: 'Leave out the time that came in while the week was locked, with the reason',
  }),
  correct: endpoint({
    method: 'POST',
    path: '/api/employees/:id/timesheet/correct',
    ...change,
    params: Id,
    body: z.object({
      ...seen,
      /** The spell to change; null adds one. */
      entryId: z.uuid().nullable(),
      /** What it becomes; null takes it out. */
      to: z.object({ kind: z.enum(entryKinds), startedAt: Instant, endedAt: Instant }).nullable(),
      reason: Why,
    }),
    response: SheetDetail,
    summary: 'Add, change or take out a spell; the trail keeps what it was',
  }),
  lock: endpoint({
    method: 'POST',
    path: '/api/timesheets/lock',
    ...change,
    body: z.object({ week: Week }),
    response: z.object({ week: Day, locked: z.boolean() }),
    summary: 'Lock a week after its payroll; refused while time in it is not approved',
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/api/timesheets/unlock',
    access: 'owner',
    idempotent: true,
    body: z.object({ week: Week, reason: Why }),
    response: z.object({ week: Day, locked: z.boolean() }),
    summary: 'Unlock a week, with the reason',
  }),
}
