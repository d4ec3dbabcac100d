import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { page, sorted } from '../../shared/list.ts'
import { CustomerFilter } from '../customers/contract.ts'
import { Recurrence } from './cadence/contract.ts'
import { jobActions, jobStatuses, jobVerbs, jobViews } from './states/rules.ts'
import { LineStanding, Undated } from './undated/contract.ts'
import { stepDecisions } from './undated/rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Cents = z.number().int().min(0).max(100_000_000)
const Minutes = z.number().int().min(0).max(10_000)

const LineDraft = z
  .object({
    /** An existing line of the job; left out for a new one. */
    id: z.uuid().optional(),
    serviceId: z.uuid(),
    description: z.string().trim().max(500).default(''),
    quantity: z.number().positive('More than none').max(100_000).default(1),
    /** Price of one unit. Left out: the price it has, or the price rule of the service. Only with the permission for money may it be given. */
    unitPriceCents: Cents.optional(),
    /** Labor minutes on site for one visit. Left out: the time rule of the service. */
    budgetMinutes: Minutes.optional(),
    recurrence: Recurrence.nullable(),
    onceOn: Day.nullable().default(null),
    /** In place of days: a round of a program, the waiting list, on demand. */
    undated: Undated.nullable().default(null),
    /**
     * Of a line that exists: its rule counts from the given `phaseOn` from now on (week A or B). Without it no change moves the weeks that the
     * rule counts.
     */
    movesPhase: z.boolean().default(false),
    /** Of a line that exists: what it was to cost from a later day on is let go. */
    dropsNextPrice: z.boolean().optional(),
  })
  .refine((line) => [line.recurrence, line.onceOn, line.undated].filter((one) => one !== null).length === 1, {
    path: ['recurrence'],
    message: 'Say how often it comes back, or the one day.',
  })
export type LineDraft = z.output<typeof LineDraft>

const billing = z.enum(['per_visit', 'flat', 'none'])
const Lines = z.array(LineDraft).min(1, 'Choose at least one service.').max(20)

export const JobDraft = z.object({
  propertyId: z.uuid(),
  /** Left out: the names of its services. */
  title: z.string().trim().max(160).default(''),
  instructions: z.string().trim().max(4000).default(''),
  poNumber: z.string().trim().max(60).default(''),
  billing: billing.default('per_visit'),
  crewId: z.uuid().nullable().default(null),
  /** The customer keeps this day and week: no plan of the season proposes another one. */
  keepDay: z.boolean().optional(),
  startOn: Day,
  endOn: Day.nullable().default(null),
  lines: Lines,
  draft: z.boolean().default(false),
  /** Also visits before today, when the start is past. */
  includePast: z.boolean().default(false),
  /** With `includePast`: those visits were done on their days, and are booked as finished. */
  pastDone: z.boolean().default(false),
})
export type JobDraft = z.output<typeof JobDraft>

export const JobChange = z.object({
  version: z.number().int(),
  title: z.string().trim().min(1, 'A title is needed').max(160).optional(),
  instructions: z.string().trim().max(4000).optional(),
  poNumber: z.string().trim().max(60).optional(),
  keepDay: z.boolean().optional(),
  billing: billing.optional(),
  crewId: z.uuid().nullable().optional(),
  endOn: Day.nullable().optional(),
  /** The whole new list: lines with an id are changed, others added, missing ones end. */
  lines: Lines.optional(),
  /** Which open visits follow the change. Finished ones never do. */
  scope: z.enum(['this', 'this_and_following', 'all_open']).default('this_and_following'),
  /** With `this`: the one open visit whose services, prices, minutes or crew change. The job and its other visits stay. */
  visitId: z.uuid().optional(),
  /** First day that the change counts for with `this_and_following`; today when left out. */
  fromOn: Day.optional(),
  /** Also visits that somebody moved by hand or locked. */
  includeMoved: z.boolean().default(false),
})
export type JobChange = z.output<typeof JobChange>

/** Prices are null for people who do not see money, here and below. */
const HiddenCents = z.number().int().nullable()

const JobLine = z.object({
  id: z.uuid(),
  serviceId: z.uuid(),
  serviceName: z.string(),
  description: z.string(),
  quantity: z.number(),
  unitPriceCents: HiddenCents,
  totalCents: HiddenCents,
  /** What it will cost from a day on. */
  nextPrice: z.object({ cents: z.number().int(), on: Day }).nullable(),
  budgetMinutes: z.number().int(),
  recurrence: Recurrence.nullable(),
  onceOn: z.string().nullable(),
  undated: Undated.nullable(),
  /** Where work without days stands; null for every other line. */
  standing: LineStanding.nullable(),
  scheduleText: z.string(),
})
export type JobLine = z.output<typeof JobLine>

