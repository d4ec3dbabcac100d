import type { TenantDb } from '../../../../platform/db/tenant.ts'

type Draft = { id: string; customerId: string; totalCents: number }
export type AtIssue = { depositCents: number; creditCents: number }
export type ReadSpendable = (db: TenantDb, draft: Draft) => Promise<AtIssue>

/** Said by who keeps the money: it knows of invoices, and they do not know of it. */
let spendable: ReadSpendable = async () => ({ depositCents: 0, creditCents: 0 })

/** What of a draft would be paid in the moment in which it is issued. */
export const readAtIssue: ReadSpendable = (db, draft) => spendable(db, draft)

/** Set once at start. */
export const setSpendable = (read: ReadSpendable): void => {
  spendable = read
}
