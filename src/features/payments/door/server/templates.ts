import { paragraph, rows, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { asSms } from '../../../businesses/notices/rules.ts'

export type ReceiptWords = {
  language: 'en' | 'es'
  business: string
  brandColor: string
  contact: string
  customer: string
  receipt: string
  method: 'cash' | 'check'
  checkNumber: string
  amountCents: number
  receivedOn: string
  /** "INV-1001" each */
  invoices: readonly string[]
  creditCents: number
  /** What is still open on these invoices. */
  openCents: number
}

const dayIn = (day: string, language: 'en' | 'es'): string =>
  language === 'en'
    ? formatDay(day, { year: true })
    : new Intl.DateTimeFormat('es-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))

const words = {
  en: {
    by: { cash: 'cash', check: 'check' },
    greeting: (name: string) => `Hello ${name},`,
    thanks: (sum: string, by: string, day: string) => `Thank you. We received ${sum} in ${by} on ${day}.`,
    byCheck: (sum: string, number: string, day: string) =>
      `Thank you. We received ${sum} by check ${number} on ${day}.`,
    pays: (invoices: string) => `It went on ${invoices}.`,
    credit: (sum: string) => `${sum} is kept as your credit.`,
    open: (sum: string, many: boolean) => `${sum} is still open on ${many ? 'them' : 'it'}.`,
    received: 'Received',
    title: (receipt: string) => `Receipt ${receipt}`,
    subject: (sum: string, business: string) => `Received: ${sum} from you, by ${business}`,
    text: (business: string, sum: string, by: string, day: string, receipt: string, about: string, open: string) =>
      `${business}: we received ${sum} (${by})${about && ` for ${about}`} on ${day}.${open && ` ${open} is still open.`} Receipt ${receipt}. Thank you! Reply STOP to opt out.`,
  },
  es: {
    by: { cash: 'efectivo', check: 'cheque' },
    greeting: (name: string) => `Hola ${name}:`,
    thanks: (sum: string, by: string, day: string) => `Gracias. Recibimos ${sum} en ${by} el ${day}.`,
    byCheck: (sum: string, number: string, day: string) =>
      `Gracias. Recibimos ${sum} con el cheque ${number} el ${day}.`,
    pays: (invoices: string) => `Se aplicó a ${invoices}.`,
    credit: (sum: string) => `${sum} queda como crédito a su favor.`,
    open: (sum: string, _many: boolean) => `Quedan ${sum} pendientes.`,
    received: 'Recibido',
    title: (receipt: string) => `Recibo ${receipt}`,
    subject: (sum: string, business: string) => `Recibido: ${sum} de usted, por ${business}`,
    text: (business: string, sum: string, by: string, day: string, receipt: string, about: string, open: string) =>
      `${business}: recibimos ${sum} (${by})${about && ` por ${about}`} el ${day}.${open && ` Quedan ${open} pendientes.`} Recibo ${receipt}. Gracias. Responda STOP para no recibir mas.`,
  },
} as const

/** The receipt of money taken at the door, as a text. */
export const receiptText = (one: ReceiptWords): string => {
  const t = words[one.language]
  return asSms(
    t.text(
      one.business,
      formatCents(one.amountCents),
      one.method === 'check' ? `${t.by.check} ${one.checkNumber}` : t.by.cash,
      dayIn(one.receivedOn, one.language),
      one.receipt,
      one.invoices.join(', '),
      one.openCents > 0 ? formatCents(one.openCents) : '',
    ),
  )
}

/** The same as a letter. */
export const receiptLetter = (one: ReceiptWords) => {
  const t = words[one.language]
  const sum = formatCents(one.amountCents)
  const day = dayIn(one.receivedOn, one.language)
  return {
    subject: t.subject(sum, one.business),
    ...writeLetter({
      language: one.language,
      from: one.business,
      brandColor: one.brandColor,
      title: t.title(one.receipt),
      parts: [
        paragraph(t.greeting(firstNameOf(one.customer))),
        paragraph(
          [
            one.method === 'check' ? t.byCheck(sum, one.checkNumber, day) : t.thanks(sum, t.by.cash, day),
            ...(one.invoices.length > 0 ? [t.pays(one.invoices.join(', '))] : []),
            ...(one.openCents > 0 ? [t.open(formatCents(one.openCents), one.invoices.length > 1)] : []),
            ...(one.creditCents > 0 ? [t.credit(formatCents(one.creditCents))] : []),
          ].join(' '),
        ),
        rows({ label: t.received, value: sum, strong: true }),
        small([one.business, one.contact].filter(Boolean).join('\n')),
      ],
    }),
  }
}
