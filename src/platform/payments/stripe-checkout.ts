import type Stripe from 'stripe'
import { config } from '../config.ts'
import {
  type Checkout,
  type FeeMark,
  type InvoiceMark,
  PaymentRefused,
  type PaymentRequest,
  type Refund,
  type RefundRequest,
} from './provider.ts'

/** The account that a call is made for, as the library takes it. */
export const onAccount = (account: string | null | undefined): { stripeAccount?: string } =>
  account ? { stripeAccount: account } : {}

const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

const invoiceMark = ({ businessId, invoiceId, checkoutSessionId }: Stripe.Metadata): InvoiceMark | null =>
  businessId && invoiceId && checkoutSessionId ? { businessId, invoiceId, checkoutSessionId } : null

const feeMark = ({ sprintId }: Stripe.Metadata): FeeMark | null => (sprintId ? { sprintId } : null)

/** A hosted page in our words. */
export const readSession = (session: Stripe.Checkout.Session): Checkout => ({
  provider: 'stripe',
  livemode: session.livemode,
  id: session.id,
  url: session.url ?? '',
  status: (['open', 'complete'] as const).find((known) => known === session.status) ?? 'expired',
  expiresAt: new Date((session.expires_at ?? 0) * 1000).toISOString(),
  paymentId: session.payment_status === 'paid' ? idOf(session.payment_intent) : null,
  amountCents: session.amount_total ?? 0,
  invoice: invoiceMark(session.metadata ?? {}),
  fee: feeMark(session.metadata ?? {}),
  customerId: idOf(session.customer),
  subscriptionId: idOf(session.subscription),
})

/** Opens a page for money that is paid once. */
export const openPayment = async (
  client: Stripe,
  request: PaymentRequest,
  account: string | null | undefined,
): Promise<Checkout> => {
  const metadata = { ...request.mark }
  const session = await client.checkout.sessions.create(
    {
      mode: 'payment',
      ...(request.email ? { customer_email: request.email } : {}),
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: request.amountCents,
            product_data: { name: request.description },
          },
        },
      ],
      metadata,
      payment_intent_data: { metadata },
      success_url: `${config.publicUrl}${request.successPath}`,
      cancel_url: `${config.publicUrl}${request.cancelPath}`,
    },
    { idempotencyKey: request.requestKey, ...onAccount(account) },
  )
  return readSession(session)
}

/** A refund in our words. */
export const readRefund = ({ id, status, metadata }: Stripe.Refund): Refund => ({
  id,
  failed: status === 'failed' || status === 'canceled',
  mark:
    metadata?.businessId && metadata.refundId ? { businessId: metadata.businessId, refundId: metadata.refundId } : null,
})

/** Gives a payment back. @throws PaymentRefused where Stripe says no for good: given back before, too old, no money on the account */
export const giveBack = async (
  client: Stripe,
  { paymentId, amountCents, mark, requestKey }: RefundRequest,
  account: string | null | undefined,
): Promise<Refund> => {
  try {
    return readRefund(
      await client.refunds.create(
        { payment_intent: paymentId, amount: amountCents, metadata: { ...mark } },
        { idempotencyKey: requestKey, ...onAccount(account) },
      ),
    )
  } catch (error) {
    const { type, message } = error as { type?: string; message?: string }
    if (type === 'StripeInvalidRequestError') throw new PaymentRefused(message ?? 'The provider refused the refund.')
    throw error
  }
}
