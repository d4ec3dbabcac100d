import { sql } from 'kysely'
import { userIdOf, type Who } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { nextNumber } from '../../../../platform/db/counters.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { type NoteShares, spreadNote } from '../../../invoices/corrections/rules.ts'
import { addLedgerEntryTx, type ClosedMonthException, type LockedInvoice } from '../../../invoices/server/commands.ts'
import { addOwnPaymentTx } from './rows.ts'

/** Credit notes: what of an invoice was credited before, and the next one. */

type Note = {
  customerId: string
  invoice: LockedInvoice | null
  amountCents: number
  /** How it divides into work and tax. */
  shares: NoteShares
  /** What of it is over which invoice, where it is over several. */
  parts?: readonly { invoiceId: string; cents: number }[]
  reason: string
  onDay: string
  /** It is the discount for paying without a card. */
  isDiscount?: boolean
}

/** Writes a credit note and the credit it carries. @returns the payment that carries it */
export const addNoteTx = async (
  db: TenantDb,
  who: Who,
  note: Note,
  exception?: ClosedMonthException,
): Promise<string> => {
  const id = newId()
  const { customerId, invoice, amountCents, reason, onDay } = note
  const carried = { customerId, method: 'credit' as const, amountCents, receivedOn: onDay, note: reason }
  const { id: paymentId } = await addOwnPaymentTx(db, who, carried)
  await db
    .insertInto('creditNotes')
    .values({
      businessId: db.businessId,
      id,
      number: await nextNumber(db, 'credit_note'),
      customerId,
      invoiceId: invoice?.id ?? null,
      paymentId,
      ...note.shares,
      totalCents: amountCents,
      reason,
      onDay,
      isDiscount: note.isDiscount ?? false,
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()
  const parts = spreadNote(note.shares.taxCents, note.parts ?? [])
  if (parts.length > 0)
    await db
      .insertInto('creditNoteParts')
      .values(
        parts.map(({ invoiceId, cents, taxCents }) => ({
          businessId: db.businessId,
          creditNoteId: id,
          invoiceId,
          totalCents: cents,
          taxCents,
        })),
      )
      .execute()
  await addLedgerEntryTx(
    db,
    { customerId, kind: 'credit', amountCents: -amountCents, refType: 'credit_note', refId: id, onDay },
    exception,
  )
  return paymentId
}

type Standing = { paymentId: string; number: number; totalCents: number; taxCents: number; freeCents: number }

export type Credited = {
  /** What credit notes that stand are over of this invoice, tax included. */
  totalCents: number
  taxCents: number
  /** What of them lies on no invoice and so can stand in for money that goes back. */
  free: { paymentId: string; cents: number }[]
}

/** What of an invoice is credited already: its own notes, and its parts of those over several. Their credits are locked. */
export const creditedTx = async (db: TenantDb, invoiceId: string): Promise<Credited> => {
  const { rows } = await sql<Standing>`
    select p.id as payment_id, n.number, x.total_cents::int8 as total_cents, x.tax_cents::int8 as tax_cents,
      least(x.total_cents, p.amount_cents - p.refunded_cents - p.allocated_cents)::int8 as free_cents
    from (select id, total_cents, tax_cents from credit_notes where business_id = ${db.businessId} and invoice_id = ${invoiceId}
      union all select credit_note_id, total_cents, tax_cents from credit_note_parts
        where business_id = ${db.businessId} and invoice_id = ${invoiceId}) x
    join credit_notes n on n.business_id = ${db.businessId} and n.id = x.id
    join payments p on p.business_id = n.business_id and p.id = n.payment_id and p.status = 'succeeded'
    order by p.id for update of p`.execute(db)
  return {
    totalCents: rows.reduce((sum, { totalCents }) => sum + Number(totalCents), 0),
    taxCents: rows.reduce((sum, { taxCents }) => sum + Number(taxCents), 0),
    free: rows.flatMap(({ paymentId, freeCents }) =>
      Number(freeCents) > 0 ? [{ paymentId, cents: Number(freeCents) }] : [],
    ),
  }
}

/** The invoice of a note whose quote became a job since, which bills its work now; null without one. */
export const findWorkOfNote = async (db: TenantDb, paymentId: string): Promise<{ invoiceNumber: number } | null> => {
  const { rows } = await sql<{ invoiceNumber: number }>`
    select i.number as "invoiceNumber" from credit_notes n
      join invoices i on i.business_id = n.business_id and i.id = n.invoice_id
      join quotes q on q.business_id = i.business_id and q.id = i.quote_id and q.status = 'converted'
    where n.business_id = ${db.businessId} and n.payment_id = ${paymentId} limit 1`.execute(db)
  return rows[0] ?? null
}
