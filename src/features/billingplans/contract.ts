import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { Reach } from '../messages/paperways/contract.ts'
import { mostLines, mostMonths, planActions, planKinds, settleChoices } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'A month like 2027-04')
const Cents = z.number().int()
const Id = z.object({ id: z.uuid() })
const Amount = z.number().int().min(1, 'More than zero').max(100_000_000)
const Reason = z.string().trim().max(300)

/** What is asked for a plan; what is left out is proposed. */
const Wish = {
  customerId: z.uuid(),
  kind: z.enum(planKinds),
  startsOn: Day,
  endsOn: Day,
  /** The lines of jobs that it covers; left out: all that can be. */
  lineIds: z.array(z.uuid()).max(mostLines).optional(),
  months: z.array(Month).max(mostMonths).optional(),
  billDay: z.number().int().min(1).max(31).default(1),
  /** What was agreed before tax; left out: what the work comes to. */
  seasonCents: Amount.optional(),
}

export const PlanLine = z.object({
  lineId: z.uuid(),
  jobId: z.uuid(),
  jobNumber: z.number().int(),
  propertyId: z.uuid(),
  place: z.string(),
  service: z.string(),
  schedule: z.string(),
  visits: z.number().int(),
  cents: Cents,
  covered: z.boolean(),
  /** Why it cannot be covered, or null. */
  refusal: z.string().nullable(),
})
export type PlanLine = z.output<typeof PlanLine>

const PlannedMonth = z.object({ month: Month, billOn: Day, cents: Cents, taxCents: Cents, totalCents: Cents })

export const PlanPreview = z.object({
  customerName: z.string(),
  /** How the customer is told of it. */
  reach: Reach,
  today: Day,
  lines: z.array(PlanLine),
  /** What the covered work comes to at its prices, before tax. */
  listCents: Cents,
  seasonCents: Cents,
  /** What the plan before left: more than zero is billed with the months of this one. */
  carryCents: Cents,
  carriedFrom: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  months: z.array(PlannedMonth),
  taxCents: Cents,
  totalCents: Cents,
  /** What is to be set right first, by field. */
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
})
export type PlanPreview = z.output<typeof PlanPreview>

export const PlanRow = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(planKinds),
  status: z.enum(['active', 'settled', 'discarded']),
  customer: z.object({ id: z.uuid(), name: z.string() }),
  startsOn: Day,
  endsOn: Day,
  /** Its season is over, and it waits to be settled. */
  isOver: z.boolean(),
  seasonCents: Cents,
  /** Finished work as it counts, before tax. */
  deliveredCents: Cents,
  /** Invoices of its months less what was credited on them, before tax. */
  billedCents: Cents,
  /** Money on those invoices, tax included. */
  paidCents: Cents,
  /** Delivered and carried over, less billed. */
  differenceCents: Cents,
  next: z.object({ billOn: Day, cents: Cents }).nullable(),
  /** The work comes to something else by now than was agreed on. */
  isChanged: z.boolean(),
  heldSince: Day.nullable(),
})
export type PlanRow = z.output<typeof PlanRow>

export const PlanEntry = z.object({
  onDay: Day,
  kind: z.enum(['delivered', 'billed', 'paid', 'credited', 'carried']),
  label: z.string(),
  cents: Cents,
  /** Delivered less billed after it, before tax; null for money. */
  differenceCents: Cents.nullable(),
  invoiceId: z.uuid().nullable(),
})
export type PlanEntry = z.output<typeof PlanEntry>

