import { createHash } from 'node:crypto'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import {
  type Checkout,
  PaymentRefused,
  type PaymentRequest,
  type Refund,
  type RefundRequest,
} from '../../platform/payments/provider.ts'

// The test provider's own side of a page for money that is paid once.

const minutesOpen: Record<PaymentRequest['purpose'], number> = { invoice: 60, fee: 24 * 60 }

export type LocalPayment = Checkout & { description: string; payeeName: string; returnPath: string }

/** The same key opens the same page. */
export const openLocalPayment = async (request: PaymentRequest): Promise<Checkout> => {
  const id = `cs_test_${createHash('sha256').update(request.requestKey).digest('hex').slice(0, 32)}`
  await database()
    .insertInto('localCheckoutSessions')
    .values({
      id,
      payload: JSON.stringify(request),
      createdAt: clock.iso(),
      expiresAt: new Date(clock.nowMs() + minutesOpen[request.purpose] * 60_000).toISOString(),
    })
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  const made = await findLocalPayment(id)
  if (!made) throw new Error('The local checkout was not kept.')
  return made
}

export const findLocalPayment = async (id: string): Promise<LocalPayment | null> => {
  const row = await database().selectFrom('localCheckoutSessions').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const request = row.payload as unknown as PaymentRequest
  const isOver = row.status === 'open' && Date.parse(row.expiresAt) < clock.nowMs()
  return {
    provider: 'local',
    livemode: false,
    id,
    url: `/local/checkout/${id}`,
    status: isOver ? 'expired' : row.status,
    expiresAt: row.expiresAt,
    paymentId: row.paymentIntent,
    amountCents: request.amountCents,
    invoice: request.purpose === 'invoice' ? request.mark : null,
    fee: request.purpose === 'fee' ? request.mark : null,
    customerId: null,
    subscriptionId: null,
    description: request.description,
    payeeName: request.payeeName,
    returnPath: request.successPath,
  }
}

export const expireLocalPayment = async (id: string): Promise<void> => {
  await database()
    .updateTable('localCheckoutSessions')
    .set({ status: 'expired' })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()
}

/** Marks a page as paid, once. @returns the payment's id, or null when it was not open */
export const completeLocalPayment = async (id: string): Promise<string | null> => {
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

/** Gives a payment back, once for a key; only what was paid here can go back. */
export const refundLocalPayment = async ({ paymentId, mark, requestKey }: RefundRequest): Promise<Refund> => {
  const paid = await database()
    .selectFrom('localCheckoutSessions')
    .select('id')
    .where('paymentIntent', '=', paymentId)
    .executeTakeFirst()
  if (!paid) throw new PaymentRefused('No such payment was made with the test provider.')
  const id = `re_test_${createHash('sha256').update(requestKey).digest('hex').slice(0, 32)}`
  await database()
    .insertInto('localRefunds')
    .values({ id, paymentIntent: paymentId, mark: JSON.stringify(mark), createdAt: clock.iso() })
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  const made = await findLocalRefund(id)
  if (!made) throw new Error('The local refund was not kept.')
  return made
}

export const findLocalRefund = async (id: string): Promise<Refund | null> => {
  const row = await database().selectFrom('localRefunds').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? { id, failed: row.failed, mark: row.mark as Refund['mark'] } : null
}

/** The bank of who gets a refund says no, days later: for tests of what then happens. */
export const failLocalRefund = async (id: string): Promise<void> => {
  await database().updateTable('localRefunds').set({ failed: true }).where('id', '=', id).execute()
}
