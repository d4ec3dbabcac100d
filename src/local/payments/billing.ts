import { sql } from 'kysely'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import {
  type Checkout,
  type PaymentProvider,
  PaymentRefused,
  type PlanPrice,
  type SubscriptionRequest,
} from '../../platform/payments/provider.ts'
import type { ClockStep } from '../plans/contract.ts'
import { localAccounts } from './accounts.ts'
import { chargeLocalMethod, findLocalCharge, findLocalChargeOf, findLocalMethod, removeLocalMethod } from './cards.ts'
import {
  expireLocalPayment,
  findLocalPayment,
  findLocalRefund,
  findPageCharge,
  listLocalRefunds,
  openLocalPayment,
  refundLocalPayment,
} from './checkout.ts'
import { clearDebits } from './clearing.ts'
import { findLocalDispute, submitLocalEvidence } from './disputes.ts'
import { deliverLocalEvents, type LocalEvent, listLocalEvents } from './events.ts'
import { idOf, insert, lock, read, type Tx, write } from './objects.ts'
import { localPayouts } from './payouts.ts'
import {
  begin,
  change,
  end,
  giveUp,
  type LocalCard,
  type LocalCustomer,
  previewOf,
  renew,
  retry,
  type Step,
  setCancel,
  setCard,
  testCards,
  warnOfTrialEnd,
} from './subscription.ts'

export type LocalCheckout = Omit<SubscriptionRequest, 'requestKey' | 'purpose'> & {
  status: 'open' | 'complete' | 'expired'
  expiresAt: string
  subscriptionId: string | null
}
export type LocalPortal = { customerId: string; returnPath: string; expiresAt: string }

const hours = 3_600_000
/** Changes one customer's document under its lock, then tells what happened, as Stripe would. */
const changeCustomer = async <T>(
  id: string,
  work: (customer: LocalCustomer, tx: Tx) => Promise<{ step: Step; result: T }> | { step: Step; result: T },
): Promise<T | null> => {
  const done = await database()
    .transaction()
    .execute(async (tx) => {
      const customer = await lock<LocalCustomer>(tx, 'customer', id)
      if (!customer) return null
      const { step, result } = await work(customer, tx)
      await write(tx, id, step.customer)
      return { events: step.events, result }
    })
  if (!done) return null
  await deliverLocalEvents(done.events)
  return done.result
}

const simply = (id: string, work: (customer: LocalCustomer) => Step) =>
  changeCustomer(id, (customer) => ({ step: work(customer), result: null }))

/** The customer of the local provider, or null. */
export const findLocalCustomer = (id: string): Promise<LocalCustomer | null> => read('customer', id)

/** An open hosted page of the local provider, or what became of it. */
export const findLocalCheckout = async (id: string): Promise<LocalCheckout | null> => {
  const found = await read<LocalCheckout>('checkout', id)
  if (!found) return null
  const late = found.status === 'open' && Date.parse(found.expiresAt) < clock.nowMs()
  return late ? { ...found, status: 'expired' } : found
}

/** A portal page, as long as it is good for. */
export const findLocalPortal = async (id: string): Promise<LocalPortal | null> => {
  const found = await read<LocalPortal>('portal', id)
  return found && Date.parse(found.expiresAt) > clock.nowMs() ? found : null
}

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** The card behind a test number, or null for any other. */
export const localCard = (number: string): (LocalCard & { asks: boolean; refuses: string | null }) | null => {
  const digits = digitsOf(number)
  const known = testCards[digits]
  return known
    ? { brand: 'visa', last4: digits.slice(-4), declines: known.later, asks: known.asks, refuses: known.refuses }
    : null
}

/** Lays a coupon on an open page, or takes it off. */
export const setLocalCoupon = async (id: string, coupon: SubscriptionRequest['coupon']): Promise<void> => {
  await database()
    .transaction()
    .execute(async (tx) => {
      const found = await lock<LocalCheckout>(tx, 'checkout', id)
      if (found?.status === 'open') await write(tx, id, { ...found, coupon })
    })
}

