import type { Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { conflict } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { type LockedInvoice, lockInvoicesTx } from '../../../invoices/server/commands.ts'
import { loseDiscountTx } from '../../discounts/server/rows.ts'
import { endPagesTx } from '../../server/commands.ts'
import { balanceOf } from './answer.ts'
import { allocateTx, lockPaymentTx, takeOffTx } from './rows.ts'

/** Money that lies on other invoices than was thought: it is put where it belongs, and nothing of it comes or goes. */

const missing = 'An invoice that it was put on is not there any more. Nothing was changed.'

/**
 * Puts payments of one customer on the invoices that they are for: off what they lie on beyond that, and on what they do not lie on yet. What
 * is for no invoice stays the customer's credit. Their balance is the same, so no movement is written; nobody is mailed, because nobody paid.
 * @param wanted cents of all these payments together, by invoice
 * @throws state_conflict where an invoice has not so much open, is another customer's, or was written off
 */
export const moveMoneyTx = async (
  db: TenantDb,
  who: Who,
  paymentIds: readonly string[],
  wanted: ReadonlyMap<string, number>,
  reason: string,
): Promise<void> => {
  const lies = await db
    .selectFrom('paymentAllocations')
    .select('invoiceId')
    .where('businessId', '=', db.businessId)
    .where('paymentId', 'in', [...paymentIds])
    .execute()
  // all of them first: whoever waits for one of them waits for the same one
  const ids = [...new Set([...lies.map(({ invoiceId }) => invoiceId), ...wanted.keys()])]
  const now = new Map((await lockInvoicesTx(db, ids)).map((invoice) => [invoice.id, invoice]))
  const onDay = await todayOf(db)
  const left = new Map(wanted)
  const rests: { id: string; customerId: string; cents: number }[] = []
  for (const paymentId of paymentIds) {
    const { payment, taken } = await lockPaymentTx(db, paymentId)
    let rest = Number(payment.restCents)
    for (const { invoice, allocatedCents } of taken) {
      const keep = Math.min(allocatedCents, left.get(invoice.id) ?? 0)
      left.set(invoice.id, (left.get(invoice.id) ?? 0) - keep)
      if (keep === allocatedCents) continue
      const cents = allocatedCents - keep
      await endPagesTx(db, invoice.id)
      const one = { invoice: now.get(invoice.id) ?? invoice, allocatedCents }
      const opened = await takeOffTx(db, who, paymentId, one, { amountCents: cents, reason, onDay, refundId: null })
      now.set(invoice.id, await loseDiscountTx(db, who, paymentId, opened, cents, { onDay }))
      rest += cents
    }
    rests.push({ id: paymentId, customerId: payment.customerId, cents: rest })
  }
  for (const [invoiceId, cents] of left) {
    if (cents <= 0) continue
    const invoice = now.get(invoiceId)
    if (!invoice || rests.some(({ customerId }) => customerId !== invoice.customerId)) throw conflict(missing)
    await endPagesTx(db, invoiceId)
    now.set(invoiceId, await putTx(db, invoice, cents, rests))
  }
  await audit(db, who, 'payment.move', { type: 'payment', id: paymentIds[0] ?? '' }, { after: { reason } })
  await publishChange(db, 'invoices', ids)
  await publishChange(db, 'payments', [...paymentIds])
  const [first] = rests
  if (first) await publishChange(db, 'customers', [first.customerId])
}

const putTx = async (
  db: TenantDb,
  before: LockedInvoice,
  cents: number,
  rests: { id: string; cents: number }[],
): Promise<LockedInvoice> => {
  if (balanceOf(before) < cents)
    throw conflict(
      `Only ${formatCents(balanceOf(before))} is open on ${invoiceName(before.number)} in Swath. Nothing was changed: look at that invoice first.`,
    )
  let [invoice, left] = [before, cents]
  for (const rest of rests) {
    const part = Math.min(rest.cents, left)
    if (part <= 0) continue
    invoice = await allocateTx(db, rest.id, invoice, part)
    rest.cents -= part
    left -= part
  }
  if (left > 0) throw conflict('Some of this payment went back or lies elsewhere in Swath by now. Nothing was changed.')
  return invoice
}
