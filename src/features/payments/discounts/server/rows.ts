import type { Who } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { earnedDiscountCents, standingDiscountCents } from '../../../businesses/cashdiscount/rules.ts'
import { noteShares } from '../../../invoices/corrections/rules.ts'
import { isOpen } from '../../../invoices/rules.ts'
import {
  addLedgerEntryTx,
  type ClosedMonthException,
  type LedgerEntry,
  type LockedInvoice,
} from '../../../invoices/server/commands.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { addNoteTx, creditedTx } from '../../corrections/server/notes.ts'
import { allocateTx, takeOffTx } from '../../corrections/server/rows.ts'

/**
 * The discount that comes with a payment without a card: a credit note over its invoice, taken back in the proportion in which the invoice is owed
 * again, and given again with money that comes back. The invoice and the payment are locked by the caller.
 */

const words = {
  en: 'Discount for paying without a card',
  es: 'Descuento por pagar sin tarjeta',
} as const

type Change = {
  onDay: string
  exception?: ClosedMonthException | undefined
  /** Takes the entries instead, for a caller who still has invoices to change. */
  ledger?: LedgerEntry[]
}

/** Credits a discount on its invoice. @returns the invoice as it stands then, and the credit */
const creditTx = async (
  db: TenantDb,
  who: Who,
  invoice: LockedInvoice,
  cents: number,
  { onDay, exception }: Pick<Change, 'onDay' | 'exception'>,
) => {
  const credited = await creditedTx(db, invoice.id)
  // what was credited of the invoice before leaves less to take something off
  const amountCents = Math.min(cents, invoice.totalCents - credited.totalCents, invoice.totalCents - invoice.paidCents)
  if (amountCents <= 0 || !isOpen(invoice.status)) return { invoice, creditId: null, amountCents: 0 }
  const { customerId } = invoice
  const { language } = await getPaperReach(db, customerId)
  const shares = noteShares(amountCents, invoice, credited)
  const note = { customerId, invoice, amountCents, shares, reason: words[language], onDay, isDiscount: true }
  const creditId = await addNoteTx(db, who, note, exception)
  return { invoice: await allocateTx(db, creditId, invoice, amountCents), creditId, amountCents }
}

/**
 * Gives what a payment earned on an invoice that it lies on by now.
 * @param paidCents what of the payment was put on the invoice
 * @param mostCents the discount on what was open before
 */
export const giveDiscountTx = async (
  db: TenantDb,
  who: Who,
  paymentId: string,
  after: LockedInvoice,
  { paidCents, mostCents, ...change }: Pick<Change, 'onDay' | 'exception'> & { paidCents: number; mostCents: number },
): Promise<LockedInvoice> => {
  const openBefore = after.totalCents - after.paidCents + paidCents
  const wanted = earnedDiscountCents(openBefore, paidCents, mostCents)
  if (wanted === 0) return after
  const { invoice, creditId, amountCents } = await creditTx(db, who, after, wanted, change)
  if (!creditId) return after
  await db
    .insertInto('paymentDiscounts')
    .values({
      businessId: db.businessId,
      paymentId,
      invoiceId: invoice.id,
      paidCents,
      discountCents: amountCents,
      creditId,
      createdAt: clock.iso(),
    })
    .execute()
  return invoice
}

const findRow = (db: TenantDb, paymentId: string, invoiceId: string) =>
  db
    .selectFrom('paymentDiscounts')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('paymentId', '=', paymentId)
    .where('invoiceId', '=', invoiceId)
    .forUpdate()
    .executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>

const saveRow = (db: TenantDb, { paymentId, invoiceId }: Row, change: { lostCents: number; creditId: string | null }) =>
  db
    .updateTable('paymentDiscounts')
    .set(change)
    .where('businessId', '=', db.businessId)
    .where('paymentId', '=', paymentId)
    .where('invoiceId', '=', invoiceId)
    .execute()

/** Takes the credit of a discount off its invoice, as far as it is there untouched: what somebody took back by hand is gone already. */
const takeCreditTx = async (
  db: TenantDb,
  who: Who,
  creditId: string,
  invoice: LockedInvoice,
  { onDay, ledger, exception }: Change,
) => {
  const credit = await db
    .selectFrom('payments')
    .select(['id', 'customerId', 'amountCents', 'allocatedCents', 'refundedCents', 'status', 'note'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', creditId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const allocatedCents = Number(credit.amountCents)
  const isWhole = Number(credit.allocatedCents) === allocatedCents && Number(credit.refundedCents) === 0
  if (credit.status !== 'succeeded' || !isWhole || invoice.status === 'written_off') return null
  const change = { amountCents: allocatedCents, reason: credit.note, onDay, refundId: null }
  const opened = await takeOffTx(db, who, creditId, { invoice, allocatedCents }, change)
  await db
    .updateTable('payments')
    .set({ status: 'reversed' })
    .where('businessId', '=', db.businessId)
    .where('id', '=', creditId)
    .execute()
  const entry = {
    customerId: credit.customerId,
    kind: 'adjustment',
    amountCents: allocatedCents,
    refType: 'payment',
    refId: creditId,
    onDay,
  } as const
  if (ledger) ledger.push(entry)
  else await addLedgerEntryTx(db, entry, exception)
  return opened
}

/** Brings the credit of a discount to what of it stands. */
const standTx = async (db: TenantDb, who: Who, row: Row, lostCents: number, invoice: LockedInvoice, change: Change) => {
  const [paidCents, discountCents] = [Number(row.paidCents), Number(row.discountCents)]
  const opened = row.creditId ? await takeCreditTx(db, who, row.creditId, invoice, change) : invoice
  // taken back by hand, or written off with what is open: it is nobody's to give again
  if (!opened) {
    await saveRow(db, row, { lostCents, creditId: row.creditId })
    return invoice
  }
  const standing = standingDiscountCents(discountCents, paidCents, lostCents)
  const given = await creditTx(db, who, opened, standing, change)
  await saveRow(db, row, { lostCents, creditId: given.creditId })
  return given.invoice
}

/**
 * A part of a payment is owed again: so is the discount that came with it, in proportion.
 * @param cents what was taken off the invoice
 * @returns the invoice as it stands then
 */
export const loseDiscountTx = async (
  db: TenantDb,
  who: Who,
  paymentId: string,
  invoice: LockedInvoice,
  cents: number,
  change: Change,
): Promise<LockedInvoice> => {
  const row = cents > 0 ? await findRow(db, paymentId, invoice.id) : undefined
  if (!row) return invoice
  const lostCents = Math.min(Number(row.paidCents), Number(row.lostCents) + cents)
  return standTx(db, who, row, lostCents, invoice, change)
}

/** Money that was thought gone lies on its invoices again: so does what came with it, as far as that is open. */
export const regainDiscountsTx = async (
  db: TenantDb,
  who: Who,
  paymentId: string,
  before: readonly LockedInvoice[],
  after: readonly LockedInvoice[],
  change: Change,
): Promise<void> => {
  for (const invoice of after) {
    const was = before.find(({ id }) => id === invoice.id)
    const cents = was ? invoice.paidCents - was.paidCents : 0
    const row = cents > 0 ? await findRow(db, paymentId, invoice.id) : undefined
    if (!row || Number(row.lostCents) === 0) continue
    await standTx(db, who, row, Math.max(0, Number(row.lostCents) - cents), invoice, change)
  }
}
