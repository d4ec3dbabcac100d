import type { InvoiceStatus } from '../rules.ts'

/** So many invoices are on one file to print. */
export const mostPrinted = 200

/** A draft is owed by nobody yet, and a void one by nobody any more. */
export const isPrintable = (status: InvoiceStatus): boolean => status !== 'draft' && status !== 'void'

export const nothingToPrint =
  'None of these can be printed: drafts are issued first, and of void ones there is no paper.'
export const tooManyToPrint = `These are more than ${mostPrinted} invoices, too many for one file. Pick at most ${mostPrinted}. Nothing was printed.`
