import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { booksKinds, booksStates, fixes, repairs, roleNames, taxModes, theirTypes } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const RemoteId = z.string().min(1, 'Choose one.').max(60)

const Accounts = z.object({
  income: RemoteId,
  deposit: RemoteId,
  bank: RemoteId,
  expense: RemoteId,
  receivable: RemoteId,
  tax: RemoteId,
  /** From where the company card and cash are paid; without one what was paid so asks for a hand. */
  card: RemoteId.nullable().default(null),
  cash: RemoteId.nullable().default(null),
  /** The card is a debit card: its account is a bank account. */
  cardIsDebit: z.boolean().default(false),
  /** Where tips are owed from; without one a tip asks for a hand. */
  tips: RemoteId.nullable().default(null),
  /** Where discounts for paying without a card are booked; without one they lower the income. */
  discounts: RemoteId.nullable().default(null),
  /** Where a category of expenses is booked, by its id; the others go to `expense`. */
  categories: z.record(z.uuid(), RemoteId).default({}),
})
export type Accounts = z.output<typeof Accounts>

/** A business's connection to its books, in words. */
export const Books = z.object({
  state: z.enum(booksStates),
  /** Why there is none to be had here. */
  reason: z.string().nullable(),
  provider: z.enum(['intuit', 'local']).nullable(),
  /** False where these are no real books. */
  livemode: z.boolean(),
  companyName: z.string(),
  connectedAt: z.string().nullable(),
  /** Where a person looks into the books, where that is not their own program. */
  lookUrl: z.string().nullable(),
  setup: z
    .object({
      accounts: Accounts,
      taxMode: z.enum(taxModes),
      taxCode: z.string().nullable(),
      startOn: z.string(),
    })
    .nullable(),
  version: z.number().int(),
  /** The first sending is still being gathered. */
  gathering: z.boolean(),
  waiting: z.number().int(),
  /** Of those, what waits for something that needs a person. */
  held: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  /** Asked too much: nothing is sent before this instant. */
  pausedUntil: z.string().nullable(),
  can: z.object({ connect: z.boolean(), disconnect: z.boolean(), setUp: z.boolean(), send: z.boolean() }),
})
export type Books = z.output<typeof Books>

const Choice = z.object({ id: z.string(), name: z.string() })
export const BooksChoices = z.object({
  accounts: z.record(z.enum(roleNames), z.array(Choice)),
  taxCodes: z.array(Choice),
  categories: z.array(z.object({ id: z.uuid(), name: z.string() })),
})
export type BooksChoices = z.output<typeof BooksChoices>

const Party = z.object({ id: z.string(), name: z.string(), email: z.string().nullable(), phone: z.string().nullable() })
export const Match = z.object({ customer: Party, remote: Party, by: z.array(z.enum(['email', 'phone', 'name'])) })
export type Match = z.output<typeof Match>

export const QueueRow = z.object({
  id: z.uuid(),
  kind: z.enum(booksKinds),
  label: z.string(),
  /** Whose it is and which invoices it is about, as "Ann Lee, INV-1007"; empty where its label says it. */
  about: z.string(),
  /** Where the record stands in Swath, or null. */
  href: z.string().nullable(),
  day: z.string().nullable(),
  cents: z.number().int().nullable(),
  status: z.enum(['waiting', 'failed', 'skipped']),
  message: z.string(),
  /** Who has the name there, whom it can be linked to. */
  twin: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Where what is meant stands there. */
  remoteUrl: z.string().nullable(),
  /** What a name or number would be with the next suffix. */
  renamed: z.string().nullable(),
  fixes: z.array(z.enum(fixes)),
})
export type QueueRow = z.output<typeof QueueRow>

