import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { HandedRefund } from '../../shared/handedRefund.ts'
import { page, searched, sorted } from '../../shared/list.ts'
import { TaxPlace, TaxRate } from '../businesses/contract.ts'
import { Reach } from '../messages/paperways/contract.ts'
import { messageChannels } from '../messages/rules.ts'
import { InvoiceView } from './aging/contract.ts'
import { InvoiceBatch } from './batch/contract.ts'
import { BoundCredit, Correction, Earlier, GaveBack, GaveDeposit, Payment } from './corrections/contract.ts'
import { TaxExemptIn } from './exemptions/contract.ts'
import { mailKinds } from './papers/rules.ts'
import { InvoicePending } from './pending/contract.ts'
import { InvoiceReminders } from './reminders/contract.ts'
import { ageNames, invoiceActions, invoiceStatuses } from './rules.ts'
import { AlsoOpen } from './together/contract.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Cents = z.number().int()
const Id = z.object({ id: z.uuid() })

export const InvoiceSummary = z.object({
  id: z.uuid(),
  number: z.number().int(),
  customer: z.object({ id: z.uuid(), name: z.string(), email: z.string().nullable() }),
  status: z.enum(invoiceStatuses),
  overdue: z.boolean(),
  /** A payment of it is disputed and not decided yet. */
  disputed: z.boolean(),
  /** What of it is on its way from a bank. */
  pendingCents: Cents,
  issueOn: Day.nullable(),
  dueOn: Day.nullable(),
  totalCents: Cents,
  paidCents: Cents,
  /** What of what is paid is credit, no money. */
  creditedCents: Cents,
  balanceCents: Cents,
  sentAt: z.string().nullable(),
  /** When it was last printed with others, for who has neither mail nor text. */
  printedAt: z.string().nullable(),
  viewedAt: z.string().nullable(),
  lastRemindedAt: z.string().nullable(),
  /** The day on which it was paid in full, and how many days after its issue day that was. */
  paidOn: Day.nullable(),
  daysToPay: z.number().int().nullable(),
  createdAt: z.string(),
})
export type InvoiceSummary = z.output<typeof InvoiceSummary>

/** An invoice in the list. */
export const InvoiceListed = InvoiceSummary.extend({
  /** The day on which autopay charges it, and from what, in words; null where it does not. */
  autopay: z.object({ chargeOn: Day, from: z.string() }).nullable(),
})
export type InvoiceListed = z.output<typeof InvoiceListed>

export const InvoiceLine = z.object({
  id: z.uuid(),
  visitId: z.uuid().nullable(),
  propertyId: z.uuid().nullable(),
  serviceOn: Day.nullable(),
  place: z.string().nullable(),
  description: z.string(),
  quantity: z.number(),
  unitPriceCents: Cents,
  totalCents: Cents,
  taxCategory: z.string(),
})

export const BillTo = z.object({
  name: z.string(),
  company: z.string().nullable(),
  street: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  zip: z.string().nullable(),
})

