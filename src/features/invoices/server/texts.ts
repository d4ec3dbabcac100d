import { isChargeable } from '../../../platform/payments/provider.ts'
import type { Day } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { asSms, type Language } from '../../businesses/notices/rules.ts'
import { dayWords } from '../../notices/rules.ts'
import { openFees, owedWithFees } from '../latefees/rules.ts'
import { invoiceName } from '../rules.ts'
import { paidAheadIn } from '../words/rules.ts'
import type { InvoiceContent } from './queries.ts'
import type { InvoiceMailKind } from './templates.ts'

type Facts = {
  name: string
  amount: string
  due: string
  whole: string
  /** What pays it that was there before it. */
  by: string
  received: string
  /** What of it is kept as credit; empty where nothing is. */
  credit: string
  late: boolean
  /** Its page takes a card for what is open. */
  byCard: boolean
  withFees: string
  /** The day on which autopay charges it; empty where somebody has to pay. */
  autopay: string
}

const words: Record<Language, Record<InvoiceMailKind | 'settled' | 'nothing', (facts: Facts) => string>> = {
  en: {
    sent: ({ name, amount, due, byCard, autopay }) =>
      autopay
        ? `${name} for ${amount}. Autopay charges it on ${autopay}, nothing for you to do. See it:`
        : `${name} for ${amount} is due ${due}. ${byCard ? 'See and pay' : 'See it'}:`,
    settled: ({ name, whole, by }) => `${name} for ${whole} is paid${by}. See it:`,
    nothing: ({ name }) => `${name}, nothing is charged on it. See it:`,
    credited: ({ name, received }) => `we credited you ${received}; nothing is open on ${name}. See it:`,
    used: ({ name, received }) => `${received} of your credit pays ${name}; nothing is open. See it:`,
    reminder: ({ name, amount, due, late, withFees }) =>
      `a friendly reminder, ${amount} of ${name} is still open${due && (late ? `, it was due ${due}` : `, due ${due}`)}.${withFees && ` With late fees it is ${withFees}.`} See and pay:`,
    receipt: ({ name, received, credit }) =>
      `thank you for ${received}. ${name} is paid${credit && `; ${credit} is kept as your credit`}. Your receipt:`,
    received: ({ name, received, amount }) => `thank you for ${received}. ${amount} of ${name} is still open:`,
  },
  es: {
    sent: ({ name, amount, due, byCard, autopay }) =>
      autopay
        ? `${name} por ${amount}. Se cobra por pago automatico el ${autopay}, no tiene que hacer nada. Ver:`
        : `${name} por ${amount} vence el ${due}. ${byCard ? 'Ver y pagar' : 'Ver'}:`,
    settled: ({ name, whole, by }) => `${name} por ${whole} esta pagada${by}. Ver:`,
    nothing: ({ name }) => `${name}, sin cargo. Ver:`,
    credited: ({ name, received }) => `le acreditamos ${received}; no queda nada pendiente en ${name}. Ver:`,
    used: ({ name, received }) => `${received} de su credito paga ${name}; no queda nada pendiente. Ver:`,
    reminder: ({ name, amount, due, late, withFees }) =>
      `un recordatorio amable, ${amount} de ${name} sigue pendiente${due && (late ? `, vencio el ${due}` : `, vence el ${due}`)}.${withFees && ` Con recargos son ${withFees}.`} Ver y pagar:`,
    receipt: ({ name, received, credit }) =>
      `gracias por ${received}. ${name} esta pagada${credit && `; ${credit} quedan como su credito`}. Su recibo:`,
    received: ({ name, received, amount }) => `gracias por ${received}. ${amount} de ${name} sigue pendiente:`,
  },
}

/**
 * The text that carries an invoice, reminds of it or thanks for money, with the link to its page, in plain characters.
 * @param news the money or the credit that it tells of, and what of it is kept as credit; of a new invoice the day on which autopay charges it
 */
export const invoiceText = (
  invoice: Pick<
    InvoiceContent,
    'number' | 'balanceCents' | 'totalCents' | 'dueOn' | 'overdue' | 'payments' | 'createdAt'
  > & { lateFees: readonly { openCents: number }[] },
  business: string,
  url: string,
  kind: InvoiceMailKind,
  language: Language,
  news: { cents: number; creditCents?: number; autopayOn?: Day | null } = { cents: 0 },
): string => {
  const settled = kind === 'sent' && invoice.balanceCents === 0
  const say = words[language][settled ? (invoice.totalCents === 0 ? 'nothing' : 'settled') : kind]
  const message = say({
    name: invoiceName(invoice.number),
    amount: formatCents(invoice.balanceCents),
    due: invoice.dueOn ? dayWords(invoice.dueOn, language) : '',
    whole: formatCents(invoice.totalCents),
    by: paidAheadIn(language, invoice),
    received: formatCents(news.cents),
    credit: news.creditCents ? formatCents(news.creditCents) : '',
    late: invoice.overdue,
    byCard: isChargeable(invoice.balanceCents),
    autopay: news.autopayOn ? dayWords(news.autopayOn, language) : '',
    withFees: openFees(invoice).length > 0 ? formatCents(owedWithFees(invoice)) : '',
  })
  return `${asSms(`${business}: ${message}`)} ${url}`
}

/** The text that carries a receipt for money on no invoice, or on several. */
export const receiptText = (business: string, amount: string, language: Language, link: string): string =>
  `${asSms(
    language === 'es'
      ? `${business}: gracias, recibimos su pago de ${amount}.`
      : `${business}: thank you, your payment of ${amount} has arrived.`,
  )} ${link}`.trim()

/** The text that tells of a credit note; what it is over, "INV-7" or nothing. */
export const creditText = (business: string, amount: string, on: string, language: Language): string =>
  asSms(
    language === 'es'
      ? `${business}: le acreditamos ${amount}${on ? ` por ${on}` : ''}. No tiene que hacer nada.`
      : `${business}: we credited you ${amount}${on ? ` for ${on}` : ''}. You need not do anything.`,
  )

/** The text that carries a statement. */
export const statementText = (business: string, balance: string, language: Language, link: string): string =>
  `${asSms(
    language === 'es'
      ? `${business}: su estado de cuenta; el saldo es ${balance}. Ver y pagar:`
      : `${business}: your statement; the balance is ${balance}. See and pay:`,
  )} ${link}`
