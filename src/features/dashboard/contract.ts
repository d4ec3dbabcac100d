import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { ConflictSignature } from '../crewapp/conflicts/contract.ts'
import { conflictKinds } from '../crewapp/rules.ts'
import { CrewBoard } from '../visits/contract.ts'

const Cents = z.number().int()

/** A thing that waits for a person, with the one click that fixes it. */
export const Need = z.object({
  id: z.string(),
  kind: z.enum([
    'overdue',
    'lateFee',
    'skipped',
    'text',
    'stop',
    'nobody',
    'unplaced',
    'license',
    'neighbors',
    'record',
    'extra',
    'exemption',
    'plan',
    'renewal',
    'quote',
    'dayOff',
    'unpublished',
    'unsentPlan',
    'unsent',
    'clock',
    'conflict',
    'payment',
    'dispute',
    'books',
    'unbilled',
    'defect',
    'equipment',
    'service',
    'stock',
    'lead',
    'task',
    'review',
  ]),
  badge: z.string(),
  tone: z.enum(['late', 'wait', 'now', 'neutral']),
  title: z.string(),
  detail: z.string(),
  amountCents: Cents.nullable(),
  /** Where the record is. */
  path: z.string(),
  /** The visit that it is about. */
  visitId: z.uuid().optional(),
  /** The message that is dismissed with it, where nothing is to be done. */
  dismisses: z.uuid().optional(),
  action: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('remind'), label: z.string(), invoiceId: z.uuid() }),
    z.object({ kind: z.literal('rebook'), label: z.string(), visitId: z.uuid(), day: z.string() }),
    z.object({ kind: z.literal('resend'), label: z.string(), messageId: z.uuid() }),
    z.object({
      kind: z.literal('decide'),
      label: z.string(),
      commandId: z.uuid(),
      about: z.enum(conflictKinds),
      /** What waits with it, small. */
      photos: z.array(z.string()).optional(),
      signature: ConflictSignature.optional(),
      /** Whose money of a deleted visit it probably is, by the street. */
      payer: z.object({ id: z.uuid(), name: z.string() }).optional(),
    }),
    z.object({ kind: z.literal('finish'), label: z.string(), taskId: z.uuid() }),
    z.object({ kind: z.literal('open'), label: z.string(), path: z.string() }),
  ]),
})
export type Need = z.output<typeof Need>

export const Dashboard = z.object({
  today: z.string(),
  nowMinute: z.number().int(),
  crews: z.array(CrewBoard),
  crewsOut: z.number().int(),
  stopCount: z.number().int(),
  finishedCount: z.number().int(),
  unplacedCount: z.number().int(),
  /** When the last crew is back at this pace, minutes after midnight; null with nothing planned. */
  doneAtMinute: z.number().int().nullable(),
  /** Null for who may not see money. */
  money: z
    .object({
      earnedTodayCents: Cents,
      /** Change against the same weekday a week ago at the same time of day, in percent; null when there was nothing. */
      earnedChangePercent: z.number().nullable(),
      /** Per labor hour on the clock today, drive included; null before anybody worked. */
      perLaborHourCents: Cents.nullable(),
      targetLaborHourCents: Cents,
      owedCents: Cents,
      over30Cents: Cents,
      overdueCents: Cents,
      /** The mean of what was paid in full in the last 90 days, in whole days; null where nothing was. */
      daysToPay: z.number().int().nullable(),
      paidLatelyCount: z.number().int(),
      overdueCount: z.number().int(),
      /** Null for more than 1,000: they are not counted. */
      invoiceableVisits: z.number().int().nullable(),
      week: z.array(z.object({ day: z.string(), doneCents: Cents, invoicedCents: Cents, paidCents: Cents })),
    })
    .nullable(),
  drive: z.object({ seconds: z.number().int(), bookedSeconds: z.number().int(), estimated: z.boolean() }),
  needs: z.array(Need),
  needCount: z.number().int(),
  /** What a new business has not done yet; empty once all is there. */
  start: z.array(
    z.object({ key: z.enum(['customers', 'services', 'crews', 'jobs']), done: z.boolean(), path: z.string() }),
  ),
})
export type Dashboard = z.output<typeof Dashboard>

/** So many at once: whoever has more begins with these. */
export const mostNeeds = 200

export const dashboardApi = {
  needs: endpoint({
    method: 'GET',
    path: '/api/dashboard/needs',
    access: 'office',
    response: z.object({ items: z.array(Need) }),
    summary: 'All that needs a person',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/dashboard',
    access: 'office',
    response: Dashboard,
    summary: 'Today, what needs a person, and money',
  }),
}
