import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { clock } from '../clock.ts'
import { config } from '../config.ts'
import { database } from '../db/database.ts'
import { expireCheckout, findCheckout } from './checkout.ts'
import { isMissing, stripeClient } from './stripe-billing.ts'

/** A fee that a prospect owes us, paid once at the provider's own page. */
export type FeeWish = {
  sprintId: string
  amountCents: number
  description: string
  payeeName: string
  email: string
  /** Path of ours that the payer returns to. */
  returnPath: string
  /** The same key opens the same page. */
  requestKey: string
}

export type FeeCheckout = {
  id: string
  url: string
  status: 'open' | 'complete' | 'expired'
  sprintId: string | null
  amountCents: number
  paymentId: string | null
  livemode: boolean
}

/** Who takes the fee: Stripe when it is set up whole, the local test checkout outside production, else nobody. */
export type FeeProvider = {
  open: (wish: FeeWish) => Promise<FeeCheckout>
  find: (id: string) => Promise<FeeCheckout | null>
  expire: (id: string) => Promise<void>
}

const local: FeeProvider = {
  open: async ({ requestKey, payeeName, sprintId, ...wish }) => {
    const id = `cs_test_fee${createHash('sha256').update(requestKey).digest('hex').slice(0, 32)}`
    await database()
      .insertInto('localCheckoutSessions')
      .values({
        id,
        payload: JSON.stringify({ ...wish, businessName: payeeName, metadata: { sprintId } }),
        createdAt: clock.iso(),
        expiresAt: new Date(clock.nowMs() + 24 * 3_600_000).toISOString(),
      })
      .onConflict((c) => c.column('id').doNothing())
      .execute()
    const made = await local.find(id)
    if (!made) throw new Error('The local checkout was not kept.')
    return made
  },
  find: async (id) => {
    const found = await findCheckout(id)
    if (!found) return null
    const { status, amountCents, paymentId, livemode, metadata } = found
    const sprintId = 'sprintId' in metadata ? metadata.sprintId : null
    return { id, url: `/local/checkout/${id}`, status, sprintId, amountCents, paymentId, livemode }
  },
  expire: expireCheckout,
}

const readFee = (session: Stripe.Checkout.Session): FeeCheckout => {
  const paid = session.payment_intent
  const status = session.status === 'open' ? 'open' : session.status === 'complete' ? 'complete' : 'expired'
  return {
    id: session.id,
    url: session.url ?? '',
    status,
    sprintId: session.metadata?.sprintId ?? null,
    amountCents: session.amount_total ?? 0,
    // Complete is not yet paid with a slow way to pay; only what is paid has a payment.
    paymentId: session.payment_status === 'paid' ? (typeof paid === 'string' ? paid : (paid?.id ?? null)) : null,
    livemode: session.livemode,
  }
}

const stripe = (settings: Parameters<typeof stripeClient>[0]): FeeProvider => ({
  open: async (wish) => {
    const metadata = { sprintId: wish.sprintId }
    const client = await stripeClient(settings)
    return readFee(
      await client.checkout.sessions.create(
        {
          mode: 'payment',
          customer_email: wish.email,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: 'usd',
                unit_amount: wish.amountCents,
                product_data: { name: wish.description },
              },
            },
          ],
          metadata,
          payment_intent_data: { metadata },
          success_url: `${config.publicUrl}${wish.returnPath}`,
          cancel_url: `${config.publicUrl}${wish.returnPath}`,
        },
        { idempotencyKey: wish.requestKey },
      ),
    )
  },
  find: async (id) => {
    try {
      return readFee(await (await stripeClient(settings)).checkout.sessions.retrieve(id))
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  },
  expire: async (id) => {
    const client = await stripeClient(settings)
    const session = await client.checkout.sessions.retrieve(id)
    if (session.status === 'open') await client.checkout.sessions.expire(id)
  },
})

/** The provider of the fee's checkout, or null when no money can be taken. */
export const feeProvider = (): FeeProvider | null => {
  const { stripe: settings, production } = config
  if (settings.mode === 'ready') return stripe(settings)
  return settings.mode === 'off' && !production ? local : null
}
