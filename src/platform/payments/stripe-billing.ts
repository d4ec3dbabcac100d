import type Stripe from 'stripe'
import { clock } from '../clock.ts'
import { config } from '../config.ts'
import {
  type PaymentProvider,
  PaymentRefused,
  type PlanPrice,
  type PlanTier,
  type ProviderInvoice,
  type ProviderStatus,
  type ProviderSubscription,
} from './provider.ts'
import {
  chargeSaved,
  findTried,
  giveBack,
  listRefundsOf,
  onAccount,
  openPayment,
  readCharge,
  readMethod,
  readRefund,
  readSession,
} from './stripe-checkout.ts'
import { stripeAccounts } from './stripe-connect.ts'
import { findStripeDispute, submitStripeEvidence } from './stripe-disputes.ts'
import { findOrNull, idOf, isMissing } from './stripe-errors.ts'
import { listStripeEvents } from './stripe-events.ts'
import { findStripePayout, listStripePayoutLines, listStripePayouts } from './stripe-payouts.ts'
import { plans, type StripeSettings } from './stripe-settings.ts'

type Ready = Extract<StripeSettings, { mode: 'ready' }>

const timeoutMs = 20_000
const checkedForMs = 10 * 60_000

/**
 * The library takes any JSON without an `error` in it as a success, whatever the HTTP status was. A proxy's 404 would be an empty
 * customer, so an answer of 4xx or 5xx without Stripe's own error is a failure here.
 */
const strictFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.status < 400) return response
  const text = await response.clone().text()
  let isStripes = false
  try {
    isStripes = typeof (JSON.parse(text) as { error?: unknown }).error === 'object'
  } catch {
    // not even JSON
  }
  if (!isStripes) throw new Error(`The payment provider answered ${response.status} without saying why.`)
  return response
}

const clients = new Map<string, Promise<Stripe>>()

/** The library, loaded when first needed, with its API version. */
export const stripeClient = (settings: Ready): Promise<Stripe> => {
  const key = `${settings.secretKey} ${settings.apiBase}`
  const known = clients.get(key)
  if (known) return known
  const made = import('stripe').then(({ default: Library }) => {
    const base = settings.apiBase ? new URL(settings.apiBase) : null
    return new Library(settings.secretKey, {
      httpClient: Library.createFetchHttpClient(strictFetch),
      timeout: timeoutMs,
      maxNetworkRetries: 2,
      telemetry: false,
      ...(base
        ? { host: base.hostname, port: base.port, protocol: base.protocol.replace(':', '') as 'http' | 'https' }
        : {}),
    })
  })
  clients.set(key, made)
  return made
}

/** A declined card is the person's to fix; everything else is ours. */
const refused = (error: unknown): unknown => {
  const { type, message } = error as { type?: string; message?: string }
  return type === 'StripeCardError' ? new PaymentRefused(message ?? 'The card was declined.') : error
}

const iso = (seconds: number | null | undefined): string | null =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : null

const statusOf: Record<string, ProviderStatus> = {
  incomplete: 'incomplete',
  incomplete_expired: 'canceled',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  canceled: 'canceled',
}

const cardOf = (method: Stripe.PaymentMethod | string | null | undefined): ProviderSubscription['card'] =>
  method && typeof method === 'object' && method.card ? { brand: method.card.brand, last4: method.card.last4 } : null

/** A subscription in our words. Exported for the test that reads Stripe's own fixtures. */
export const readSubscription = (
  s: Stripe.Subscription,
  planOf: (priceId: string) => PlanTier | null,
  customerCard: ProviderSubscription['card'] = null,
): ProviderSubscription => {
  const item = s.items.data[0]
  const ends = item?.current_period_end
  return {
    id: s.id,
    businessId: s.metadata.businessId ?? null,
    plan: item ? planOf(item.price.id) : null,
    period: item?.price.recurring?.interval === 'year' ? 'year' : 'month',
    priceCents: item?.price.unit_amount ?? 0,
    status: statusOf[s.status] ?? 'incomplete',
    startedAt: iso(s.created) ?? clock.iso(),
    trialEndsAt: iso(s.trial_end),
    periodEndsAt: iso(ends),
    cancelAt: iso(s.ended_at ?? s.cancel_at ?? (s.cancel_at_period_end ? ends : null)),
    couponCode: s.metadata.coupon || null,
    card: cardOf(s.default_payment_method) ?? customerCard,
  }
}

