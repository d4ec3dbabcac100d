import { z } from 'zod'
import { ClosedMonthReason } from '../../shared/closedMonth.ts'
import { isDay } from '../../shared/dates.ts'
import { endpoint, type PhotoBody } from '../../shared/endpoint.ts'
import { page, searched, sorted } from '../../shared/list.ts'
import { formatCents } from '../../shared/money.ts'
import { largestUpload } from '../files/rules.ts'
import {
  kindsOnTheWay,
  methodNames,
  mostOnTheWayCents,
  mostParts,
  type PaidOnTheWay as Paid,
  paidMethods,
  partsProblem,
} from './rules.ts'

export const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
export const Cents = z.number({ error: 'Type an amount.' }).int().max(100_000_000, 'That is more than we can keep.')

const Part = z.object({
  amountCents: Cents.min(0, 'Type an amount.'),
  crewId: z.uuid().nullable().default(null),
  vehicle: z.string().trim().max(60).default(''),
  jobId: z.uuid().nullable().default(null),
  visitId: z.uuid().nullable().default(null),
})
export type Part = z.output<typeof Part>

const fields = {
  day: Day,
  categoryId: z.uuid('Choose a category.'),
  vendor: z.string().trim().max(120).default(''),
  note: z.string().trim().max(1000).default(''),
  /** What was paid, sales tax included. */
  totalCents: Cents.min(1, 'Type what was paid.'),
  taxCents: Cents.min(0, 'Type an amount.').default(0),
  method: z.enum(methodNames).refine((method) => paidMethods.includes(method), 'Choose how it was paid.'),
  /** Whose own money it was. */
  paidByUserId: z.uuid().nullable().default(null),
  reimbursedOn: Day.nullable().default(null),
  /** For which crew, truck and work; none is one part for the business. */
  parts: z.array(Part).max(mostParts, `At most ${mostParts} parts.`).default([]),
}
type Fields = {
  totalCents: number
  taxCents: number
  method: string
  paidByUserId: string | null
  reimbursedOn: string | null
  parts: readonly Part[]
}
const holds = (draft: Fields, context: z.RefinementCtx): void => {
  const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (draft.taxCents > draft.totalCents) say('taxCents', 'The tax is more than what was paid.')
  if (draft.method === 'personal' && draft.paidByUserId === null) say('paidByUserId', 'Whose money was it?')
  if (draft.method !== 'personal' && draft.reimbursedOn !== null)
    say('reimbursedOn', 'Only what somebody paid with their own money is paid back.')
  const problem = partsProblem(draft.totalCents, draft.parts)
  if (problem) say('parts', problem)
}

export const ExpenseDraft = z
  .object({
    ...fields,
    /** The same vendor, amount and day stand already, and this is another one. */
    isAnother: z.boolean().default(false),
    exceptionReason: ClosedMonthReason,
  })
  .superRefine(holds)
export type ExpenseDraft = z.output<typeof ExpenseDraft>
export const ExpenseChange = z
  .object({ ...fields, version: z.number().int(), exceptionReason: ClosedMonthReason })
  .superRefine(holds)
export type ExpenseChange = z.output<typeof ExpenseChange>

const ExpensePart = z.object({
  amountCents: z.number().int(),
  crew: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  vehicle: z.string(),
  job: z.object({ id: z.uuid(), label: z.string() }).nullable(),
  visitId: z.uuid().nullable(),
})

export const ExpenseSummary = z.object({
  id: z.uuid(),
  day: z.string(),
  category: z.object({ id: z.uuid(), name: z.string() }),
  vendor: z.string(),
  note: z.string(),
  totalCents: z.number().int(),
  taxCents: z.number().int(),
  method: z.enum(methodNames),
  paidBy: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  reimbursedOn: z.string().nullable(),
  source: z.enum(['office', 'crew', 'mail', 'recurring', 'payout']),
  review: z.boolean(),
  receiptCount: z.number().int(),
  parts: z.array(ExpensePart),
  version: z.number().int(),
  removed: z.boolean(),
})
export type ExpenseSummary = z.output<typeof ExpenseSummary>

export const Expense = ExpenseSummary.extend({
  recurringId: z.uuid().nullable(),
  /** The payout that a card provider kept it of. */
  payoutId: z.uuid().nullable(),
  createdBy: z.string().nullable(),
  receipts: z.array(z.object({ id: z.uuid(), url: z.string(), isPdf: z.boolean() })),
  can: z.object({ update: z.boolean(), remove: z.boolean(), restore: z.boolean(), addPhoto: z.boolean() }),
})
export type Expense = z.output<typeof Expense>

export const ExpenseFilter = {
  from: Day.optional(),
  to: Day.optional(),
  categoryId: z.uuid().optional(),
  crewId: z.uuid().optional(),
  vehicle: z.string().trim().max(60).optional(),
  jobId: z.uuid().optional(),
  vendor: z.string().trim().max(120).optional(),
  method: z.enum(methodNames).optional(),
  paidByUserId: z.uuid().optional(),
  ...searched,
}

const Id = z.object({ id: z.uuid() })
const seen = z.object({ version: z.number().int(), exceptionReason: ClosedMonthReason })
const change = { access: 'office', permission: 'money', needsSubscription: true, idempotent: true } as const
const read = { access: 'office', permission: 'money' } as const
const picture = {
  method: 'POST',
  bodyLimitBytes: largestUpload,
  query: z.object({ id: z.uuid() }),
  body: z.any() as z.ZodType<PhotoBody>,
} as const

