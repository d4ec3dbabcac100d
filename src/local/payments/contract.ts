import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

export const LocalCheckout = z.object({
  status: z.enum(['open', 'complete', 'expired']),
  amountCents: z.number().int(),
  /** What of that is for the crew. */
  tipCents: z.number().int(),
  description: z.string(),
  businessName: z.string(),
  /** The payer left the card to be charged again. */
  savesCard: z.boolean(),
  /** Nothing is paid: the card is only kept. */
  keepsOnly: z.boolean(),
  /** Test bank accounts that it can be paid from; none where only cards are taken. */
  /** Nothing but a bank account pays it. */
  bankOnly: z.boolean(),
  bankAccounts: z.array(z.object({ number: z.string(), label: z.string() })),
  /** It was paid from a bank account. */
  byBank: z.boolean(),
  returnPath: z.string(),
  /** What its payer reads. */
  language: z.enum(['en', 'es']),
})

/** What a business or the provider does with an account: everything that a real one goes through. */
export const AccountStep = z.enum(['finish', 'submit', 'leave', 'askMore', 'pause', 'remove'])
export type AccountStep = z.output<typeof AccountStep>

/** What a bank does with what it opened. */
export const DisputeStep = z.enum(['escalate', 'win', 'lose', 'reverse'])
export type DisputeStep = z.output<typeof DisputeStep>

const AccountId = z.object({ accountId: z.string().max(100) })

/** What becomes of money on its way: it is paid out, it arrives, or the business's bank sends it back. */
export const PayoutStep = z.enum(['arrive', 'fail'])
export type PayoutStep = z.output<typeof PayoutStep>

/** What the customers of an account paid, with what their banks did about it. */
export const LocalBank = z.object({
  businessName: z.string(),
  payouts: z.array(
    z.object({
      id: z.string(),
      amountCents: z.number().int(),
      arrivesOn: z.string(),
      status: z.enum(['on_its_way', 'paid', 'failed', 'canceled']),
    }),
  ),
  payments: z.array(
    z.object({
      id: z.string(),
      description: z.string(),
      amountCents: z.number().int(),
      /** Where a debit of a bank account stands; null for a card. */
      debit: z.enum(['processing', 'paid', 'failed', 'returned']).nullable(),
      /** What the bank does next by itself, in days or at the press of a button; null where nothing. */
      next: z.string().nullable(),
      disputes: z.array(
        z.object({
          id: z.string(),
          amountCents: z.number().int(),
          kind: z.enum(['inquiry', 'dispute', 'return']),
          status: z.enum(['needs_response', 'under_review', 'won', 'lost', 'closed']),
          /** The evidence as the bank got it; null while it has none. */
          evidence: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type LocalBank = z.output<typeof LocalBank>

const LinkId = z.object({ linkId: z.string().max(100) })

export const LocalAccountPage = z.object({
  businessName: z.string(),
  state: z.enum(['new', 'checking', 'ready', 'needsInfo', 'paused']),
  /** Too old, or used up by having been taken away: the fresh one is behind `refreshPath`. */
  expired: z.boolean(),
  refreshPath: z.string(),
  returnPath: z.string(),
})

/** The local payment provider's page for money that is paid once. */
export const localPaymentsApi = {
  checkout: endpoint({
    method: 'GET',
    path: '/api/local/checkout/:sessionId',
    access: 'public',
    params: z.object({ sessionId: z.string().max(100) }),
    response: LocalCheckout,
    summary: 'The local test checkout',
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/local/checkout/:sessionId/pay',
    access: 'public',
    params: z.object({ sessionId: z.string().max(100) }),
    body: z.union([z.object({ cardNumber: z.string().max(30) }), z.object({ bankAccount: z.string().max(30) })]),
    response: z.object({ result: z.enum(['paid', 'declined']), message: z.string(), returnPath: z.string() }),
    summary:
      'Pays with a test card: 4242 4242 4242 4242 works, 4000 0000 0000 0002 is declined; or from a test bank account',
  }),
  account: endpoint({
    method: 'GET',
    path: '/api/local/connect/:linkId',
    access: 'public',
    params: LinkId,
    response: LocalAccountPage,
    summary: 'The local form of a business’s own account',
  }),
  stepAccount: endpoint({
    method: 'POST',
    path: '/api/local/connect/:linkId',
    access: 'public',
    params: LinkId,
    body: z.object({ step: AccountStep }),
    response: z.object({ returnPath: z.string() }),
    summary: 'Plays what happens to the account',
  }),
  bank: endpoint({
    method: 'GET',
    path: '/api/local/bank/:accountId',
    access: 'public',
    params: AccountId,
    response: LocalBank,
    summary: 'The banks of the payers, played',
  }),
  passDays: endpoint({
    method: 'POST',
    path: '/api/local/bank/:accountId/days',
    access: 'public',
    params: AccountId,
    response: LocalBank,
    summary: 'Days pass: banks answer what they were asked',
  }),
  dispute: endpoint({
    method: 'POST',
    path: '/api/local/bank/:accountId/disputes',
    access: 'public',
    params: AccountId,
    body: z.object({
      paymentId: z.string().max(100),
      /** Without it the whole payment. */
      amountCents: z.number().int().min(1, 'More than zero').max(100_000_000).optional(),
      kind: z.enum(['inquiry', 'dispute']),
    }),
    response: LocalBank,
    summary: 'A bank asks about a payment, or takes it back',
  }),
  stepDispute: endpoint({
    method: 'POST',
    path: '/api/local/bank/:accountId/disputes/:disputeId',
    access: 'public',
    params: AccountId.extend({ disputeId: z.string().max(100) }),
    body: z.object({ step: DisputeStep }),
    response: LocalBank,
    summary: 'The bank decides',
  }),
  payOut: endpoint({
    method: 'POST',
    path: '/api/local/bank/:accountId/payouts',
    access: 'public',
    params: AccountId,
    response: LocalBank,
    summary: 'Pays out what was not paid out yet',
  }),
  stepPayout: endpoint({
    method: 'POST',
    path: '/api/local/bank/:accountId/payouts/:payoutId',
    access: 'public',
    params: AccountId.extend({ payoutId: z.string().max(100) }),
    body: z.object({ step: PayoutStep }),
    response: LocalBank,
    summary: 'A payout arrives, or the business’s bank sends it back',
  }),
}
