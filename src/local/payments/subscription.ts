import type {
  BillingPeriod,
  ChangePreview,
  PlanPrice,
  ProviderInvoice,
  ProviderSubscription,
} from '../../platform/payments/provider.ts'
import type { LocalEvent } from './events.ts'

/** The local provider's customer with all that hangs on it: one document, changed under one lock. */
export type LocalCustomer = {
  id: string
  businessId: string
  name: string
  email: string | null
  deleted: boolean
  card: LocalCard | null
  subscriptions: LocalSubscription[]
  invoices: ProviderInvoice[]
  creditCents: number
}

export type LocalCard = { brand: string; last4: string; declines: string | null }

export type LocalSubscription = Omit<ProviderSubscription, 'card'> & {
  customerId: string
  planName: string
  periodStartsAt: string
  /** The day of the month on which it renews, kept over short months. */
  anchorAt: string
  /** What the coupon takes off the first invoice; missing on subscriptions from before it was kept. */
  percentOff?: number
}

/** What a change leaves: the new document and what is told about it. */
export type Step = { customer: LocalCustomer; events: LocalEvent[] }

/** Test cards by number, as Stripe has them: what they do at a checkout and afterwards. */
export const testCards: Readonly<
  Record<string, { refuses: string | null; asks: boolean; later: string | null; label: string }>
> = {
  '4242424242424242': { refuses: null, asks: false, later: null, label: 'is paid' },
  '4000000000000002': { refuses: 'Your card was declined.', asks: false, later: null, label: 'is declined' },
  '4000000000009995': { refuses: 'Your card has insufficient funds.', asks: false, later: null, label: 'has no money' },
  '4000002500003155': { refuses: null, asks: true, later: null, label: 'asks you to confirm (3-D Secure)' },
  '4000000000000341': {
    refuses: null,
    asks: false,
    later: 'Your card was declined.',
    label: 'works now, fails at the next payment',
  },
}

/** Start of the nth period after `anchor`: the same day of the month, or its last day in a shorter month. */
export const periodStart = (anchor: string, period: BillingPeriod, n: number): string => {
  const from = new Date(anchor)
  const months = period === 'year' ? 12 * n : n
  const first = new Date(
    Date.UTC(
      from.getUTCFullYear(),
      from.getUTCMonth() + months,
      1,
      from.getUTCHours(),
      from.getUTCMinutes(),
      from.getUTCSeconds(),
    ),
  )
  const daysInMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), daysInMonth))
  return first.toISOString()
}

/** The first period start after `after`. */
const nextStart = (anchor: string, period: BillingPeriod, after: string): string => {
  let n = 1
  while (Date.parse(periodStart(anchor, period, n)) <= Date.parse(after)) n += 1
  return periodStart(anchor, period, n)
}

const dayMs = 86_400_000
const plusDays = (iso: string, days: number): string => new Date(Date.parse(iso) + days * dayMs).toISOString()

const subscriptionEvent = (type: string, s: LocalSubscription): LocalEvent => ({
  type,
  object: { id: s.id, object: 'subscription', customer: s.customerId, status: s.status },
})
const invoiceEvent = (type: string, invoice: ProviderInvoice, customerId: string): LocalEvent => ({
  type,
  object: { id: invoice.id, object: 'invoice', customer: customerId, status: invoice.status },
})

const withSubscription = (customer: LocalCustomer, next: LocalSubscription): LocalCustomer => ({
  ...customer,
  subscriptions: customer.subscriptions.map((s) => (s.id === next.id ? next : s)),
})

const isLive = (s: LocalSubscription) => !['canceled', 'incomplete'].includes(s.status)

const discountOf = (subtotalCents: number, percentOff: number): number => Math.round((subtotalCents * percentOff) / 100)

type Bill = { id: string; subtotalCents: number; discountCents: number; description: string; now: string }

