import { type Actor, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { directly, type Once } from '../../../../platform/http/idempotency.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { stopMessagesTx } from '../../../messages/server/commands.ts'
import type { Invoice } from '../../contract.ts'
import { tellOfKeptFeesTx } from '../../latefees/server/kept.ts'
import { getLateFees } from '../../latefees/server/queries.ts'
import { endOpenPages, endOpenPagesTx } from '../../pending/server/pages.ts'
import { isBeingCharged, isCheckoutOpen } from '../../pending/server/queries.ts'
import { invoiceName, invoiceRefusals, isOpen } from '../../rules.ts'
import { getInvoice } from '../../server/queries.ts'
import {
  addLedgerEntryTx,
  type LockedInvoice,
  lockInvoicesTx,
  lockInvoiceTx,
  setInvoiceTx,
} from '../../server/rows/commands.ts'

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

/** Why an invoice was written off, the last time. */
const reasonOf = async (db: TenantDb, invoiceId: string): Promise<string> =>
  (
    await db
      .selectFrom('writeOffs')
      .select('reason')
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', invoiceId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  ).reason

/** An invoice whose write-off stood aside for a moment (`reinstateTx`) is written off again over what is open now, for the reason that was given before. */
export const writeOffAgainTx = async (
  db: TenantDb,
  who: Who,
  invoice: LockedInvoice,
  onDay: string,
): Promise<LockedInvoice> => writeOffTx(db, who, invoice, { reason: await reasonOf(db, invoice.id), onDay })

const feeReason = (number: number): string => `${invoiceName(number)} was written off`

/** The late fees of a locked invoice, locked after it. */
const lockFeesTx = async (db: TenantDb, id: string): Promise<LockedInvoice[]> =>
  lockInvoicesTx(
    db,
    (await getLateFees(db, id)).lateFees.map((fee) => fee.id),
  )

/**
 * Lets go of what is open on an invoice and on its late fees: nobody waits for it any more, nobody is reminded of it, and no card is charged for a fee
 * of what was let go.
 */
export const writeOffInvoice = async (
  actor: Actor,
  id: string,
  { reason }: { reason: string },
  once: Once = directly,
): Promise<Invoice> => {
  const check = async (db: TenantDb): Promise<LockedInvoice> => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.writeOff({ ...invoice, beingCharged: await isBeingCharged(db, id) }))
    return invoice
  }
  const feeIds = await withTenant(actor, async (db) => {
    await check(db)
    return (await getLateFees(db, id)).lateFees.map((fee) => fee.id)
  })
  await endOpenPages(actor.businessId, [id, ...feeIds])
  return once(() =>
    withTenant(actor, async (db) => {
      const invoice = await check(db)
      await endOpenPagesTx(db, id)
      const onDay = await todayOf(db)
      await writeOffTx(db, actor, invoice, { reason, onDay })
      const gone: string[] = []
      const kept: LockedInvoice[] = []
      for (const fee of await lockFeesTx(db, id)) {
        if (!isOpen(fee.status)) continue
        if (fee.pendingCents > 0 || (await isCheckoutOpen(db, fee.id))) {
          kept.push(fee)
          continue
        }
        await writeOffTx(db, actor, fee, { reason: feeReason(invoice.number), onDay })
        gone.push(fee.id)
      }
      await tellOfKeptFeesTx(
        db,
        feeReason(invoice.number),
        invoice.customerId,
        kept.map((fee) => ({ id: fee.id, number: fee.number, openCents: fee.totalCents - fee.paidCents })),
      )
      await publishChange(db, 'invoices', [id, ...gone])
      return getInvoice(db, actor, id)
    }),
  )
}

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
  const after = await setInvoiceTx(db, invoice, {
    status: invoice.paidCents > 0 ? 'partially_paid' : 'issued',
    reopenedOn: await todayOf(db),
  })
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

/** A written off invoice is open again, with the late fees that went with it: the customer wants to pay after all. */
export const reinstateInvoice = (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.reinstate(invoice))
    const onDay = await todayOf(db)
    await reinstateTx(db, actor, invoice, onDay)
    const back: string[] = []
    for (const fee of await lockFeesTx(db, id)) {
      if (fee.status !== 'written_off' || (await reasonOf(db, fee.id)) !== feeReason(invoice.number)) continue
      await reinstateTx(db, actor, fee, onDay)
      back.push(fee.id)
    }
    await publishChange(db, 'invoices', [id, ...back])
    return getInvoice(db, actor, id)
  })
