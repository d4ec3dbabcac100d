import { withTenant } from '../../../../platform/db/tenant.ts'
import { subscriber } from '../../../../platform/events/events.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { contactOf } from '../../../businesses/rules.ts'
import { addDocumentTx } from '../../../files/server/commands.ts'
import { receiptName } from '../../../invoices/papers/rules.ts'
import { printPayment } from '../../../invoices/papers/server/commands.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { findReceiptContact, sumOpenOf } from './queries.ts'
import { receiptLetter, receiptText } from './templates.ts'

/** Sends the receipt of money taken at the door as its customer wished, once for each wish, in their language. */
export const onReceiptWanted = subscriber({
  name: 'payments.onReceiptWanted',
  on: 'door.receiptWanted',
  run: async (actor, { receiptId, by, key }) => {
    const contact = await withTenant(actor, (db) => findReceiptContact(db, receiptId))
    if (!contact || contact.status === 'reversed') return
    const { facts, sender, stored, title } = await printPayment(actor, contact.paymentId)
    const words = {
      language: contact.language === 'es' ? ('es' as const) : ('en' as const),
      business: sender.name,
      brandColor: sender.brandColor,
      contact: contactOf(sender),
      customer: contact.name,
      receipt: receiptName(contact.receiptNumber ?? 0),
      method: contact.method === 'check' ? ('check' as const) : ('cash' as const),
      checkNumber: contact.checkNumber,
      amountCents: contact.amountCents,
      receivedOn: contact.receivedOn,
      invoices: facts.on.map(({ number }) => invoiceName(number)),
      openCents: await withTenant(actor, (db) => sumOpenOf(db, contact.paymentId)),
      creditCents: facts.amountCents - facts.refundedCents - facts.on.reduce((sum, one) => sum + one.amountCents, 0),
    }
    const common = {
      purpose: 'transactional',
      dedupeKey: `door:${receiptId}:${by}:${key}`,
      customerId: contact.customerId,
    } as const
    if (by === 'sms') {
      const number = contact.phone ? toE164(contact.phone) : null
      if (!number) return
      await withTenant(actor, (db) =>
        queueMessage(db, { channel: 'sms', address: number, text: receiptText(words), ...common }),
      )
      return
    }
    const address = contact.email
    if (!address) return
    await withTenant(actor, async (db) => {
      const name = `${title}.pdf`
      const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name })
      const { subject, text, html } = receiptLetter(words)
      await queueMessage(db, {
        channel: 'email',
        address,
        subject,
        text,
        html,
        attachments: [{ fileId, name }],
        ...common,
      })
    })
  },
})
