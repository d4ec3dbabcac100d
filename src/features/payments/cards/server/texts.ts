import { formatCents } from '../../../../shared/money.ts'
import { asSms, type Language } from '../../../businesses/notices/rules.ts'
import { dayWords } from '../../../notices/rules.ts'
import { cardLabel, type PaidWith } from '../rules.ts'
import { type AutopayNews, off } from './templates.ts'

type Method = { kind: PaidWith; brand: string; last4: string }

const inEnglish = (news: AutopayNews, card: string): string => {
  switch (news.kind) {
    case 'notice':
      return `on ${dayWords(news.chargeOn, 'en')} we charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}${off(news.discountCents, 'en')}. To pay another way, or turn autopay off:`
    case 'declined':
      return `we could not charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}. ${news.reason} We try once more on ${dayWords(news.nextOn, 'en')}. Or pay now:`
    case 'stopped':
      return `we could not charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}. ${news.reason} We do not try again, and autopay is off. Please pay:`
    case 'dropped':
      return `we do not charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice} on ${dayWords(news.chargeOn, 'en')}, as we take no cards at the moment. Please pay another way:`
    case 'expiring':
      return `your ${card}, which pays our invoices, is good until ${dayWords(news.lastDay, 'en')}. Pay the next one with the new card and keep it there:`
    case 'on':
      return `your ${card} pays our invoices again; each charge is announced before. Turn it off any time:`
    case 'saved':
      return `your ${card} pays your invoices from now on, as you agreed; nothing was charged now. Turn it off any time:`
    case 'off':
      return `autopay is off. Your ${card} is not charged by itself any more; you pay invoices when they are due:`
  }
}

const inSpanish = (news: AutopayNews, card: string): string => {
  switch (news.kind) {
    case 'notice':
      return `el ${dayWords(news.chargeOn, 'es')} cobramos ${formatCents(news.amountCents)} de ${news.invoice} a ${card}${off(news.discountCents, 'es')}. Para pagar de otra forma o desactivar el pago automatico:`
    case 'declined':
      return `no pudimos cobrar ${formatCents(news.amountCents)} de ${news.invoice} a ${card}. Lo intentamos de nuevo el ${dayWords(news.nextOn, 'es')}. O pague ahora:`
    case 'stopped':
      return `no pudimos cobrar ${formatCents(news.amountCents)} de ${news.invoice} a ${card}. No lo intentamos mas y el pago automatico esta desactivado. Por favor pague:`
    case 'dropped':
      return `el ${dayWords(news.chargeOn, 'es')} no cobramos ${formatCents(news.amountCents)} de ${news.invoice} a ${card}: por ahora no aceptamos tarjetas. Por favor pague de otra forma:`
    case 'expiring':
      return `${card}, que paga nuestras facturas, vence el ${dayWords(news.lastDay, 'es')}. Pague la proxima con la nueva tarjeta y dejela guardada:`
    case 'on':
      return `${card} paga otra vez nuestras facturas; avisamos antes de cada cobro. Puede desactivarlo cuando quiera:`
    case 'saved':
      return `${card} paga sus facturas desde ahora, como usted acepto; no se cobro nada. Puede desactivarlo cuando quiera:`
    case 'off':
      return `el pago automatico esta desactivado. No se cobra nada mas a ${card}; usted paga las facturas cuando vencen:`
  }
}

/** A text to a customer about the card or account that pays their invoices, with the page to act on, in plain characters. */
export const autopayText = (
  news: AutopayNews,
  method: Method,
  { business, language, url }: { business: string; language: Language; url: string | null },
): string => {
  const said =
    language === 'es'
      ? inSpanish(
          news,
          `${method.kind === 'bank' ? 'su cuenta bancaria' : 'su tarjeta'} que termina en ${method.last4}`,
        )
      : inEnglish(news, cardLabel(method))
  return `${asSms(`${business}: ${said}`)} ${url ?? ''}`.trim()
}
