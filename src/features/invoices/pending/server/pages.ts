import type { BusinessId, TenantDb } from '../../../../platform/db/tenant.ts'

/** Payment pages of invoices, ended by who opens them: they know of invoices, and invoices do not know of them. */
type Pages = {
  /** Asks the provider first, so that what was paid meanwhile is booked. @throws state_conflict while the provider does not answer */
  end: (businessId: BusinessId, invoiceIds: readonly string[]) => Promise<void>
  /** In the books at once, at the provider after the commit; the caller holds the invoice. */
  endTx: (db: TenantDb, invoiceId: string) => Promise<void>
}

let pages: Pages = { end: async () => {}, endTx: async () => {} }

/** Set once at start. */
export const setPages = (use: Pages): void => {
  pages = use
}

/** Ends the open payment pages of invoices that are about to be let go, before the transaction that does it. */
export const endOpenPages: Pages['end'] = (businessId, invoiceIds) => pages.end(businessId, invoiceIds)

/** Ends what was opened since: nobody keeps an invoice from being let go by pressing Pay again and again. */
export const endOpenPagesTx: Pages['endTx'] = (db, invoiceId) => pages.endTx(db, invoiceId)
