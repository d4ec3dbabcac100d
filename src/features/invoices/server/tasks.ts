import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { subscriber } from '../../../platform/events/events.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { getContact } from '../../customers/server/queries.ts'
import { addDocumentTx } from '../../files/server/commands.ts'
import { isReached } from '../../messages/paperways/rules.ts'
import { queuePaperTx } from '../../messages/paperways/server/commands.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import { mailReceipt } from '../papers/server/commands.ts'
import { getPaymentFacts, isDoorPayment, isPaidTogether } from '../papers/server/queries.ts'
import { findAutopay } from '../pending/server/queries.ts'
import { invoiceName, whyNotAsked } from '../rules.ts'
import { lockInvoiceTx, renderInvoice, sendInvoiceTask } from './commands.ts'
import { getInvoiceContent } from './queries.ts'
import { type InvoiceMailKind, invoiceMail } from './templates.ts'
import { invoiceText } from './texts.ts'

export { continueInvoiceBatch } from '../batch/server/commands.ts'

/** What closed an invoice, as its event says; a payment of before it said so was money. */
type Closed = { paymentId: string; by: 'money' | 'note' | 'credit'; cents: number }

const kindOfClosed = { money: 'receipt', note: 'credited', credit: 'used' } as const

const kindOf = (reason: string, closed: Closed | undefined): InvoiceMailKind =>
  closed
    ? kindOfClosed[closed.by]
    : reason.startsWith('reminder')
      ? 'reminder'
      : reason.startsWith('receipt:')
        ? 'received'
        : 'sent'

/** Draws an invoice and sends it as its customer has it, by mail with the PDF, by text or both. The dedupe key makes a second run harmless. */
const mailInvoice = async (actor: SystemActor, invoiceId: string, reason: string, closed?: Closed): Promise<void> => {
  const { invoice, sender, stored, url, cashDiscount } = await renderInvoice(actor.businessId, invoiceId)
  const kind = kindOf(reason, closed)
  const payment = invoice.payments.find(({ id }) => id === closed?.paymentId || reason === `receipt:${id}`)
  if (!url) return
  // nobody is thanked for money that went back before the thanks were written
  if (payment && payment.allocatedCents <= 0) return
  // more came than was open: who paid hears of all of it, and of what is kept for them
  const creditCents = closed?.by === 'money' && payment?.pays.length === 1 ? payment.restCents : 0
  const news = {
    creditCents,
    cents: (closed?.cents ?? payment?.allocatedCents ?? 0) + creditCents,
    tipCents: payment?.tipCents ?? 0,
    onDay: payment?.receivedOn,
  }
  await withTenant(actor, async (db) => {
    // Drawing takes a while: what was voided or paid meanwhile is not mailed, and what is mailed is not voided before it is queued.
    const row = await lockInvoiceTx(db, invoiceId)
    const { status, totalCents, paidCents } = row
    const isPaid = paidCents >= totalCents
    if (kind === 'reminder' && whyNotAsked(row) !== null) return
    if (status === 'void' || status === 'written_off' || (isPaid && (kind === 'reminder' || kind === 'received')))
      return
    // taken back before its thanks were written
    if (closed && !isPaid) return
    const name = `${invoiceName(invoice.number)}.pdf`
    const told = { ...news, cashDiscount, autopayOn: kind === 'sent' ? await findAutopay(db, invoiceId) : null }
    const reach = await queuePaperTx(db, {
      customerId: invoice.customer.id,
      entity: { type: 'invoice', id: invoiceId },
      dedupeKey: `invoice:${invoiceId}:${reason}`,
      asks: kind === 'sent' || kind === 'reminder',
      mail: async () => {
        const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name })
        return { ...invoiceMail(invoice, sender, url, kind, told), attachments: [{ fileId, name }] }
      },
      text: (language) => invoiceText(invoice, sender.name, url, kind, language, told),
    })
    if (!isReached(reach)) return
    if (kind === 'sent')
      await db
        .updateTable('invoices')
        .set({ sentAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', invoiceId)
        .execute()
    await publishChange(db, 'invoices', [invoiceId])
  })
}