const invoiceStates = ['open', 'paid', 'void', 'uncollectible'] as const
const invoiceStatus = (status: string | null): ProviderInvoice['status'] =>
  invoiceStates.find((known) => known === status) ?? 'draft'

const sumOf = (amounts: readonly { amount: number }[] | null | undefined): number =>
  (amounts ?? []).reduce((sum, one) => sum + one.amount, 0)

/** An invoice in our words. */
export const readInvoice = (invoice: Stripe.Invoice): ProviderInvoice => ({
  id: invoice.id ?? '',
  subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
  number: invoice.number ?? '',
  status: invoiceStatus(invoice.status),
  description: invoice.lines.data[0]?.description ?? invoice.description ?? '',
  subtotalCents: invoice.subtotal,
  discountCents: sumOf(invoice.total_discount_amounts),
  taxCents: sumOf(invoice.total_taxes),
  totalCents: invoice.total,
  paidCents: invoice.amount_paid,
  attempts: invoice.attempt_count,
  hostedUrl: invoice.hosted_invoice_url ?? null,
  pdfUrl: invoice.invoice_pdf ?? null,
  issuedAt: iso(invoice.effective_at ?? invoice.created) ?? clock.iso(),
  periodStartsAt: iso(invoice.lines.data[0]?.period.start ?? invoice.period_start),
  periodEndsAt: iso(invoice.lines.data[0]?.period.end ?? invoice.period_end),
})

/** What a price of Stripe's has to be to be sold as ours, or what is wrong with it. */
const priceProblem = (wanted: PlanPrice, price: Stripe.Price): string | null => {
  const name = `${wanted.planName}, ${wanted.period === 'year' ? 'annual' : 'monthly'}`
  const { interval, interval_count: count } = price.recurring ?? { interval: 'none', interval_count: 0 }
  return price.active &&
    price.currency === 'usd' &&
    price.unit_amount === wanted.cents &&
    interval === wanted.period &&
    count === 1
    ? null
    : `${name} should be ${(wanted.cents / 100).toFixed(2)} USD a ${wanted.period}, but ${price.id} is ${((price.unit_amount ?? 0) / 100).toFixed(2)} ${price.currency.toUpperCase()} a ${interval}${price.active ? '' : ' and not active'}`
}

