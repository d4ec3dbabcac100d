import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { conflict } from '../../../../shared/errors.ts'
import { allocateCents } from '../../../../shared/money.ts'
import { lockVisit, writeVisit } from '../row/commands.ts'

/** What invoices do to visits. */

export type Billed = { visitId: string; invoiceId: string }

/**
 * Notes on which invoices visits stand, all in one statement.
 * @throws AppError state_conflict when one is not finished any more or stands on an invoice already
 */
export const putOnInvoicesTx = async (db: TenantDb, billed: readonly Billed[]): Promise<void> => {
  if (billed.length === 0) return
  const written = await sql`
    update visits v set invoice_id = n.invoice_id, version = v.version + 1, updated_at = ${clock.iso()}
    from unnest(${billed.map((b) => b.visitId)}::uuid[], ${billed.map((b) => b.invoiceId)}::uuid[]) as n(id, invoice_id)
    where v.business_id = ${db.businessId} and v.id = n.id and (v.status = 'completed' or v.skip_charge_cents is not null) and v.invoice_id is null`.execute(
    db,
  )
  if (Number(written.numAffectedRows) !== billed.length)
    throw conflict('A visit was opened again or billed meanwhile. Nothing was invoiced; look at the list again.')
  await publishChange(
    db,
    'visits',
    billed.map((b) => b.visitId),
  )
}

/** The visits of an invoice, or only some of them, stand on none again. */
export const takeOffInvoiceTx = async (db: TenantDb, invoiceId: string, only?: readonly string[]): Promise<void> => {
  let query = db
    .updateTable('visits')
    .set((eb) => ({ invoiceId: null, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoiceId)
  if (only) query = query.where('id', 'in', [...only])
  const freed = await query.returning('id').execute()
  if (freed.length > 0)
    await publishChange(
      db,
      'visits',
      freed.map((visit) => visit.id),
    )
}

/** Notes whose work counts against a billing plan as a whole, or no longer does: such a visit is billed by its plan. */
export const coverVisitsTx = async (
  db: TenantDb,
  visits: readonly { visitId: string; planId: string | null }[],
): Promise<void> => {
  if (visits.length === 0) return
  await sql`
    update visits v set covered_by = n.plan_id, version = v.version + 1, updated_at = ${clock.iso()}
    from unnest(${visits.map((one) => one.visitId)}::uuid[], ${visits.map((one) => one.planId)}::uuid[]) as n(id, plan_id)
    where v.business_id = ${db.businessId} and v.id = n.id and v.covered_by is distinct from n.plan_id`.execute(db)
  await publishChange(
    db,
    'visits',
    visits.map((one) => one.visitId),
  )
}

export type Settlement = { priceCents: number } | { billable: boolean }

/**
 * What a finished visit costs, spread over its lines, or that nobody is billed for it.
 * @throws AppError not_found, state_conflict when it is not finished or stands on an invoice
 */
export const settleVisitTx = async (
  db: TenantDb,
  visitId: string,
  settlement: Settlement,
): Promise<{ priceCents: number; billable: boolean }> => {
  const visit = await lockVisit(db, visitId)
  if (visit.invoiceId) throw conflict('This visit stands on an invoice already. Take that one back first.')
  const charged = visit.status === 'skipped' && visit.skipChargeCents !== null
  if (visit.status !== 'completed' && !charged)
    throw conflict('Only a finished visit can be billed. Nothing was changed.')
  if ('priceCents' in settlement && !charged) await priceLines(db, visitId, settlement.priceCents)
  if ('priceCents' in settlement && charged && settlement.priceCents === 0)
    throw conflict('A charge of nothing is none: mark the visit as not billed instead.')
  await writeVisit(db, visit, {
    ...settlement,
    ...('priceCents' in settlement && charged ? { skipChargeCents: settlement.priceCents } : {}),
  })
  return { priceCents: visit.priceCents, billable: visit.billable, ...settlement }
}

const priceLines = async (db: TenantDb, visitId: string, priceCents: number): Promise<void> => {
  const lines = await db
    .selectFrom('visitLines')
    .select(['id', 'quantity', 'unitPriceCents'])
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  if (lines.length === 0)
    throw conflict('This visit has no service on it, so there is nothing to price. Mark it as not billed instead.')
  const parts = allocateCents(
    priceCents,
    lines.map((line) => line.quantity * line.unitPriceCents),
  )
  for (const [i, line] of lines.entries())
    await db
      .updateTable('visitLines')
      .set({ quantity: 1, unitPriceCents: parts[i] ?? 0 })
      .where('businessId', '=', db.businessId)
      .where('id', '=', line.id)
      .execute()
}
