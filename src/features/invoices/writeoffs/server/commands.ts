import { type Actor, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { stopMessagesTx } from '../../../messages/server/commands.ts'
import type { Invoice } from '../../contract.ts'
import { isCheckoutOpen } from '../../pending/server/queries.ts'
import { invoiceName, invoiceRefusals } from '../../rules.ts'
import { getInvoice } from '../../server/queries.ts'
import { addLedgerEntryTx, type LockedInvoice, lockInvoiceTx, setInvoiceTx } from '../../server/rows/commands.ts'

/** Writes what is open on a locked invoice off. @returns the invoice as it stands then, and what was let go */
export const writeOffTx = async (
  db: TenantDb,
  who: Who,
  invoice: LockedInvoice,
  { reason, onDay }: { reason: string; onDay: string },
): Promise<LockedInvoice> => {
  const { id } = invoice
  const amountCents = invoice.totalCents - invoice.paidCents
  const writeOffId = newId()
  await db
    .insertInto('writeOffs')
    .values({
      businessId: db.businessId,
      id: writeOffId,
      invoiceId: id,
      amountCents,
      reason,
      onDay,
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()
  const after = await setInvoiceTx(db, invoice, { status: 'written_off' })
  await stopMessagesTx(db, { type: 'invoice', id }, `${invoiceName(invoice.number)} was written off`)
  await addLedgerEntryTx(db, {
    customerId: invoice.customerId,
    kind: 'write_off',
    amountCents: -amountCents,
    refType: 'write_off',
    refId: writeOffId,
    onDay,
  })
  await audit(db, who, 'invoice.writeOff', { type: 'invoice', id }, { after: { amountCents, reason } })
  return after
}

/** An invoice whose write-off stood aside for a moment (`reinstateTx`) is written off again over what is open now, for the reason that was given before. */
export const writeOffAgainTx = async (
  db: TenantDb,
  who: Who,
  invoice: LockedInvoice,
  onDay: string,
): Promise<LockedInvoice> => {
  const { reason } = await db
    .selectFrom('writeOffs')
    .select('reason')
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoice.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return writeOffTx(db, who, invoice, { reason, onDay })
}

/** Lets go of what is open on an invoice: nobody waits for it any more, and nobody is reminded of it. */
export const writeOffInvoice = (actor: Actor, id: string, { reason }: { reason: string }): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.writeOff({ ...invoice, checkoutOpen: await isCheckoutOpen(db, id) }))
    await writeOffTx(db, actor, invoice, { reason, onDay: await todayOf(db) })
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, actor, id)
  })

/** Opens a written off invoice again that the caller has locked. @returns the invoice as it stands then */
export const reinstateTx = async (
  db: TenantDb,
  who: Who,
  invoice: LockedInvoice,
  onDay: string,
): Promise<LockedInvoice> => {
  const { id } = invoice
  const writeOff = await db
    .updateTable('writeOffs')
    .set({ takenBackOn: onDay })
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', id)
    .where('takenBackOn', 'is', null)
    .returning(['id', 'amountCents'])
    .executeTakeFirstOrThrow()
  const after = await setInvoiceTx(db, invoice, { status: invoice.paidCents > 0 ? 'partially_paid' : 'issued' })
  await addLedgerEntryTx(db, {
    customerId: invoice.customerId,
    kind: 'adjustment',
    amountCents: writeOff.amountCents,
    refType: 'write_off',
    refId: writeOff.id,
    onDay,
  })
  await audit(db, who, 'invoice.reinstate', { type: 'invoice', id })
  return after
}

/** A written off invoice is open again: the customer wants to pay after all. */
export const reinstateInvoice = (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.reinstate(invoice))
    await reinstateTx(db, actor, invoice, await todayOf(db))
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, actor, id)
  })
