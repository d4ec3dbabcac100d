import { sql } from 'kysely'
import { userIdOf, type Who } from '../../../../platform/actor.ts'
import { auditAll } from '../../../../platform/audit.ts'
import { nextNumber } from '../../../../platform/db/counters.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { isCheckoutOpen } from '../../pending/server/queries.ts'
import { invoiceTotals } from '../../rules.ts'
import { voidTx } from '../../server/commands.ts'
import { insertInvoicesTx, issueInvoicesTx } from '../../server/rows/commands.ts'

/** What customers owed before their business came here: an invoice each that says from where and as of when, without tax, and no income of these books. */

const termsDays = 30
const stopped = 'An opening balance: nobody is reminded of it by itself'

export type OpeningBalance = {
  customerId: string
  cents: number
  /** As of when it was owed. */
  on: Day
  /** The program or file that says so. */
  from: string
  billTo: Record<string, string | null>
  importId: string
}

const lineOf = ({ on, from, cents }: OpeningBalance) => ({
  serviceOn: null,
  description: `Opening balance as of ${formatDay(on, { year: true })}, brought from ${from}`,
  quantity: 1,
  unitPriceCents: cents,
  taxCategory: 'none',
})

/** Issues opening balances today; nobody is mailed. @returns their invoices, in the order given */
export const openBalancesTx = async (
  db: TenantDb,
  who: Who,
  balances: readonly OpeningBalance[],
): Promise<string[]> => {
  if (balances.length === 0) return []
  const first = await nextNumber(db, 'invoice', balances.length)
  const ids = await insertInvoicesTx(
    db,
    userIdOf(who),
    balances.map((one, i) => ({
      number: first + i,
      customerId: one.customerId,
      termsDays,
      message: '',
      billTo: one.billTo,
      totals: invoiceTotals([lineOf(one)]),
      lines: [lineOf(one)],
    })),
  )
  const rows = balances.map((one, i) => ({ id: ids[i], from: one.from, import_id: one.importId }))
  await sql`
    update invoices i set opening_from = r.from, import_id = r.import_id, reminders_stopped = ${stopped}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, "from" text, import_id uuid)
    where i.business_id = ${db.businessId} and i.id = r.id`.execute(db)
  await issueInvoicesTx(db, ids)
  await auditAll(
    db,
    who,
    'invoice.openingBalance',
    'invoice',
    balances.map((one, i) => ({ id: ids[i] ?? null, after: { amountCents: one.cents, on: one.on, from: one.from } })),
  )
  await publishChange(db, 'invoices', ids)
  return ids
}

/** Voids opening balances of an import on which nothing was paid, so many at a time. Returns how many. */
export const voidOpeningBalancesTx = async (
  db: TenantDb,
  actor: Who,
  importId: string,
  limit: number,
): Promise<number> => {
  const open = await db
    .selectFrom('invoices')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('importId', '=', importId)
    .where('status', '=', 'issued')
    .where('paidCents', '=', 0)
    .where('pendingCents', '=', 0)
    .where('disputed', '=', false)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('paymentAllocations as a')
            .select('a.paymentId')
            .whereRef('a.businessId', '=', 'invoices.businessId')
            .whereRef('a.invoiceId', '=', 'invoices.id'),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  let voided = 0
  for (const { id } of open) {
    if (await isCheckoutOpen(db, id)) continue
    await voidTx(db, actor, id)
    voided += 1
  }
  return voided
}
