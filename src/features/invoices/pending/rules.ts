import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { dayIn } from '../words/rules.ts'

/** How long banks usually take, in business days. */
export const usualBankDays = 4

/** What is on its way from a bank for an invoice, and since when. */
export type Pending = {
  /** What leaves the bank, a tip included. */
  cents: number
  /** What of the invoice it settles: more than that where a discount is given with it, less where a tip is in it. */
  coversCents: number
  since: Day
}

/** "Bank payment of $55.00 on its way since Jun 12; it usually takes 4 business days." */
export const pendingWords = ({ cents, since }: Pick<Pending, 'cents' | 'since'>, language: Language = 'en'): string =>
  language === 'es'
    ? `Pago bancario de ${formatCents(cents)} en camino desde el ${dayIn('es', since)}; suele tardar ${usualBankDays} días hábiles.`
    : `Bank payment of ${formatCents(cents)} on its way since ${formatDay(since)}; it usually takes ${usualBankDays} business days.`
