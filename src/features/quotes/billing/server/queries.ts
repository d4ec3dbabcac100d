import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** The invoice that was made from a quote as a whole and was not voided. */
export const findQuoteInvoice = async (db: TenantDb, quoteId: string): Promise<{ id: string; number: number } | null> =>
  (await db
    .selectFrom('invoices')
    .select(['id', 'number'])
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('status', '!=', 'void')
    .executeTakeFirst()) ?? null
