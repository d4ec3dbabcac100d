import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { type BinaryBody, endpoint } from '../../shared/endpoint.ts'
import { page, searched } from '../../shared/list.ts'
import { measures } from '../services/measures/rules.ts'
import { frequencies, serviceUnits } from '../services/rules.ts'
import { depositActions } from './deposits/rules.ts'
import { lostReasons, most, quoteActions, quoteStatuses } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Cents = z.number({ error: 'A number is needed' }).int().min(0).max(100_000_000)
const number = () => z.number({ error: 'A number is needed' })

export const Round = z.object({
  programId: z.uuid(),
  year: z.number().int().min(2000).max(2200),
  opensOn: Day,
  closesOn: Day,
  minGapDays: z.number().int().min(0).max(365),
})

export const QuoteLine = z.object({
  id: z.string().min(1).max(40),
  serviceId: z.uuid('Choose a service'),
  name: z.string().trim().min(1, 'Say what it is').max(160),
  description: z.string().trim().max(500).default(''),
  quantity: number().positive('More than none').max(100_000).multipleOf(0.001, 'At most three decimals').default(1),
  unit: z.enum(serviceUnits).default('visit'),
  frequency: z.enum(frequencies).default('once'),
  visits: number().int().min(1, 'At least one visit').max(400).default(1),
  unitPriceCents: Cents.nullable().default(null),
  ruleCents: Cents.nullable().default(null),
  inputs: z
    .object({
      /** Of what the size is; left out it is the lawn. */
      measuredBy: z.enum(measures).optional(),
      squareFeet: z.number().int().min(0).max(50_000_000).nullable(),
      /** Of edges. */
      feet: z.number().int().min(0).max(50_000_000).nullable().optional(),
      difficulty: z.number().int().min(1).max(5),
      firstCut: z.boolean(),
    })
    .nullable()
    .default(null),
  costCents: Cents.default(0),
  minutes: number().int().min(0).max(100_000).default(0),
  /** How it comes back, where that is none of the rhythms. */
  rhythm: z.string().trim().max(160).optional(),
  taxCategory: z.string().trim().max(40).default('none'),
  optional: z.boolean().default(false),
  preselected: z.boolean().default(false),
  packageIds: z.array(z.string().max(40)).max(most.packages).default([]),
  round: Round.nullable().default(null),
})

const Share = z.object({
  kind: z.enum(['none', 'percent', 'amount']),
  /** Hundredths of a percent, or cents. */
  value: z.number().int().min(0).max(100_000_000),
})

export const QuoteContent = z.object({
  lines: z.array(QuoteLine).max(most.lines, `At most ${most.lines} lines.`).default([]),
  packages: z
    .array(
      z.object({
        id: z.string().min(1).max(40),
        name: z.string().trim().min(1, 'Name the package').max(60),
        description: z.string().trim().max(300).default(''),
        recommended: z.boolean().default(false),
      }),
    )
    .max(most.packages, `At most ${most.packages} packages.`)
    .default([]),
  discount: Share.default({ kind: 'none', value: 0 }),
  deposit: Share.default({ kind: 'none', value: 0 }),
  /** Hundredths of a percent less for who pays all of it on signing; 0 offers none. */
  prepayPercent: z.number().int().min(0).max(5000, 'At most 50%.').default(0),
  /** The weekday that it would be on; everything but the weekday is worked out by the server. */
  day: z
    .object({
      weekday: z.number().int().min(0).max(6),
      crewId: z.uuid().nullable().default(null),
      crewName: z.string().max(200).default(''),
      addedSeconds: z.number().int().default(0),
      densityPercent: z.number().int().min(0).max(5000).default(0),
      shown: z.boolean().default(false),
    })
    .nullable()
    .default(null),
  message: z.string().trim().max(2000).default(''),
  terms: z.string().trim().max(8000).default(''),
  photoIds: z.array(z.uuid()).max(most.photos, `At most ${most.photos} photos.`).default([]),
})
export type QuoteContent = z.output<typeof QuoteContent>

export const Choice = z.object({
  packageId: z.string().max(40).nullable(),
  lineIds: z.array(z.string().max(40)).max(most.lines),
  /** Pays all of it ahead, for less. */
  prepay: z.boolean().optional(),
})

export const QuoteSummary = z.object({
  id: z.uuid(),
  number: z.number().int(),
  revision: z.number().int(),
  title: z.string(),
  status: z.enum(quoteStatuses),
  customer: z.object({ id: z.uuid(), name: z.string() }),
  property: z.object({ id: z.uuid(), street: z.string(), city: z.string() }),
  totalCents: z.number().int(),
  depositCents: z.number().int(),
  depositPaidCents: z.number().int(),
  validUntil: Day.nullable(),
  sellerName: z.string().nullable(),
  /** Noted by a crew, and not sent yet. */
  isCrewDraft: z.boolean(),
  sentAt: z.string().nullable(),
  viewedAt: z.string().nullable(),
  createdAt: z.string(),
})
export type QuoteSummary = z.output<typeof QuoteSummary>

