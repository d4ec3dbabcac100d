import { clock } from '../clock.ts'
import { config } from '../config.ts'
import { database } from '../db/database.ts'
import { newId } from '../ids.ts'

type InvoiceMark = { businessId: string; invoiceId: string; attemptId: string }

/** What a hosted checkout is opened for; the metadata is the way back to the invoice. */
export type CheckoutWish = {
  amountCents: number
  description: string
  businessName: string
  /** Path of ours that the customer returns to. */
  returnPath: string
  metadata: InvoiceMark
}

export type CheckoutSession = { id: string; url: string; expiresAt: string }

/** The state of a checkout as the provider tells it when asked, which is the only truth. */
export type CheckoutState = {
  id: string
  status: 'open' | 'complete' | 'expired'
  amountCents: number
  paymentId: string | null
  /** A fee of a prospect stands at the same local provider; see fee-checkout.ts. */
  metadata: InvoiceMark | { sprintId: string }
  livemode: boolean
}

const minutesOpen = 60

/** Whether this server can take cards: with the local test checkout as long as it is not in production. */
export const canTakeCards = (): boolean => !config.production

/** Opens a hosted checkout. The local one keeps its sessions in a table of its own, as a provider would on its side. */
export const openCheckout = async (wish: CheckoutWish): Promise<CheckoutSession> => {
  const id = `cs_test_${newId().replaceAll('-', '')}`
  const expiresAt = new Date(clock.nowMs() + minutesOpen * 60_000).toISOString()
  await database()
    .insertInto('localCheckoutSessions')
    .values({ id, payload: JSON.stringify(wish), createdAt: clock.iso(), expiresAt })
    .execute()
  return { id, url: `/local/checkout/${id}`, expiresAt }
}

/** Asks the provider what became of a checkout, or null when it knows none of that id. */
export const findCheckout = async (id: string): Promise<(CheckoutState & { wish: CheckoutWish }) | null> => {
  const row = await database().selectFrom('localCheckoutSessions').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const wish = row.payload as unknown as CheckoutWish
  const status =
    row.status === 'open' && Date.parse(row.expiresAt) < clock.nowMs()
      ? 'expired'
      : (row.status as CheckoutState['status'])
  return {
    id,
    status,
    amountCents: wish.amountCents,
    paymentId: row.paymentIntent,
    metadata: wish.metadata,
    livemode: false,
    wish,
  }
}

/** Ends an open checkout so that nobody can pay an amount that no longer holds. */
export const expireCheckout = async (id: string): Promise<void> => {
  await database()
    .updateTable('localCheckoutSessions')
    .set({ status: 'expired' })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()
}

/** The local provider's own side: marks a session as paid, once. @returns the payment's id, or null when it was not open */
export const completeLocalCheckout = async (id: string): Promise<string | null> => {
  const row = await database()
    .updateTable('localCheckoutSessions')
    .set({ status: 'complete', paymentIntent: `pi_test_${newId().replaceAll('-', '')}` })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('expiresAt', '>', clock.iso())
    .returning('paymentIntent')
    .executeTakeFirst()
  return row?.paymentIntent ?? null
}
