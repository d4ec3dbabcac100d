import { startCheckout } from '../features/subscriptions/server/commands.ts'
import { soldPrices } from '../features/subscriptions/server/queries.ts'
import { syncBusiness } from '../features/subscriptions/server/sync.ts'
import { localBilling, replayLocal } from '../local/payments/billing.ts'
import { begin, change, renew } from '../local/payments/subscription.ts'
import { clock } from '../platform/clock.ts'
import { database } from '../platform/db/database.ts'
import { type BusinessId, withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { paymentProvider } from '../platform/payments/providers.ts'

const trialDay = 103
const upgradeDay = 95

const priceOf = (plan: string) => {
  const found = soldPrices.find((price) => price.plan === plan && price.period === 'month')
  if (!found) throw new Error(`No price of ${plan}.`)
  return found
}

/** The demo's own plan: a trial of Basic, Enterprise a week later, and the months since, paid on the local test checkout. */
export const buyPlan = async (businessId: BusinessId): Promise<void> => {
  if (paymentProvider('subscription') !== localBilling) return
  const page = await startCheckout(businessId, { priceId: 'price_basic_month' })
  const { customerId } = await database()
    .selectFrom('paymentCustomers')
    .select('customerId')
    .where('businessId', '=', businessId)
    .executeTakeFirstOrThrow()
  if (page.sessionId) await localBilling.expireCheckout(page.sessionId)
  const daysAgo = (days: number) => new Date(clock.nowMs() - days * 86_400_000).toISOString()
  const invoice = () => `in_test_${newId().replaceAll('-', '')}`
  await replayLocal(customerId, (customer) => {
    const id = `sub_test_${newId().replaceAll('-', '')}`
    const card = { brand: 'visa', last4: '4242', declines: null }
    const basic = {
      id,
      invoiceId: invoice(),
      price: priceOf('basic'),
      trialDays: 14,
      coupon: null,
      now: daysAgo(trialDay),
    }
    const begun = begin(customer, card, basic).customer
    let now = change(begun, id, priceOf('enterprise'), invoice(), daysAgo(upgradeDay)).step.customer
    while (Date.parse(now.subscriptions[0]?.periodEndsAt ?? clock.iso()) < clock.nowMs())
      now = renew(now, id, invoice()).customer
    return now
  })
  await syncBusiness(businessId)
  // Receipts of past months were read long ago.
  await withTenant({ businessId }, (db) =>
    db
      .updateTable('messages')
      .set((eb) => ({ status: 'sent', sentAt: eb.ref('createdAt') }))
      .where('businessId', '=', businessId)
      .where('dedupeKey', 'like', 'subscription-%')
      .execute(),
  )
}