export const QuoteRecord = QuoteSummary.extend({
  content: QuoteContent,
  note: z.string(),
  source: z.string(),
  choice: Choice.nullable(),
  lostReason: z.enum(lostReasons).nullable(),
  jobId: z.uuid().nullable(),
  /** All jobs that it became, by number. */
  jobs: z.array(z.object({ id: z.uuid(), number: z.number().int(), title: z.string(), status: z.string() })),
  followOn: Day.nullable(),
  /** Whether an invoice can be made from all of it, and the one that was. */
  billing: z.object({
    can: z.boolean(),
    /** `isCredited` where credit notes took all of it back, so that its work may become a job. */
    invoice: z.object({ id: z.uuid(), number: z.number().int(), isCredited: z.boolean() }).nullable(),
  }),
  /** It is the next season of a job, sent with others. */
  renewal: z.object({ runId: z.uuid(), jobNumber: z.number().int(), startsOn: Day }).nullable(),
  /** How the customer is reached with it. */
  reach: z.object({ emails: z.array(z.string()), phones: z.array(z.string()), language: z.enum(['en', 'es']) }),
  /** Its text is written and waits for the end of quiet hours until then. */
  textWaitsUntil: z.string().nullable(),
  /** Cards can be taken: a deposit is paid on its page. */
  takesCards: z.boolean(),
  /** The page of the version that was sent last; null before. */
  publicPath: z.string().nullable(),
  place: z.object({
    lawnSquareFeet: z.number().int().nullable(),
    bedSquareFeet: z.number().int().nullable(),
    edgeFeet: z.number().int().nullable(),
    difficulty: z.number().int(),
    areas: z.array(z.object({ kind: z.string(), name: z.string(), squareFeet: z.number().int() })),
  }),
  /** By what it is taxed: of the day on which it was sent, else today. */
  tax: z.object({
    rules: z.array(z.any()),
    place: z.object({
      state: z.string().nullable().optional(),
      city: z.string().nullable().optional(),
      zip: z.string().nullable().optional(),
    }),
    exempt: z.union([z.boolean(), z.array(z.string())]),
    day: Day,
  }),
  /** What an hour of one person costs; null for people who may not see wages. */
  laborCents: z.number().int().nullable(),
  photos: z.array(z.object({ id: z.uuid(), url: z.string() })),
  signature: z
    .object({
      way: z.enum(['typed', 'drawn', 'office', 'notice']),
      signer: z.string(),
      signedAt: z.string(),
      ip: z.string(),
      userAgent: z.string(),
      note: z.string(),
      byName: z.string().nullable(),
      totalCents: z.number().int(),
      pdfHash: z.string(),
      termsHash: z.string(),
    })
    .nullable(),
  events: z.array(
    z.object({
      id: z.uuid(),
      kind: z.string(),
      revision: z.number().int(),
      words: z.string(),
      byName: z.string().nullable(),
      at: z.string(),
    }),
  ),
  /** What came for its deposit last. */
  deposit: z
    .object({
      id: z.uuid(),
      receiptNumber: z.number().int().nullable(),
      method: z.enum(['card', 'ach', 'cash', 'check', 'credit', 'other']),
      provider: z.string(),
      amountCents: z.number().int(),
      refundedCents: z.number().int(),
      tipCents: z.number().int(),
      receivedOn: Day,
      /** What of it lies on no invoice and did not go back. */
      restCents: z.number().int(),
      /** The office keeps it as the customer's credit. */
      kept: z.boolean(),
    })
    .nullable(),
  /** Where all that came for its deposit went: the invoices that it pays, and what lies on none. */
  depositUses: z.object({
    restCents: z.number().int(),
    pays: z.array(z.object({ id: z.uuid(), number: z.number().int(), cents: z.number().int() })),
  }),
  depositCan: z.record(z.enum(depositActions), z.boolean()),
  can: z.record(z.enum(quoteActions), z.boolean()),
  version: z.number().int(),
})
export type QuoteRecord = z.output<typeof QuoteRecord>

export const quoteViews = [
  'all',
  'draft',
  'noted',
  'waiting',
  'changes',
  'approved',
  'lost',
  'converted',
  'archived',
] as const
export const QuoteView = z.enum(quoteViews)
export type QuoteView = z.output<typeof QuoteView>

