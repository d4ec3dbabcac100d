import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { disputeActions, disputeKinds, disputeStatuses, longestText } from './rules.ts'

const Cents = z.number().int()
const Id = z.object({ id: z.uuid() })

/** A payment that the customer's bank questions. */
export const DisputeSummary = z.object({
  id: z.uuid(),
  paymentId: z.uuid(),
  customer: z.object({ id: z.uuid(), name: z.string() }),
  /** The invoices that the payment was for. */
  invoices: z.array(z.object({ id: z.uuid(), number: z.number().int() })),
  kind: z.enum(disputeKinds),
  status: z.enum(disputeStatuses),
  /** Where it stands, in a line. */
  state: z.string(),
  reason: z.string(),
  amountCents: Cents,
  openedOn: z.string(),
  decidedOn: z.string().nullable(),
  /** Until when evidence is taken. */
  dueAt: z.string().nullable(),
  livemode: z.boolean(),
})
export type DisputeSummary = z.output<typeof DisputeSummary>

export const Dispute = DisputeSummary.extend({
  advice: z.string(),
  feeCents: Cents,
  /** What the bank took although it had been refunded before. */
  uncoveredCents: Cents,
  submission: z.enum(['none', 'sending', 'sent', 'refused']),
  submittedAt: z.string().nullable(),
  /** Why the bank did not take what was sent. */
  problem: z.string().nullable(),
  /** As it was written, or as it is proposed. */
  text: z.string(),
  evidence: z.object({
    invoices: z.array(z.string()),
    visits: z.array(
      z.object({
        id: z.uuid(),
        day: z.string(),
        place: z.string(),
        work: z.string(),
        times: z.string().nullable(),
        crew: z.string().nullable(),
        photos: z.array(z.object({ url: z.string(), kind: z.string() })),
      }),
    ),
    messageCount: z.number().int(),
    agreements: z.array(z.string()),
  }),
  /** Where the bank is played; null at a real provider. */
  testBankPath: z.string().nullable(),
  can: z.record(z.enum(disputeActions), z.boolean()),
  version: z.number().int(),
})
export type Dispute = z.output<typeof Dispute>

const Text = z.string().trim().min(1, 'Say what the bank should know').max(longestText)

const change = { access: 'office', permission: 'money', idempotent: true } as const

export const disputesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/disputes',
    access: 'office',
    permission: 'money',
    query: z.object({ customerId: z.uuid().optional(), invoiceId: z.uuid().optional() }),
    response: z.object({ items: z.array(DisputeSummary) }),
    summary: 'Disputed and returned payments, the newest 50: of a customer, of an invoice, or all that are undecided',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/disputes/:id',
    access: 'office',
    permission: 'money',
    params: Id,
    response: Dispute,
    summary: 'A dispute with the evidence that the work left',
  }),
  saveEvidence: endpoint({
    ...change,
    method: 'PUT',
    path: '/api/disputes/:id/evidence',
    params: Id,
    body: z.object({ text: Text, version: z.number().int() }),
    response: Dispute,
    summary: 'Keep the words of the evidence without sending them',
  }),
  submitEvidence: endpoint({
    ...change,
    method: 'POST',
    path: '/api/disputes/:id/evidence',
    params: Id,
    body: z.object({ text: Text, version: z.number().int() }),
    response: Dispute,
    summary: 'Send the evidence to the bank with the invoice and the photos; a bank takes it once',
  }),
}
