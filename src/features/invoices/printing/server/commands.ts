import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { auditAll } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { conflict } from '../../../../shared/errors.ts'
import type { InvoiceChoice } from '../../contract.ts'
import { renderInvoices } from '../../server/commands.ts'
import { listChosen } from '../../server/queries.ts'
import { isPrintable, mostPrinted, nothingToPrint, tooManyToPrint } from '../rules.ts'

/**
 * Chosen invoices as one PDF, by number. Those that are open are kept as printed once the file stands.
 * @throws not_found, conflict for too many or none that has a paper
 */
export const printInvoices = async (actor: Actor, choice: InvoiceChoice): Promise<Uint8Array> => {
  const ids = await withTenant(actor, async (db) => {
    const rows = await listChosen(db, choice)
    if (rows.length > mostPrinted) throw conflict(tooManyToPrint)
    return rows.filter(({ status }) => isPrintable(status)).map(({ id }) => id)
  })
  if (ids.length === 0) throw conflict(nothingToPrint)
  const pdf = await renderInvoices(actor.businessId, ids)
  await withTenant(actor, async (db) => {
    await db
      .updateTable('invoices')
      .set({ printedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where('status', 'in', ['issued', 'partially_paid'])
      .execute()
    await auditAll(
      db,
      actor,
      'invoice.print',
      'invoice',
      ids.map((id) => ({ id })),
    )
    await publishChange(db, 'invoices', ids)
  })
  return pdf
}