const Difference = z.object({
  kind: z.enum(booksKinds),
  /** Null where there is nothing of it here. */
  localId: z.uuid().nullable(),
  label: z.string(),
  href: z.string().nullable(),
  remoteUrl: z.string().nullable(),
  oursCents: z.number().int().nullable(),
  theirsCents: z.number().int().nullable(),
  /** The record that needs a person first, by its name, where it waits behind one. */
  waitsFor: z.string().nullable().default(null),
  /** Its day there, where that is of another month. */
  theirsDay: z.string().nullable().default(null),
  why: z.enum(['not_sent', 'waiting', 'missing_there', 'other_month', 'amount', 'other_invoice', 'only_there']),
  /** The invoices that it pays here and there, where they are others. */
  pays: z.object({ ours: z.string(), theirs: z.string() }).nullable().default(null),
  /** Whether it stands among what needs somebody, with ways to settle it. */
  isInQueue: z.boolean().default(false),
  /** What it is there, where nothing of it is here. */
  theirs: z
    .object({ type: z.enum(theirTypes), id: z.string() })
    .nullable()
    .default(null),
  /** Whose it is there, as Swath knows them. */
  who: z.string().nullable().default(null),
  /** A record of ours that is not there and of the same amount: probably the same. */
  twin: z.object({ localId: z.uuid(), label: z.string() }).nullable().default(null),
  repairs: z.array(z.enum(repairs)).default([]),
  /** Why it was left as it is. */
  reason: z.string().default(''),
})
export type Difference = z.output<typeof Difference>

export const MonthCheck = z.object({
  month: z.string(),
  checkedAt: z.string(),
  sums: z.array(
    z.object({
      kind: z.enum(booksKinds),
      count: z.number().int(),
      /** How many of its movements are tips; left out where none is, and of checks from before this was kept. */
      tips: z.number().int().optional(),
      oursCents: z.number().int(),
      theirsCents: z.number().int(),
    }),
  ),
  differences: z.array(Difference),
  /** What somebody left as it is there. */
  left: z.array(Difference).default([]),
  /** There are more than are listed. */
  more: z.boolean(),
})
export type MonthCheck = z.output<typeof MonthCheck>
/** A month with how it was found the last time, and why the newest check got no answer. */
export const BooksMonth = z.object({
  month: z.string(),
  check: MonthCheck.nullable(),
  failed: z.object({ at: z.string(), message: z.string() }).nullable(),
})
export type BooksMonth = z.output<typeof BooksMonth>

/** One of the records that a sum of a month is made of. */
const SumRecord = z.object({
  id: z.uuid(),
  label: z.string(),
  /** Whose it is, and the invoices that it is about. */
  about: z.string(),
  day: z.string(),
  cents: z.number().int(),
  href: z.string().nullable(),
})
export type SumRecord = z.output<typeof SumRecord>

const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Use a month like 2026-05.')

const read = { access: 'office', permission: 'money' } as const
const change = { access: 'office', permission: 'money', needsSubscription: true } as const

