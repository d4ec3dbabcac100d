import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { stopMessagesTx } from '../../../messages/server/commands.ts'
import type { Invoice } from '../../contract.ts'
import { invoiceName, invoiceRefusals } from '../../rules.ts'
import { getInvoice, isCheckoutOpen } from '../../server/queries.ts'
import { addLedgerEntryTx, lockInvoiceTx, setInvoiceTx } from '../../server/rows/commands.ts'

/** Lets go of what is open on an invoice: nobody waits for it any more, and nobody is reminded of it. */
export const writeOffInvoice = (actor: Actor, id: string, { reason }: { reason: string }): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.writeOff({ ...invoice, checkoutOpen: await isCheckoutOpen(db, id) }))
    const amountCents = invoice.totalCents - invoice.paidCents
    const onDay = await todayOf(db)
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
        createdBy: actor.userId,
        createdAt: clock.iso(),
      })
      .execute()
    await setInvoiceTx(db, invoice, { status: 'written_off' })
    await stopMessagesTx(db, { type: 'invoice', id }, `${invoiceName(invoice.number)} was written off`)
    await addLedgerEntryTx(db, {
      customerId: invoice.customerId,
      kind: 'write_off',
      amountCents: -amountCents,
      refType: 'write_off',
      refId: writeOffId,
      onDay,
    })
    await audit(db, actor, 'invoice.writeOff', { type: 'invoice', id }, { after: { amountCents, reason } })
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, actor, id)
  })

/** A written off invoice is open again: the customer wants to pay after all. */
export const reinstateInvoice = (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.reinstate(invoice))
    const onDay = await todayOf(db)
    const writeOff = await db
      .updateTable('writeOffs')
      .set({ takenBackOn: onDay })
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', id)
      .where('takenBackOn', 'is', null)
      .returning(['id', 'amountCents'])
      .executeTakeFirstOrThrow()
    await setInvoiceTx(db, invoice, { status: invoice.paidCents > 0 ? 'partially_paid' : 'issued' })
    await addLedgerEntryTx(db, {
      customerId: invoice.customerId,
      kind: 'adjustment',
      amountCents: writeOff.amountCents,
      refType: 'write_off',
      refId: writeOff.id,
      onDay,
    })
    await audit(db, actor, 'invoice.reinstate', { type: 'invoice', id })
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, actor, id)
  })
