import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { page, searched } from '../../../shared/list.ts'
import { answers, roundings, runActions, runModes, runStatuses } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Cents = z.number().int()

export const Raise = z
  .object({
    kind: z.enum(['none', 'percent', 'amount']),
    /** Hundredths of a percent, or cents a visit; less than zero lowers. */
    value: z.number().int().min(-1_000_000).max(1_000_000).default(0),
    roundTo: z.union(roundings.map((one) => z.literal(one))).default(1),
  })
  .refine(({ kind, value }) => kind !== 'percent' || (value >= -9_000 && value <= 10_000), {
    path: ['value'],
    message: 'From 90 % less to 100 % more.',
  })

export const RenewalFilter = z.object({
  work: z.enum(['all', 'programs', 'recurring']).default('all'),
  programIds: z.array(z.uuid()).max(50).default([]),
  serviceIds: z.array(z.uuid()).max(50).default([]),
  /** Customers with any of these tags. */
  tags: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
  /** Only work that ends by this day. */
  endsBy: Day.nullable().default(null),
})

const Settings = {
  name: z.string().trim().min(1, 'Name it').max(120),
  mode: z.enum(runModes),
  raise: Raise,
  /** Hundredths of a percent less for who pays the season ahead; 0 offers none. */
  prepayPercent: z.number().int().min(0).max(5000, 'At most 50%.'),
  /** The last day to answer. */
  answerBy: Day,
  message: z.string().trim().max(2000),
  terms: z.string().trim().max(8000),
  byMail: z.boolean(),
  byText: z.boolean(),
}

export const RunSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(runStatuses),
  mode: z.enum(runModes),
  startsOn: Day,
  endsOn: Day.nullable(),
  answerBy: Day,
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  /** How many there are of each answer. */
  counts: z.record(z.enum(answers), z.number().int()),
  /** Without those that are left out: the season at the prices of today and at the new ones, before tax. */
  beforeCents: Cents,
  afterCents: Cents,
  /** Of those, what was renewed, what waits for an answer and what was lost. */
  acceptedCents: Cents,
  waitingCents: Cents,
  lostCents: Cents,
})
export type RunSummary = z.output<typeof RunSummary>

export const RunRecord = RunSummary.extend({
  ...Settings,
  filter: RenewalFilter,
  version: z.number().int(),
  /** Of customers, not of jobs; without those that are left out. */
  customers: z.number().int(),
  /** Jobs on the list whose customer has no address for the ways it is sent by. */
  unreached: z.number().int(),
  /** Cards can be taken, so that somebody can pay ahead. */
  takesCards: z.boolean(),
  can: z.record(z.enum(runActions), z.boolean()),
})
export type RunRecord = z.output<typeof RunRecord>

export const RenewalRow = z.object({
  id: z.uuid(),
  answer: z.enum(answers),
  customer: z.object({ id: z.uuid(), name: z.string() }),
  street: z.string(),
  job: z.object({ id: z.uuid(), number: z.number().int(), title: z.string() }),
  /** Its own raise, in place of that of the run. */
  raise: Raise.nullable(),
  beforeCents: Cents,
  afterCents: Cents,
  lines: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      rhythm: z.string(),
      visits: z.number().int(),
      quantity: z.number(),
      wasCents: Cents,
      cents: Cents,
      typed: z.boolean(),
    }),
  ),
  /** Why it could not be sent or booked. */
  problem: z.string(),
  quote: z.object({ id: z.uuid(), number: z.number().int(), totalCents: Cents }).nullable(),
  nextJob: z.object({ id: z.uuid(), number: z.number().int() }).nullable(),
  byItself: z.boolean(),
  /** No address for the ways it is sent by: it cannot be sent. */
  unreachable: z.boolean(),
})
export type RenewalRow = z.output<typeof RenewalRow>

