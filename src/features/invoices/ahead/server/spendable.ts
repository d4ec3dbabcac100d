import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** What an invoice would find paid, said by who keeps the money: it knows of invoices, and they do not know of it. */

type AtIssue = { depositCents: number; creditCents: number }
export type Spendable = (
  db: TenantDb,
  invoice: { id: string; customerId: string; totalCents: number },
) => Promise<AtIssue>

let spendable: Spendable = async () => ({ depositCents: 0, creditCents: 0 })

/** Set once at start. */
export const setSpendable = (use: Spendable): void => {
  spendable = use
}

/** What of an invoice would be paid in the moment in which it is issued. */
export const readAtIssue: Spendable = (db, invoice) => spendable(db, invoice)
