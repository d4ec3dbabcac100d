import type { Actor } from '../../../../platform/actor.ts'
import { type BusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { paragraph, rows } from '../../../../platform/mail/letter.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { customerLetter } from '../../../businesses/letters/server/queries.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { addDocumentTx } from '../../../files/server/commands.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { invoiceName } from '../../rules.ts'
import { drawFor, getSender } from '../../server/commands.ts'
import { creditText, receiptText } from '../../server/texts.ts'
import { listIn } from '../../words/rules.ts'
import { restOf } from '../rules.ts'
import { paymentPaper } from './paper.ts'
import { billToOfCustomer, getPaymentFacts } from './queries.ts'

const readPayment = (businessId: BusinessId, paymentId: string) =>
  withTenant({ businessId }, async (db) => {
    const { customerId, facts } = await getPaymentFacts(db, paymentId)
    const { language } = await getPaperReach(db, customerId)
    return { facts, ...(await billToOfCustomer(db, customerId)), sender: await getSender(db), language }
  })

const drawPayment = async (businessId: BusinessId, paymentId: string) => {
  const { facts, to, sender, customer, language } = await readPayment(businessId, paymentId)
  const paper = paymentPaper(facts, to, language)
  const drawn = await drawFor(businessId, sender, paper)
  return { ...drawn, title: paper.title, facts, sender, customer, language }
}

/** The receipt of a payment, or a credit note, for the office, as its customer reads it. @throws not_found */
export const printPayment = (actor: Pick<Actor, 'businessId'>, paymentId: string) =>
  drawPayment(actor.businessId, paymentId)

const words = {
  en: {
    subject: (sum: string, from: string) => `Received: ${sum} from you, by ${from}`,
    title: (name: string) => `Receipt ${name}`,
    hello: (name: string) => `Hello ${name},`,
    deposit: (sum: string, job: string) =>
      `Thank you. Your deposit of ${sum} for ${job} has arrived. It is taken off the invoices of that work, the oldest first.`,
    paid: (sum: string, names: string) => `Thank you. Your payment of ${sum} has arrived. It paid ${names}`,
    over: (sum: string) => `; ${sum} was more than was open and stands as your credit`,
    credit: (sum: string) => `Thank you. Your payment of ${sum} has arrived. It stands as your credit.`,
    goesOn: 'It goes on your next invoice.',
    askUs: 'Ask us to use it on an invoice.',
    tip: 'Of it, tip for the crew',
    received: 'Received',
  },
  es: {
    subject: (sum: string, from: string) => `Recibido: ${sum} de usted, por ${from}`,
    title: (name: string) => `Recibo ${name}`,
    hello: (name: string) => `Hola ${name}:`,
    deposit: (sum: string, job: string) =>
      `Gracias. Su depósito de ${sum} para ${job} ha llegado. Se descuenta de las facturas de ese trabajo, la más antigua primero.`,
    paid: (sum: string, names: string) => `Gracias. Su pago de ${sum} ha llegado. Pagó ${names}`,
    over: (sum: string) => `; ${sum} eran más de lo pendiente y quedan como crédito suyo`,
    credit: (sum: string) => `Gracias. Su pago de ${sum} ha llegado. Queda como crédito suyo.`,
    goesOn: 'Se aplica a su próxima factura.',
    askUs: 'Pídanos que lo apliquemos a una factura.',
    tip: 'De eso, propina para la cuadrilla',
    received: 'Recibido',
  },
} satisfies Record<Language, unknown>

/** Thanks for money that came before its invoice or for several, with its receipt; once, however often it is asked for. */
export const mailReceipt = async (actor: { businessId: BusinessId }, paymentId: string): Promise<void> => {
  const { facts, sender, customer, stored, title, language } = await drawPayment(actor.businessId, paymentId)
  if (facts.status !== 'succeeded') return
  const t = words[language]
  const amount = formatCents(facts.amountCents)
  const restCents = restOf(facts)
  const byItself = facts.usesCredit ? t.goesOn : t.askUs
  const paid = listIn(
    language,
    facts.on.map(({ number }) => invoiceName(number)),
  )
  const letter = customerLetter(sender, {
    language,
    title: t.title(title),
    parts: [
      paragraph(t.hello(firstNameOf(customer.name))),
      paragraph(
        facts.job
          ? t.deposit(amount, facts.job.title)
          : facts.on.length > 0
            ? `${t.paid(amount, paid)}${restCents > 0 ? `${t.over(formatCents(restCents))}. ${byItself}` : '.'}`
            : `${t.credit(amount)} ${byItself}`,
      ),
      rows(...(facts.tipCents > 0 ? [{ label: t.tip, value: formatCents(facts.tipCents) }] : []), {
        label: t.received,
        value: amount,
        strong: true,
      }),
    ],
  })
  await withTenant(actor, async (db) => {
    const name = `${title}.pdf`
    await queuePaperTx(db, {
      customerId: customer.id,
      dedupeKey: `payment:${paymentId}:receipt`,
      mail: async () => {
        const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name })
        return { subject: t.subject(amount, sender.name), ...letter, attachments: [{ fileId, name }] }
      },
      text: (tongue) => receiptText(sender.name, amount, tongue, ''),
    })
  })
}

