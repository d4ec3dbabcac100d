import type Stripe from 'stripe'
import { config } from '../config.ts'
import type {
  CardMark,
  Charge,
  ChargeRequest,
  Checkout,
  DepositMark,
  FeeMark,
  InvoiceMark,
  PaidTo,
  PaidWith,
  PaymentRequest,
  Refund,
  RefundRequest,
  SavedMethod,
} from './provider.ts'
import { idOf, refusalOf } from './stripe-errors.ts'

/** The account that a call is made for, as the library takes it. */
export const onAccount = (account: string | null | undefined): { stripeAccount?: string } =>
  account ? { stripeAccount: account } : {}

const invoiceMark = ({ businessId, invoiceId, checkoutSessionId }: Stripe.Metadata): InvoiceMark | null =>
  businessId && invoiceId && checkoutSessionId ? { businessId, invoiceId, checkoutSessionId } : null

const feeMark = ({ sprintId }: Stripe.Metadata): FeeMark | null => (sprintId ? { sprintId } : null)

const cardMark = ({ businessId, cardRequestId }: Stripe.Metadata): CardMark | null =>
  businessId && cardRequestId ? { businessId, cardRequestId } : null

const depositMark = ({ businessId, quoteDepositId }: Stripe.Metadata): DepositMark | null =>
  businessId && quoteDepositId ? { businessId, quoteDepositId } : null

/** A method of payment as it is kept here; null for a kind that is not. */
export const readMethod = (
  { id, card, us_bank_account: bank }: Stripe.PaymentMethod,
  customerId: string,
): SavedMethod | null => {
  if (bank)
    return {
      kind: 'bank',
      id,
      customerId,
      brand: bank.bank_name ?? '',
      last4: bank.last4 ?? '',
      expMonth: null,
      expYear: null,
    }
  if (!card) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
  return { kind: 'card', id, customerId, brand, last4, expMonth, expYear }
}

/** What a payment was made with that was to be kept; only where the provider was asked to tell it along. */
const savedMethod = (session: Stripe.Checkout.Session): SavedMethod | null => {
  const { setup_intent: setup, payment_intent: payment } = session
  const intent = setup ?? payment
  if (!intent || typeof intent === 'string') return null
  if (
    setup && typeof setup !== 'string'
      ? setup.status !== 'succeeded'
      : !(intent as Stripe.PaymentIntent).setup_future_usage
  )
    return null
  const method = intent.payment_method
  const customerId = idOf(session.customer) ?? idOf(intent.customer)
  if (!customerId || !method || typeof method === 'string') return null
  return readMethod(method, customerId)
}

/** The payment behind a page; only where the provider was asked to tell it along. */
const intentOf = ({ payment_intent: intent }: Stripe.Checkout.Session): Stripe.PaymentIntent | null =>
  intent && typeof intent !== 'string' ? intent : null

/** What a payment is made with. A bank that said no took its account off the payment: then the reason still names it. */
const paidWith = (intent: Stripe.PaymentIntent | null): PaidWith => {
  const method = intent?.payment_method ?? intent?.last_payment_error?.payment_method
  const type = method && typeof method !== 'string' ? method.type : null
  const [only, ...others] = intent?.payment_method_types ?? []
  return (type ?? (others.length === 0 ? only : null)) === 'us_bank_account' ? 'bank' : 'card'
}

/** Why a payment failed, by Stripe's name. */
const problemOf = (intent: Stripe.PaymentIntent): string | null =>
  intent.last_payment_error?.decline_code ?? intent.last_payment_error?.code ?? null

/** Only what is over is a no: a charge that is told of while it is still being made has neither been paid nor declined. */
const chargeStatus = ({ status, last_payment_error: error }: Stripe.PaymentIntent): Charge['status'] => {
  if (status === 'succeeded') return 'paid'
  const isOver =
    status === 'canceled' || status === 'requires_action' || (status === 'requires_payment_method' && error)
  return isOver ? 'declined' : 'processing'
}

/** A charge in our words. Exported for the test. */
export const readCharge = (intent: Stripe.PaymentIntent): Charge => ({
  provider: 'stripe',
  livemode: intent.livemode,
  id: intent.id,
  status: chargeStatus(intent),
  method: paidWith(intent),
  amountCents: intent.amount,
  declineCode: intent.status === 'requires_action' ? 'authentication_required' : problemOf(intent),
  madeAt: new Date(intent.created * 1000).toISOString(),
  mark: invoiceMark(intent.metadata),
})