/** Adds an invoice and asks the card for it. Credit is used first. */
const charge = (
  customer: LocalCustomer,
  s: LocalSubscription,
  bill: Bill,
): { customer: LocalCustomer; invoice: ProviderInvoice; paid: boolean } => {
  const before = bill.subtotalCents - bill.discountCents
  const credit = Math.min(customer.creditCents, before)
  const totalCents = before - credit
  const paid = totalCents === 0 || (customer.card !== null && customer.card.declines === null)
  const invoice: ProviderInvoice = {
    id: bill.id,
    subscriptionId: s.id,
    number: `TEST-${String(customer.invoices.length + 1).padStart(4, '0')}`,
    status: paid ? 'paid' : 'open',
    description: bill.description,
    subtotalCents: bill.subtotalCents,
    discountCents: bill.discountCents + credit,
    taxCents: 0,
    totalCents,
    paidCents: paid ? totalCents : 0,
    attempts: totalCents === 0 ? 0 : 1,
    hostedUrl: null,
    pdfUrl: null,
    issuedAt: bill.now,
    periodStartsAt: s.periodStartsAt,
    periodEndsAt: s.periodEndsAt,
  }
  return {
    customer: { ...customer, creditCents: customer.creditCents - credit, invoices: [...customer.invoices, invoice] },
    invoice,
    paid,
  }
}

export type NewSubscription = {
  id: string
  invoiceId: string
  price: PlanPrice
  trialDays: number
  coupon: { code: string; percentOff: number } | null
  now: string
}

/** What a checkout asks for at once, and from when on: the words on the page and the sum that is charged are the same call. */
export const checkoutTotals = (
  price: PlanPrice,
  trialDays: number,
  coupon: { percentOff: number } | null,
  now: string,
): {
  discountCents: number
  taxCents: number
  firstCents: number
  dueNowCents: number
  renewsAt: string
  trialEndsAt: string | null
} => {
  const discountCents = coupon ? discountOf(price.cents, coupon.percentOff) : 0
  const trialEndsAt = trialDays > 0 ? plusDays(now, trialDays) : null
  const firstCents = price.cents - discountCents
  return {
    discountCents,
    taxCents: 0,
    firstCents,
    dueNowCents: trialEndsAt ? 0 : firstCents,
    renewsAt: trialEndsAt ?? periodStart(now, price.period, 1),
    trialEndsAt,
  }
}

/** A checkout that was paid: the subscription begins, with its trial or its first invoice. */
export const begin = (before: LocalCustomer, card: LocalCard, input: NewSubscription): Step => {
  const { price, trialDays, coupon, now } = input
  const trialEndsAt = trialDays > 0 ? plusDays(now, trialDays) : null
  const s: LocalSubscription = {
    id: input.id,
    customerId: before.id,
    businessId: before.businessId,
    plan: price.plan,
    planName: price.planName,
    period: price.period,
    priceCents: price.cents,
    status: trialEndsAt ? 'trialing' : 'active',
    startedAt: now,
    trialEndsAt,
    periodStartsAt: now,
    anchorAt: trialEndsAt ?? now,
    periodEndsAt: trialEndsAt ?? periodStart(now, price.period, 1),
    cancelAt: null,
    couponCode: coupon?.code ?? null,
    percentOff: coupon?.percentOff ?? 0,
  }
  // The card said yes on the page; whether it does next time is its own affair.
  const paying = { ...before, card: { ...card, declines: null }, subscriptions: [...before.subscriptions, s] }
  const { customer, invoice } = charge(paying, s, {
    id: input.invoiceId,
    subtotalCents: trialEndsAt ? 0 : price.cents,
    discountCents: trialEndsAt ? 0 : discountOf(price.cents, s.percentOff ?? 0),
    description: trialEndsAt ? `Trial of ${price.planName}` : `${price.planName}, first ${price.period}`,
    now,
  })
  return {
    customer: { ...customer, card },
    events: [subscriptionEvent('customer.subscription.created', s), invoiceEvent('invoice.paid', invoice, before.id)],
  }
}

