import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { paths } from '../../../../shared/paths.ts'
import { getLetterSender } from '../../../businesses/letters/server/queries.ts'
import { stepLabel, usualReminderSteps } from '../../../businesses/reminders/rules.ts'
import { type Foreseen, foreseen, standInToken } from '../../../messages/foreseen/rules.ts'
import { isReached } from '../../../messages/paperways/rules.ts'
import { listPaperReach } from '../../../messages/paperways/server/queries.ts'
import { stopLine } from '../../../messages/server/queries.ts'
import { readPlan } from '../../reminders/server/queries.ts'
import { reminderSaid, type SaidInvoice } from '../../server/templates.ts'
import { invoiceText } from '../../server/texts.ts'
import { owedAt, type PastInvoice, type PastStep, reminderDays, stepsOfPast, unreachedReason } from '../rules.ts'
import { listPast, type PastFee, type PastRow } from './facts.ts'

/** What reminders of invoices would have been in the past, by the rules by which they leave. */

/** An invoice as its customer would have read it then. */
const asOf = (row: PastRow, past: PastInvoice, fees: readonly PastFee[], step: PastStep): SaidInvoice => {
  const came = past.moves.filter(({ atMs }) => atMs <= step.atMs)
  const sumOf = (moves: typeof came): number => moves.reduce((sum, { cents }) => sum + cents, 0)
  return {
    number: row.number,
    language: row.language,
    billTo: { name: row.billedName },
    message: row.message,
    dueOn: row.dueOn,
    overdue: row.dueOn < step.day,
    totalCents: row.totalCents,
    balanceCents: step.openCents,
    paidCents: sumOf(came),
    creditedCents: sumOf(came.filter(({ isCredit }) => isCredit)),
    // a reminder does not tell how it was paid
    payments: [],
    createdAt: '',
    lateFees: fees.map(({ createdAt, waivedOn, ...fee }) => ({
      openCents:
        waivedOn !== null && waivedOn <= step.day ? 0 : owedAt({ ...fee, issuedMs: Date.parse(createdAt) }, step.atMs),
    })),
  }
}

/** How to get no more, where a text is the first to its number; each is looked for once. */
const stopsOf = (db: TenantDb) => {
  const known = new Map<string, Promise<string>>()
  return (to: Parameters<typeof stopLine>[1]): Promise<string> => {
    const key = `${to.customerId} ${to.address}`
    const found = known.get(key) ?? stopLine(db, to)
    known.set(key, found)
    return found
  }
}

/** "One on the due day, one 7 days late and one 30 days late". */
const stepWords = (steps: readonly number[]): string => {
  const names = steps.map((step) => stepLabel(step).toLowerCase())
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/**
 * Reminders of invoices whose step came in a span: what was open then, after what the customer and the office had said and done by then. Addresses, ways and
 * consent are as they are now; so is a stop or a promise of which nobody wrote down when it came.
 * @param most so many invoices are looked at, the last due
 */
export const foreseeInvoiceReminders = async (
  db: TenantDb,
  { from, to, most }: { from: string; to: string; most: number },
): Promise<Foreseen> => {
  const plan = await readPlan(db)
  const isOff = plan.steps.length === 0
  const steps = isOff ? usualReminderSteps : plan.steps
  const { timeZone } = plan
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  const look = { steps, timeZone, fromMs, toMs, days: reminderDays(fromMs, toMs, timeZone) }
  const invoices = await listPast(db, look, most + 1)
  const looked = invoices.slice(0, most)
  const reachOf = await listPaperReach(
    db,
    looked.map(({ row }) => row.customerId),
    { ofPlan: false },
  )
  const { name } = await getLetterSender(db)
  const stops = stopsOf(db)
  const url = absoluteUrl(paths.invoice(standInToken))
  const found: Foreseen = {
    sent: [],
    notSent: [],
    tooMany: invoices.length > most,
    assumes: isOff
      ? `Invoice reminders are off. This is how it would be with the usual ones: ${stepWords(steps)}.`
      : null,
  }
  for (const { row, past, fees } of looked) {
    const { customerId, language } = row
    const reach = reachOf(customerId)
    for (const step of stepsOfPast(past, isReached(reach) ? null : unreachedReason(reach), look)) {
      const dueAt = new Date(step.atMs).toISOString()
      if (step.against !== null) {
        found.notSent.push({ customerId, dueAt, reason: step.against })
        continue
      }
      const invoice = asOf(row, past, fees, step)
      const about = { customerId, dueAt, language, url }
      for (const { mail, text } of [reach, ...reach.others]) {
        if (mail !== null) found.sent.push(foreseen(about, { channel: 'email', ...reminderSaid(invoice, name) }))
        if (text !== null) {
          const stop = await stops({ customerId, address: text, language })
          const words = invoiceText(invoice, name, url, 'reminder', language)
          found.sent.push(foreseen(about, { channel: 'sms', text: `${words}${stop}` }))
        }
      }
    }
  }
  found.sent.sort((a, b) => b.dueAt.localeCompare(a.dueAt))
  found.notSent.sort((a, b) => b.dueAt.localeCompare(a.dueAt))
  return found
}