export const Invoice = InvoiceSummary.extend({
  billTo: BillTo,
  lines: z.array(InvoiceLine),
  taxes: z.array(z.object({ name: z.string(), ratePercent: z.number(), baseCents: Cents, taxCents: Cents })),
  subtotalCents: Cents,
  discountCents: Cents,
  taxCents: Cents,
  message: z.string(),
  termsDays: z.number().int(),
  payments: z.array(Payment),
  corrections: z.array(Correction),
  earlier: z.array(Earlier),
  /** What refunds gave back of its payments, oldest first. */
  gaveBack: z.array(GaveBack),
  /** Money that was handed back of its payments, the newest first. */
  handedRefunds: z.array(HandedRefund),
  /** The deposits that it gave back when it was voided, and where they are now. */
  gaveDeposits: z.array(GaveDeposit),
  /** What of the customer's money lies on no invoice and is bound to no work. */
  creditCents: Cents,
  /** What else of it waits for work; empty where the invoice is not open. */
  boundCredit: z.array(BoundCredit),
  ...InvoicePending,
  /** What was let go of it; 0 while it stands. */
  writtenOffCents: Cents,
  reminders: InvoiceReminders,
  /** What was charged for paying it late, each an invoice of its own, oldest first. */
  lateFees: z.array(
    z.object({
      id: z.uuid(),
      number: z.number().int(),
      amountCents: Cents,
      openCents: Cents,
      onDay: Day,
      waivedReason: z.string().nullable(),
      publicPath: z.string(),
    }),
  ),
  /** The invoice that it is itself a late fee of. */
  lateFeeFor: z.object({ id: z.uuid(), number: z.number().int() }).nullable(),
  /** The voided invoice that it was made again from, and the one that was made again from it. */
  madeFrom: z.object({ id: z.uuid(), number: z.number().int() }).nullable(),
  madeAgainAs: z.object({ id: z.uuid(), number: z.number().int() }).nullable(),
  /** Of a voided one: the living invoice over the same work. */
  replacedBy: z.object({ id: z.uuid(), number: z.number().int() }).nullable(),
  viewCount: z.number().int(),
  reach: Reach,
  /** What was mailed or texted about it, oldest first. */
  mails: z.array(
    z.object({
      id: z.uuid(),
      channel: z.enum(messageChannels),
      kind: z.enum(mailKinds),
      address: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      /** Of a text: what it costs. */
      segments: z.number().int(),
      runAfter: z.string().nullable(),
      createdAt: z.string(),
    }),
  ),
  /** The page the customer gets; null while it is a draft. */
  publicPath: z.string().nullable(),
  /** The customer has the payment page open right now. */
  checkoutOpen: z.boolean(),
  /** What is taken off when all that is open comes by bank, check or cash; null where nothing is. */
  cashDiscount: z.object({ percent: z.string(), cents: Cents }).nullable(),
  /** What is taken off a draft in the moment in which it is issued; null once it is. */
  atIssue: z.object({ depositCents: Cents, creditCents: Cents }).nullable(),
  /** What else of its customer is open and can be paid with the same check; null where nothing is. */
  alsoOpen: AlsoOpen.nullable(),
  /** Whether the business takes tips for its crews. */
  takesTips: z.boolean(),
  /** What who asked may do with it now. */
  can: z.record(z.enum(invoiceActions), z.boolean()),
  version: z.number().int(),
})
export type Invoice = z.output<typeof Invoice>

const Grouping = z.enum(['customer', 'property', 'visit'])
const Period = { from: Day.optional(), to: Day.optional() }

export const BatchPreview = z.object({
  from: Day.nullable(),
  to: Day,
  invoiceCount: z.number().int(),
  visitCount: z.number().int(),
  totalCents: Cents,
  /** More waits than one batch takes (5,000 visits, the oldest 200 of a job): it comes up when these are invoiced. */
  more: z.boolean(),
  /** Finished visits of the period that a running billing plan covers; null for more than 1,000. */
  coveredCount: z.number().int().nullable(),
  /** Credit is used on new invoices by itself: the business wants it so. */
  usesCredit: z.boolean(),
  /** More is left out than is listed (500 visits, the newest 20 of a job). */
  moreExceptions: z.boolean(),
  /** With the groups' lines, what `totalsOfChosen` needs to follow single visits being left out. */
  taxes: z.array(TaxRate.omit({ id: true })),
  groups: z.array(
    z.object({
      key: z.string(),
      customer: z.object({ id: z.uuid(), name: z.string(), email: z.string().nullable() }),
      place: z.string().nullable(),
      visits: z.array(
        z.object({
          id: z.uuid(),
          day: Day,
          place: z.string(),
          taxPlace: TaxPlace,
          /** Where its customer pays no sales tax on its day. */
          taxExempt: TaxExemptIn,
          services: z.string(),
          priceCents: Cents,
          lines: z.array(z.object({ quantity: z.number(), unitPriceCents: Cents, taxCategory: z.string() })),
        }),
      ),
      subtotalCents: Cents,
      taxCents: Cents,
      totalCents: Cents,
      /** What of its customer's money lies on no invoice and is bound to no work: said with the first invoice of each customer. */
      creditCents: Cents,
      /** Why it can be made but not mailed, or null. */
      note: z.string().nullable(),
    }),
  ),
  exceptions: z.array(
    z.object({
      visitId: z.uuid(),
      jobId: z.uuid(),
      day: Day,
      customer: z.object({ id: z.uuid(), name: z.string() }),
      place: z.string(),
      services: z.string(),
      reason: z.enum(['no_price', 'on_hold', 'not_per_visit', 'covered']),
      message: z.string(),
    }),
  ),
})
export type BatchPreview = z.output<typeof BatchPreview>