/** Pays an open page with a card that said yes. @returns false when it was not open any more */
export const completeLocalPlanCheckout = async (id: string, card: LocalCard): Promise<boolean> => {
  const checkout = await findLocalCheckout(id)
  if (checkout?.status !== 'open') return false
  const done = await changeCustomer(checkout.customerId, async (customer, tx) => {
    const open = await lock<LocalCheckout>(tx, 'checkout', id)
    if (open?.status !== 'open') return { step: { customer, events: [] as LocalEvent[] }, result: false }
    const subscriptionId = idOf('sub')
    const step = begin(customer, card, {
      id: subscriptionId,
      invoiceId: idOf('in'),
      price: open.price,
      trialDays: open.trialDays,
      coupon: open.coupon,
      now: clock.iso(),
    })
    await write(tx, id, { ...open, status: 'complete', subscriptionId })
    const object = { id, object: 'checkout.session', mode: 'subscription', customer: customer.id, status: 'complete' }
    return {
      step: { customer: step.customer, events: [{ type: 'checkout.session.completed', object }, ...step.events] },
      result: true,
    }
  })
  return done ?? false
}

/** The test clock: what would take weeks happens now. */
export const advanceLocal = async (customerId: string, what: ClockStep): Promise<void> => {
  const before = await findLocalCustomer(customerId)
  const live = before?.subscriptions.find((s) => s.status !== 'canceled' && s.status !== 'incomplete')
  if (!before || !live) return
  await simply(customerId, (customer) => {
    if (what === 'trialSoon') return warnOfTrialEnd(customer, live.id)
    if (what === 'giveUp') return giveUp(customer, live.id)
    if (what === 'retry') {
      const open = customer.invoices.find((one) => one.status === 'open')
      return open ? retry(customer, open.id).step : { customer, events: [] }
    }
    if (what === 'failPayment') {
      const declines = 'Your card was declined.'
      const card = { ...(customer.card ?? { brand: 'visa', last4: '0341' }), declines }
      return renew({ ...customer, card }, live.id, idOf('in'))
    }
    return renew(customer, live.id, idOf('in'))
  })
}

/** Gives a customer a past without telling anybody: for the demo business. */
export const replayLocal = async (
  customerId: string,
  past: (customer: LocalCustomer) => LocalCustomer,
): Promise<void> => {
  await database()
    .transaction()
    .execute(async (tx) => {
      const customer = await lock<LocalCustomer>(tx, 'customer', customerId)
      if (customer) await write(tx, customerId, past(customer))
    })
}

/** Another test card on file; an open invoice is paid with it at once. */
export const setLocalCard = (customerId: string, card: LocalCard): Promise<unknown> =>
  simply(customerId, (customer) => setCard(customer, card))

const viewOf = (id: string, found: LocalCheckout): Checkout => ({
  provider: localBilling.name,
  livemode: false,
  paymentId: null,
  paidAt: null,
  amountCents: found.price.cents,
  invoice: null,
  fee: null,
  card: null,
  deposit: null,
  expiresAt: found.expiresAt,
  id,
  url: `/local/checkout/plan/${id}`,
  status: found.status,
  customerId: found.customerId,
  subscriptionId: found.subscriptionId,
  processing: false,
  problem: null,
  method: 'card',
  saved: null,
})

