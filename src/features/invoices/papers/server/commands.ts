import type { Actor } from '../../../../platform/actor.ts'
import { type BusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { paragraph, rows, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { addDocumentTx } from '../../../files/server/commands.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { drawFor, getSender } from '../../server/commands.ts'
import { contactOf } from '../../server/templates.ts'
import { paymentWords } from '../rules.ts'
import { billToOfCustomer, getPaymentFacts } from './queries.ts'

const readPayment = (businessId: BusinessId, paymentId: string) =>
  withTenant({ businessId }, async (db) => {
    const { customerId, facts } = await getPaymentFacts(db, paymentId)
    return { facts, ...(await billToOfCustomer(db, customerId)), sender: await getSender(db) }
  })

const drawPayment = async (businessId: BusinessId, paymentId: string) => {
  const { facts, to, sender, customer } = await readPayment(businessId, paymentId)
  const { columns, ...words } = paymentWords(facts)
  const [first = '', second = '', last = ''] = columns
  const drawn = await drawFor(businessId, sender, {
    ...words,
    toLabel: facts.creditNote ? 'CREDIT TO' : 'RECEIVED FROM',
    to,
    columns: [{ label: first, widthMm: 34 }, { label: second }, { label: last, right: true, widthMm: 34 }],
    empty: 'Not on an invoice yet',
    pay: null,
  })
  return { ...drawn, title: words.title, facts, sender, customer }
}

/** The receipt of a payment, or a credit note, for the office. @throws not_found */
export const printPayment = (actor: Actor, paymentId: string) => drawPayment(actor.businessId, paymentId)

/** Thanks for money that came before its invoice, with its receipt; once, however often it is asked for. */
export const mailReceipt = async (actor: { businessId: BusinessId }, paymentId: string): Promise<void> => {
  const { facts, sender, customer, stored, title } = await drawPayment(actor.businessId, paymentId)
  if (!customer.email || facts.status !== 'succeeded') return
  const amount = formatCents(facts.amountCents)
  const letter = writeLetter({
    from: sender.name,
    brandColor: sender.brandColor,
    title: `Receipt ${title}`,
    parts: [
      paragraph(`Hello ${firstNameOf(customer.name)},`),
      paragraph(
        facts.job
          ? `Thank you. Your deposit of ${amount} for ${facts.job.title} has arrived. It goes on the first invoice of that work.`
          : `Thank you. Your payment of ${amount} has arrived. It stands as credit and goes on your next invoice.`,
      ),
      rows({ label: 'Received', value: amount, strong: true }),
      small([sender.name, contactOf(sender)].filter(Boolean).join('\n')),
    ],
  })
  await withTenant(actor, async (db) => {
    const name = `${title}.pdf`
    const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name })
    await queueMessage(db, {
      channel: 'email',
      purpose: 'transactional',
      address: customer.email ?? '',
      dedupeKey: `payment:${paymentId}:receipt`,
      subject: `Received: ${amount} from you, by ${sender.name}`,
      ...letter,
      attachments: [{ fileId, name }],
      customerId: customer.id,
    })
  })
}
