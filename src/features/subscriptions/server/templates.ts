import { absoluteUrl } from '../../../platform/links.ts'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { planLabel } from '../rules.ts'

type Payer = { name: string; businessName: string; timeZone: string }

const manage = () => absoluteUrl(`${paths.profile}#plan`)
const dayLabel = (payer: Payer, instant: string) =>
  formatDay(dayOf(instant, payer.timeZone), { long: true, year: true })
const hello = (payer: Payer) => `Hello ${payer.name.split(' ')[0] ?? payer.name},`

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
): { subject: string; text: string } => ({
  subject: `${livemode ? '' : 'TEST – '}Receipt ${invoice.number} from Swath: ${formatCents(invoice.totalCents)}`,
  text: [
    hello(payer),
    `thank you. ${payer.businessName} paid ${formatCents(invoice.totalCents)} for Swath.`,
    [
      `${invoice.description}: ${formatCents(invoice.subtotalCents)}`,
      ...(invoice.discountCents ? [`Discount: -${formatCents(invoice.discountCents)}`] : []),
      ...(invoice.taxCents ? [`Sales tax: ${formatCents(invoice.taxCents)}`] : []),
      `Paid: ${formatCents(invoice.totalCents)} on ${dayLabel(payer, invoice.issuedAt)}`,
    ].join('\n'),
    ...(livemode ? [] : ['This is a test: no money moved.']),
    `All invoices: ${manage()}`,
  ].join('\n\n'),
})

/** A payment failed: what stays on, until when, and where to fix it. */
export const failedMail = (
  payer: Payer,
  invoice: { totalCents: number },
  step: 'first' | `day${number}`,
): { subject: string; text: string } => {
  const last = step === 'day7'
  return {
    subject: last ? 'Swath is read-only until the payment goes through' : 'Your payment for Swath did not go through',
    text: [
      hello(payer),
      `we could not charge ${formatCents(invoice.totalCents)} to the card of ${payer.businessName}. Nothing was charged.`,
      last
        ? 'We stop asking the card now. Your crews finish their work, and you can read and export everything; changes in the office wait until it is paid.'
        : 'Everything stays on for 7 days. We ask the card again after 3, 5 and 7 days.',
      `Update the card here: ${manage()}`,
    ].join('\n\n'),
  }
}

/** A trial ends in three days: what happens then, and how not to let it. */
export const trialMail = (
  payer: Payer,
  s: { plan: string; period: 'month' | 'year'; priceCents: number; trialEndsAt: string },
): { subject: string; text: string } => ({
  subject: `Your Swath trial ends on ${dayLabel(payer, s.trialEndsAt)}`,
  text: [
    hello(payer),
    `the trial of ${payer.businessName} ends on ${dayLabel(payer, s.trialEndsAt)}. On that day the card on file is charged ${formatCents(s.priceCents)} for ${planLabel(s.plan, s.period)}, and the plan goes on.`,
    'If you do not want that, cancel before; nothing is charged then, and you keep everything to read and export.',
    `Manage the plan: ${manage()}`,
  ].join('\n\n'),
})
