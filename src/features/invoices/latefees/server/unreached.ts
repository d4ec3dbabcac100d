import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { invoiceName } from '../../rules.ts'
import { type LockedInvoice, setInvoiceTx } from '../../server/rows/commands.ts'
import { didNotReach } from '../rules.ts'

/**
 * Of invoices: the names of customers by the invoices that were sent to them and never arrived. All that left came back or was refused, since
 * the office last said that it goes on; nobody opened the page, and nobody printed it to hand it over.
 */
export const listUnreached = async (db: TenantDb, ids: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ id: string; name: string }>`
    select i.id, c.name from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    cross join lateral (
      select bool_or(m.status in ('failed', 'suppressed') and m.created_at > coalesce(i.reminders_from, '-infinity')) as lost,
        bool_or(m.status not in ('failed', 'suppressed')) as reached
      from messages m where m.business_id = i.business_id and m.entity_type = 'invoice' and m.entity_id = i.id and m.direction = 'outbound') told
    where i.business_id = ${db.businessId} and i.id = any(${[...ids]}::uuid[]) and i.viewed_at is null and i.printed_at is null
      and told.lost and not told.reached`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Lets the late fee of a locked invoice rest that did not reach its customer, and tells the office. */
export const restForUnreachedTx = async (
  db: TenantDb,
  invoice: LockedInvoice,
  customerName: string,
  feeCents: number,
): Promise<void> => {
  const name = invoiceName(invoice.number)
  await setInvoiceTx(db, invoice, { remindersStopped: didNotReach(name), answeredAt: clock.iso() })
  await notifyOffice(db, {
    type: 'invoice',
    title: `The late fee on ${name} waits: it did not reach ${customerName}`,
    content: `Correct their address and send ${name} again. Open the invoice to charge the fee of ${formatCents(feeCents)}, or to let it go.`,
    customerId: invoice.customerId,
    path: linkTo.invoice(invoice.id),
    dedupeKey: `reminders-stopped:${invoice.id}:${invoice.version}`,
  })
}