export const Plan = PlanRow.extend({
  version: z.number().int(),
  billDay: z.number().int(),
  reason: z.string(),
  listCents: Cents,
  carryCents: Cents,
  carriedFrom: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Why a month that is due was not billed; null while none is held. */
  heldWhy: z.string().nullable(),
  lines: z.array(
    z.object({
      lineId: z.uuid(),
      jobId: z.uuid(),
      jobNumber: z.number().int(),
      place: z.string(),
      service: z.string(),
      visits: z.number().int(),
      cents: Cents,
    }),
  ),
  months: z.array(
    z.object({
      month: Month,
      billOn: Day,
      cents: Cents,
      state: z.enum(['planned', 'billed', 'voided', 'stopped']),
      invoice: z
        .object({
          id: z.uuid(),
          number: z.number().int(),
          totalCents: Cents,
          paidCents: Cents,
          /** What of that is credit, no money. */
          creditedCents: Cents,
          status: z.string(),
        })
        .nullable(),
    }),
  ),
  entries: z.array(PlanEntry),
  /** What its work comes to as the jobs stand now, at their prices and as agreed. */
  expected: z.object({ listCents: Cents, seasonCents: Cents, isChanged: z.boolean() }).nullable(),
  changes: z.array(
    z.object({
      id: z.uuid(),
      onDay: Day,
      beforeCents: Cents,
      afterCents: Cents,
      reason: z.string(),
      told: z.boolean(),
      undoneOn: Day.nullable(),
      by: z.string().nullable(),
    }),
  ),
  settled: z
    .object({
      onDay: Day,
      choice: z.enum(settleChoices),
      totalCents: Cents,
      reason: z.string(),
      sent: z.boolean(),
      invoice: z.object({ id: z.uuid(), number: z.number().int() }).nullable(),
      /** Its last invoice was voided: what it billed waits to be settled anew. */
      voided: z.boolean(),
      creditNote: z.string().nullable(),
      refundedCents: Cents,
      by: z.string().nullable(),
    })
    .nullable(),
  can: z.record(z.enum(planActions), z.boolean()),
})
export type Plan = z.output<typeof Plan>

/** What would be billed or given back if the plan ended now. */
export const Settlement = z.object({
  planId: z.uuid(),
  listCents: Cents,
  /** Finished work as it counts, and the same at its full prices. */
  deliveredCents: Cents,
  fullCents: Cents,
  visits: z.number().int(),
  carryCents: Cents,
  billedCents: Cents,
  netCents: Cents,
  taxCents: Cents,
  /** More than zero: one last invoice. Less: credit. */
  totalCents: Cents,
  monthsLeft: z.object({ count: z.number().int(), cents: Cents }),
  /** Of what is too much: so much is open on invoices of the plan and is credited there. */
  openCents: Cents,
  /** And so much could go back as money. */
  refundableCents: Cents,
  refunds: z.array(z.object({ paymentId: z.uuid(), label: z.string(), cents: Cents, byProvider: z.boolean() })),
  choices: z.array(z.enum(settleChoices)),
  /** How the customer is told of it. */
  reach: Reach,
})
export type Settlement = z.output<typeof Settlement>

export const ChangePreview = z.object({
  lines: z.array(PlanLine),
  listCents: Cents,
  beforeCents: Cents,
  seasonCents: Cents,
  carryCents: Cents,
  billedCents: Cents,
  months: z.array(z.object({ month: Month, billOn: Day, beforeCents: Cents, cents: Cents })),
  /** Why it cannot be changed so, or null. */
  problem: z.string().nullable(),
  /** How the customer is told of it. */
  reach: Reach,
})
export type ChangePreview = z.output<typeof ChangePreview>

export const planViews = ['running', 'to_settle', 'delivered_more', 'billed_more', 'over'] as const
export type PlanView = (typeof planViews)[number]

const look = { method: 'GET', access: 'office', permission: 'money' } as const
const change = {
  method: 'POST',
  access: 'office',
  permission: 'money',
  needsSubscription: true,
  idempotent: true,
  response: Plan,
} as const

const AtFullPrice = z.boolean().default(false)

