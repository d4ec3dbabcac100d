import { ownerApi } from '../features/owner/contract.ts'
import { subscriptionsApi } from '../features/subscriptions/contract.ts'
import { couponsApi } from '../features/subscriptions/coupons/contract.ts'
import { localPlansApi } from '../local/plans/contract.ts'
import { type Api, apiFor, apiWith, runTasks, stranger } from './api.ts'
import type { TestBusiness } from './factories.ts'

/** Plans as an owner buys them on the local provider. */

export const goodCard = '4242 4242 4242 4242'
export const failingLater = '4000 0000 0000 0341'

export const checkoutFor = async (own: TestBusiness, priceId = 'price_pro_month', coupon?: string) =>
  (await apiFor(own.owner)).call(subscriptionsApi.createCheckout, {
    body: { priceId, userId: own.owner.userId, ...(coupon ? { coupon } : {}) },
  })

export const payCheckout = (sessionId: string, cardNumber = goodCard, confirmed = false) =>
  stranger.call(localPlansApi.pay, { params: { sessionId }, body: { cardNumber, confirmed } })

/** Buys a plan and lets the webhooks arrive. */
export const subscribe = async (own: TestBusiness, priceId = 'price_pro_month', card = goodCard): Promise<string> => {
  const { body, status, text } = await checkoutFor(own, priceId)
  if (status !== 200 || !body.sessionId) throw new Error(`No checkout: ${text}`)
  await payCheckout(body.sessionId, card)
  await runTasks()
  return body.sessionId
}

export const subscriptionOf = async (own: TestBusiness) => (await apiFor(own.owner)).ok(subscriptionsApi.get, {})

const portalId = async (own: TestBusiness): Promise<string> =>
  (await (await apiFor(own.owner)).ok(subscriptionsApi.portal, {})).url.split('/').at(-1) ?? ''

/** Presses a button of the local portal, test clock included, and lets the webhooks arrive. */
export const atPortal = async (
  own: TestBusiness,
  body: Parameters<typeof stranger.ok<(typeof localPlansApi)['act']>>[1]['body'],
) => {
  const answer = await stranger.call(localPlansApi.act, { params: { sessionId: await portalId(own) }, body })
  await runTasks()
  return answer
}

/** The product owner, signed in. */
export const productOwner = async (): Promise<Api> =>
  apiWith((await stranger.ok(ownerApi.login, { body: { username: 'owner', password: 'demo-swath-2026' } })).token)

export const aCoupon = async (code: string, percentOff = 15) =>
  (await productOwner()).ok(couponsApi.create, { body: { code, percentOff } })
