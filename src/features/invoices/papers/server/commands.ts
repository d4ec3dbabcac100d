import type { Actor } from '../../../../platform/actor.ts'
import { type BusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { paragraph, rows, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { contactOf } from '../../../businesses/rules.ts'
import { addDocumentTx } from '../../../files/server/commands.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { invoiceName } from '../../rules.ts'
import { drawFor, getSender } from '../../server/commands.ts'
import { receiptText } from '../../server/texts.ts'
import { restOf } from '../rules.ts'
import { paymentPaper } from './paper.ts'
import { billToOfCustomer, getPaymentFacts } from './queries.ts'

const readPayment = (businessId: BusinessId, paymentId: string) =>
  withTenant({ businessId }, async (db) => {
    const { customerId, facts } = await getPaymentFacts(db, paymentId)
    return { facts, ...(await billToOfCustomer(db, customerId)), sender: await getSender(db) }
  })

const drawPayment = async (businessId: BusinessId, paymentId: string) => {
  const { facts, to, sender, customer } = await readPayment(businessId, paymentId)
  const paper = paymentPaper(facts, to)
  const drawn = await drawFor(businessId, sender, paper)
  return { ...drawn, title: paper.title, facts, sender, customer }
}

/** The receipt of a payment, or a credit note, for the office. @throws not_found */
export const printPayment = (actor: Pick<Actor, 'businessId'>, paymentId: string) =>
  drawPayment(actor.businessId, paymentId)

/** Thanks for money that came before its invoice or for several, with its receipt; once, however often it is asked for. */
export const mailReceipt = async (actor: { businessId: BusinessId }, paymentId: string): Promise<void> => {
  const { facts, sender, customer, stored, title } = await drawPayment(actor.businessId, paymentId)
  if (facts.status !== 'succeeded') return
  const amount = formatCents(facts.amountCents)
  const restCents = restOf(facts)
  const letter = writeLetter({
    from: sender.name,
    brandColor: sender.brandColor,
    title: `Receipt ${title}`,
    parts: [
      paragraph(`Hello ${firstNameOf(customer.name)},`),
      paragraph(
        facts.job
          ? `Thank you. Your deposit of ${amount} for ${facts.job.title} has arrived. It goes on the first invoice of that work.`
          : facts.on.length > 0
            ? `Thank you. Your payment of ${amount} has arrived. It paid ${facts.on.map(({ number }) => invoiceName(number)).join(', ')}${restCents > 0 ? `; ${formatCents(restCents)} was more than was open and stands as credit for your next invoice` : ''}.`
            : `Thank you. Your payment of ${amount} has arrived. It stands as credit and goes on your next invoice.`,
      ),
      rows(...(facts.tipCents > 0 ? [{ label: 'Of it, tip for the crew', value: formatCents(facts.tipCents) }] : []), {
        label: 'Received',
        value: amount,
        strong: true,
      }),
      small([sender.name, contactOf(sender)].filter(Boolean).join('\n')),
    ],
  })
  await withTenant(actor, async (db) => {
    const name = `${title}.pdf`
    await queuePaperTx(db, {
      customerId: customer.id,
      dedupeKey: `payment:${paymentId}:receipt`,
      mail: async () => {
        const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name })
        return {
          subject: `Received: ${amount} from you, by ${sender.name}`,
          ...letter,
          attachments: [{ fileId, name }],
        }
      },
      text: (language) => receiptText(sender.name, amount, language, ''),
    })
  })
}