export const billingPlansApi = {
  list: endpoint({
    ...look,
    path: '/api/billing-plans',
    query: z.object({ view: z.enum(planViews).optional(), customerId: z.uuid().optional(), ...page(50) }),
    response: z.object({ items: z.array(PlanRow), nextCursor: z.string().nullable() }),
    summary: 'Billing plans with what was delivered, billed and paid: who is ahead, who is behind',
  }),
  get: endpoint({
    ...look,
    path: '/api/billing-plans/:id',
    params: Id,
    response: Plan,
    summary: 'One billing plan with its months and its delivered-against-billed ledger',
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/billing-plans/preview',
    access: 'office',
    permission: 'money',
    body: z.object(Wish),
    response: PlanPreview,
    summary: 'What a plan would cover and bill month by month; makes nothing',
  }),
  create: endpoint({
    ...change,
    path: '/api/billing-plans',
    body: z.object({
      ...Wish,
      name: z.string().trim().min(1, 'Name it').max(60),
      lineIds: z.array(z.uuid()).min(1, 'Choose what it covers.').max(200),
      months: z.array(Month).min(1, 'Choose at least one month.').max(mostMonths),
      seasonCents: Amount,
      reason: Reason.default(''),
      /** Tell the customer what was agreed, as their papers reach them. */
      tell: z.boolean().default(false),
      /** What the person saw; where the work came to something else meanwhile, nothing is made. */
      expectedListCents: Cents,
    }),
    summary: 'Start a billing plan; a month whose day has come is billed at once',
  }),
  previewChange: endpoint({
    method: 'POST',
    path: '/api/billing-plans/:id/preview-change',
    access: 'office',
    permission: 'money',
    params: Id,
    body: z.object({ lineIds: z.array(z.uuid()).max(mostLines).optional(), seasonCents: Amount.optional() }),
    response: ChangePreview,
    summary: 'What another total or other work would make of the months that are left; changes nothing',
  }),
  change: endpoint({
    ...change,
    path: '/api/billing-plans/:id/change',
    params: Id,
    body: z.object({
      version: z.number().int(),
      lineIds: z.array(z.uuid()).min(1, 'Choose what it covers.').max(200),
      seasonCents: Amount,
      reason: Reason.min(1, 'Say why: it stands on the record'),
      tell: z.boolean(),
      expectedListCents: Cents,
    }),
    summary: 'Change the months that are left of a plan; what was billed stays',
  }),
  undoChange: endpoint({
    ...change,
    path: '/api/billing-plans/:id/undo-change',
    params: Id,
    body: z.object({ version: z.number().int() }),
    summary: 'Take the newest change of a plan back, while no month was billed since',
  }),
  settlement: endpoint({
    ...look,
    path: '/api/billing-plans/:id/settlement',
    params: Id,
    query: z.object({ atFullPrice: z.stringbool().default(false) }),
    response: Settlement,
    summary: 'What would be billed or given back if the plan ended now, to the cent',
  }),
  settle: endpoint({
    ...change,
    path: '/api/billing-plans/:id/settle',
    params: Id,
    body: z.object({
      choice: z.enum(settleChoices),
      reason: Reason.default(''),
      atFullPrice: AtFullPrice,
      /** Send the invoice or word of the credit now; what was sent is not taken back. */
      send: z.boolean(),
      /** How cash and checks go back. */
      refundMethod: z.enum(['check', 'cash', 'other']).default('check'),
      /** The sum that the person saw. */
      expectedTotalCents: Cents,
    }),
    summary: 'End a plan: the difference of delivered and billed is settled once, the months left are stopped',
  }),
  undoSettlement: endpoint({
    ...change,
    path: '/api/billing-plans/:id/undo-settlement',
    // the payment page of its invoice is ended at the provider first
    idempotent: 'steps',
    params: Id,
    summary: 'Take a settlement back while nothing of it was sent or used: the plan goes on',
  }),
  discard: endpoint({
    ...change,
    path: '/api/billing-plans/:id/discard',
    params: Id,
    summary: 'Take back a plan of which no month was billed: its visits are billed one by one again',
  }),
}
