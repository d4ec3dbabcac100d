import { type RawBuilder, sql } from 'kysely'
import { userIdOf, type Who } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { nextNumber } from '../../../../platform/db/counters.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { takeFrom } from '../../../invoices/corrections/rules.ts'
import { invoiceName, isOpen } from '../../../invoices/rules.ts'
import { addLedgerEntryTx, addPaidTx, type LockedInvoice, lockInvoicesTx } from '../../../invoices/server/commands.ts'

/** The rows of payments and of what lies where: written in the caller's transaction, invoices locked before payments. */

export type NewPayment = {
  customerId: string
  method: 'card' | 'ach' | 'check' | 'cash' | 'other' | 'credit'
  amountCents: number
  receivedOn: string
  note: string
  provider?: string
  /** A payment that this provider's payment brought before is not written again. */
  providerPaymentId?: string | null
  accountId?: string | null
  livemode?: boolean
  checkoutSessionId?: string | null
  jobId?: string | null
  quoteId?: string | null
  tipInvoiceId?: string | null
  tipVisitId?: string | null
  /** The office put it on several invoices at once. */
  together?: boolean
}

/**
 * The only place that writes a payment: money takes the next receipt number, a credit none (0). What lies where, the ledger and events are the caller's.
 * @returns null where the provider's payment was booked before
 */
export const addPaymentTx = async (
  db: TenantDb,
  who: Who,
  payment: NewPayment,
): Promise<{ id: string; receiptNumber: number } | null> => {
  const made = await db
    .insertInto('payments')
    .values({
      provider: 'manual',
      ...payment,
      businessId: db.businessId,
      id: newId(),
      receiptNumber: payment.method === 'credit' ? null : await nextNumber(db, 'receipt'),
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'providerPaymentId']).doNothing())
    .returning(['id', 'receiptNumber'])
    .executeTakeFirst()
  return made ? { id: made.id, receiptNumber: made.receiptNumber ?? 0 } : null
}

/** The same for what comes from no provider, so that it is never one that is there. */
export const addOwnPaymentTx = async (
  db: TenantDb,
  who: Who,
  payment: Omit<NewPayment, 'provider' | 'providerPaymentId'>,
): Promise<{ id: string; receiptNumber: number }> => {
  const made = await addPaymentTx(db, who, payment)
  if (!made) throw new Error('A payment without a provider was taken for one that is there.')
  return made
}

const restOf: RawBuilder<number> = sql<number>`(amount_cents - refunded_cents - allocated_cents)`

/** What of a customer's money lies on no invoice, oldest first. */
export const listRests = (db: TenantDb, customerId: string) =>
  db
    .selectFrom('payments')
    .selectAll()
    .select(restOf.as('restCents'))
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('status', '=', 'succeeded')
    .where(sql<boolean>`allocated_cents + refunded_cents < amount_cents`)
    .orderBy('receivedOn')
    .orderBy('id')

/** Money that came so short ago is put where it goes as it is written down: it counts from the day it came, unless it was taken off somewhere before. */
const freshMs = 3_600_000

/**
 * The day on which money pays an invoice: the day it came, or today where it lay elsewhere before; never before the invoice was issued. A day that was
 * told once stays as it was told.
 */
const putDay = async (db: TenantDb, paymentId: string, { issueOn }: LockedInvoice): Promise<Day> => {
  const { receivedOn, createdAt, wasTakenOff } = await db
    .selectFrom('payments as p')
    .select(['p.receivedOn', 'p.createdAt'])
    .select(
      sql<boolean>`exists (select from allocation_moves m where m.business_id = p.business_id and m.payment_id = p.id and m.amount_cents < 0)`.as(
        'wasTakenOff',
      ),
    )
    .where('p.businessId', '=', db.businessId)
    .where('p.id', '=', paymentId)
    .executeTakeFirstOrThrow()
  const isFresh = !wasTakenOff && clock.nowMs() - Date.parse(createdAt) < freshMs
  const days = [receivedOn, issueOn ?? '', isFresh ? '' : await todayOf(db)]
  return days.toSorted().at(-1) ?? receivedOn
}

/** What was taken off an invoice was there until then, whatever earlier day somebody gives a refund. */
const takenOffDay = async (db: TenantDb, paymentId: string, invoiceId: string, onDay: Day): Promise<Day> => {
  const put = await db
    .selectFrom('allocationMoves')
    .select((eb) => eb.fn.max('onDay').as('day'))
    .where('businessId', '=', db.businessId)
    .where('paymentId', '=', paymentId)
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst()
  return put?.day && put.day > onDay ? put.day : onDay
}

