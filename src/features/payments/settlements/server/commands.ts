import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { takeFrom } from '../../../invoices/corrections/rules.ts'
import { isOpen } from '../../../invoices/rules.ts'
import { type LockedInvoice, lockInvoicesTx, reinstateTx, writeOffAgainTx } from '../../../invoices/server/commands.ts'
import { addNoteTx, creditedTx } from '../../corrections/server/notes.ts'
import { refundTx } from '../../corrections/server/refunds.ts'
import { allocateTx } from '../../corrections/server/rows.ts'
import { endPagesTx } from '../../server/commands.ts'
import { listRefundable } from './queries.ts'

/** What was billed too much of an agreement that spans several invoices. */

type Excess = {
  customerId: string
  /** Its invoices, the oldest first. */
  invoiceIds: readonly string[]
  netCents: number
  taxCents: number
  reason: string
}

/**
 * One credit note over what was billed too much: first it pays what is open on those invoices, what is left becomes the customer's credit, or
 * where asked for goes back as money, the newest payment first, as far as money came in.
 * @returns the credit's payment, and what goes back
 */
export const creditExcessTx = async (
  db: TenantDb,
  actor: Actor,
  { customerId, invoiceIds, netCents, taxCents, reason }: Excess,
  refund: { method: 'check' | 'cash' | 'other' } | null,
): Promise<{ paymentId: string; refundedCents: number }> => {
  const locked = new Map((await lockInvoicesTx(db, invoiceIds)).map((invoice) => [invoice.id, invoice]))
  const onDay = await todayOf(db)
  const amountCents = netCents + taxCents
  const shares = { netCents, taxCents }
  const isWrittenOff = (id: string) => locked.get(id)?.status === 'written_off'
  // what was written off first, then from the newest invoice back, each as far as nothing of it was credited
  const rooms: { invoiceId: string; cents: number }[] = []
  const backwards = invoiceIds.toReversed()
  for (const id of [...backwards.filter(isWrittenOff), ...backwards.filter((one) => !isWrittenOff(one))]) {
    const invoice = locked.get(id)
    if (invoice && invoice.status !== 'void')
      rooms.push({ invoiceId: id, cents: invoice.totalCents - (await creditedTx(db, id)).totalCents })
  }
  const parts = takeFrom(rooms, amountCents).map(({ part: { invoiceId }, cents }) => ({ invoiceId, cents }))
  const note = { customerId, invoice: null, amountCents, shares, parts, reason, onDay }
  const paymentId = await addNoteTx(db, actor, note)
  const owed = (wanted: (invoice: LockedInvoice) => boolean) =>
    invoiceIds.flatMap((id) => {
      const invoice = locked.get(id)
      return invoice && wanted(invoice) ? [{ invoice, cents: invoice.totalCents - invoice.paidCents }] : []
    })
  // what was written off was never paid: the credit takes its place, so that it is neither a loss nor anybody's money
  const open = [...owed(({ status }) => status === 'written_off'), ...owed(({ status }) => isOpen(status))]
  let left = amountCents
  for (const { part, cents } of takeFrom(open, amountCents)) {
    const writtenOff = part.invoice.status === 'written_off'
    const invoice = writtenOff ? await reinstateTx(db, actor, part.invoice, onDay) : part.invoice
    await endPagesTx(db, invoice.id)
    // who settles says what became of it: nobody is thanked for money that never came
    const after = await allocateTx(db, paymentId, invoice, cents)
    if (writtenOff && isOpen(after.status)) await writeOffAgainTx(db, actor, after, onDay)
    left -= cents
  }
  let refundedCents = 0
  if (refund && left > 0) {
    const payments = (await listRefundable(db, invoiceIds)).map((payment) => ({ ...payment, payment }))
    for (const { part, cents } of takeFrom(payments, left)) {
      const { payment } = part
      await refundTx(
        db,
        actor,
        payment.paymentId,
        {
          amountCents: cents,
          method: payment.byProvider ? 'provider' : refund.method,
          onDay,
          reason,
          creditInvoices: true,
        },
        paymentId,
      )
      refundedCents += cents
    }
  }
  if (left > refundedCents) await emit(db, 'credit.added', { customerId, paymentId, deposit: false })
  await publishChange(db, 'invoices', [...invoiceIds])
  await publishChange(db, 'payments', [paymentId])
  await publishChange(db, 'customers', [customerId])
  return { paymentId, refundedCents }
}
