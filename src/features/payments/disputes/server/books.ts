import type { Selectable } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Disputes } from '../../../../platform/db/types.generated.ts'
import { newId } from '../../../../platform/ids.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { takeFrom } from '../../../invoices/corrections/rules.ts'
import {
  type LedgerEntry,
  type LockedInvoice,
  lockInvoicesTx,
  openDayTx,
  reinstateTx,
} from '../../../invoices/server/commands.ts'
import { lockPaymentTx, putBackTx, takeOffTx } from '../../corrections/server/rows.ts'
import { loseDiscountTx, regainDiscountsTx } from '../../discounts/server/rows.ts'
import { endPagesTx } from '../../server/commands.ts'
import { moveTipTx, putTipBackTx } from '../../tips/server/rows.ts'
import { kindLabels } from '../rules.ts'

/**
 * What a dispute does to the books. What a bank took counts as gone back on its payment, so it is nobody's credit and on no invoice. Entries of the
 * ledger are handed to the caller, who writes them after all invoices: taken and given back may come at once, and the sums of customers are rows
 * that others wait for.
 */

export type DisputeRow = Selectable<Disputes>

export const setDisputeTx = (db: TenantDb, id: string, change: Partial<Omit<DisputeRow, 'id' | 'businessId'>>) =>
  db
    .updateTable('disputes')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** What a bank moved of a dispute after it had given the money back, the oldest first. */
