import { paragraph, rows, small, type WrittenLetter, writeLetter } from '../../../platform/mail/letter.ts'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { contactOf, type Sender } from '../../businesses/rules.ts'

type Month = { billOn: Day; totalCents: number }

export type PlanNews =
  | { kind: 'started'; prepaid: boolean; startsOn: Day; endsOn: Day; months: readonly Month[] }
  | { kind: 'changed'; reason: string; months: readonly Month[] }
  | { kind: 'credited'; totalCents: number; refundedCents: number; netCents: number }

const day = (on: Day): string => formatDay(on, { year: true })
const monthRows = (months: readonly Month[]) =>
  rows(...months.map(({ billOn, totalCents }) => ({ label: day(billOn), value: formatCents(totalCents) })))

const said = (news: PlanNews, plan: string, sender: Sender) => {
  if (news.kind === 'started')
    return {
      subject: `${plan} with ${sender.name}`,
      parts: [
        paragraph(
          news.prepaid
            ? `Your season from ${day(news.startsOn)} to ${day(news.endsOn)} is paid ahead. The invoice comes on this day:`
            : `From ${day(news.startsOn)} to ${day(news.endsOn)} you pay the same each month, however often we come. An invoice comes on each of these days:`,
        ),
        monthRows(news.months),
        paragraph('At the end of the season we compare what was done with what was billed, and settle the difference.'),
      ],
    }
  if (news.kind === 'changed')
    return {
      subject: `${plan} with ${sender.name} changes`,
      parts: [
        paragraph(`Your monthly amount changes: ${news.reason}`),
        news.months.length > 0
          ? paragraph('The invoices that are still to come:')
          : paragraph('No further invoices are to come.'),
        ...(news.months.length > 0 ? [monthRows(news.months)] : []),
      ],
    }
  const { totalCents, refundedCents } = news
  return {
    subject: `${plan} with ${sender.name} is settled`,
    parts: [
      paragraph(
        `We billed ${formatCents(totalCents)} more than the work that was done. ${
          refundedCents === totalCents
            ? `All of it goes back to you.`
            : refundedCents > 0
              ? `${formatCents(refundedCents)} goes back to you; the rest is taken off what is open, or waits as credit for your next invoice.`
              : 'It is taken off what is open, and what is left waits as credit for your next invoice.'
        }`,
      ),
    ],
  }
}

/** A mail to a customer about their billing plan. */
export const planMail = (
  news: PlanNews,
  who: { plan: string; customer: string },
  sender: Sender,
): WrittenLetter & { subject: string } => {
  const { subject, parts } = said(news, who.plan, sender)
  const contact = contactOf(sender)
  return {
    subject,
    ...writeLetter({
      from: sender.name,
      brandColor: sender.brandColor,
      title: who.plan,
      parts: [
        paragraph(`Hello ${firstNameOf(who.customer)},`),
        ...parts,
        small(contact ? `${sender.name}\n${contact}` : sender.name),
      ],
    }),
  }
}