export const quickbooksApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/quickbooks',
    ...read,
    response: Books,
    summary: 'Whether the books are connected, how far they are, and what does not go through',
  }),
  connect: endpoint({
    method: 'POST',
    path: '/api/quickbooks/connect',
    access: 'owner',
    needsSubscription: true,
    response: z.object({ url: z.string() }),
    summary: 'Where the owner gives leave; what comes back is bound to this business and person',
  }),
  finish: endpoint({
    method: 'POST',
    path: '/api/quickbooks/finish',
    access: 'owner',
    body: z.object({
      state: z.string().max(2000),
      code: z.string().max(1000).default(''),
      realmId: z.string().max(60).default(''),
      error: z.string().max(100).default(''),
    }),
    response: Books,
    summary: 'What the browser brought back from the provider; a second time answers what the first made',
  }),
  disconnect: endpoint({
    method: 'POST',
    path: '/api/quickbooks/disconnect',
    access: 'owner',
    idempotent: true,
    response: Books,
    summary: 'Sends nothing more and gives our leave back; what is in the books stays there',
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/quickbooks/choices',
    ...read,
    response: BooksChoices,
    summary: 'The accounts and tax codes of the books, asked for now',
  }),
  setUp: endpoint({
    method: 'PUT',
    path: '/api/quickbooks/setup',
    ...change,
    idempotent: true,
    body: z.object({
      accounts: Accounts,
      taxMode: z.enum(taxModes),
      taxCode: z.string().max(60).nullable().default(null),
      startOn: Day,
      version: z.number().int(),
    }),
    response: Books,
    summary: 'Which accounts things are booked to, and from which day on they are sent',
  }),
  matches: endpoint({
    method: 'GET',
    path: '/api/quickbooks/matches',
    ...read,
    response: z.object({ items: z.array(Match), linked: z.number().int(), remote: z.number().int() }),
    summary: 'Customers of the books who are probably ours, to say yes to',
  }),
  match: endpoint({
    method: 'POST',
    path: '/api/quickbooks/matches',
    ...change,
    idempotent: true,
    body: z.object({
      pairs: z
        .array(z.object({ customerId: z.uuid(), remoteId: RemoteId }))
        .min(1)
        .max(5000),
    }),
    response: z.object({ linked: z.number().int() }),
    summary: 'Says who there is who here',
  }),
  queue: endpoint({
    method: 'GET',
    path: '/api/quickbooks/queue',
    ...read,
    query: z.object({ status: z.enum(['waiting', 'failed', 'skipped']).default('failed') }),
    response: z.object({ items: z.array(QueueRow), more: z.boolean() }),
    summary: 'What waits, what does not go through and why, and what was skipped',
  }),
  fix: endpoint({
    method: 'POST',
    path: '/api/quickbooks/queue/:id/fix',
    ...change,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({ how: z.enum(fixes), reason: z.string().trim().max(300).default('') }),
    response: Books,
    summary: 'Does something about a row that does not go through',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/quickbooks/send',
    ...change,
    idempotent: true,
    response: Books,
    summary: 'Sends what waits now and not at its minute',
  }),
  months: endpoint({
    method: 'GET',
    path: '/api/quickbooks/months',
    ...read,
    response: z.object({ months: z.array(BooksMonth) }),
    summary: 'The months since the start, each with how it was found the last time it was held against the books',
  }),
  records: endpoint({
    method: 'GET',
    path: '/api/quickbooks/months/records',
    ...read,
    query: z.object({ month: Month, kind: z.enum(booksKinds), ...page(50) }),
    response: z.object({
      items: z.array(SumRecord),
      nextCursor: z.string().nullable(),
      count: z.number().int(),
      totalCents: z.number().int(),
    }),
    summary: 'The records of Swath that a sum of a month is made of, the newest first, as they stand now',
  }),
  checkMonth: endpoint({
    method: 'POST',
    path: '/api/quickbooks/months/check',
    ...change,
    body: z.object({ month: Month }),
    response: MonthCheck,
    summary: 'Holds a month against the books, to the cent, and names what differs',
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/quickbooks/months/fix',
    ...change,
    idempotent: true,
    body: z.object({ month: Month, kind: z.enum(booksKinds), localId: z.uuid() }),
    response: Books,
    summary: 'Sends a record that a check found missing or different, so that the books say what Swath says',
  }),
  repair: endpoint({
    method: 'POST',
    path: '/api/quickbooks/months/there',
    ...change,
    body: z.object({
      month: Month,
      type: z.enum(theirTypes),
      remoteId: RemoteId,
      how: z.enum(repairs),
      /** Of ours, which one it is. */
      localId: z.uuid().nullable().default(null),
      reason: z.string().trim().max(300).default(''),
    }),
    response: MonthCheck,
    summary: 'Settles a record that stands only in the books, and holds the month against them again',
  }),
  webhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/quickbooks',
    access: 'webhook',
    response: z.object({ received: z.literal(true) }),
    summary: 'Notices of QuickBooks, in its older and newer shape, by their signature',
  }),
}
