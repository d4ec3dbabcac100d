import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** The quote of an invoice that is made again, as the quotes keep it: they know of invoices, and invoices do not know of them. */
type QuotesOfInvoices = {
  /** Holds the quote, as what makes it a job or an invoice does. @throws not_found */
  lockTx: (db: TenantDb, quoteId: string) => Promise<unknown>
  /** Whether a page asks for its deposit right now. */
  hasOpenDepositPage: (db: TenantDb, quoteId: string) => Promise<boolean>
}

let quotes: QuotesOfInvoices | null = null

/** Set once at start. */
export const setQuotes = (use: QuotesOfInvoices): void => {
  quotes = use
}

/** @throws Error where nobody handed them over at start: nothing is billed twice because a part is missing */
export const quotesOfInvoices = (): QuotesOfInvoices => {
  if (!quotes) throw new Error('Nobody said at start who keeps the quotes.')
  return quotes
}