export const listTurns = (db: TenantDb, disputeId: string) =>
  db
    .selectFrom('disputeTurns')
    .select(['id', 'kind', 'amountCents', 'uncoveredCents'])
    .where('businessId', '=', db.businessId)
    .where('disputeId', '=', disputeId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

const addTurn = async (
  db: TenantDb,
  disputeId: string,
  turn: { kind: 'taken' | 'returned'; amountCents: number; uncoveredCents: number; onDay: string },
): Promise<string> => {
  const id = newId()
  const values = { businessId: db.businessId, id, disputeId, ...turn, createdAt: clock.iso() }
  await db.insertInto('disputeTurns').values(values).execute()
  return id
}

type Locked = Awaited<ReturnType<typeof lockPaymentTx>>

/**
 * The bank takes money: off what lies on no invoice first, then off the newest invoice, which is open again, then the tip. What it had given
 * back before it takes as a turn of its own.
 */
export const takeTx = async (
  db: TenantDb,
  actor: SystemActor,
  dispute: DisputeRow,
  { payment, taken }: Locked,
  movedCents: number,
  ledger: LedgerEntry[],
): Promise<DisputeRow> => {
  const { day: onDay } = await openDayTx(db, await todayOf(db))
  const coveredCents = Math.min(movedCents, payment.amountCents - payment.refundedCents)
  const off = takeFrom(
    taken.map((one) => ({ one, cents: one.allocatedCents })),
    coveredCents - Math.min(coveredCents, Number(payment.restCents)),
  )
  const reason = kindLabels[dispute.kind]
  for (const { part, cents } of off) {
    const { invoice, allocatedCents } = part.one
    const open = invoice.status === 'written_off' ? await reinstateTx(db, actor, invoice, onDay) : invoice
    await endPagesTx(db, invoice.id)
    const change = { amountCents: cents, reason, onDay, refundId: null, disputeId: dispute.id }
    const opened = await takeOffTx(db, actor, payment.id, { invoice: open, allocatedCents }, change)
    await loseDiscountTx(db, actor, payment.id, opened, cents, { onDay, ledger })
  }
  const offCents = off.reduce((sum, { cents }) => sum + cents, 0)
  const tipCents = Math.max(0, coveredCents - Number(payment.restCents) - offCents)
  await moveTipTx(db, payment, -tipCents, { onDay, disputeId: dispute.id, ledger })
  const uncoveredCents = movedCents - coveredCents
  const isTurn = dispute.money === 'returned'
  const refId = isTurn
    ? await addTurn(db, dispute.id, { kind: 'taken', amountCents: coveredCents, uncoveredCents, onDay })
    : dispute.id
  if (coveredCents > 0) {
    await db
      .updateTable('payments')
      .set((eb) => ({ refundedCents: eb('refundedCents', '+', coveredCents) }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', payment.id)
      .execute()
    ledger.push({
      customerId: payment.customerId,
      kind: 'dispute',
      amountCents: coveredCents,
      refType: isTurn ? 'dispute_turn' : 'dispute',
      refId,
      onDay,
    })
  }
  // the first taking stays as it was booked: its month may be closed
  return setDisputeTx(
    db,
    dispute.id,
    isTurn ? { money: 'taken' } : { money: 'taken', movedCents, uncoveredCents, movedOn: onDay },
  )
}

/** The bank gives it back: it lies again where it lay, as far as that is open; what is more is the customer's credit. */
export const giveBackTx = async (
  db: TenantDb,
  actor: SystemActor,
  dispute: DisputeRow,
  ledger: LedgerEntry[],
): Promise<DisputeRow> => {
  const { day: onDay } = await openDayTx(db, await todayOf(db))
  const withTip = db
    .selectFrom('payments')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', dispute.paymentId)
    .where('tipInvoiceId', 'is not', null)
  const reversals = await db
    .selectFrom('allocationReversals')
    .select(['invoiceId', 'amountCents'])
    .where('businessId', '=', db.businessId)
    .where((eb) =>
      eb.or([
        eb('disputeId', '=', dispute.id),
        // a dispute that took the tip gives back work where another gave the tip back
        eb.and([eb('disputeId', 'is not', null), eb('paymentId', 'in', withTip)]),
        // a refund that did not go covered what the dispute took
        eb(
          'refundId',
          'in',
          eb
            .selectFrom('refunds')
            .select('id')
            .where('businessId', '=', db.businessId)
            .where('paymentId', '=', dispute.paymentId)
            .where('status', '=', 'failed'),
        ),
      ]),
    )
    .execute()
  const invoices = await lockInvoicesTx(
    db,
    reversals.map(({ invoiceId }) => invoiceId),
  )
  const { payment } = await lockPaymentTx(db, dispute.paymentId)
  const turn = (await listTurns(db, dispute.id)).at(-1)
  const coveredCents = turn ? turn.amountCents : dispute.movedCents - dispute.uncoveredCents
  const refId = turn
    ? await addTurn(db, dispute.id, {
        kind: 'returned',
        amountCents: coveredCents,
        uncoveredCents: turn.uncoveredCents,
        onDay,
      })
    : dispute.id
  if (coveredCents > 0) {
    await db
      .updateTable('payments')
      .set((eb) => ({ refundedCents: eb('refundedCents', '-', coveredCents) }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', payment.id)
      .execute()
    // taken last, given back first: so what is left of a tip follows from what banks hold, whichever of two disputes was heard of first
    await putTipBackTx(db, payment, 'disputes', { onDay, disputeId: dispute.id, ledger })
    const back = await putBackTx(db, payment.id, reversals, invoices)
    await regainDiscountsTx(db, actor, payment.id, invoices, back, { onDay, ledger })
    ledger.push({
      customerId: payment.customerId,
      kind: 'adjustment',
      amountCents: -coveredCents,
      refType: turn ? 'dispute_turn' : 'dispute',
      refId,
      onDay,
    })
  }
  return setDisputeTx(db, dispute.id, { money: 'returned', ...(turn ? {} : { returnedOn: onDay }) })
}

/** The invoices of a dispute, locked as they stand now. */
export const lockDisputedTx = async (db: TenantDb, disputeId: string): Promise<LockedInvoice[]> => {
  const rows = await db
    .selectFrom('disputeInvoices')
    .select('invoiceId')
    .where('businessId', '=', db.businessId)
    .where('disputeId', '=', disputeId)
    .execute()
  return lockInvoicesTx(
    db,
    rows.map(({ invoiceId }) => invoiceId),
  )
}