/** Charges a saved card while its holder is away. */
export const chargeSaved = async (client: Stripe, request: ChargeRequest, account: string): Promise<Charge> => {
  try {
    return readCharge(
      await client.paymentIntents.create(
        {
          amount: request.amountCents,
          currency: 'usd',
          customer: request.customerId,
          payment_method: request.methodId,
          ...(request.kind === 'bank' ? { payment_method_types: ['us_bank_account'] } : {}),
          description: request.description,
          off_session: true,
          confirm: true,
          metadata: { ...request.mark },
        },
        { idempotencyKey: request.requestKey, stripeAccount: account },
      ),
    )
  } catch (error) {
    const {
      type,
      payment_intent: intent,
      decline_code: decline,
      code,
    } = error as {
      type?: string
      payment_intent?: Stripe.PaymentIntent
      decline_code?: string
      code?: string
    }
    if (type !== 'StripeCardError' || !intent) throw refusalOf(error, 'The card cannot be charged.')
    return { ...readCharge(intent), status: 'declined', declineCode: decline ?? code ?? null }
  }
}

/** The charge that a try made, looked up among those of its customer. */
export const findTried = async (
  client: Stripe,
  { customerId, checkoutSessionId, since }: { customerId: string; checkoutSessionId: string; since: string },
  account: string,
): Promise<Charge | null> => {
  // a minute of grace: their clock and ours
  const created = { gte: Math.floor(Date.parse(since) / 1000) - 60 }
  try {
    for await (const intent of client.paymentIntents.list(
      { customer: customerId, created, limit: 100 },
      onAccount(account),
    ))
      if (intent.metadata.checkoutSessionId === checkoutSessionId) return readCharge(intent)
    return null
  } catch (error) {
    throw refusalOf(error, 'The account cannot be looked at.')
  }
}

/** How a finished page stands whose money has not come: a bank has days to answer, and then it may say no. */
const waiting = (session: Stripe.Checkout.Session): Pick<Checkout, 'processing' | 'problem'> => {
  const intent = intentOf(session)
  const isUnpaid = session.status === 'complete' && session.payment_status === 'unpaid'
  const isNo = isUnpaid && intent !== null && chargeStatus(intent) === 'declined'
  return { processing: isUnpaid && !isNo, problem: isNo ? (problemOf(intent) ?? 'unknown') : null }
}

/** When the card of a paid page was charged, by its charge, else by the payment. */
const paidAtOf = (session: Stripe.Checkout.Session): string | null => {
  const intent = intentOf(session)
  if (session.payment_status !== 'paid' || intent === null || paidWith(intent) === 'bank') return null
  const charge = intent.latest_charge
  const seconds = charge && typeof charge !== 'string' ? charge.created : null
  return typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : null
}

/** A hosted page in our words. Exported for the test. */
export const readSession = (session: Stripe.Checkout.Session): Checkout => ({
  provider: 'stripe',
  livemode: session.livemode,
  id: session.id,
  url: session.url ?? '',
  status: (['open', 'complete'] as const).find((known) => known === session.status) ?? 'expired',
  expiresAt: new Date((session.expires_at ?? 0) * 1000).toISOString(),
  paymentId: session.payment_status === 'paid' ? idOf(session.payment_intent) : null,
  paidAt: paidAtOf(session),
  ...waiting(session),
  method: paidWith(intentOf(session)),
  amountCents: session.amount_total ?? 0,
  invoice: invoiceMark(session.metadata ?? {}),
  fee: feeMark(session.metadata ?? {}),
  card: cardMark(session.metadata ?? {}),
  deposit: depositMark(session.metadata ?? {}),
  customerId: idOf(session.customer),
  subscriptionId: idOf(session.subscription),
  saved: savedMethod(session),
})

/** The payer proves the account by signing in at their bank: two small deposits would leave the page open for days before anything is asked for. */
const bankOptions = { us_bank_account: { verification_method: 'instant' as const } }

/** Opens a page on which a card or a bank account is kept and nothing is paid. */
const openSetup = async (
  client: Stripe,
  request: Extract<PaymentRequest, { purpose: 'card' }>,
  account: string | null | undefined,
): Promise<Checkout> => {
  const metadata = { ...request.mark }
  return readSession(
    await client.checkout.sessions.create(
      {
        mode: 'setup',
        ...localeOf(request),
        customer_creation: 'always',
        currency: 'usd',
        // Only what can be charged on a day of its own: everything else is left out.
        excluded_payment_method_types: [
          ...(request.takesBank ? [] : (['us_bank_account'] as const)),
          'cashapp',
          'amazon_pay',
          'link',
        ],
        ...(request.takesBank ? { payment_method_options: bankOptions } : {}),
        metadata,
        setup_intent_data: { metadata },
        success_url: `${config.publicUrl}${request.successPath}`,
        cancel_url: `${config.publicUrl}${request.cancelPath}`,
      },
      { idempotencyKey: request.requestKey, ...onAccount(account) },
    ),
  )
}