/** Time goes on to the end of the running period: it ends, renews, or fails to. A coupon that the trial still owes is taken off. */
export const renew = (before: LocalCustomer, id: string, invoiceId: string): Step => {
  const s = before.subscriptions.find((one) => one.id === id)
  if (!s?.periodEndsAt || !isLive(s)) return { customer: before, events: [] }
  const now = s.periodEndsAt
  if (s.cancelAt) return end(before, id)
  const next: LocalSubscription = {
    ...s,
    periodStartsAt: now,
    periodEndsAt: nextStart(s.anchorAt, s.period, now),
    status: 'active',
  }
  const { customer, invoice, paid } = charge(withSubscription(before, next), next, {
    id: invoiceId,
    subtotalCents: s.priceCents,
    discountCents: s.status === 'trialing' ? discountOf(s.priceCents, s.percentOff ?? 0) : 0,
    description: `${s.planName}, next ${s.period}`,
    now,
  })
  const owing = paid && !customer.invoices.some((one) => one.status === 'open')
  const after: LocalSubscription = { ...next, status: owing ? 'active' : 'past_due' }
  return {
    customer: withSubscription(customer, after),
    events: [
      subscriptionEvent('customer.subscription.updated', after),
      invoiceEvent(paid ? 'invoice.paid' : 'invoice.payment_failed', invoice, before.id),
    ],
  }
}

/** Every try of the grace has failed: the provider asks no more, and what is open stays open until another card pays it. */
export const giveUp = (before: LocalCustomer, id: string): Step => {
  const s = before.subscriptions.find((one) => one.id === id)
  if (s?.status !== 'past_due') return { customer: before, events: [] }
  const unpaid: LocalSubscription = { ...s, status: 'unpaid' }
  return {
    customer: withSubscription(before, unpaid),
    events: [subscriptionEvent('customer.subscription.updated', unpaid)],
  }
}

/** It ends now; what is open on it is void, nobody is asked for it any more. */
export const end = (before: LocalCustomer, id: string): Step => {
  const s = before.subscriptions.find((one) => one.id === id)
  if (!s || s.status === 'canceled') return { customer: before, events: [] }
  const ended: LocalSubscription = { ...s, status: 'canceled', cancelAt: s.cancelAt ?? s.periodEndsAt }
  const customer = withSubscription(before, ended)
  return {
    customer: {
      ...customer,
      invoices: customer.invoices.map((one) =>
        one.subscriptionId === id && one.status === 'open' ? { ...one, status: 'void' as const } : one,
      ),
    },
    events: [subscriptionEvent('customer.subscription.deleted', ended)],
  }
}

/** Asks the card once more. @returns null when the card says no; the try is counted all the same in `failed` */
export const retry = (before: LocalCustomer, invoiceId: string): { step: Step; declined: string | null } => {
  const invoice = before.invoices.find((one) => one.id === invoiceId)
  if (invoice?.status !== 'open') return { step: { customer: before, events: [] }, declined: null }
  const declined = before.card ? before.card.declines : 'There is no card on file.'
  const tried: ProviderInvoice = {
    ...invoice,
    attempts: invoice.attempts + 1,
    ...(declined ? {} : { status: 'paid' as const, paidCents: invoice.totalCents }),
  }
  let customer = { ...before, invoices: before.invoices.map((one) => (one.id === invoiceId ? tried : one)) }
  const events = [invoiceEvent(declined ? 'invoice.payment_failed' : 'invoice.paid', tried, before.id)]
  const s = customer.subscriptions.find((one) => one.id === invoice.subscriptionId)
  if (
    !declined &&
    (s?.status === 'past_due' || s?.status === 'unpaid') &&
    !customer.invoices.some((one) => one.status === 'open')
  ) {
    const paid: LocalSubscription = { ...s, status: 'active' }
    customer = withSubscription(customer, paid)
    events.push(subscriptionEvent('customer.subscription.updated', paid))
  }
  return { step: { customer, events }, declined }
}

/** Another card; what is open is tried with it at once. */
export const setCard = (before: LocalCustomer, card: LocalCard): Step => {
  let step: Step = {
    customer: { ...before, card },
    events: [{ type: 'customer.updated', object: { id: before.id, object: 'customer' } }],
  }
  for (const open of before.invoices.filter((one) => one.status === 'open')) {
    const { step: next } = retry(step.customer, open.id)
    step = { customer: next.customer, events: [...step.events, ...next.events] }
  }
  return step
}