const Id = z.object({ id: z.uuid() })
const version = z.number().int()
const read = { access: 'office', permission: 'money' } as const
const change = { ...read, needsSubscription: true, idempotent: true } as const
const verb = { method: 'POST', ...change, params: Id, response: RunRecord } as const

export const renewalsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/renewal-runs',
    ...read,
    query: z.object({ ...page(20) }),
    response: z.object({ items: z.array(RunSummary), nextCursor: z.string().nullable() }),
    summary: 'Renewals of seasons, the newest first, with what was answered',
  }),
  candidates: endpoint({
    method: 'POST',
    path: '/api/renewal-runs/candidates',
    ...read,
    body: z.object({ filter: RenewalFilter, startsOn: Day }),
    response: z.object({
      jobs: z.number().int(),
      customers: z.number().int(),
      /** The programs and services among them, and the tags of their customers. */
      programs: z.array(z.object({ id: z.uuid(), name: z.string(), count: z.number().int() })),
      services: z.array(z.object({ id: z.uuid(), name: z.string(), count: z.number().int() })),
      tags: z.array(z.object({ name: z.string(), count: z.number().int() })),
    }),
    summary: 'How many jobs a renewal would be for; makes nothing',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/renewal-runs',
    ...change,
    body: z.object({
      ...Settings,
      name: Settings.name.optional(),
      mode: Settings.mode.default('ask'),
      raise: Raise.prefault({ kind: 'none' }),
      prepayPercent: Settings.prepayPercent.default(0),
      message: Settings.message.default(''),
      terms: Settings.terms.default(''),
      byMail: Settings.byMail.default(true),
      byText: Settings.byText.default(false),
      filter: RenewalFilter.prefault({}),
      startsOn: Day,
      /** Null: work goes on without an end. */
      endsOn: Day.nullable(),
    }),
    response: RunRecord,
    summary: 'Put the list of a renewal together, to look it over; nothing is sent',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/renewal-runs/:id',
    ...read,
    params: Id,
    response: RunRecord,
    summary: 'One renewal with its sums and answers',
  }),
  rows: endpoint({
    method: 'GET',
    path: '/api/renewal-runs/:id/rows',
    ...read,
    params: Id,
    query: z.object({ answer: z.enum(answers).optional(), ...searched, ...page(100) }),
    response: z.object({ items: z.array(RenewalRow), nextCursor: z.string().nullable() }),
    summary: 'The jobs of a renewal with prices now and then, by customer',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/renewal-runs/:id',
    ...change,
    params: Id,
    body: z.object(Settings).partial().extend({ version }),
    response: RunRecord,
    summary: 'Another raise, discount, day or words for a list that is not sent; its prices follow',
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/renewal-runs/:id/rows/:rowId',
    ...change,
    params: z.object({ id: z.uuid(), rowId: z.uuid() }),
    body: z.object({
      excluded: z.boolean().optional(),
      /** Null: that of the run. */
      raise: Raise.nullable().optional(),
      /** Prices by hand, by line; null takes one back. */
      prices: z
        .array(z.object({ lineId: z.string().max(40), cents: Cents.min(0).max(100_000_000).nullable() }))
        .max(60)
        .optional(),
    }),
    response: RenewalRow,
    summary: 'Leave one out, or give it prices of its own',
  }),
  send: endpoint({
    ...verb,
    path: '/api/renewal-runs/:id/send',
    body: z.object({
      version,
      /** What the person saw; where the list comes to something else meanwhile, nothing is sent. */
      expected: z.object({ count: z.number().int(), afterCents: Cents }),
    }),
    summary: 'Send a renewal to everybody on its list, in the background',
  }),
  retry: endpoint({
    ...verb,
    path: '/api/renewal-runs/:id/retry',
    body: z.object({ version }),
    summary: 'Send again what could not be sent',
  }),
  withdraw: endpoint({
    ...verb,
    path: '/api/renewal-runs/:id/withdraw',
    body: z.object({ version }),
    summary: 'Take back what nobody answered yet; what was renewed stays',
  }),
}