const Crew = z.object({ id: z.uuid(), name: z.string(), color: z.string() })

export const JobRow = z.object({
  id: z.uuid(),
  number: z.number().int(),
  title: z.string(),
  status: z.enum(jobStatuses),
  customerId: z.uuid(),
  customerName: z.string(),
  /** The other name by which a search finds the customer. */
  customerCompany: z.string().nullable(),
  propertyId: z.uuid(),
  street: z.string(),
  city: z.string(),
  crew: Crew.nullable(),
  scheduleText: z.string(),
  /** The season of its program; null for a job without one. */
  programYear: z.number().int().nullable(),
  startOn: z.string(),
  endOn: z.string().nullable(),
  pausedUntil: z.string().nullable(),
  nextVisitOn: z.string().nullable(),
  openVisits: z.number().int(),
  lateVisits: z.number().int(),
  uninvoicedVisits: z.number().int(),
  /** All lines of the job together, as one visit with every line would cost. */
  perVisitCents: HiddenCents,
  flags: z.array(z.enum(['late', 'unscheduled', 'action_required', 'requires_invoicing', 'ending_30d'])),
})
export type JobRow = z.output<typeof JobRow>

const JobVisit = z.object({
  id: z.uuid(),
  occurrenceOn: z.string(),
  day: z.string().nullable(),
  status: z.string(),
  crew: Crew.nullable(),
  priceCents: HiddenCents,
  budgetMinutes: z.number().int(),
  services: z.array(z.string()),
  /** Somebody moved or locked it: schedule changes leave it alone. */
  handMoved: z.boolean(),
  invoiced: z.boolean(),
})
export type JobVisit = z.output<typeof JobVisit>

export const JobRecord = JobRow.extend({
  /** What who asked may do with it now. */
  can: z.record(z.enum(jobActions), z.boolean()),
  instructions: z.string(),
  poNumber: z.string(),
  keepDay: z.boolean(),
  billing,
  version: z.number().int(),
  batchId: z.uuid().nullable(),
  /** The quote that it was made from. */
  quoteId: z.uuid().nullable(),
  createdAt: z.string(),
  /** A change of crew, billing or services holds from this day on, the last of them; null when all of it holds. */
  changesOn: z.string().nullable(),
  property: z.object({
    lawnSquareFeet: z.number().int().nullable(),
    bedSquareFeet: z.number().int().nullable(),
    edgeFeet: z.number().int().nullable(),
    difficulty: z.number().int(),
    zip: z.string(),
    state: z.string(),
  }),
  lines: z.array(JobLine),
  /** The next six open ones. */
  nextVisits: z.array(JobVisit),
  /** The last six that are over. */
  pastVisits: z.array(JobVisit),
  totals: z.object({
    doneVisits: z.number().int(),
    doneCents: HiddenCents,
    uninvoicedCents: HiddenCents,
    openCents: HiddenCents,
  }),
})
export type JobRecord = z.output<typeof JobRecord>

const ChangePreview = z.object({
  created: z.number().int(),
  /** Visits that stay what they are and become another price, crew, content or day. */
  changed: z.number().int(),
  /** Those of them that change their day. */
  moved: z.number().int(),
  removed: z.number().int(),
  /** Open visits that stay as they are, and why. */
  kept: z.array(
    z.object({ visitId: z.uuid(), day: z.string().nullable(), reason: z.enum(['moved', 'started', 'invoiced']) }),
  ),
  /** Visits on another day, with another crew or gone whose crew was sent the old plan already; the first 20. `to` is null for one that goes. */
  told: z.array(z.object({ visitId: z.uuid(), day: z.string(), to: z.string().nullable(), crewName: z.string() })),
})
export type ChangePreview = z.output<typeof ChangePreview>

