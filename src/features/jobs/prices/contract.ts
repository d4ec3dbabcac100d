import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { PriceRule } from '../../services/contract.ts'
import { raiseRoundings } from '../../services/rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const cents = z.number().int()

export const RaiseDraft = z
  .object({
    percent: z.number().min(0.1, 'At least 0.1%').max(100, 'At most 100%').nullable().default(null),
    cents: z.number().int().min(1, 'At least one cent').max(1_000_000).nullable().default(null),
    rounding: z.enum(raiseRoundings).default('dollar'),
  })
  .refine((raise) => (raise.percent === null) !== (raise.cents === null), {
    path: ['percent'],
    message: 'Give a percentage or an amount.',
  })

export const PriceChangeDraft = z
  .object({
    fromOn: Day,
    /** Only what is booked from now on, or also the open visits of booked work from that day. */
    scope: z.enum(['new', 'future']),
    /** New rules, one a service, made over the version that was seen. */
    rules: z
      .array(z.object({ serviceId: z.uuid(), version: z.number().int(), priceRule: PriceRule }))
      .max(50)
      .default([]),
    /** Or the same raise for several services. */
    raise: z
      .object({ serviceIds: z.array(z.uuid()).min(1, 'Pick at least one service.').max(200), by: RaiseDraft })
      .nullable()
      .default(null),
    /** What becomes of work with a price of its own: a raise may take it along. */
    ownPrices: z.enum(['keep', 'raise']).default('keep'),
    exceptCustomerIds: z.array(z.uuid()).max(2000).default([]),
    /** Whether customers are told. */
    tell: z.boolean().default(false),
    /** What was seen before it was confirmed; anything else is refused. */
    expected: z.object({ jobs: z.number().int(), visits: z.number().int(), visitsAfterCents: cents }).optional(),
  })
  .refine((draft) => draft.rules.length > 0 !== (draft.raise !== null), {
    path: ['rules'],
    message: 'Give new rules or a raise.',
  })
export type PriceChangeDraft = z.output<typeof PriceChangeDraft>

const Work = z.object({
  lineId: z.uuid(),
  jobId: z.uuid(),
  jobNumber: z.number().int(),
  customerId: z.uuid(),
  customerName: z.string(),
  street: z.string(),
  serviceName: z.string(),
  beforeCents: cents,
})

export const PriceChangePreview = z.object({
  /** The rules that will stand in the book. */
  services: z.array(z.object({ serviceId: z.uuid(), name: z.string(), before: PriceRule, after: PriceRule })),
  jobs: z.number().int(),
  visits: z.number().int(),
  /** What these visits come to. */
  visitsBeforeCents: cents,
  visitsAfterCents: cents,
  /** A month in season. */
  beforeCents: cents,
  afterCents: cents,
  /** The largest change first; the first 200 of `customerCount`. */
  customers: z.array(
    z.object({
      customerId: z.uuid(),
      name: z.string(),
      visits: z.number().int(),
      /** A month in season. */
      beforeCents: cents,
      afterCents: cents,
      lines: z.array(Work.extend({ afterCents: cents })),
      /** How the customer would hear of it; null says why not. */
      way: z.enum(['sms', 'email']).nullable(),
      noWay: z.string().nullable(),
    }),
  ),
  customerCount: z.number().int(),
  reachable: z.number().int(),
  /** Work with a price of its own that stays as it is; the first 200 of `ownCount`. */
  own: z.array(Work),
  ownCount: z.number().int(),
  /** Visits that somebody gave a price of their own. */
  ownVisits: z.number().int(),
  /** What the customer of the largest change would read; null when nobody would be told. */
  notice: z.string().nullable(),
})
export type PriceChangePreview = z.output<typeof PriceChangePreview>

export const PriceChange = z.object({
  id: z.uuid(),
  /** Rules of the book, a raise of services, or a letter about certain lawns. */
  kind: z.enum(['rule', 'raise', 'letter']),
  scope: z.enum(['new', 'future']),
  fromOn: Day,
  serviceNames: z.array(z.string()),
  lineCount: z.number().int(),
  visitCount: z.number().int(),
  beforeCents: cents,
  afterCents: cents,
  /** Customers whom the notice reached, or has left for; those whose notice waits, was called back, or could not reach them stand apart. */
  toldCount: z.number().int(),
  waitingCount: z.number().int(),
  recalledCount: z.number().int(),
  missedCount: z.number().int(),
  createdAt: z.string(),
  byName: z.string().nullable(),
  undoneAt: z.string().nullable(),
  canUndo: z.boolean(),
})
export type PriceChange = z.output<typeof PriceChange>

const change = { access: 'office', permission: 'money', needsSubscription: true, idempotent: true } as const

export const pricesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/price-changes',
    access: 'office',
    permission: 'money',
    response: z.object({ items: z.array(PriceChange) }),
    summary: 'Changes of prices that were carried to booked work, the newest first',
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/price-changes/preview',
    access: 'office',
    permission: 'money',
    body: PriceChangeDraft,
    response: PriceChangePreview,
    summary: 'What a change of prices would do: jobs, visits, money a month, customer by customer; writes nothing',
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/price-changes',
    ...change,
    body: PriceChangeDraft,
    response: PriceChange,
    summary: 'Change prices from a day on; finished and invoiced work stays as it is',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/price-changes/:id/undo',
    ...change,
    params: z.object({ id: z.uuid() }),
    response: PriceChange,
    summary: 'Take a change of prices back where nothing changed since',
  }),
}