const Fields = {
  title: z.string().trim().max(160),
  content: QuoteContent,
  validUntil: Day.nullable(),
  note: z.string().trim().max(4000),
  source: z.string().trim().max(80),
  sellerId: z.uuid().nullable(),
}

const Id = z.object({ id: z.uuid() })
const version = z.number().int()
const read = { access: 'office', permission: 'money' } as const
const change = { ...read, needsSubscription: true, idempotent: true } as const
const verb = { ...change, params: Id, response: QuoteRecord } as const

export const quotesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/quotes',
    ...read,
    query: z.object({
      view: QuoteView.default('all'),
      ...searched,
      customerId: z.uuid().optional(),
      ...page(50),
    }),
    response: z.object({
      items: z.array(QuoteSummary),
      nextCursor: z.string().nullable(),
      /** Each up to 1,000. */
      counts: z.record(QuoteView, z.number().int()),
      /** What is with customers, and what they approved that is no job yet. */
      waitingCents: z.number().int(),
      approvedCents: z.number().int(),
    }),
    summary: 'Quotes by state, the newest first',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/quotes/:id',
    ...read,
    params: Id,
    response: QuoteRecord,
    summary: 'One quote with its lines, evidence and history',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/quotes',
    ...change,
    body: z.object({
      propertyId: z.uuid(),
      title: Fields.title.default(''),
      content: QuoteContent.prefault({}),
      /** Left out: 30 days from today. */
      validUntil: Fields.validUntil.optional(),
      note: Fields.note.default(''),
      source: Fields.source.default(''),
      templateId: z.uuid().nullable().default(null),
      /** The request that it answers. */
      leadId: z.uuid().nullable().optional(),
    }),
    response: QuoteRecord,
    summary: 'A draft for a property',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/quotes/:id',
    ...verb,
    body: z.object(Fields).partial().extend({ version }),
    summary: 'Change a draft; what was sent never changes',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/send',
    ...verb,
    body: z.object({ mail: z.boolean(), text: z.boolean(), version }),
    summary: 'Send it by e-mail, text or both; what was sent is kept as it is',
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/resend',
    ...verb,
    body: z.object({ mail: z.boolean(), text: z.boolean() }),
    summary: 'The same version once more',
  }),
  revise: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/revise',
    ...verb,
    body: z.object({ version }),
    summary: 'Work on a new version; the one that was sent says that there is a newer one to come',
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/approve',
    ...change,
    idempotent: 'steps',
    params: Id,
    body: z.object({
      signer: z.string().trim().min(1, 'Who said yes?').max(120),
      note: z.string().trim().min(3, 'Say how they agreed: by phone, at the door').max(1000),
      choice: Choice,
      version,
    }),
    response: QuoteRecord,
    summary: 'The customer said yes some other way; kept with who noted it and how',
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/decline',
    ...verb,
    body: z.object({ reason: z.enum(lostReasons), note: z.string().trim().max(1000).default(''), version }),
    summary: 'It is lost, and why',
  }),
  convert: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/convert',
    ...verb,
    body: z.object({
      startOn: Day,
      crewId: z.uuid().nullable().default(null),
      instructions: z.string().trim().max(4000).default(''),
      version,
    }),
    summary: 'Make it jobs with their recurrence, once; its deposit goes with them',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/archive',
    ...verb,
    body: z.object({ version }),
    summary: 'Put it away',
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/copy',
    ...verb,
    body: z.object({ propertyId: z.uuid().nullable().default(null) }),
    summary: 'The same as a new draft, for this property or another one',
  }),
  addPhoto: endpoint({
    method: 'POST',
    path: '/api/quotes/photos',
    ...change,
    idempotent: 'steps',
    bodyLimitBytes: 15 * 1024 * 1024,
    body: z.any() as z.ZodType<BinaryBody>,
    response: z.object({ id: z.uuid(), url: z.string() }),
    summary: 'A photo that is put on a quote',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/quotes/:id/preview',
    ...read,
    params: Id,
    query: z.object({
      /** What is being looked at; left out for what is ticked beforehand. */
      package: z.string().max(40).optional(),
      /** Ids of lines between commas. */
      options: z.string().max(4000).optional(),
      prepay: z.enum(['0', '1']).optional(),
    }),
    response: z.object({
      /** The page behind its link; its forms lead nowhere. */
      html: z.string(),
      /** What stops it from being sent, if anything does. */
      problem: z.string().nullable(),
    }),
    summary: 'The quote as the customer sees it, before or after it is sent; nobody has looked by that',
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/quotes/:id/pdf',
    ...read,
    params: Id,
    response: z.any(),
    summary: 'The quote on paper: as it was signed, else as it was sent',
  }),
}