/** Subscriptions by Stripe Checkout, Billing and its portal. */
export const stripeBilling = (settings: Ready): PaymentProvider => {
  const stripe = () => stripeClient(settings)
  const planOf = (priceId: string): PlanTier | null => {
    const name = Object.entries(settings.prices).find(([, ids]) => ids.includes(priceId))?.[0]
    return plans.find((plan) => plan === name?.split('_')[0]) ?? null
  }
  const priceId = (plan: string, period: string): string | null => settings.prices[`${plan}_${period}`]?.[0] ?? null
  let checked: { at: number; problem: string | null } | null = null

  const soldId = (price: PlanPrice): string => {
    const id = priceId(price.plan, price.period)
    if (!id) throw new Error(`No price of ${price.plan} by ${price.period} is set.`)
    return id
  }

  /** Off the first invoice: a trial's own invoice over nothing must not use it up. */
  const ensureCoupon = async (coupon: { code: string; percentOff: number }, afterTrial: boolean): Promise<string> => {
    const id = `swath-${coupon.code}-${coupon.percentOff}-${afterTrial ? 'trial' : 'once'}`
    const client = await stripe()
    try {
      return (await client.coupons.retrieve(id)).id
    } catch (error) {
      if (!isMissing(error)) throw error
      const duration = afterTrial
        ? ({ duration: 'repeating', duration_in_months: 1 } as const)
        : ({ duration: 'once' } as const)
      const made = await client.coupons.create(
        { id, name: coupon.code, percent_off: coupon.percentOff, ...duration },
        { idempotencyKey: `coupon:${id}` },
      )
      return made.id
    }
  }

  return {
    name: 'stripe',
    label: 'Stripe',
    livemode: settings.livemode,
    ...stripeAccounts(stripe, settings.livemode),
    async *listEvents(account, span) {
      yield* listStripeEvents(await stripe(), account, span)
    },
    findDispute: async (id, account) => findStripeDispute(await stripe(), id, account),
    submitEvidence: async (request, account) => submitStripeEvidence(await stripe(), request, account),
    findPayout: async (id, account) => findStripePayout(await stripe(), id, account),
    listPayouts: async (account, since) => listStripePayouts(await stripe(), account, since),
    listPayoutLines: async (id, account, after) => listStripePayoutLines(await stripe(), id, account, after),
    priceId,
    problem: async (prices) => {
      if (checked && clock.nowMs() - checked.at < checkedForMs) return checked.problem
      try {
        const client = await stripe()
        const found = await Promise.all(
          prices.map(async (wanted) => priceProblem(wanted, await client.prices.retrieve(soldId(wanted)))),
        )
        const wrong = found.filter((one) => one !== null)
        checked = {
          at: clock.nowMs(),
          problem: wrong.length === 0 ? null : `Stripe sells at other prices than Swath shows: ${wrong.join('; ')}.`,
        }
        return checked.problem
      } catch (error) {
        return `Stripe could not be asked: ${error instanceof Error ? error.message : 'no answer'}`
      }
    },
    ensureCustomer: async ({ businessId, name, email }, requestKey) =>
      (
        await (
          await stripe()
        ).customers.create(
          { name, ...(email ? { email } : {}), metadata: { businessId } },
          { idempotencyKey: requestKey },
        )
      ).id,
    openCheckout: async (input, account) => {
      if (input.purpose !== 'subscription') return openPayment(await stripe(), input, account)
      const { businessId, coupon, trialDays } = input
      const metadata = { businessId, ...(coupon ? { coupon: coupon.code } : {}) }
      const session = await (await stripe()).checkout.sessions.create(
        {
          mode: 'subscription',
          customer: input.customerId,
          client_reference_id: businessId,
          line_items: [{ price: soldId(input.price), quantity: 1 }],
          metadata,
          payment_method_collection: 'always',
          subscription_data: {
            metadata,
            ...(trialDays > 0
              ? {
                  trial_period_days: trialDays,
                  trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
                }
              : {}),
          },
          ...(coupon ? { discounts: [{ coupon: await ensureCoupon(coupon, trialDays > 0) }] } : {}),
          ...(settings.automaticTax
            ? { automatic_tax: { enabled: true }, customer_update: { address: 'auto' as const, name: 'auto' as const } }
            : {}),
          success_url: `${config.publicUrl}${input.successPath}`,
          cancel_url: `${config.publicUrl}${input.cancelPath}`,
        },
        { idempotencyKey: input.requestKey },
      )
      return readSession(session)
    },
    findCheckout: async (id, account) => {
      const client = await stripe()
      const asked = {
        expand: ['payment_intent.payment_method', 'payment_intent.latest_charge', 'setup_intent.payment_method'],
      }
      return findOrNull(async () => readSession(await client.checkout.sessions.retrieve(id, asked, onAccount(account))))
    },
    expireCheckout: async (id, account) => {
      const client = await stripe()
      // One that was paid or ended meanwhile is no failure: the caller looks at what is there.
      await findOrNull(async () => {
        const session = await client.checkout.sessions.retrieve(id, {}, onAccount(account))
        if (session.status === 'open') await client.checkout.sessions.expire(id, {}, onAccount(account))
      })
    },
    chargeMethod: async (request, account) => chargeSaved(await stripe(), request, account),
    findCharge: async (id, account) => {
      const client = await stripe()
      const asked = { expand: ['payment_method'] }
      return findOrNull(async () => readCharge(await client.paymentIntents.retrieve(id, asked, onAccount(account))))
    },
    findChargeOf: async (asked, account) => findTried(await stripe(), asked, account),
    findMethod: async (methodId, account) => {
      const client = await stripe()
      const method = await findOrNull(() => client.paymentMethods.retrieve(methodId, {}, onAccount(account)))
      const customerId = typeof method?.customer === 'string' ? method.customer : method?.customer?.id
      return method && customerId ? readMethod(method, customerId) : null
    },
    removeMethod: async (methodId, account) => {
      const client = await stripe()
      await findOrNull(() => client.paymentMethods.detach(methodId, {}, onAccount(account)))
    },
    refund: async (request, account) => giveBack(await stripe(), request, account),
    findRefund: async (id, account) => {
      const client = await stripe()
      return findOrNull(async () =>
        readRefund(await client.refunds.retrieve(id, { expand: ['charge'] }, onAccount(account))),
      )
    },
    listRefunds: async (paymentId, account) => listRefundsOf(await stripe(), paymentId, account),
    readCustomer: async (customerId) => {
      const client = await stripe()
      const gone = { subscriptions: [], invoices: [], deleted: true }
      try {
        const customer = await client.customers.retrieve(customerId, {
          expand: ['invoice_settings.default_payment_method'],
        })
        if (customer.deleted) return gone
        const [subscriptions, invoices] = await Promise.all([
          client.subscriptions.list({
            customer: customerId,
            status: 'all',
            limit: 100,
            expand: ['data.default_payment_method'],
          }),
          client.invoices.list({ customer: customerId, limit: 100 }),
        ])
        const card = cardOf(customer.invoice_settings.default_payment_method)
        return {
          subscriptions: subscriptions.data.map((s) => readSubscription(s, planOf, card)),
          invoices: invoices.data.map(readInvoice),
          deleted: false,
        }
      } catch (error) {
        if (isMissing(error)) return gone
        throw error
      }
    },
    previewChange: async (subscriptionId, customerId, price) => {
      const client = await stripe()
      const s = await client.subscriptions.retrieve(subscriptionId)
      const preview = await client.invoices.createPreview({
        customer: customerId,
        subscription: subscriptionId,
        subscription_details: {
          items: [{ id: s.items.data[0]?.id ?? '', price: soldId(price) }],
          proration_behavior: 'always_invoice',
          ...(s.status === 'trialing' ? { trial_end: 'now' as const } : {}),
        },
      })
      return { dueNowCents: Math.max(0, preview.amount_due), creditCents: Math.max(0, -preview.total) }
    },
    changePlan: async (subscriptionId, _customerId, price, requestKey) => {
      const client = await stripe()
      const s = await client.subscriptions.retrieve(subscriptionId)
      try {
        await client.subscriptions.update(
          subscriptionId,
          {
            items: [{ id: s.items.data[0]?.id ?? '', price: soldId(price) }],
            proration_behavior: 'always_invoice',
            payment_behavior: 'error_if_incomplete',
            cancel_at_period_end: false,
            ...(s.status === 'trialing' ? { trial_end: 'now' as const } : {}),
          },
          { idempotencyKey: requestKey },
        )
      } catch (error) {
        throw refused(error)
      }
    },
    setCancelAtEnd: async (subscriptionId, _customerId, cancel) => {
      await (await stripe()).subscriptions.update(subscriptionId, { cancel_at_period_end: cancel })
    },
    cancelNow: async (subscriptionId) => {
      try {
        await (await stripe()).subscriptions.cancel(subscriptionId)
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
    payInvoice: async (invoiceId, _customerId, requestKey) => {
      try {
        await (await stripe()).invoices.pay(invoiceId, {}, { idempotencyKey: requestKey })
      } catch (error) {
        throw refused(error)
      }
    },
    openPortal: async (customerId, returnPath) =>
      (
        await (
          await stripe()
        ).billingPortal.sessions.create({
          customer: customerId,
          return_url: `${config.publicUrl}${returnPath}`,
        })
      ).url,
    tick: async () => undefined,
  }
}