/** Plays the payment provider on this computer. It keeps its own side in one global table and knows nothing of ours but our marks. */
export const localBilling: PaymentProvider = {
  name: 'local',
  label: 'The test provider',
  livemode: false,
  ...localAccounts,
  listEvents: listLocalEvents,
  ...localPayouts,
  problem: async () => null,
  priceId: (plan, period) => `price_${plan}_${period}`,
  ensureCustomer: async ({ businessId, name, email }, requestKey) => {
    const id = idOf('cus')
    const customer: LocalCustomer = {
      id,
      businessId,
      name,
      email,
      deleted: false,
      card: null,
      subscriptions: [],
      invoices: [],
      creditCents: 0,
    }
    return insert('customer', id, customer, requestKey)
  },
  openCheckout: async (request, account) => {
    if (request.purpose !== 'subscription') return openLocalPayment(request, account ?? null)
    const { requestKey, purpose: _, ...input } = request
    const checkout: LocalCheckout = {
      ...input,
      status: 'open',
      subscriptionId: null,
      expiresAt: new Date(clock.nowMs() + 24 * hours).toISOString(),
    }
    const id = await insert('checkout', idOf('cs'), checkout, requestKey)
    return viewOf(id, (await findLocalCheckout(id)) ?? checkout)
  },
  findCheckout: async (id, account) => {
    const found = await findLocalCheckout(id)
    return found ? viewOf(id, found) : findLocalPayment(id, account ?? null)
  },
  expireCheckout: async (id) => {
    await expireLocalPayment(id)
    await database()
      .transaction()
      .execute(async (tx) => {
        const found = await lock<LocalCheckout>(tx, 'checkout', id)
        if (found?.status === 'open') await write(tx, id, { ...found, status: 'expired' })
      })
  },
  chargeMethod: chargeLocalMethod,
  findCharge: async (id, account) => (await findLocalCharge(id, account)) ?? (await findPageCharge(id, account)),
  findChargeOf: findLocalChargeOf,
  findMethod: findLocalMethod,
  removeMethod: removeLocalMethod,
  refund: refundLocalPayment,
  findRefund: findLocalRefund,
  listRefunds: listLocalRefunds,
  findDispute: findLocalDispute,
  submitEvidence: submitLocalEvidence,
  readCustomer: async (customerId) => {
    const customer = await findLocalCustomer(customerId)
    if (!customer || customer.deleted) return { subscriptions: [], invoices: [], deleted: true }
    const card = customer.card ? { brand: customer.card.brand, last4: customer.card.last4 } : null
    return {
      subscriptions: customer.subscriptions.map((s) => ({ ...s, card })),
      invoices: customer.invoices,
      deleted: false,
    }
  },
  previewChange: async (subscriptionId, customerId, price: PlanPrice) => {
    const s = (await findLocalCustomer(customerId))?.subscriptions.find((one) => one.id === subscriptionId)
    return s ? previewOf(s, price, clock.iso()) : { dueNowCents: 0, creditCents: 0 }
  },
  changePlan: async (subscriptionId, customerId, price) => {
    const declined = await changeCustomer(customerId, (customer) => {
      const done = change(customer, subscriptionId, price, idOf('in'), clock.iso())
      return { step: done.step, result: done.declined }
    })
    if (declined) throw new PaymentRefused(declined)
  },
  setCancelAtEnd: async (subscriptionId, customerId, cancel) => {
    await simply(customerId, (customer) => setCancel(customer, subscriptionId, cancel))
  },
  cancelNow: async (subscriptionId, customerId) => {
    await simply(customerId, (customer) => end(customer, subscriptionId))
  },
  payInvoice: async (invoiceId, customerId) => {
    const declined = await changeCustomer(customerId, (customer) => {
      const done = retry(customer, invoiceId)
      return { step: done.step, result: done.declined }
    })
    if (declined) throw new PaymentRefused(declined)
  },
  openPortal: async (customerId, returnPath) => {
    const portal: LocalPortal = {
      customerId,
      returnPath,
      expiresAt: new Date(clock.nowMs() + hours).toISOString(),
    }
    return `/local/portal/${await insert('portal', idOf('bps'), portal, null)}`
  },
  tick: async () => {
    await clearDebits()
    const due = await sql<{ id: string }>`
      select id from local_billing_objects where kind = 'customer' and exists (
        select 1 from jsonb_array_elements(payload->'subscriptions') s
        where s->>'status' not in ('canceled', 'incomplete') and (s->>'periodEndsAt')::timestamptz <= ${clock.iso()}::timestamptz)`.execute(
      database(),
    )
    for (const { id } of due.rows) await advanceLocal(id, 'renew')
  },
}