export const sendInvoiceWork: Task<typeof sendInvoiceTask.payload> = task({
  ...sendInvoiceTask,
  run: (actor, { invoiceId, reason }) => mailInvoice(actor, invoiceId, reason),
})

/** What the office reads of an invoice of which nothing is open any more. */
const closedTitle = (customer: string, invoice: { number: number; totalCents: number }, { by, cents }: Closed) => {
  const name = invoiceName(invoice.number)
  const of = cents < invoice.totalCents ? `the rest of ${name}` : name
  return by === 'money'
    ? `${customer} paid ${of}`
    : by === 'note'
      ? `A credit note covers ${of} of ${customer}`
      : `Credit of ${customer} covers ${of}`
}

/** An invoice of which nothing is open any more: its customer and the office hear what closed it. */
export const onInvoicePaid = subscriber({
  name: 'invoices.onPaid',
  on: 'invoice.paid',
  run: async (actor, { invoiceId, paymentId, by = 'money', cents, isTold = false }) => {
    if (by === 'money' && (await withTenant(actor, (db) => isPaidTogether(db, paymentId)))) return
    const closed = await withTenant(actor, async (db): Promise<Closed | null> => {
      const invoice = await getInvoiceContent(db, invoiceId)
      const own = invoice.payments.find(({ id }) => id === paymentId)
      // taken off it, or given back, before anybody heard
      if (invoice.status !== 'paid' || !own || own.allocatedCents <= 0) return null
      const what = { paymentId, by, cents: cents ?? own.allocatedCents }
      await notifyOffice(db, {
        type: 'invoice',
        title: closedTitle(invoice.customer.name, invoice, what),
        content: [formatCents(what.cents), own.tipCents > 0 ? `and ${formatCents(own.tipCents)} as a tip` : '']
          .filter(Boolean)
          .join(', '),
        customerId: invoice.customer.id,
        path: linkTo.invoice(invoiceId),
        dedupeKey: `invoice-paid:${invoiceId}:${paymentId}`,
      })
      // who paid at the door has said there how they want their receipt
      return isTold || (by === 'money' && (await isDoorPayment(db, paymentId))) ? null : what
    })
    if (closed) await mailInvoice(actor, invoiceId, `receipt-of:${paymentId}`, closed)
  },
})

/** A part of an invoice was paid: its customer has a receipt that says what is still open. */
export const onPartPaid = subscriber({
  name: 'invoices.onPartPaid',
  on: 'payment.recorded',
  run: async (actor, { paymentId, invoiceId, stillOpenCents }) => {
    if (
      await withTenant(
        actor,
        async (db) => (await isPaidTogether(db, paymentId)) || (await isDoorPayment(db, paymentId)),
      )
    )
      return
    if (stillOpenCents > 0) await sendInvoiceWork.run(actor, { invoiceId, reason: `receipt:${paymentId}` })
  },
})

/** Several invoices were paid on one page: one receipt for the customer, one line for the office. */
export const onPaidTogether = subscriber({
  name: 'invoices.onPaidTogether',
  on: 'payment.recorded',
  run: async (actor, { paymentId }) => {
    const isNews = await withTenant(actor, async (db) => {
      if (!(await isPaidTogether(db, paymentId))) return false
      const { customerId, facts } = await getPaymentFacts(db, paymentId)
      const { name } = await getContact(db, customerId)
      const invoices = facts.on.map(({ number }) => invoiceName(number))
      await notifyOffice(db, {
        type: 'invoice',
        title:
          invoices.length === 1 ? `${name} paid ${invoices[0]}` : `${name} paid ${invoices.length} invoices at once`,
        content: [formatCents(facts.amountCents), invoices.join(', ')].filter(Boolean).join(': '),
        customerId,
        path: linkTo.customer(customerId, { part: 'invoices' }),
        dedupeKey: `paid-together:${paymentId}`,
      })
      return true
    })
    if (isNews) await mailReceipt(actor, paymentId)
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
