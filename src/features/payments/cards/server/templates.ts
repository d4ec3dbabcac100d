import { button, paragraph, small, type WrittenLetter, writeLetter } from '../../../../platform/mail/letter.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { contactOf, type Sender } from '../../../businesses/rules.ts'

export type AutopayMail = WrittenLetter & { subject: string }
export type AutopayNews =
  | { kind: 'notice'; chargeOn: Day; amountCents: number; invoice: string }
  | { kind: 'declined'; reason: string; nextOn: Day; amountCents: number; invoice: string }
  | { kind: 'stopped'; reason: string; amountCents: number; invoice: string }
  | { kind: 'expiring'; lastDay: Day }
  | { kind: 'off' }
  | { kind: 'on' }
  | { kind: 'saved'; mandate: string }

const day = (on: Day): string => formatDay(on, { long: true, year: true })

const said = (
  news: AutopayNews,
  { card, isBank }: { card: string; isBank: boolean },
  sender: Sender,
): { subject: string; lead: string; press: string } => {
  const [thing, no] = isBank ? ['bank account', 'could not be charged'] : ['card', 'was declined']
  switch (news.kind) {
    case 'notice':
      return {
        subject: `${sender.name} charges ${formatCents(news.amountCents)} on ${formatDay(news.chargeOn)}`,
        lead: `On ${day(news.chargeOn)} we charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}. You need not do anything. To pay another way, or to turn autopay off, open the invoice before then.`,
        press: 'See the invoice',
      }
    case 'declined':
      return {
        subject: `Your ${thing} ${no} for ${news.invoice} from ${sender.name}`,
        lead: `We could not charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}. ${news.reason} We try once more on ${day(news.nextOn)}; or pay now with another one.`,
        press: 'Pay the invoice',
      }
    case 'stopped':
      return {
        subject: `Autopay with ${sender.name} is off: your ${thing} ${no}`,
        lead: `We could not charge your ${card} with ${formatCents(news.amountCents)} for ${news.invoice}. ${news.reason} We do not try again, and autopay is off. Please pay the invoice; if you wish, leave another ${thing} there.`,
        press: 'Pay the invoice',
      }
    case 'expiring':
      return {
        subject: `Your card at ${sender.name} expires soon`,
        lead: `Your ${card}, which pays our invoices, is good until ${day(news.lastDay)}. Pay your next invoice with the new card and tick “Keep this card” there: it takes the place of the old one.`,
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

/** A mail to a customer about the card that pays their invoices. */
export const autopayMail = (
  news: AutopayNews,
  who: { name: string; card: string; isBank: boolean; url: string | null },
  sender: Sender,
): AutopayMail => {
  const { subject, lead, press } = said(news, who, sender)
  const contact = contactOf(sender)
  return {
    subject,
    ...writeLetter({
      from: sender.name,
      brandColor: sender.brandColor,
      title: 'Autopay',
      parts: [
        paragraph(`Hello ${firstNameOf(who.name)},`),
        paragraph(lead),
        ...(who.url ? [button(press, who.url)] : []),
        small(contact ? `${sender.name}\n${contact}` : sender.name),
      ],
    }),
  }
}
