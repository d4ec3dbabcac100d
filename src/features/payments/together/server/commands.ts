import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type LockedInvoice, lockInvoicesTx } from '../../../invoices/server/rows/commands.ts'
import { listOthers } from '../../../invoices/together/server/queries.ts'

/** Locks an invoice and, with it, the others of its customer that the same money may pay: all at once, so that no two wait for each other. */
export const lockOthersTx = async (db: TenantDb, invoiceId: string): Promise<LockedInvoice[]> => {
  const own = await db
    .selectFrom('invoices')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoiceId)
    .executeTakeFirst()
  if (!own) return []
  const ids = await listOthers(db, own.customerId, invoiceId)
  const locked = new Map((await lockInvoicesTx(db, [invoiceId, ...ids])).map((invoice) => [invoice.id, invoice]))
  // what changed before the locks were there is left alone
  const still = new Set(await listOthers(db, own.customerId, invoiceId))
  return ids.flatMap((id) => (still.has(id) ? (locked.get(id) ?? []) : []))
}
