import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { invoiceName } from '../../rules.ts'
import { type LockedInvoice, setInvoiceTx } from '../../server/rows/commands.ts'
import type { Answered } from './queries.ts'

/** Why nothing of an invoice leaves by itself any more, in the words that stand on it; null where its customer has not answered. */
const whyStopped = (
  { name, wrote, called, paid }: Answered,
  invoice: LockedInvoice,
  timeZone: string,
): string | null => {
  const { lastRemindedAt } = invoice
  const since = lastRemindedAt ? formatDay(dayOf(new Date(lastRemindedAt), timeZone)) : 'it was sent'
  if (paid) return `Part of it was paid since ${since}`
  if (wrote) return `${name} wrote since ${since}`
  return called ? `There was a call with ${name} since ${since}` : null
}

/**
 * Stops the reminders and late fees of a locked invoice whose customer wrote, was on the phone or paid a part since they were last asked, and tells the office.
 * @param feeCents the late fee that rests with it
 * @returns whether they answered
 */
export const stopForAnswerTx = async (
  db: TenantDb,
  invoice: LockedInvoice,
  answered: Answered,
  timeZone: string,
  feeCents?: number,
): Promise<boolean> => {
  const reason = whyStopped(answered, invoice, timeZone)
  if (reason === null) return false
  await setInvoiceTx(db, invoice, { remindersStopped: reason, answeredAt: clock.iso() })
  const name = invoiceName(invoice.number)
  const open = `${formatCents(invoice.totalCents - invoice.paidCents)} is still open.`
  await notifyOffice(db, {
    type: 'invoice',
    title: feeCents
      ? `The late fee on ${name} waits: ${answered.name} answered`
      : `No more reminders of ${name} to ${answered.name}`,
    content: feeCents
      ? `${reason}. ${open} Open the invoice to charge the fee of ${formatCents(feeCents)}, or to let it go.`
      : `${reason}. ${open} Open the invoice to remind again.`,
    customerId: invoice.customerId,
    path: linkTo.invoice(invoice.id),
    dedupeKey: `reminders-stopped:${invoice.id}:${invoice.version}`,
  })
  return true
}