const Which = {
  view: InvoiceView.default('all'),
  ...searched,
  customerId: z.uuid().optional(),
  batchId: z.uuid().optional(),
}

/** Picked rows, or all that a filter means. */
export const InvoiceChoice = z.union([
  z.object({ ids: z.array(z.uuid()).min(1).max(500) }),
  z.object({ filter: z.object(Which) }),
])
export type InvoiceChoice = z.output<typeof InvoiceChoice>

const ManyResult = z.object({
  sentCount: z.number().int(),
  skipped: z.array(z.object({ id: z.uuid(), number: z.number().int(), reason: z.string() })),
})

const TermsDays = z.number().int().min(0).max(365)
const DraftBody = {
  message: z.string().trim().max(1000).default(''),
  discountCents: z.number().int().min(0).max(100_000_000).default(0),
}
const DraftLine = z.object({
  description: z.string().trim().min(1, 'Say what it is for').max(300),
  /** As it is kept and printed: more decimals would come to another sum than what stands on the paper. */
  quantity: z.number().positive('More than zero').max(100_000).multipleOf(0.001, 'At most three decimals'),
  unitPriceCents: z.number().int().min(0).max(100_000_000),
  taxCategory: z.string().max(40).default('none'),
  serviceOn: Day.nullable().default(null),
  /** Where the work is done; without it the customer's first property. */
  propertyId: z.uuid().nullable().default(null),
})

/** What changes money asks the same of everybody. */
const change = { access: 'office', permission: 'money', needsSubscription: true, idempotent: true } as const

