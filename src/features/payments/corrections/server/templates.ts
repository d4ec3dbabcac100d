import { button, paragraph, type WrittenLetter } from '../../../../platform/mail/letter.ts'
import type { PaidTo } from '../../../../platform/payments/provider.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { customerLetter } from '../../../businesses/letters/server/queries.ts'
import { asSms, type Language } from '../../../businesses/notices/rules.ts'
import type { Sender } from '../../../businesses/rules.ts'
import { cardLabel } from '../../cards/rules.ts'

export type RefundNews = {
  language: Language
  /** "Smith" or "Ann Smith". */
  name: string
  cents: number
  /** What it goes back to; null where the provider does not say. */
  to: PaidTo | null
  isBank: boolean
  /** What it was about: "INV-7", or empty. */
  invoices: string
  /** What is open on these now. */
  openCents: number
  url: string | null
}

/** How long banks take to show money that came back, in business days. */
const usualDays = { card: [5, 10], bank: [3, 5] } as const

const words = {
  en: {
    to: ({ to, isBank }: RefundNews) =>
      to ? `your ${cardLabel(to)}` : isBank ? 'the bank account that you paid from' : 'the card that you paid with',
    subject: (sum: string, from: string) => `Your refund of ${sum} from ${from}`,
    title: 'Your refund',
    hello: (name: string) => `Hello ${name},`,
    lead: (sum: string, to: string, about: string) => `We gave ${sum} back to ${to}${about ? `, for ${about}` : ''}.`,
    days: (from: number, until: number) =>
      `It usually takes ${from} to ${until} business days until your bank shows it. You need not do anything.`,
    open: (sum: string, invoices: string) => `With that, ${sum} is open on ${invoices}.`,
    press: 'See the invoice',
    text: (sum: string, to: string, about: string, from: number, until: number) =>
      `we gave ${sum} back to ${to}${about ? `, for ${about}` : ''}. It shows in ${from} to ${until} business days.`,
    textOpen: (sum: string) => ` ${sum} is open now.`,
  },
  es: {
    to: ({ to, isBank }: RefundNews) =>
      to ? `su ${cardLabel(to, 'es')}` : isBank ? 'la cuenta bancaria con la que pagó' : 'la tarjeta con la que pagó',
    subject: (sum: string, from: string) => `Su reembolso de ${sum} de ${from}`,
    title: 'Su reembolso',
    hello: (name: string) => `Hola ${name}:`,
    lead: (sum: string, to: string, about: string) => `Le devolvimos ${sum} a ${to}${about ? `, por ${about}` : ''}.`,
    days: (from: number, until: number) =>
      `Su banco suele tardar de ${from} a ${until} días hábiles en mostrarlo. No tiene que hacer nada.`,
    open: (sum: string, invoices: string) => `Con eso quedan ${sum} pendientes en ${invoices}.`,
    press: 'Ver la factura',
    text: (sum: string, to: string, about: string, from: number, until: number) =>
      `le devolvimos ${sum} a ${to}${about ? `, por ${about}` : ''}. Se ve en ${from} a ${until} dias habiles.`,
    textOpen: (sum: string) => ` Ahora quedan ${sum} pendientes.`,
  },
} satisfies Record<Language, unknown>

const daysOf = ({ to, isBank }: RefundNews): readonly [from: number, until: number] =>
  usualDays[to?.kind === 'bank' || (to === null && isBank) ? 'bank' : 'card']

/** The mail to a customer whose money went back to their card or bank account. */
export const refundMail = (news: RefundNews, sender: Sender): WrittenLetter & { subject: string } => {
  const t = words[news.language]
  const sum = formatCents(news.cents)
  return {
    subject: t.subject(sum, sender.name),
    ...customerLetter(sender, {
      language: news.language,
      title: t.title,
      parts: [
        paragraph(t.hello(firstNameOf(news.name))),
        paragraph(`${t.lead(sum, t.to(news), news.invoices)} ${t.days(...daysOf(news))}`),
        ...(news.invoices && news.openCents > 0 ? [paragraph(t.open(formatCents(news.openCents), news.invoices))] : []),
        ...(news.url ? [button(t.press, news.url)] : []),
      ],
    }),
  }
}

/** The same as a text, in plain characters. */
export const refundText = (news: RefundNews, business: string): string => {
  const t = words[news.language]
  const said = t.text(formatCents(news.cents), t.to(news), news.invoices, ...daysOf(news))
  const open = news.invoices && news.openCents > 0 ? t.textOpen(formatCents(news.openCents)) : ''
  return `${asSms(`${business}: ${said}${open}`)} ${news.url ?? ''}`.trim()
}