const noteWords = {
  en: {
    subject: (sum: string, on: string, from: string) => `A credit of ${sum}${on ? ` for ${on}` : ''} from ${from}`,
    title: (name: string) => `Credit note ${name}`,
    lead: (sum: string, on: string) => `We credited you ${sum}${on ? ` for ${on}` : ''}.`,
    why: (reason: string) => `Why: ${reason}`,
    off: (sum: string, names: string) => `${sum} of it is taken off ${names}.`,
    left: (sum: string) => `${sum} of it is kept for you as credit.`,
    closed: (on: string) => `Nothing of ${on} is open any more.`,
    end: 'You need not do anything.',
    credited: 'Credited',
  },
  es: {
    subject: (sum: string, on: string, from: string) => `Un crédito de ${sum}${on ? ` por ${on}` : ''} de ${from}`,
    title: (name: string) => `Nota de crédito ${name}`,
    lead: (sum: string, on: string) => `Le acreditamos ${sum}${on ? ` por ${on}` : ''}.`,
    why: (reason: string) => `Motivo: ${reason}`,
    off: (sum: string, names: string) => `${sum} se descuentan de ${names}.`,
    left: (sum: string) => `${sum} quedan guardados para usted como crédito.`,
    closed: (on: string) => `De ${on} ya no queda nada pendiente.`,
    end: 'No tiene que hacer nada.',
    credited: 'Acreditado',
  },
} satisfies Record<Language, unknown>

/** A credit note as its customer has it, by mail with the PDF or by text; once, and not where it was taken back meanwhile. */
export const mailCreditNote = async (actor: { businessId: BusinessId }, paymentId: string): Promise<void> => {
  const { facts, sender, customer, stored, title, language } = await drawPayment(actor.businessId, paymentId)
  if (facts.status !== 'succeeded' || !facts.creditNote) return
  const t = noteWords[language]
  const amount = formatCents(facts.amountCents)
  const { invoiceNumber, invoiceId, isClosed } = facts.creditNote
  const on = invoiceNumber === null ? '' : invoiceName(invoiceNumber)
  const putCents = facts.on.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const names = listIn(
    language,
    facts.on.map(({ number }) => invoiceName(number)),
  )
  const restCents = restOf(facts)
  const goes = [
    ...(putCents > 0 ? [t.off(formatCents(putCents), names)] : []),
    ...(restCents > 0
      ? [t.left(formatCents(restCents)), facts.usesCredit ? words[language].goesOn : words[language].askUs]
      : []),
    ...(on && isClosed ? [t.closed(on)] : []),
    t.end,
  ].join(' ')
  const letter = customerLetter(sender, {
    language,
    title: t.title(title),
    parts: [
      paragraph(words[language].hello(firstNameOf(customer.name))),
      paragraph(t.lead(amount, on)),
      ...(facts.note ? [paragraph(t.why(facts.note))] : []),
      paragraph(goes),
      rows({ label: t.credited, value: amount, strong: true }),
    ],
  })
  await withTenant(actor, async (db) => {
    // drawing takes a while: a note that was taken back meanwhile is told to nobody
    const { facts: now } = await getPaymentFacts(db, paymentId)
    if (now.status !== 'succeeded') return
    const name = `${title}.pdf`
    await queuePaperTx(db, {
      customerId: customer.id,
      ...(invoiceId ? { entity: { type: 'invoice' as const, id: invoiceId } } : {}),
      dedupeKey: `payment:${paymentId}:credit-note`,
      mail: async () => {
        const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name })
        return { subject: t.subject(amount, on, sender.name), ...letter, attachments: [{ fileId, name }] }
      },
      text: (tongue) => creditText(sender.name, amount, on, tongue),
    })
  })
}