export const invoicesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/invoices',
    access: 'office',
    permission: 'money',
    query: z.object({
      ...Which,
      ...page(50),
      ...sorted(['number', 'due', 'total', 'customer'], 'number', 'desc'),
    }),
    response: z.object({
      items: z.array(InvoiceListed),
      nextCursor: z.string().nullable(),
      /** Null where a search, a customer or a batch has more than 1,000: they are not counted. */
      total: z.number().int().nullable(),
      counts: z.record(InvoiceView, z.number().int()),
      owedCents: Cents,
      overdueCents: Cents,
      over30Cents: Cents,
      /** The mean of the invoices in the view `paid_lately`, in whole days; null while it is empty. */
      daysToPay: z.number().int().nullable(),
      /** What is open, by how long past its due day. */
      aging: z.record(z.enum(ageNames), Cents),
    }),
    summary: 'Invoices with counts per view and what is owed',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/invoices/:id',
    access: 'office',
    permission: 'money',
    params: Id,
    response: Invoice,
    summary: 'One invoice with lines and payments',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/invoices/batch/preview',
    access: 'office',
    permission: 'money',
    query: z.object({ ...Period, grouping: Grouping.optional() }),
    response: BatchPreview,
    summary: 'What invoicing the finished visits would make, and what it would leave out',
  }),
  countInvoiceable: endpoint({
    method: 'GET',
    path: '/api/invoices/batch/count',
    access: 'office',
    permission: 'money',
    response: z.object({
      /** Null for more than 1,000: they are not counted. */
      visitCount: z.number().int().nullable(),
    }),
    summary: 'How many finished visits wait for their invoice; what a batch would leave out does not count',
  }),
  createBatch: endpoint({
    method: 'POST',
    path: '/api/invoices/batch',
    ...change,
    body: z.object({
      ...Period,
      grouping: Grouping.optional(),
      exceptVisitIds: z.array(z.uuid()).max(5000).default([]),
      send: z.boolean(),
      /** What the person saw; when a crew finished more meanwhile, nothing is made and the new numbers are shown first. */
      expected: z.object({ invoiceCount: z.number().int(), totalCents: Cents }).optional(),
    }),
    response: InvoiceBatch,
    summary: 'Invoice the finished visits; a visit is billed once. Up to 50 at once, more go on in the background',
  }),
  getBatch: endpoint({
    method: 'GET',
    path: '/api/invoices/batches/:id',
    access: 'office',
    permission: 'money',
    params: Id,
    response: InvoiceBatch,
    summary: 'How far a batch of invoices is, and what it made',
  }),
  settleVisit: endpoint({
    method: 'POST',
    path: '/api/invoices/batch/visits/:visitId',
    ...change,
    params: z.object({ visitId: z.uuid() }),
    body: z.union([
      z.object({ priceCents: z.number().int().min(1, 'More than zero').max(100_000_000) }),
      z.object({ billable: z.boolean() }),
    ]),
    response: z.object({ visitId: z.uuid(), priceCents: Cents, billable: z.boolean() }),
    summary: 'Give a finished visit without a price its price, or say that it is not billed',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/invoices',
    ...change,
    body: z.object({
      ...DraftBody,
      customerId: z.uuid(),
      termsDays: TermsDays.optional(),
      /** The voided invoice that is made again, and of a line the one there that it was: it keeps its service. */
      madeFrom: z.uuid().optional(),
      lines: z
        .array(DraftLine.extend({ id: z.uuid().optional() }))
        .min(1, 'At least one line')
        .max(200),
    }),
    response: Invoice,
    summary: 'A draft by hand, or a voided invoice made again',
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/invoices/:id',
    ...change,
    params: Id,
    body: z.object({
      ...DraftBody,
      termsDays: TermsDays,
      lines: z
        .array(DraftLine.extend({ id: z.uuid().optional() }))
        .min(1, 'At least one line')
        .max(5000),
      version: z.number().int(),
    }),
    response: Invoice,
    summary:
      'Change a draft: a line named by its id keeps its visit, a visit without a line waits to be invoiced again',
  }),
  writeOff: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/write-off',
    ...change,
    // its payment page is ended at the provider first
    idempotent: 'steps',
    params: Id,
    body: z.object({ reason: z.string().trim().min(1, 'Say why: it stands on the record').max(300) }),
    response: Invoice,
    summary: 'Let go of what is open: nobody waits for it any more',
  }),
  reinstate: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/reinstate',
    ...change,
    params: Id,
    response: Invoice,
    summary: 'Open a written off invoice again',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/send',
    ...change,
    params: Id,
    response: Invoice,
    summary: 'Issue and mail it; an issued one is mailed again',
  }),
  issue: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/issue',
    ...change,
    params: Id,
    response: Invoice,
    summary: 'Make a draft binding without mailing it: it is handed over on paper',
  }),
  sendMany: endpoint({
    method: 'POST',
    path: '/api/invoices/send',
    ...change,
    body: InvoiceChoice,
    response: ManyResult,
    summary: 'Issue and mail several',
  }),
  remindMany: endpoint({
    method: 'POST',
    path: '/api/invoices/remind',
    ...change,
    body: InvoiceChoice,
    response: ManyResult,
    summary: 'Mail reminders of several; who had one today or is not open is named and left alone',
  }),
  remind: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/remind',
    ...change,
    params: Id,
    response: Invoice,
    summary: 'Mail a friendly reminder, at most once a day',
  }),
  setReminders: endpoint({
    method: 'PUT',
    path: '/api/invoices/:id/reminders',
    ...change,
    params: Id,
    body: z.union([
      z.object({ promisedOn: Day.nullable() }),
      z.object({ stop: z.string().trim().min(1, 'Say why: it stands on the invoice').max(200) }),
      z.object({ start: z.literal(true) }),
    ]),
    response: Invoice,
    summary: 'The day by which the customer promised to pay; or no more reminders that leave by themselves, or again',
  }),
  voidInvoice: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/void',
    ...change,
    idempotent: 'steps',
    params: Id,
    /** Asked for on the screen where it is out; a draft needs none. */
    body: z.object({ reason: z.string().trim().max(300).optional() }).nullish(),
    response: Invoice,
    summary: 'Take it back; its visits can be invoiced again',
  }),
  waiveFee: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/waive',
    ...change,
    idempotent: 'steps',
    params: Id,
    body: z.object({ reason: z.string().trim().min(1, 'Say why: it stands on the record').max(300) }),
    response: Invoice,
    summary: 'Let a late fee go: its invoice is voided, and the same period is not charged again',
  }),
  settleFee: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/resting-fee',
    ...change,
    params: Id,
    body: z.object({ charge: z.boolean() }),
    response: Invoice,
    summary: 'Charge the late fee that rests because the customer answered, or let it go',
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/invoices/:id/pdf',
    access: 'office',
    permission: 'money',
    params: Id,
    response: z.any(),
    summary: 'The invoice as PDF',
  }),
}
