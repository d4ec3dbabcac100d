import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { dayIn } from '../words/rules.ts'

/** How long banks usually take, in business days. */
export const usualBankDays = 4

/** What of an invoice is on its way from a bank, and since when. */
export type Pending = { cents: number; since: Day }

/** "Bank payment of $55.00 on its way since Jun 12; it usually takes 4 business days." */
export const pendingWords = ({ cents, since }: Pending, language: Language = 'en'): string =>
  language === 'es'
    ? `Pago bancario de ${formatCents(cents)} en camino desde el ${dayIn('es', since)}; suele tardar ${usualBankDays} días hábiles.`
    : `Bank payment of ${formatCents(cents)} on its way since ${formatDay(since)}; it usually takes ${usualBankDays} business days.`
