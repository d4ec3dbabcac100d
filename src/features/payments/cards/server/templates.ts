import { button, paragraph, type WrittenLetter } from '../../../../platform/mail/letter.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { customerLetter } from '../../../businesses/letters/server/queries.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import type { Sender } from '../../../businesses/rules.ts'
import { dayIn } from '../../../invoices/words/rules.ts'
import { reasonIn } from '../../reasons/rules.ts'

export type AutopayMail = WrittenLetter & { subject: string }
export type AutopayNews =
  | {
      kind: 'notice'
      chargeOn: Day
      amountCents: number /** Taken off for the bank account. */
      discountCents: number
      invoice: string
    }
  | { kind: 'declined'; reason: string; nextOn: Day; amountCents: number; invoice: string }
  | { kind: 'stopped'; reason: string; amountCents: number; invoice: string }
  | { kind: 'dropped'; chargeOn: Day; amountCents: number; invoice: string }
  | { kind: 'expiring'; lastDay: Day }
  | { kind: 'off' }
  | { kind: 'on' }
  | { kind: 'saved'; mandate: string }

const day = (on: Day, language: Language): string => dayIn(language, on, { long: true, year: true })

/** What a charge is less because it comes from a bank account. */
export const off = (cents: number, language: Language): string =>
  cents === 0
    ? ''
    : language === 'es'
      ? `, ${formatCents(cents)} menos por pagar desde su cuenta bancaria`
      : `, ${formatCents(cents)} less because it comes from your bank account`

type Said = { subject: string; lead: string; press: string }
type Paying = { card: string; isBank: boolean }

const inEnglish = (news: AutopayNews, { card, isBank }: Paying, sender: Sender): Said => {
  const [thing, no] = isBank ? ['bank account', 'could not be charged'] : ['card', 'was declined']
  switch (news.kind) {
    case 'notice':
      return {
        subject: `${sender.name} charges ${formatCents(news.amountCents)} on ${formatDay(news.chargeOn)}`,
        lead: `On ${day(news.chargeOn, 'en')} we charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}${off(news.discountCents, 'en')}. You need not do anything. To pay another way, or to turn autopay off, open the invoice before then.`,
        press: 'See the invoice',
      }
    case 'declined':
      return {
        subject: `Your ${thing} ${no} for ${news.invoice} from ${sender.name}`,
        lead: `We could not charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}. ${news.reason} We try once more on ${day(news.nextOn, 'en')}; or pay now with another one.`,
        press: 'Pay the invoice',
      }
    case 'stopped':
      return {
        subject: `Autopay with ${sender.name} is off: your ${thing} ${no}`,
        lead: `We could not charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}. ${news.reason} We do not try again, and autopay is off. Please pay the invoice; if you wish, leave another ${thing} there.`,
        press: 'Pay the invoice',
      }
    case 'dropped':
      return {
        subject: `${sender.name} does not charge ${news.invoice} on ${formatDay(news.chargeOn)}`,
        lead: `We told you that we would charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice} on ${day(news.chargeOn, 'en')}. We take no cards at the moment, so nothing is charged. The invoice stays open: please pay it another way.`,
        press: 'See the invoice',
      }
    case 'expiring':
      return {
        subject: `Your card at ${sender.name} expires soon`,
        lead: `Your ${card}, which pays our invoices, is good until ${day(news.lastDay, 'en')}. Pay your next invoice with the new card and tick “Keep this card” there: it takes the place of the old one.`,
        press: 'See your invoice',
      }
    case 'on':
      return {
        subject: `Autopay with ${sender.name} is on again`,
        lead: `Your ${card} pays our invoices again, as you agreed to when you left it. Each charge is announced before. If you do not want this, turn autopay off on the page of any invoice.`,
        press: 'See your invoice',
      }
    case 'saved':
      return {
        subject: `Your ${thing} is on file with ${sender.name}`,
        lead: `Thank you. Your ${card} pays your invoices from now on; nothing was charged now. What you agreed to: “${news.mandate}”`,
        press: 'See your invoice',
      }
    case 'off':
      return {
        subject: `Autopay with ${sender.name} is off`,
        lead: `Your ${card} is not charged by itself any more. Invoices come as before, and you pay them when they are due.`,
        press: 'See your invoice',
      }
  }
}

