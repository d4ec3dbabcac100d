import { absoluteUrl } from '../../../platform/links.ts'
import {
  button,
  type LetterPart,
  paragraph,
  rows,
  type WrittenLetter,
  writeLetter,
} from '../../../platform/mail/letter.ts'
import { brand } from '../../../shared/brand.ts'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { paths } from '../../../shared/paths.ts'
import { planLabel } from '../rules.ts'

type Payer = { name: string; businessName: string; timeZone: string }

const manage = () => absoluteUrl(`${paths.profile}#plan`)
const dayLabel = (payer: Payer, instant: string) =>
  formatDay(dayOf(instant, payer.timeZone), { long: true, year: true })

export type PayerMail = WrittenLetter & { subject: string }

const write = (payer: Payer, subject: string, parts: readonly LetterPart[]): PayerMail => ({
  subject,
  ...writeLetter({
    from: brand.name,
    parts: [paragraph(`Hello ${firstNameOf(payer.name)},`), ...parts],
  }),
})

/** What was paid, for the books. */
export const receiptMail = (
  payer: Payer,
  invoice: {
    number: string
    description: string
    subtotalCents: number
    discountCents: number
    taxCents: number
    totalCents: number
    issuedAt: string
    hostedUrl: string | null
  },
  livemode: boolean,
): PayerMail =>
  write(payer, `${livemode ? '' : 'TEST – '}Receipt ${invoice.number} from Swath: ${formatCents(invoice.totalCents)}`, [
    paragraph(`Thank you. ${payer.businessName} paid ${formatCents(invoice.totalCents)} for Swath.`),
    rows(
      { label: invoice.description, value: formatCents(invoice.subtotalCents) },
      ...(invoice.discountCents ? [{ label: 'Discount', value: `-${formatCents(invoice.discountCents)}` }] : []),
      ...(invoice.taxCents ? [{ label: 'Sales tax', value: formatCents(invoice.taxCents) }] : []),
      { label: `Paid on ${dayLabel(payer, invoice.issuedAt)}`, value: formatCents(invoice.totalCents), strong: true },
    ),
    ...(livemode ? [] : [paragraph('This is a test: no money moved.')]),
    button('All invoices', manage()),
  ])

/** A payment failed: what stays on, until when, and where to fix it. */
export const failedMail = (
  payer: Payer,
  invoice: { totalCents: number },
  step: 'first' | `day${number}`,
): PayerMail => {
  const last = step === 'day7'
  return write(
    payer,
    last ? 'Swath is read-only until the payment goes through' : 'Your payment for Swath did not go through',
    [
      paragraph(
        `We could not charge ${formatCents(invoice.totalCents)} to the card of ${payer.businessName}. Nothing was charged.`,
      ),
      paragraph(
        last
          ? 'We stop asking the card now. Your crews finish their work, and you can read and export everything; changes in the office wait until it is paid.'
          : 'Everything stays on for 7 days. We ask the card again after 3, 5 and 7 days.',
      ),
      button('Update the card', manage()),
    ],
  )
}

/** A trial ends in three days: what happens then, and how not to let it. */
export const trialMail = (
  payer: Payer,
  s: { plan: string; period: 'month' | 'year'; priceCents: number; trialEndsAt: string },
): PayerMail =>
  write(payer, `Your Swath trial ends on ${dayLabel(payer, s.trialEndsAt)}`, [
    paragraph(
      `The trial of ${payer.businessName} ends on ${dayLabel(payer, s.trialEndsAt)}. On that day the card on file is charged ${formatCents(s.priceCents)} for ${planLabel(s.plan, s.period)}, and the plan goes on.`,
    ),
    paragraph(
      'If you do not want that, cancel before; nothing is charged then, and you keep everything to read and export.',
    ),
    button('Manage the plan', manage()),
  ])
