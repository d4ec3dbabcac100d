import { formatCents } from '../../../../shared/money.ts'
import { asSms, type Language } from '../../../businesses/notices/rules.ts'
import { usualBankDays } from '../../../invoices/pending/rules.ts'
import { reasonIn } from '../../reasons/rules.ts'
import { bankProblem } from '../rules.ts'
import type { DebitNews } from './templates.ts'

const inEnglish = (news: DebitNews, amount: string): string => {
  switch (news.kind) {
    case 'begun':
      return `your bank was asked for ${amount} for ${news.invoices}. That takes about ${usualBankDays} business days; there is nothing to do until then:`
    case 'failed':
      return `your bank did not pay ${amount} for ${news.invoices}. ${bankProblem(news.problem)} It is open again, please pay it another way:`
    case 'returned':
      return `your bank took back ${amount} that it had paid for ${news.invoices}. ${bankProblem(news.problem)} It is open again, please pay it another way:`
  }
}

const inSpanish = (news: DebitNews, amount: string): string => {
  switch (news.kind) {
    case 'begun':
      return `pedimos a su banco ${amount} de ${news.invoices}. Tarda unos ${usualBankDays} dias habiles; mientras tanto no tiene que hacer nada:`
    case 'failed':
      return `su banco no pago ${amount} de ${news.invoices}. ${reasonIn('es', bankProblem(news.problem))} Sigue pendiente, por favor pague de otra forma:`
    case 'returned':
      return `su banco retiro ${amount} que habia pagado de ${news.invoices}. ${reasonIn('es', bankProblem(news.problem))} Esta pendiente otra vez, por favor pague de otra forma:`
  }
}

/** A text to a customer about what their bank does with a payment, with the page of the invoice, in plain characters. */
export const debitText = (
  news: DebitNews,
  { business, language, url }: { business: string; language: Language; url: string },
): string =>
  `${asSms(`${business}: ${(language === 'es' ? inSpanish : inEnglish)(news, formatCents(news.cents))}`)} ${url}`
