import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { CustomerChoice } from '../../customers/contract.ts'
import { JobFilter } from '../contract.ts'
import { bulkLimit, bulkReasons } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const fromOn = Day.nullable().default(null)
const most = 100_000_000

export const BulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('day'), weekday: z.number().int().min(0).max(6), fromOn }),
  z.object({ kind: z.literal('crew'), crewId: z.uuid().nullable(), fromOn }),
  /** A service day, a crew, or both; null is as it is. */
  z
    .object({
      kind: z.literal('assign'),
      weekday: z.number().int().min(0).max(6).nullable(),
      crew: z.object({ id: z.uuid().nullable() }).nullable(),
      fromOn,
    })
    .refine(({ weekday, crew }) => weekday !== null || crew !== null, {
      path: ['weekday'],
      message: 'Choose a day, a crew, or both.',
    }),
  z
    .object({
      kind: z.literal('price'),
      mode: z.enum(['set', 'amount', 'percent']),
      /** Of `set` and `amount`. */
      cents: z.number().int().min(-most).max(most).default(0),
      /** Of `percent`: 5 is five percent more. */
      percent: z.number().min(-100, 'At most 100 percent off').max(500, 'At most 500 percent more').default(0),
      /** Only the lines of one service; null is all of them. */
      serviceId: z.uuid().nullable().default(null),
      roundTo: z.enum(['cent', 'dollar', 'five']).default('cent'),
      fromOn,
    })
    .refine((change) => change.mode !== 'set' || change.cents >= 0, { path: ['cents'], message: 'At least 0' }),
  z.object({ kind: z.literal('pause'), until: Day.nullable().default(null) }),
  z.object({ kind: z.literal('resume') }),
  /** Without a day they are completed now; with one it is their last. */
  z.object({ kind: z.literal('end'), lastOn: Day.nullable().default(null) }),
])

const tooMany = `At most ${bulkLimit} jobs at a time.`

const Choice = z.union([
  z.object({ ids: z.array(z.uuid()).min(1, 'Choose at least one job.').max(bulkLimit, tooMany) }),
  /** Everything that the list shows for these filters. */
  z.object({ filter: JobFilter }),
  /** The recurring jobs of these customers that go on. */
  z.object({ customers: CustomerChoice }),
])

const Bulk = z.object({ choice: Choice, change: BulkChange })
export type Bulk = z.output<typeof Bulk>

const Kept = z.object({
  jobId: z.uuid(),
  number: z.number().int(),
  customerName: z.string(),
  /** The day of a visit that stays; null where it is the job itself. */
  day: z.string().nullable(),
  why: z.string(),
})

const Summary = z.object({
  jobs: z.number().int(),
  /** What becomes of their open visits. */
  visits: z.object({
    changed: z.number().int(),
    moved: z.number().int(),
    created: z.number().int(),
    removed: z.number().int(),
    /** Placed by hand, under way or on an invoice: they stay as they are. */
    kept: z.number().int(),
  }),
  /** What the recurring work of these jobs comes to in a month; null for people who do not see money. */
  month: z.object({ beforeCents: z.number().int(), afterCents: z.number().int() }).nullable(),
  told: z.object({
    /** Visits that a crew was sent as they were. */
    visits: z.number().int(),
    crews: z.array(z.string()),
    /** Customers who were told another day. */
    customers: z.number().int(),
  }),
})
export type BulkSummary = z.output<typeof Summary>

const Preview = Summary.extend({
  matching: z.number().int(),
  /** Customers of the choice without a recurring job that goes on: how many, and some of them; null where jobs were chosen. */
  without: z.object({ count: z.number().int(), names: z.array(z.string()) }).nullable(),
  /** Every job that was chosen, the ones that stay as they are first. */
  items: z.array(
    z.object({
      jobId: z.uuid(),
      number: z.number().int(),
      customerName: z.string(),
      title: z.string(),
      street: z.string(),
      /** Why it stays as it is, or null. */
      reason: z.enum(bulkReasons).nullable(),
      /** What one visit with every service costs. */
      beforeCents: z.number().int().nullable(),
      afterCents: z.number().int().nullable(),
      visits: z.number().int(),
    }),
  ),
  /** Visits that would stand with a crew without the license for them and do not now: how many, and one of them in words. */
  unlicensed: z.object({ visits: z.number().int(), example: z.string() }).nullable(),
  /** Sent back with the change: when what it would do is different by then, it is refused. */
  fingerprint: z.string(),
})
export type BulkPreview = z.output<typeof Preview>

/** What the season planner does: another place for each job. Only it makes one. */
export const PlacesChange = z.object({
  kind: z.literal('places'),
  places: z.record(
    z.uuid(),
    z.object({ weekday: z.number().int().min(0).max(6), weeks: z.number().int().min(-12).max(12), crewId: z.uuid() }),
  ),
  fromOn,
})

/** What learned minutes do: labor minutes for lines of jobs, by job. Only they make one. */
export const MinutesChange = z.object({
  kind: z.literal('minutes'),
  minutes: z.record(z.uuid(), z.record(z.uuid(), z.number().int().min(0).max(10_000))),
  fromOn,
})

export const JobEdit = Summary.extend({
  id: z.uuid(),
  change: z.discriminatedUnion('kind', [...BulkChange.options, PlacesChange, MinutesChange]),
  byName: z.string(),
  at: z.string(),
  /** When nothing was left to take back of it. */
  undoneAt: z.string().nullable(),
  /** Jobs on which it was taken back; the others still have it, and Undo takes it back on those. */
  undoneJobs: z.number().int(),
})
export type BulkEdit = z.output<typeof JobEdit>

const change = { access: 'office', permission: 'schedule', needsSubscription: true } as const

export const jobEditsApi = {
  preview: endpoint({
    method: 'POST',
    path: '/api/job-edits/preview',
    access: 'office',
    permission: 'schedule',
    body: Bulk,
    response: Preview,
    summary: 'What one change of many jobs would do, without doing it',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/job-edits',
    ...change,
    idempotent: true,
    body: Bulk.extend({ fingerprint: z.string().max(100) }),
    response: JobEdit,
    summary: 'Change day, crew or price of many jobs, or pause, resume or end them, in one transaction',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/job-edits',
    access: 'office',
    permission: 'schedule',
    response: z.object({ items: z.array(JobEdit) }),
    summary: 'The last changes of many jobs, the newest first; each can be undone for 30 days',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/job-edits/:id/undo',
    ...change,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    response: JobEdit.extend({ restoredJobs: z.number().int(), kept: z.array(Kept), keptCount: z.number().int() }),
    summary:
      'Take a change of many jobs back; what somebody changed since stays, is named, and can be taken back later',
  }),
}
export type BulkUndone = z.output<(typeof jobEditsApi)['undo']['response']>
