import { button, paragraph, small, type WrittenLetter, writeLetter } from '../../../../platform/mail/letter.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { contactOf, type Sender } from '../../../businesses/rules.ts'
import { usualBankDays } from '../../../invoices/pending/rules.ts'
import { receiptComes, type Told } from '../../../messages/paperways/rules.ts'
import { bankProblem } from '../rules.ts'

type News = { cents: number; invoices: string }
export type DebitNews =
  | (News & { kind: 'begun' })
  | (News & { kind: 'failed'; problem: string | null })
  | (News & { kind: 'returned'; problem: string | null })

const said = (news: DebitNews, from: string, told: Told | null): { subject: string; lead: string; press: string } => {
  const amount = formatCents(news.cents)
  switch (news.kind) {
    case 'begun':
      return {
        subject: `Your bank payment of ${amount} to ${from} is on its way`,
        lead: `Thank you. Your bank was asked for ${amount} for ${news.invoices}. That usually takes ${usualBankDays} business days; until then you need not do anything, and nobody reminds you. When the money has arrived, ${receiptComes(told)}.`,
        press: 'See the invoice',
      }
    case 'failed':
      return {
        subject: `Your bank payment of ${amount} to ${from} did not go through`,
        lead: `Your bank did not pay ${amount} for ${news.invoices}. ${bankProblem(news.problem)} No money moved, and it is open again. Please pay it another way.`,
        press: 'Pay the invoice',
      }
    case 'returned':
      return {
        subject: `Your bank took ${amount} back from ${from}`,
        lead: `Your bank had paid ${amount} for ${news.invoices} and took it back. ${bankProblem(news.problem)} It is open again. Please pay it another way, or answer this mail if you did not expect this.`,
        press: 'Pay the invoice',
      }
  }
}

/** A mail to a customer about what their bank does with a payment. */
export const debitMail = (
  news: DebitNews,
  who: { name: string; url: string; told: Told | null },
  sender: Sender,
): WrittenLetter & { subject: string } => {
  const { subject, lead, press } = said(news, sender.name, who.told)
  const contact = contactOf(sender)
  return {
    subject,
    ...writeLetter({
      from: sender.name,
      brandColor: sender.brandColor,
      title: 'Your bank payment',
      parts: [
        paragraph(`Hello ${firstNameOf(who.name)},`),
        paragraph(lead),
        button(press, who.url),
        small(contact ? `${sender.name}\n${contact}` : sender.name),
      ],
    }),
  }
}