/** It ends with its period, or goes on after all. */
export const setCancel = (before: LocalCustomer, id: string, cancel: boolean): Step => {
  const s = before.subscriptions.find((one) => one.id === id)
  if (!s || !isLive(s)) return { customer: before, events: [] }
  const next: LocalSubscription = { ...s, cancelAt: cancel ? s.periodEndsAt : null }
  return {
    customer: withSubscription(before, next),
    events: [subscriptionEvent('customer.subscription.updated', next)],
  }
}

/** What is left of the running period, from 0 to 1. */
const restOf = (s: LocalSubscription, now: string): number => {
  const [from, to] = [Date.parse(s.periodStartsAt), Date.parse(s.periodEndsAt ?? now)]
  return to <= from ? 0 : Math.min(1, Math.max(0, (to - Date.parse(now)) / (to - from)))
}

/** What another plan costs at once: more is charged now for the rest of the period, less becomes credit. Out of a trial it is the whole price. */
export const previewOf = (s: LocalSubscription, price: PlanPrice, now: string): ChangePreview => {
  if (s.status === 'trialing') return { dueNowCents: price.cents, creditCents: 0 }
  const unused = Math.round(s.priceCents * restOf(s, now))
  if (price.period !== s.period) {
    const due = price.cents - unused
    return { dueNowCents: Math.max(0, due), creditCents: Math.max(0, -due) }
  }
  const difference = Math.round((price.cents - s.priceCents) * restOf(s, now))
  return { dueNowCents: Math.max(0, difference), creditCents: Math.max(0, -difference) }
}

/** Another plan. @returns `declined` when the card says no; then nothing changes */
export const change = (
  before: LocalCustomer,
  id: string,
  price: PlanPrice,
  invoiceId: string,
  now: string,
): { step: Step; declined: string | null } => {
  const none = { step: { customer: before, events: [] as LocalEvent[] }, declined: null }
  const s = before.subscriptions.find((one) => one.id === id)
  if (!s || !isLive(s) || (s.plan === price.plan && s.period === price.period)) return none
  const { dueNowCents, creditCents } = previewOf(s, price, now)
  const anew = s.status === 'trialing' || price.period !== s.period
  const next: LocalSubscription = {
    ...s,
    plan: price.plan,
    planName: price.planName,
    period: price.period,
    priceCents: price.cents,
    cancelAt: null,
    status: s.status === 'trialing' ? 'active' : s.status,
    ...(anew
      ? {
          trialEndsAt: s.status === 'trialing' ? now : s.trialEndsAt,
          periodStartsAt: now,
          anchorAt: now,
          periodEndsAt: periodStart(now, price.period, 1),
        }
      : {}),
  }
  const credited = { ...withSubscription(before, next), creditCents: before.creditCents + creditCents }
  const updated = subscriptionEvent('customer.subscription.updated', next)
  if (dueNowCents === 0) return { step: { customer: credited, events: [updated] }, declined: null }
  const { customer, invoice, paid } = charge(credited, next, {
    id: invoiceId,
    subtotalCents: dueNowCents,
    discountCents: 0,
    description: anew
      ? `${price.planName}, first ${price.period}`
      : `Change to ${price.planName}, rest of this ${price.period}`,
    now,
  })
  if (!paid) return { ...none, declined: before.card?.declines ?? 'There is no card on file.' }
  return { step: { customer, events: [updated, invoiceEvent('invoice.paid', invoice, before.id)] }, declined: null }
}

/** Told three days before a trial ends. */
export const warnOfTrialEnd = (before: LocalCustomer, id: string): Step => {
  const s = before.subscriptions.find((one) => one.id === id)
  return {
    customer: before,
    events: s?.status === 'trialing' ? [subscriptionEvent('customer.subscription.trial_will_end', s)] : [],
  }
}