/** What a crew member paid on the way. */
export const PaidOnTheWay = z.object({
  kind: z.enum(kindsOnTheWay),
  totalCents: Cents.min(1, 'Type what was paid.').max(
    mostOnTheWayCents,
    `More than ${formatCents(mostOnTheWayCents)} is typed in by the office: give them the receipt.`,
  ),
  vendor: z.string().trim().max(120).default(''),
  note: z.string().trim().max(1000).default(''),
  ownMoney: z.boolean().default(false),
}) satisfies z.ZodType<Paid>
export type PaidOnTheWay = Paid

/** A receipt as who handed it in sees it: their own words and sum, and whether the office has taken it. */
export const OwnReceipt = z.object({
  id: z.uuid(),
  day: z.string(),
  kind: z.enum(kindsOnTheWay),
  vendor: z.string(),
  note: z.string(),
  sum: z.string(),
  ownMoney: z.boolean(),
  state: z.enum(['waiting', 'taken', 'paid_back', 'removed']),
  pictures: z.number().int(),
})
export type OwnReceipt = z.output<typeof OwnReceipt>

export const expensesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/expenses',
    ...read,
    query: z.object({
      ...ExpenseFilter,
      /** Only what waits to be looked at, of any time. */
      review: z.stringbool().optional(),
      ...sorted(['day', 'total', 'vendor'], 'day', 'desc'),
      ...page(50),
    }),
    response: z.object({
      items: z.array(ExpenseSummary),
      nextCursor: z.string().nullable(),
      from: z.string(),
      to: z.string(),
      count: z.number().int(),
      /** Of the parts that fit the filter: a split expense counts with what was for that crew. */
      totalCents: z.number().int(),
      /** What of it nobody of the office has looked at: it is in no month, file or book until then. */
      waitingCents: z.number().int(),
      categories: z.array(
        z.object({ id: z.uuid(), name: z.string(), count: z.number().int(), cents: z.number().int() }),
      ),
      reviewCount: z.number().int(),
    }),
    summary: 'Expenses of a span of days, this month when nobody says, with their sums by category',
  }),
  totals: endpoint({
    method: 'GET',
    path: '/api/expenses/totals',
    ...read,
    query: z.object({ year: z.coerce.number().int().min(2000).max(2200).optional() }),
    response: z.object({
      year: z.number().int(),
      /** Twelve sums each, January first. */
      categories: z.array(z.object({ id: z.uuid(), name: z.string(), cents: z.array(z.number().int()) })),
      totalCents: z.array(z.number().int()),
    }),
    summary: 'What was spent in a year, by category and month',
  }),
  vendors: endpoint({
    method: 'GET',
    path: '/api/expenses/vendors',
    ...read,
    query: z.object(searched),
    response: z.object({
      items: z.array(
        z.object({
          vendor: z.string(),
          categoryId: z.uuid(),
          method: z.enum(methodNames),
        }),
      ),
    }),
    summary: 'Vendors of the last two years with how they were booked last',
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/expenses/choices',
    ...read,
    response: z.object({
      today: z.string(),
      crews: z.array(z.object({ id: z.uuid(), name: z.string(), vehicle: z.string() })),
      people: z.array(z.object({ id: z.uuid(), name: z.string() })),
      vehicles: z.array(z.string()),
      /** Where receipts can be mailed to; null when no mail reaches this server. */
      mailTo: z.string().nullable(),
      /** For the two taps: what each crew paid last for fuel and at the dump. */
      quick: z.array(
        z.object({
          crewId: z.uuid(),
          code: z.enum(['fuel', 'disposal']),
          categoryId: z.uuid(),
          vendor: z.string(),
          totalCents: z.number().int(),
          method: z.enum(methodNames),
        }),
      ),
    }),
    summary: 'What an expense can be booked on: crews with their trucks, people, and what fuel and the dump cost last',
  }),
  get: endpoint({ method: 'GET', path: '/api/expenses/:id', ...read, params: Id, response: Expense }),
  create: endpoint({
    method: 'POST',
    path: '/api/expenses',
    ...change,
    body: ExpenseDraft,
    response: Expense,
    summary: 'Add an expense; one like it on the same day is asked about first',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/expenses/:id',
    ...change,
    params: Id,
    body: ExpenseChange,
    response: Expense,
    summary: 'Change an expense; a receipt that waited counts as looked at',
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/expenses/:id/remove',
    ...change,
    params: Id,
    body: seen,
    response: Expense,
    summary: 'Take an expense out of the books; `restore` brings it back',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/expenses/:id/restore',
    ...change,
    params: Id,
    body: seen,
    response: Expense,
  }),
  addPhoto: endpoint({
    ...picture,
    path: '/api/expenses/:id/photos',
    access: 'office',
    permission: 'money',
    params: Id,
    response: Expense,
    summary: 'A receipt as raw image/jpeg, image/png or image/webp; a repeat with the same id answers the first',
  }),
  removePhoto: endpoint({
    method: 'POST',
    path: '/api/expenses/:id/photos/:photoId/remove',
    access: 'office',
    permission: 'money',
    idempotent: true,
    params: z.object({ id: z.uuid(), photoId: z.uuid() }),
    response: Expense,
  }),
  ownReceipts: endpoint({
    method: 'GET',
    path: '/api/crew/receipts',
    access: 'member',
    response: z.object({ items: z.array(OwnReceipt) }),
    summary: "One's own receipts of the last 60 days",
  }),
  handIn: endpoint({
    method: 'POST',
    path: '/api/crew/receipts',
    access: 'member',
    idempotent: true,
    body: PaidOnTheWay,
    response: OwnReceipt,
    summary: 'Hand in a receipt; the office looks at it',
  }),
  handInPhoto: endpoint({
    ...picture,
    path: '/api/crew/receipts/:id/photos',
    access: 'member',
    params: Id,
    response: OwnReceipt,
    summary: "The picture of one's own receipt",
  }),
}