export const BatchRequest = z
  .object({
    /** Everybody whom a filter of the customer list means, or picked properties. */
    customerFilter: CustomerFilter.optional(),
    propertyIds: z.array(z.uuid()).min(1).max(5000).optional(),
    serviceIds: z.array(z.uuid()).min(1, 'Choose at least one service.').max(10),
    recurrence: Recurrence.nullable(),
    onceOn: Day.nullable().default(null),
    crewId: z.uuid().nullable().default(null),
    startOn: Day,
    endOn: Day.nullable().default(null),
    priceMode: z.enum(['rule', 'fixed']).default('rule'),
    /** With `fixed`: what one visit costs, all services together. */
    fixedPriceCents: Cents.optional(),
    billing: billing.default('per_visit'),
    instructions: z.string().trim().max(4000).default(''),
    keepDay: z.boolean().optional(),
    /** Properties without a pin can be booked, but not routed. */
    includeWithoutPin: z.boolean().default(false),
    /** Properties to leave out by hand. */
    exceptPropertyIds: z.array(z.uuid()).max(5000).default([]),
    dryRun: z.boolean().default(false),
    /** How many jobs the person saw on the button; another number is refused, so nobody books more than agreed. */
    expectedJobs: z.number().int().min(1).optional(),
  })
  .refine((b) => (b.customerFilter === undefined) !== (b.propertyIds === undefined), {
    path: ['customerFilter'],
    message: 'Give a filter or a list of properties.',
  })
  .refine((b) => (b.recurrence === null) !== (b.onceOn === null), {
    path: ['recurrence'],
    message: 'Say how often it comes back, or the one day.',
  })
  .refine((b) => b.priceMode === 'rule' || b.fixedPriceCents !== undefined, {
    path: ['fixedPriceCents'],
    message: 'Give the price of a visit.',
  })
export type BatchRequest = z.output<typeof BatchRequest>

export const batchReasons = [
  'no_lawn_size',
  'no_beds',
  'no_edges',
  'archived',
  'has_job',
  'no_pin',
  'excluded',
] as const
export type BatchReason = (typeof batchReasons)[number]

const BatchItem = z.object({
  propertyId: z.uuid(),
  customerId: z.uuid(),
  customerName: z.string(),
  street: z.string(),
  city: z.string(),
  lawnSquareFeet: z.number().int().nullable(),
  bedSquareFeet: z.number().int().nullable(),
  edgeFeet: z.number().int().nullable(),
  priceCents: z.number().int().nullable(),
  minutes: z.number().int().nullable(),
  /** Why no job would be made here, or null. */
  reason: z.enum(batchReasons).nullable(),
})
export type BatchItem = z.output<typeof BatchItem>

export const BatchState = z.object({
  id: z.uuid(),
  status: z.enum(['running', 'done', 'failed', 'undone']),
  total: z.number().int(),
  done: z.number().int(),
  error: z.string().nullable(),
})
export type BatchState = z.output<typeof BatchState>

const BatchAnswer = z.object({
  /** Exceptions first; at most 1,000, the totals count all. */
  items: z.array(BatchItem),
  totals: z.object({
    properties: z.number().int(),
    jobs: z.number().int(),
    exceptions: z.number().int(),
    /** One round over all of them. */
    roundCents: HiddenCents,
    roundMinutes: z.number().int(),
    visitsPerJob: z.number().int(),
    firstOn: z.string().nullable(),
    byReason: z.partialRecord(z.enum(batchReasons), z.number().int()),
  }),
  /** The next days of the schedule, holidays worked in. */
  days: z.array(z.string()),
  batch: BatchState.nullable(),
})
export type BatchAnswer = z.output<typeof BatchAnswer>

export const jobSorts = ['number', 'customer', 'nextVisit', 'price'] as const

/** What the list of jobs is narrowed to. */
export const JobFilter = z.object({
  view: z.enum(jobViews).default('active'),
  q: z.string().trim().max(200).optional(),
  customerId: z.uuid().optional(),
  propertyId: z.uuid().optional(),
  crewId: z.uuid().optional(),
  serviceId: z.uuid().optional(),
  batchId: z.uuid().optional(),
  programId: z.uuid().optional(),
  /** With a program: the year in which its first round opens. */
  season: z.coerce.number().int().min(2000).max(2200).optional(),
  /** Jobs that are to renew and have no next season yet. */
  renewal: z.literal('missing').optional(),
})
export type JobFilter = z.output<typeof JobFilter>

const Id = z.object({ id: z.uuid() })
const change = { access: 'office', permission: 'schedule', needsSubscription: true } as const

