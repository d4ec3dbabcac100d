import { clock } from '../../platform/clock.ts'
import { findLocalPayment } from './checkout.ts'
import { type LocalDebit, listDue, stepDebit } from './debits.ts'
import { openLocalDispute } from './disputes.ts'
import { deliverLocalEvents, type LocalEvent } from './events.ts'
import { noteMove } from './moves.ts'

/** The bank's answer as Stripe tells it: of a page twice, by the page and by its payment. */
const newsOf = async ({ of, by, account, mark, status }: LocalDebit): Promise<LocalEvent[]> => {
  const went = status === 'paid'
  const paymentId = by === 'charge' ? of : (await findLocalPayment(of))?.intentId
  const ofPayment: LocalEvent = {
    type: went ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
    account,
    object: { id: paymentId ?? '', object: 'payment_intent', metadata: mark },
  }
  if (by === 'charge') return [ofPayment]
  const ofPage: LocalEvent = {
    type: `checkout.session.async_payment_${went ? 'succeeded' : 'failed'}`,
    account,
    object: {
      id: of,
      object: 'checkout.session',
      status: 'complete',
      payment_status: went ? 'paid' : 'unpaid',
      payment_intent: paymentId ?? null,
      metadata: mark,
    },
  }
  return [ofPayment, ofPage]
}

/** What the provider keeps of a bank payment: 0.8%, at most $5.00. */
const debitFee = (amountCents: number): number => Math.min(500, Math.round(amountCents * 0.008))

/** From now on it is money that can be paid out. */
const notePaid = async ({ of, by, account, amountCents, description }: LocalDebit): Promise<void> => {
  const paymentId = by === 'charge' ? of : (await findLocalPayment(of))?.intentId
  if (!paymentId) return
  await noteMove(account, paymentId, {
    kind: 'payment',
    amountCents,
    feeCents: debitFee(amountCents),
    sourceId: paymentId,
    words: description,
  })
}

const step = async (debit: LocalDebit): Promise<void> => {
  const after = await stepDebit(debit)
  if (!after) return
  if (after.status === 'returned') {
    const paymentId = after.by === 'charge' ? after.of : (await findLocalPayment(after.of))?.intentId
    await openLocalDispute(after.account, paymentId ?? '', { kind: 'return', reason: after.problem ?? '' })
    return
  }
  if (after.status === 'paid') await notePaid(after)
  await deliverLocalEvents(await newsOf(after))
}

/** Days pass for the banks of the payers of an account: each debit goes one step on, whether its time has come or not. */
export const letDaysPass = async (account: string): Promise<void> => {
  for (const debit of await listDue(account, null)) await step(debit)
}

/** What the banks have had time for by now. */
export const clearDebits = async (): Promise<void> => {
  for (const debit of await listDue(null, clock.iso())) await step(debit)
}