const addMoveTx = (
  db: TenantDb,
  move: { paymentId: string; invoiceId: string; amountCents: number; onDay: Day },
): Promise<unknown> =>
  db
    .insertInto('allocationMoves')
    .values({ businessId: db.businessId, id: newId(), ...move, createdAt: clock.iso() })
    .execute()

/** Puts a part of a payment on an invoice that the caller has locked. The table refuses more than the payment has left. */
export const allocateTx = async (
  db: TenantDb,
  paymentId: string,
  invoice: LockedInvoice,
  amountCents: number,
): Promise<LockedInvoice> => {
  await db
    .insertInto('paymentAllocations')
    .values({
      businessId: db.businessId,
      id: newId(),
      paymentId,
      invoiceId: invoice.id,
      amountCents,
      createdAt: clock.iso(),
    })
    .onConflict((c) =>
      c
        .columns(['businessId', 'paymentId', 'invoiceId'])
        .doUpdateSet((eb) => ({ amountCents: eb('paymentAllocations.amountCents', '+', amountCents) })),
    )
    .execute()
  await db
    .updateTable('payments')
    .set((eb) => ({ allocatedCents: eb('allocatedCents', '+', amountCents) }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', paymentId)
    .execute()
  await addMoveTx(db, { paymentId, invoiceId: invoice.id, amountCents, onDay: await putDay(db, paymentId, invoice) })
  return addPaidTx(db, invoice, amountCents)
}

/**
 * A customer's money that lies on no invoice, the oldest first, locked. Payments are locked by their ids, wherever several are, so that two who
 * want the same never wait for each other.
 */
export const lockRestsTx = async (db: TenantDb, customerId: string) => {
  const locked = await listRests(db, customerId)
    .clearSelect()
    .select('id')
    .clearOrderBy()
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = new Set(locked.map(({ id }) => id))
  return (await listRests(db, customerId).execute()).filter(({ id }) => ids.has(id))
}

/** Bound to no work: the deposit of a quote waits for the work that the quote becomes. */
export const isFree = ({
  jobId,
  quoteId,
  freedAt,
}: {
  jobId: string | null
  quoteId: string | null
  freedAt: string | null
}): boolean => jobId === null && (quoteId === null || freedAt !== null)

export type Taken = { invoice: LockedInvoice; allocatedCents: number }

/**
 * A payment with the invoices it lies on, all locked, the newest invoice first.
 * @throws not_found, state_conflict when it was put somewhere else at this very moment
 */
export const lockPaymentTx = async (db: TenantDb, paymentId: string) => {
  const on = () =>
    db
      .selectFrom('paymentAllocations')
      .select(['invoiceId', 'amountCents'])
      .where('businessId', '=', db.businessId)
      .where('paymentId', '=', paymentId)
      .orderBy('invoiceId', 'desc')
      .execute()
  const before = await on()
  const invoices = await lockInvoicesTx(
    db,
    before.map(({ invoiceId }) => invoiceId),
  )
  // credit of these invoices may stand in for the money: it is locked with it, by id
  await sql`
    select p.id from payments p where p.business_id = ${db.businessId} and (p.id = ${paymentId} or p.id in (
      select n.payment_id from credit_notes n where n.business_id = ${db.businessId} and (n.invoice_id = any(${invoices.map(({ id }) => id)}::uuid[])
        or n.id in (select c.credit_note_id from credit_note_parts c where c.business_id = ${db.businessId}
          and c.invoice_id = any(${invoices.map(({ id }) => id)}::uuid[])))))
    order by p.id for update`.execute(db)
  const payment = await db
    .selectFrom('payments')
    .selectAll()
    .select(restOf.as('restCents'))
    .where('businessId', '=', db.businessId)
    .where('id', '=', paymentId)
    .executeTakeFirst()
  if (!payment) throw notFound('payment')
  const allocations = await on()
  if (allocations.some(({ invoiceId }) => !invoices.some(({ id }) => id === invoiceId)))
    throw conflict('This payment was put on another invoice at this very moment. Nothing was changed: try again.')
  const taken = allocations.flatMap(({ invoiceId, amountCents }): Taken[] => {
    const invoice = invoices.find(({ id }) => id === invoiceId)
    return invoice ? [{ invoice, allocatedCents: amountCents }] : []
  })
  return { payment, taken }
}

/**
 * Takes a part of a payment off an invoice, which is open again by so much, and keeps that it was there.
 * @throws state_conflict for a written off one: what is open on it would no longer be what was written off
 */
export const takeOffTx = async (
  db: TenantDb,
  who: Who,
  paymentId: string,
  { invoice, allocatedCents }: Taken,
  change: { amountCents: number; reason: string; onDay: string; refundId: string | null; disputeId?: string },
): Promise<LockedInvoice> => {
  if (invoice.status === 'written_off')
    throw conflict(
      `${invoiceName(invoice.number)} was written off for what was open on it. Open it again first. Nothing was changed.`,
    )
  if (change.amountCents === allocatedCents)
    await db
      .deleteFrom('paymentAllocations')
      .where('businessId', '=', db.businessId)
      .where('paymentId', '=', paymentId)
      .where('invoiceId', '=', invoice.id)
      .execute()
  else
    await db
      .updateTable('paymentAllocations')
      .set({ amountCents: allocatedCents - change.amountCents })
      .where('businessId', '=', db.businessId)
      .where('paymentId', '=', paymentId)
      .where('invoiceId', '=', invoice.id)
      .execute()
  await db
    .updateTable('payments')
    .set((eb) => ({ allocatedCents: eb('allocatedCents', '-', change.amountCents) }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', paymentId)
    .execute()
  await db
    .insertInto('allocationReversals')
    .values({
      businessId: db.businessId,
      id: newId(),
      paymentId,
      invoiceId: invoice.id,
      ...change,
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()
  const onDay = await takenOffDay(db, paymentId, invoice.id, change.onDay)
  await addMoveTx(db, { paymentId, invoiceId: invoice.id, amountCents: -change.amountCents, onDay })
  return addPaidTx(db, invoice, -change.amountCents)
}

/** Puts a payment that came back on the invoices that it was taken off, as far as they are open and it goes. @returns the invoices as they stand then */
export const putBackTx = async (
  db: TenantDb,
  paymentId: string,
  parts: readonly { invoiceId: string; amountCents: number }[],
  invoices: readonly LockedInvoice[],
): Promise<LockedInvoice[]> => {
  const { restCents } = await db
    .selectFrom('payments')
    .select(restOf.as('restCents'))
    .where('businessId', '=', db.businessId)
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  let left = Number(restCents)
  const now = new Map(invoices.map((invoice) => [invoice.id, invoice]))
  for (const { invoiceId, amountCents } of parts) {
    const invoice = now.get(invoiceId)
    if (!invoice || !isOpen(invoice.status)) continue
    const cents = Math.min(amountCents, invoice.totalCents - invoice.paidCents, left)
    if (cents <= 0) continue
    now.set(invoiceId, await allocateTx(db, paymentId, invoice, cents))
    left -= cents
  }
  return [...now.values()]
}

/**
 * Money of a payment that was thought gone covers what banks took beyond the rest of it and still hold, each as a movement of its own.
 * @returns how much it covers
 */
export const coverDisputesTx = async (
  db: TenantDb,
  { refundId, paymentId, customerId }: { refundId: string; paymentId: string; customerId: string },
  amountCents: number,
  onDay: string,
): Promise<number> => {
  const disputes = await db
    .selectFrom('disputes')
    .select(['id', 'uncoveredCents'])
    .where('businessId', '=', db.businessId)
    .where('paymentId', '=', paymentId)
    .where('money', '=', 'taken')
    .where('uncoveredCents', '>', 0)
    .orderBy('id')
    .execute()
  const covers = takeFrom(
    disputes.map(({ id, uncoveredCents }) => ({ id, cents: Number(uncoveredCents) })),
    amountCents,
  ).map(({ part, cents }) => ({ id: newId(), disputeId: part.id, cents }))
  for (const { id, disputeId, cents } of covers) {
    await db
      .updateTable('disputes')
      .set((eb) => ({ uncoveredCents: eb('uncoveredCents', '-', cents), updatedAt: clock.iso() }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', disputeId)
      .execute()
    await db
      .insertInto('disputeCovers')
      .values({
        businessId: db.businessId,
        id,
        disputeId,
        refundId,
        amountCents: cents,
        onDay,
        createdAt: clock.iso(),
      })
      .execute()
    const ref = { refType: 'dispute_cover', refId: id } as const
    await addLedgerEntryTx(db, { customerId, kind: 'dispute', amountCents: cents, ...ref, onDay })
  }
  return covers.reduce((sum, { cents }) => sum + cents, 0)
}
