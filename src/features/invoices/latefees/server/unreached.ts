import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { invoiceName } from '../../rules.ts'
import { type LockedInvoice, setInvoiceTx } from '../../server/rows/commands.ts'
import { didNotReach } from '../rules.ts'

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