const inSpanish = (news: AutopayNews, { card, isBank }: Paying, sender: Sender): Said => {
  const [thing, an, no] = isBank
    ? ['cuenta bancaria', 'otra cuenta', 'no se pudo cobrar']
    : ['tarjeta', 'otra tarjeta', 'fue rechazada']
  switch (news.kind) {
    case 'notice':
      return {
        subject: `${sender.name} cobra ${formatCents(news.amountCents)} el ${dayIn('es', news.chargeOn)}`,
        lead: `El ${day(news.chargeOn, 'es')} cobramos ${formatCents(news.amountCents)} por ${news.invoice} a su ${card}${off(news.discountCents, 'es')}. No tiene que hacer nada. Para pagar de otra forma o desactivar el pago automático, abra la factura antes de ese día.`,
        press: 'Ver la factura',
      }
    case 'declined':
      return {
        subject: `Su ${thing} ${no} por ${news.invoice} de ${sender.name}`,
        lead: `No pudimos cobrar ${formatCents(news.amountCents)} por ${news.invoice} a su ${card}. ${reasonIn('es', news.reason)} Lo intentamos una vez más el ${day(news.nextOn, 'es')}; o pague ahora con ${an}.`,
        press: 'Pagar la factura',
      }
    case 'stopped':
      return {
        subject: `El pago automático con ${sender.name} está desactivado: su ${thing} ${no}`,
        lead: `No pudimos cobrar ${formatCents(news.amountCents)} por ${news.invoice} a su ${card}. ${reasonIn('es', news.reason)} No lo intentamos más y el pago automático está desactivado. Por favor pague la factura; si quiere, deje ${an} allí.`,
        press: 'Pagar la factura',
      }
    case 'dropped':
      return {
        subject: `${sender.name} no cobra ${news.invoice} el ${dayIn('es', news.chargeOn)}`,
        lead: `Le avisamos que el ${day(news.chargeOn, 'es')} cobraríamos ${formatCents(news.amountCents)} por ${news.invoice} a su ${card}. Por ahora no aceptamos tarjetas, así que no se cobra nada. La factura sigue pendiente: por favor páguela de otra forma.`,
        press: 'Ver la factura',
      }
    case 'expiring':
      return {
        subject: `Su tarjeta en ${sender.name} vence pronto`,
        lead: `Su ${card}, que paga nuestras facturas, vale hasta el ${day(news.lastDay, 'es')}. Pague su próxima factura con la tarjeta nueva y márquela para guardarla: reemplaza a la anterior.`,
        press: 'Ver su factura',
      }
    case 'on':
      return {
        subject: `El pago automático con ${sender.name} está activo otra vez`,
        lead: `Su ${card} paga otra vez nuestras facturas, como usted aceptó al dejarla. Avisamos antes de cada cobro. Si no lo quiere, desactívelo en la página de cualquier factura.`,
        press: 'Ver su factura',
      }
    case 'saved':
      return {
        subject: `Su ${thing} está guardada con ${sender.name}`,
        lead: `Gracias. Su ${card} paga sus facturas desde ahora; no se cobró nada. Lo que usted aceptó: “${news.mandate}”`,
        press: 'Ver su factura',
      }
    case 'off':
      return {
        subject: `El pago automático con ${sender.name} está desactivado`,
        lead: `Ya no se cobra nada por sí solo a su ${card}. Las facturas llegan como antes y usted las paga cuando vencen.`,
        press: 'Ver su factura',
      }
  }
}

const around = {
  en: { title: 'Autopay', hello: (name: string) => `Hello ${name},` },
  es: { title: 'Pago automático', hello: (name: string) => `Hola ${name}:` },
} satisfies Record<Language, unknown>

/** A mail to a customer about the card that pays their invoices. */
export const autopayMail = (
  news: AutopayNews,
  who: { name: string; card: string; isBank: boolean; url: string | null; language: Language },
  sender: Sender,
): AutopayMail => {
  const t = around[who.language]
  const { subject, lead, press } = (who.language === 'es' ? inSpanish : inEnglish)(news, who, sender)
  return {
    subject,
    ...customerLetter(sender, {
      language: who.language,
      title: t.title,
      parts: [paragraph(t.hello(firstNameOf(who.name))), paragraph(lead), ...(who.url ? [button(press, who.url)] : [])],
    }),
  }
}