export const jobsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/jobs',
    access: 'office',
    query: JobFilter.extend({
      ...sorted(jobSorts, 'number', 'desc'),
      ...page(50),
    }),
    response: z.object({ items: z.array(JobRow), nextCursor: z.string().nullable(), total: z.number().int() }),
    summary: 'Jobs of a saved view by search, filter and sort',
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/jobs/counts',
    access: 'office',
    response: z.object({
      active: z.number().int(),
      late: z.number().int(),
      unscheduled: z.number().int(),
      action_required: z.number().int(),
      requires_invoicing: z.number().int(),
      ending_30d: z.number().int(),
      archived: z.number().int(),
    }),
    summary: 'How many jobs each saved view holds',
  }),
  calendar: endpoint({
    method: 'GET',
    path: '/api/jobs/calendar',
    access: 'office',
    response: z.object({
      today: z.string(),
      workDays: z.array(z.number().int()),
      holidays: z.array(z.string()),
      holidayRule: z.enum(['skip', 'next', 'previous']),
      season: z.array(z.object({ from: z.string(), to: z.string() })),
    }),
    summary: 'What a schedule has to know of the business: today, work days, holidays, season',
  }),
  places: endpoint({
    method: 'GET',
    path: '/api/jobs/places',
    access: 'office',
    query: z.object({
      q: z.string().trim().max(200).optional(),
      propertyId: z.uuid().optional(),
      customerId: z.uuid().optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    response: z.object({
      items: z.array(
        z.object({
          propertyId: z.uuid(),
          customerId: z.uuid(),
          customerName: z.string(),
          street: z.string(),
          city: z.string(),
          lawnSquareFeet: z.number().int().nullable(),
          bedSquareFeet: z.number().int().nullable(),
          edgeFeet: z.number().int().nullable(),
          difficulty: z.number().int(),
          hasPin: z.boolean(),
          /** Services of its current jobs. */
          serviceIds: z.array(z.uuid()),
        }),
      ),
    }),
    summary: 'Properties to book work at, by words in customer or address',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/jobs/:id',
    access: 'office',
    params: Id,
    response: JobRecord,
    summary: 'One job with its lines, visits and totals',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/jobs',
    ...change,
    idempotent: true,
    body: JobDraft,
    response: JobRecord,
    summary: 'Book work at a property, once or by a rule',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/jobs/:id',
    ...change,
    idempotent: true,
    params: Id,
    body: JobChange,
    response: JobRecord,
    summary: 'Change a job; its open visits follow within the scope',
  }),
  previewChange: endpoint({
    method: 'POST',
    path: '/api/jobs/:id/preview-change',
    access: 'office',
    permission: 'schedule',
    params: Id,
    body: JobChange,
    response: ChangePreview,
    summary: 'What a change would do to the visits, without doing it',
  }),
  act: endpoint({
    method: 'POST',
    path: '/api/jobs/:id/:verb',
    ...change,
    idempotent: true,
    params: Id.extend({ verb: z.enum(jobVerbs) }),
    body: z
      .object({
        /** With `pause`: the first day on which visits happen again. */
        until: Day.nullable().default(null),
      })
      .default({ until: null }),
    response: JobRecord,
    summary: 'Activate, pause, resume, complete, cancel or reactivate a job',
  }),
  decideStep: endpoint({
    method: 'POST',
    path: '/api/jobs/:id/lines/:lineId/decide',
    ...change,
    idempotent: true,
    params: Id.extend({ lineId: z.uuid() }),
    body: z.object({ decision: z.enum(stepDecisions) }),
    response: JobRecord,
    summary: 'What becomes of a round whose window went by: done late, let go without a charge, or undecided again',
  }),
  bookLine: endpoint({
    method: 'POST',
    path: '/api/jobs/:id/lines/:lineId/book',
    ...change,
    idempotent: true,
    params: Id.extend({ lineId: z.uuid() }),
    body: z.object({
      /** Null: it waits in the due list. */
      day: Day.nullable(),
      crewId: z.uuid().nullable().default(null),
    }),
    response: JobRecord,
    summary: 'Make the visit of work on demand, on a day or for the due list',
  }),
  batch: endpoint({
    method: 'POST',
    path: '/api/jobs/batch',
    ...change,
    idempotent: true,
    body: BatchRequest,
    response: BatchAnswer,
    summary: 'The same job for many properties in one action; dryRun says what would happen',
  }),
  getBatch: endpoint({
    method: 'GET',
    path: '/api/jobs/batches/:id',
    access: 'office',
    params: Id,
    response: BatchState,
    summary: 'How far an action on many properties is',
  }),
  undoBatch: endpoint({
    method: 'POST',
    path: '/api/jobs/batches/:id/undo',
    ...change,
    idempotent: true,
    params: Id,
    response: BatchState.extend({ canceled: z.number().int() }),
    summary: 'Cancel the jobs of a batch on which no work was done',
  }),
}
