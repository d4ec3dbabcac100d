import { sql } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { forEachChunk } from '../../reminders/server/pages.ts'
import { invoiceName, invoicePrefix, lateFrom } from '../../rules.ts'
import { type LockedInvoice, lockInvoicesTx, setInvoiceTx } from '../../server/rows/commands.ts'
import { listReach, type Reach } from '../../unreached/server/queries.ts'
import { didNotReach, mayNotHaveReached } from '../rules.ts'
import { type After, afterInvoice } from './queries.ts'

/** Lets the late fee of a locked invoice rest that did not reach its customer, or may not have, and tells the office. */
export const restForUnreachedTx = async (
  db: TenantDb,
  invoice: LockedInvoice,
  { customerName, state }: Reach,
  feeCents: number,
): Promise<void> => {
  const name = invoiceName(invoice.number)
  const isLost = state === 'lost'
  await setInvoiceTx(db, invoice, {
    remindersStopped: isLost ? didNotReach(name) : mayNotHaveReached(name),
    answeredAt: clock.iso(),
  })
  const goesOn = `Its days of grace begin when it reaches them. Open the invoice to charge the fee of ${formatCents(feeCents)} now, or to let it go.`
  await notifyOffice(db, {
    type: 'invoice',
    title: isLost
      ? `The late fee on ${name} waits: it did not reach ${customerName}`
      : `The late fee on ${name} waits: nobody knows whether it reached ${customerName}`,
    content: isLost
      ? `Correct their address and send ${name} again. ${goesOn}`
      : `Contact was lost while it was sent. Ask them, or send ${name} again. ${goesOn}`,
    customerId: invoice.customerId,
    path: linkTo.invoice(invoice.id),
    dedupeKey: `reminders-stopped:${invoice.id}:${invoice.version}`,
  })
}

/** The day from which an invoice counts that reached its customer later than it was late from; null where it did not. */
export const reachedLater = (
  invoice: LockedInvoice,
  reachedAt: string,
  timeZone: string,
): { reachedOn: string } | null => {
  const reachedOn = dayOf(new Date(reachedAt), timeZone)
  const from = lateFrom(invoice)
  return from !== null && reachedOn > from ? { reachedOn } : null
}

/** Lets a locked invoice count from the day on which it reached its customer. @returns it as it stands then */
export const countFromReachTx = (
  db: TenantDb,
  invoice: LockedInvoice,
  { reachedOn }: { reachedOn: string },
): Promise<LockedInvoice> => setInvoiceTx(db, invoice, { reachedOn, reopenedOn: reachedOn })

/** So many that rest are looked at in one transaction. */
const chunkSize = 40

/** Open invoices whose late fee rests because they did not reach their customers, or may not have. */
const listRestingUnreached = async (db: TenantDb, after: After | null): Promise<After[]> => {
  const { rows } = await sql<After>`
    select i.id, i.due_on, i.number from invoices i
    where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid') and i.answered_at is not null
      and i.reminders_stopped in (${invoicePrefix}::text || i.number || ${didNotReach('')}::text, ${invoicePrefix}::text || i.number || ${mayNotHaveReached('')}::text)
      ${afterInvoice(after)}
    order by i.due_on, i.number limit 500`.execute(db)
  return rows
}

/**
 * Lets late fees and reminders go on by themselves where an invoice reached its customer after all: they count from that day. One of which
 * nobody knew, and that came back, says so by now.
 */
export const releaseReached = (actor: SystemActor): Promise<void> =>
  forEachChunk(
    (after: After | null) => withTenant(actor, (db) => listRestingUnreached(db, after)),
    chunkSize,
    (ids) =>
      withTenant(actor, async (db) => {
        const locked = await lockInvoicesTx(db, ids)
        const reach = await listReach(db, ids)
        const timeZone = await timeZoneOf(db)
        for (const invoice of locked) {
          const name = invoiceName(invoice.number)
          const one = reach.get(invoice.id)
          const isUnknown = invoice.remindersStopped === mayNotHaveReached(name)
          // after the lock: the office may have said meanwhile how it goes on
          if (!one || (!isUnknown && invoice.remindersStopped !== didNotReach(name))) continue
          if (one.state === 'reached' && one.reachedAt !== null) {
            const open = await setInvoiceTx(db, invoice, { remindersStopped: null, answeredAt: null })
            const later = reachedLater(open, one.reachedAt, timeZone)
            if (later) await countFromReachTx(db, open, later)
          } else if (isUnknown && one.state === 'lost')
            await setInvoiceTx(db, invoice, { remindersStopped: didNotReach(name) })
          else continue
          await publishChange(db, 'invoices', [invoice.id])
        }
      }),
  )
