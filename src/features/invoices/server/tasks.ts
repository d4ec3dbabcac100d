import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { subscriber } from '../../../platform/events/events.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { addDocumentTx } from '../../files/server/commands.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import { invoiceName } from '../rules.ts'
import { lockInvoiceTx, renderInvoice, sendInvoiceTask } from './commands.ts'
import { getInvoiceContent } from './queries.ts'
import { type InvoiceMailKind, invoiceMail } from './templates.ts'

export { continueInvoiceBatch } from '../batch/server/commands.ts'

const kindOf = (reason: string): InvoiceMailKind =>
  reason.startsWith('reminder')
    ? 'reminder'
    : reason === 'receipt'
      ? 'receipt'
      : reason.startsWith('receipt:')
        ? 'received'
        : 'sent'

/** Draws, files and mails an invoice. The mail's dedupe key makes a second run harmless. */
export const sendInvoiceWork: Task<typeof sendInvoiceTask.payload> = task({
  ...sendInvoiceTask,
  run: async (actor, { invoiceId, reason }) => {
    const { invoice, sender, stored, url } = await renderInvoice(actor.businessId, invoiceId)
    const kind = kindOf(reason)
    const payment = invoice.payments.find(({ id }) => reason === `receipt:${id}`)
    if (!url || !invoice.customer.email) return
    await withTenant(actor, async (db) => {
      // Drawing takes a while: what was voided or paid meanwhile is not mailed, and what is mailed is not voided before it is queued.
      const { status, totalCents, paidCents } = await lockInvoiceTx(db, invoiceId)
      const isPaid = paidCents >= totalCents
      if (status === 'void' || status === 'written_off' || (isPaid && (kind === 'reminder' || kind === 'received')))
        return
      // taken back before its thanks were written
      if (kind === 'receipt' && !isPaid) return
      const name = `${invoiceName(invoice.number)}.pdf`
      const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name })
      await queueMessage(db, {
        channel: 'email',
        purpose: 'transactional',
        address: invoice.customer.email ?? '',
        dedupeKey: `invoice:${invoiceId}:${reason}`,
        ...invoiceMail(invoice, sender, url, kind, payment?.allocatedCents),
        attachments: [{ fileId, name }],
        customerId: invoice.customer.id,
        entity: { type: 'invoice', id: invoiceId },
      })
      if (kind === 'sent')
        await db
          .updateTable('invoices')
          .set({ sentAt: clock.iso() })
          .where('businessId', '=', db.businessId)
          .where('id', '=', invoiceId)
          .execute()
      await publishChange(db, 'invoices', [invoiceId])
    })
  },
})

/** A paid invoice thanks its customer and tells the office. */
export const onInvoicePaid = subscriber({
  name: 'invoices.onPaid',
  on: 'invoice.paid',
  run: async (actor, { invoiceId }) => {
    await withTenant(actor, async (db) => {
      const invoice = await getInvoiceContent(db, invoiceId)
      if (invoice.status !== 'paid') return
      await notifyOffice(db, {
        type: 'invoice',
        title: `${invoice.customer.name} paid ${invoiceName(invoice.number)}`,
        content: formatCents(invoice.totalCents),
        customerId: invoice.customer.id,
        path: linkTo.invoice(invoiceId),
        dedupeKey: `invoice-paid:${invoiceId}`,
      })
    })
    await sendInvoiceWork.run(actor, { invoiceId, reason: 'receipt' })
  },
})

/** A part of an invoice was paid: its customer has a receipt that says what is still open. */
export const onPartPaid = subscriber({
  name: 'invoices.onPartPaid',
  on: 'payment.recorded',
  run: async (actor, { paymentId, invoiceId, stillOpenCents }) => {
    if (stillOpenCents > 0) await sendInvoiceWork.run(actor, { invoiceId, reason: `receipt:${paymentId}` })
  },
})

/** Money above the balance is never kept silently: the office is told. */
export const onOverpayment = subscriber({
  name: 'payments.onOverpayment',
  on: 'payment.recorded',
  run: async (actor, { paymentId, overpaymentCents }) => {
    if (overpaymentCents <= 0) return
    await withTenant(actor, async (db) => {
      const row = await db
        .selectFrom('payments')
        .innerJoin('customers', (join) =>
          join
            .onRef('customers.businessId', '=', 'payments.businessId')
            .onRef('customers.id', '=', 'payments.customerId'),
        )
        .select(['customers.id', 'customers.name'])
        .where('payments.businessId', '=', db.businessId)
        .where('payments.id', '=', paymentId)
        .executeTakeFirst()
      if (!row) return
      await notifyOffice(db, {
        type: 'invoice',
        title: `${row.name} paid ${formatCents(overpaymentCents)} too much`,
        content: 'The amount above the invoice stands in the balance of this customer.',
        customerId: row.id,
        path: linkTo.customer(row.id),
        dedupeKey: `surplus:${paymentId}`,
      })
    })
  },
})
