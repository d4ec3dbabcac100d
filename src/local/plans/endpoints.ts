import { getUsableCoupon } from '../../features/subscriptions/coupons/server/queries.ts'
import { isLive } from '../../features/subscriptions/rules.ts'
import { findSoldPrice, soldPrices } from '../../features/subscriptions/server/queries.ts'
import { clock } from '../../platform/clock.ts'
import { asBusinessId, withTenant } from '../../platform/db/tenant.ts'
import { serve } from '../../platform/http/serve.ts'
import { PaymentRefused } from '../../platform/payments/provider.ts'
import { conflict, invalid, notFound } from '../../shared/errors.ts'
import {
  advanceLocal,
  completeLocalPlanCheckout,
  findLocalCheckout,
  findLocalCustomer,
  findLocalPortal,
  localBilling,
  localCard,
  setLocalCard,
  setLocalCoupon,
} from '../payments/billing.ts'
import { checkoutTotals } from '../payments/subscription.ts'
import { type LocalPlanCheckout, type LocalPortal, localPlansApi } from './contract.ts'

const viewCheckout = async (id: string): Promise<LocalPlanCheckout> => {
  const found = await findLocalCheckout(id)
  const customer = found ? await findLocalCustomer(found.customerId) : null
  if (!found || !customer) throw notFound('checkout')
  return {
    status: found.status,
    businessName: customer.name,
    email: customer.email,
    planName: found.price.planName,
    period: found.price.period,
    priceCents: found.price.cents,
    coupon: found.coupon,
    ...checkoutTotals(found.price, found.trialDays, found.coupon, clock.iso()),
    successPath: found.successPath.replace('{CHECKOUT_SESSION_ID}', id),
    cancelPath: found.cancelPath,
  }
}

const openCheckout = async (id: string) => {
  const view = await viewCheckout(id)
  if (view.status === 'expired')
    throw conflict('This payment page has expired. Go back to the plans and choose again; nothing was charged.')
  return view
}

const cardOr422 = (number: string) => {
  const card = localCard(number)
  if (!card) throw invalid([{ path: 'cardNumber', message: 'Use a test card: 4242 4242 4242 4242' }])
  return card
}

const openPortal = async (id: string) => {
  const portal = await findLocalPortal(id)
  const customer = portal ? await findLocalCustomer(portal.customerId) : null
  if (!portal || !customer) throw notFound('page')
  return { portal, customer, live: customer.subscriptions.find((s) => isLive(s.status)) ?? null }
}

const viewPortal = async (id: string): Promise<LocalPortal> => {
  const { portal, customer, live } = await openPortal(id)
  return {
    businessName: customer.name,
    returnPath: portal.returnPath,
    card: customer.card ? { ...customer.card, declines: customer.card.declines !== null } : null,
    creditCents: customer.creditCents,
    subscription: live ? { ...live, priceId: `price_${live.plan}_${live.period}` } : null,
    prices: soldPrices.map((p) => ({
      id: `price_${p.plan}_${p.period}`,
      planName: p.planName,
      period: p.period,
      cents: p.cents,
    })),
    invoices: [...customer.invoices].reverse(),
  }
}

export const localPlansEndpoints = serve(
  'localPlans',
  localPlansApi,
)({
  checkout: ({ params }) => viewCheckout(params.sessionId),
  coupon: async ({ params, body }) => {
    await openCheckout(params.sessionId)
    const found = await findLocalCheckout(params.sessionId)
    const coupon =
      found && body.code
        ? await withTenant({ businessId: asBusinessId(found.businessId) }, (db) => getUsableCoupon(db, body.code ?? ''))
        : null
    await setLocalCoupon(params.sessionId, coupon)
    return viewCheckout(params.sessionId)
  },
  pay: async ({ params, body }) => {
    const { successPath: returnPath, status, dueNowCents } = await openCheckout(params.sessionId)
    if (status === 'complete') return { result: 'paid', message: 'This was paid before.', returnPath }
    const { asks, refuses, ...card } = cardOr422(body.cardNumber)
    if (refuses) return { result: 'declined', message: `${refuses} Nothing was charged; try another card.`, returnPath }
    if (asks && !body.confirmed)
      return { result: 'confirm', message: 'The bank of this test card asks you to confirm.', returnPath }
    await completeLocalPlanCheckout(params.sessionId, card)
    return {
      result: 'paid',
      message: dueNowCents > 0 ? 'Paid with a test card. No real money moved.' : 'The trial has begun.',
      returnPath,
    }
  },
  portal: ({ params }) => viewPortal(params.sessionId),
  act: async ({ params, body }) => {
    const { customer, live } = await openPortal(params.sessionId)
    if (body.action === 'card') {
      const { asks: _, refuses, ...card } = cardOr422(body.cardNumber)
      if (refuses) throw conflict(`${refuses} The card on file is as it was.`)
      await setLocalCard(customer.id, card)
    } else if (!live) throw conflict('There is no subscription to change.')
    else if (body.action === 'cancel' || body.action === 'resume')
      await localBilling.setCancelAtEnd(live.id, customer.id, body.action === 'cancel')
    else if (body.action === 'change') {
      const sold = findSoldPrice(localBilling, body.priceId)
      if (!sold) throw invalid([{ path: 'priceId', message: 'We do not sell this price.' }])
      try {
        await localBilling.changePlan(live.id, customer.id, sold.price, '')
      } catch (error) {
        if (error instanceof PaymentRefused) throw conflict(`${error.message} Nothing was charged.`)
        throw error
      }
    } else await advanceLocal(customer.id, body.action)
    return viewPortal(params.sessionId)
  },
})
