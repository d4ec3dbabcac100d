import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { type LockedInvoice, lockInvoicesTx } from '../../server/rows/commands.ts'
import { quotesOfInvoices } from './quotes.ts'

/**
 * A voided invoice, locked with all that could bill its work meanwhile: its quote, in the order in which that becomes a job or an invoice, and the
 * first of those that were voided and made again one after the other.
 * @throws not_found
 */
export const lockToMakeAgainTx = async (db: TenantDb, id: string): Promise<LockedInvoice> => {
  const found = await db
    .selectFrom('invoices')
    .select(['quoteId', 'madeFrom'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (found?.quoteId) await quotesOfInvoices().lockTx(db, found.quoteId)
  const locked = await lockInvoicesTx(db, [id, ...(found?.madeFrom ? [found.madeFrom] : [])])
  const old = locked.find((one) => one.id === id)
  if (!old) throw notFound('invoice')
  return old
}

/** @throws state_conflict where a page asks for the deposit of the locked quote, so that it is not paid beside the invoice */
export const assertNoDepositPageTx = async (db: TenantDb, quoteId: string): Promise<void> => {
  if (await quotesOfInvoices().hasOpenDepositPage(db, quoteId))
    throw conflict(
      'The customer has the payment page of its quote’s deposit open. Nothing was changed: make the invoice from the quote, which ends that page, or try it again.',
    )
}