/** Their page in the payer's language; without one it is that of the browser. */
const localeOf = ({ language }: PaymentRequest) => (language === 'es' ? { locale: 'es-419' as const } : {})

const tipNames = { en: 'Tip for the crew', es: 'Propina para el equipo' }

const lineItem = (name: string, cents: number) => ({
  quantity: 1,
  price_data: { currency: 'usd', unit_amount: cents, product_data: { name } },
})

/** Opens a page for money that is paid once, or for a card. */
export const openPayment = async (
  client: Stripe,
  request: PaymentRequest,
  account: string | null | undefined,
): Promise<Checkout> => {
  if (request.purpose === 'card') return openSetup(client, request, account)
  const metadata = { ...request.mark }
  const savesCard = request.purpose === 'invoice' && request.savesCard
  const takesBank = request.purpose === 'invoice' && request.takesBank
  const bankOnly = request.purpose === 'invoice' && request.bankOnly === true
  const tipCents = request.purpose === 'invoice' ? request.tipCents : 0
  const made = client.checkout.sessions.create(
    {
      mode: 'payment',
      ...localeOf(request),
      ...(request.purpose === 'invoice' ? { expires_at: Math.floor(Date.parse(request.closesAt) / 1000) } : {}),
      // Of what the account has switched on: nothing else that is neither open nor paid for days.
      allowed_payment_method_types: bankOnly ? ['us_bank_account'] : takesBank ? ['card', 'us_bank_account'] : ['card'],
      ...(takesBank ? { payment_method_options: bankOptions } : {}),
      ...(request.email ? { customer_email: request.email } : {}),
      ...(savesCard ? { customer_creation: 'always' as const } : {}),
      line_items: [
        lineItem(request.description, request.amountCents - tipCents),
        ...(tipCents > 0 ? [lineItem(tipNames[request.language ?? 'en'], tipCents)] : []),
      ],
      metadata,
      payment_intent_data: { metadata, ...(savesCard ? { setup_future_usage: 'off_session' as const } : {}) },
      success_url: `${config.publicUrl}${request.successPath}`,
      cancel_url: `${config.publicUrl}${request.cancelPath}`,
    },
    { idempotencyKey: request.requestKey, ...onAccount(account) },
  )
  return readSession(
    await made.catch((error: unknown) => {
      throw refusalOf(error, 'The provider does not take this payment.')
    }),
  )
}

const paidTo = ({ payment_method_details: details }: Stripe.Charge): PaidTo | null =>
  details?.us_bank_account
    ? { kind: 'bank', brand: details.us_bank_account.bank_name ?? '', last4: details.us_bank_account.last4 ?? '' }
    : details?.card?.last4
      ? { kind: 'card', brand: details.card.brand ?? '', last4: details.card.last4 }
      : null

/** A refund in our words. */
export const readRefund = ({ id, status, metadata, charge, payment_intent: of, amount }: Stripe.Refund): Refund => ({
  id,
  paymentId: typeof of === 'string' ? of : (of?.id ?? null),
  amountCents: amount,
  to: charge && typeof charge !== 'string' ? paidTo(charge) : null,
  failed: status === 'failed' || status === 'canceled',
  mark:
    metadata?.businessId && metadata.refundId ? { businessId: metadata.businessId, refundId: metadata.refundId } : null,
})

/** All refunds of a payment: Stripe gives one back in a hundred parts at most. */
export const listRefundsOf = async (
  client: Stripe,
  paymentId: string,
  account: string | null | undefined,
): Promise<Refund[]> => {
  try {
    const { data } = await client.refunds.list(
      { payment_intent: paymentId, limit: 100, expand: ['data.charge'] },
      onAccount(account),
    )
    return data.map(readRefund)
  } catch (error) {
    throw refusalOf(error, 'The provider does not tell of its refunds.')
  }
}

/** Gives a payment back. @throws PaymentRefused where Stripe says no for good: given back before, too old, no money on the account */
export const giveBack = async (
  client: Stripe,
  { paymentId, amountCents, mark, requestKey }: RefundRequest,
  account: string | null | undefined,
): Promise<Refund> => {
  try {
    return readRefund(
      await client.refunds.create(
        { payment_intent: paymentId, amount: amountCents, metadata: { ...mark }, expand: ['charge'] },
        { idempotencyKey: requestKey, ...onAccount(account) },
      ),
    )
  } catch (error) {
    throw refusalOf(error, 'The provider refused the refund.')
  }
}
