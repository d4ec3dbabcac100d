import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { cameOf } from '../../../shared/paid.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import type { BoundCredit } from '../corrections/rules.ts'
import { invoiceName } from '../rules.ts'

/** What customers read about money, in their own language. The words stand beside what says them, each in both languages. */

type Look = { long?: boolean; year?: boolean }

/** "Fri, Jun 12, 2026", "vie, 12 de jun de 2026". */
export const dayIn = (language: Language, day: Day, look: Look = {}): string =>
  language === 'en'
    ? formatDay(day, look)
    : new Intl.DateTimeFormat('es-US', {
        weekday: look.long ? 'long' : 'short',
        day: 'numeric',
        month: look.long ? 'long' : 'short',
        ...(look.year ? { year: 'numeric' as const } : {}),
        timeZone: 'UTC',
      }).format(new Date(`${day}T00:00:00Z`))

const and: Record<Language, string> = { en: 'and', es: 'y' }

/** "INV-7", "INV-7 and INV-8", "INV-7, INV-8 y INV-9". */
export const listIn = (language: Language, names: readonly string[]): string =>
  names.join(', ').replace(/, ([^,]*)$/, ` ${and[language]} $1`)

const cameWords = {
  en: {
    paid: (sum: string, total: string) => `${sum} of ${total} is paid`,
    credited: (sum: string, total: string) => `${sum} of ${total} was credited`,
    both: (paid: string, credited: string, total: string) => `${paid} of ${total} is paid and ${credited} was credited`,
  },
  es: {
    paid: (sum: string, total: string) => `${sum} de ${total} están pagados`,
    credited: (sum: string, total: string) => `${sum} de ${total} se acreditaron`,
    both: (paid: string, credited: string, total: string) =>
      `${paid} de ${total} están pagados y ${credited} se acreditaron`,
  },
} satisfies Record<Language, unknown>

/** "$60.00 of $227.64 is paid and $40.00 was credited": what came of an invoice so far, credit never as money; empty where nothing did. */
export const cameIn = (
  language: Language,
  invoice: { totalCents: number; paidCents: number; creditedCents: number },
): string => {
  const { moneyCents, creditedCents } = cameOf(invoice)
  const t = cameWords[language]
  const [paid, credited, total] = [formatCents(moneyCents), formatCents(creditedCents), formatCents(invoice.totalCents)]
  if (moneyCents > 0) return creditedCents > 0 ? t.both(paid, credited, total) : t.paid(paid, total)
  return creditedCents > 0 ? t.credited(credited, total) : ''
}

const aheadWords = {
  en: { deposit: 'your deposit', credit: 'your credit with us', by: (list: string) => ` by ${list}` },
  es: { deposit: 'su depósito', credit: 'su crédito con nosotros', by: (list: string) => ` con ${list}` },
} satisfies Record<Language, unknown>

type PaysIt = { method: string; deposit: boolean; allocatedCents: number; createdAt: string }

/**
 * What pays an invoice that was there before it, " by your deposit", " by your deposit and your credit with us"; empty where money came for it
 * since, or nothing did.
 */
export const paidAheadIn = (
  language: Language,
  { payments, createdAt }: { payments: readonly PaysIt[]; createdAt: string },
): string => {
  const paying = payments.filter(({ allocatedCents }) => allocatedCents > 0)
  const isCredit = (one: PaysIt) => !one.deposit && (one.method === 'credit' || one.createdAt < createdAt)
  if (paying.length === 0 || paying.some((one) => !one.deposit && !isCredit(one))) return ''
  const t = aheadWords[language]
  const kinds = [
    ...(paying.some(({ deposit }) => deposit) ? [t.deposit] : []),
    ...(paying.some(isCredit) ? [t.credit] : []),
  ]
  return t.by(listIn(language, kinds))
}

/** So many invoices are named; of more it is said how many. */
const mostNamed = 5

/** "INV-7", "INV-7 and INV-8", "INV-1, INV-2, INV-3, INV-4, INV-5 and 3 more". */
export const namedInvoices = (numbers: readonly number[]): string => {
  const more = numbers.length - mostNamed
  return listIn('en', [...numbers.slice(0, mostNamed).map(invoiceName), ...(more > 0 ? [`${more} more`] : [])])
}

/** How money came, as a word in a sentence: "card", "tarjeta". */
export const methodIn = (language: Language, method: string): string =>
  (language === 'es' ? methodsEs : methodsEn)[method] ?? (language === 'es' ? 'otro medio' : 'another way')

const methodsEn: Readonly<Record<string, string>> = {
  card: 'card',
  ach: 'bank transfer',
  check: 'check',
  cash: 'cash',
  credit: 'credit',
}
const methodsEs: Readonly<Record<string, string>> = {
  card: 'tarjeta',
  ach: 'transferencia bancaria',
  check: 'cheque',
  cash: 'efectivo',
  credit: 'crédito',
}

/** The sums under the lines of an invoice. */
export const sumWords = {
  en: {
    subtotal: 'Subtotal',
    discount: 'Discount',
    total: 'Total',
    credited: 'Credited',
    writtenOff: 'Written off',
    of: 'of',
  },
  es: {
    subtotal: 'Subtotal',
    discount: 'Descuento',
    total: 'Total',
    credited: 'Acreditado',
    writtenOff: 'Ya no se cobra',
    of: 'de',
  },
} satisfies Record<Language, unknown>

const waitsWords = {
  en: (sum: string, work: string) => `${sum} of your deposit for ${work} is kept for that work.`,
  es: (sum: string, work: string) => `${sum} de su depósito para ${work} se guardan para ese trabajo.`,
} satisfies Record<Language, unknown>

/** "$300.00 of your deposit for Q-1055 is kept for that work.": money of a customer that waits for work, as they read it. */
export const depositWaits = (
  language: Language,
  { restCents, quote, job }: Pick<BoundCredit, 'restCents' | 'quote' | 'job'>,
): string => waitsWords[language](formatCents(restCents), quote ? `Q-${quote.number}` : (job?.title ?? ''))

const lessWords = {
  en: (percent: string, off: string, sum: string) =>
    `${percent} off for paying without a card: ${sum} by bank, check or cash settles this invoice, ${off} less.`,
  es: (percent: string, off: string, sum: string) =>
    `${percent} de descuento por pagar sin tarjeta: con ${sum} por banco, con cheque o en efectivo esta factura queda pagada, ${off} menos.`,
} satisfies Record<Language, unknown>

/** What settles an invoice whose balance in cents is paid without a card, in a sentence. */
export const withoutCardIn = (
  language: Language,
  discount: { percent: string; cents: number },
  balanceCents: number,
): string =>
  lessWords[language](discount.percent, formatCents(discount.cents), formatCents(balanceCents - discount.cents))
