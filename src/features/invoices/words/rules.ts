import { type Day, formatDay } from '../../../shared/dates.ts'
import type { Language } from '../../businesses/notices/rules.ts'

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
  en: { subtotal: 'Subtotal', discount: 'Discount', total: 'Total', credited: 'Credited', of: 'of' },
  es: { subtotal: 'Subtotal', discount: 'Descuento', total: 'Total', credited: 'Acreditado', of: 'de' },
} satisfies Record<Language, unknown>
