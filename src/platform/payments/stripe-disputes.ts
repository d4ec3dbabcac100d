import type Stripe from 'stripe'
import type { Dispute, EvidenceRequest, InvoiceMark } from './provider.ts'
import { findOrNull, refusalOf } from './stripe-errors.ts'

/** What a bank says of a transfer that it gives back: nobody can contest it. */
const returnReasons = new Set([
  'bank_cannot_process',
  'check_returned',
  'debit_not_authorized',
  'incorrect_account_details',
  'insufficient_funds',
])

const statuses: Record<string, Dispute['status']> = {
  warning_needs_response: 'needs_response',
  warning_under_review: 'under_review',
  warning_closed: 'closed',
  prevented: 'closed',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  // an appeal is of a dispute that was lost
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
}

const markOf = ({ businessId, invoiceId, checkoutSessionId }: Stripe.Metadata): InvoiceMark | null =>
  businessId && invoiceId && checkoutSessionId ? { businessId, invoiceId, checkoutSessionId } : null

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** A dispute in our words, or null for one of a payment that was made without an intent. Exported for the test. */
export const readDispute = (dispute: Stripe.Dispute): Dispute | null => {
  const intent = dispute.payment_intent
  if (!intent) return null
  const { balance_transactions: moves, evidence_details: details } = dispute
  return {
    provider: 'stripe',
    livemode: dispute.livemode,
    id: dispute.id,
    paymentId: typeof intent === 'string' ? intent : intent.id,
    amountCents: dispute.amount,
    kind: returnReasons.has(dispute.reason)
      ? 'return'
      : dispute.status.startsWith('warning_') || dispute.status === 'prevented'
        ? 'inquiry'
        : 'dispute',
    reason: dispute.reason,
    status: statuses[dispute.status] ?? 'under_review',
    dueAt: details.due_by ? new Date(details.due_by * 1000).toISOString() : null,
    takenCents: -sum(moves.map(({ amount }) => Math.min(0, amount))),
    returnedCents: sum(moves.map(({ amount }) => Math.max(0, amount))),
    feeCents: sum(moves.map(({ fee }) => fee)),
    isSubmitted: details.submission_count > 0,
    openedAt: new Date(dispute.created * 1000).toISOString(),
    mark: typeof intent === 'string' ? null : markOf(intent.metadata),
  }
}

export const findStripeDispute = (client: Stripe, id: string, account: string): Promise<Dispute | null> =>
  findOrNull(async () =>
    readDispute(await client.disputes.retrieve(id, { expand: ['payment_intent'] }, { stripeAccount: account })),
  )

/** Hands evidence to the bank: the papers first, then all of it under one key. @throws PaymentRefused where it is not taken any more */
export const submitStripeEvidence = async (
  client: Stripe,
  { disputeId, evidence, requestKey }: EvidenceRequest,
  account: string,
): Promise<void> => {
  const upload = async (name: string, bytes: Uint8Array) =>
    (
      await client.files.create(
        {
          purpose: 'dispute_evidence',
          file: { data: bytes, name: `${name}.pdf`, type: 'application/pdf' },
        },
        { idempotencyKey: `${requestKey}:${name}`, stripeAccount: account },
      )
    ).id
  const { text, product, serviceOn, customerName, customerEmail, billingAddress, invoice, work } = evidence
  try {
    const [documents, receipt] = [await upload('work', work), invoice ? await upload('invoice', invoice) : null]
    await client.disputes.update(
      disputeId,
      {
        submit: true,
        evidence: {
          customer_name: customerName,
          ...(customerEmail ? { customer_email_address: customerEmail } : {}),
          ...(billingAddress ? { billing_address: billingAddress } : {}),
          product_description: product,
          ...(serviceOn ? { service_date: serviceOn } : {}),
          service_documentation: documents,
          ...(receipt ? { receipt } : {}),
          uncategorized_text: text,
        },
      },
      { idempotencyKey: requestKey, stripeAccount: account },
    )
  } catch (error) {
    throw refusalOf(error, 'The evidence was not taken.')
  }
}
