import { sql } from 'kysely'
import { type SystemActor, systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { log } from '../../../../platform/log.ts'
import type { Dispute } from '../../../../platform/payments/provider.ts'
import { findDispute } from '../../../../platform/payments/providers.ts'
import { forEach } from '../../../../platform/tasks/walk.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { dayOf, formatDay } from '../../../../shared/dates.ts'
import { AppError } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { addLedgerEntryTx, type LedgerEntry, lockInvoicesTx, setDisputedTx } from '../../../invoices/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { setAutopayTx } from '../../cards/server/commands.ts'
import { findMethod } from '../../cards/server/queries.ts'
import { bookFirst } from '../../checkout/server/late.ts'
import { lockPaymentTx } from '../../corrections/server/rows.ts'
import { bankProblem } from '../../debits/rules.ts'
import { tellPayerTx } from '../../debits/server/commands.ts'
import { endPagesTx } from '../../server/commands.ts'
import { isDecidedOtherwise, isUndecided, lostWords, movesOn, reasonLabel, stopWords } from '../rules.ts'
import { type DisputeRow, giveBackTx, listTurns, lockDisputedTx, setDisputeTx, takeTx } from './books.ts'

/** The day until which evidence is taken, as the business reads it. */
export const dueDay = (dueAt: string, timeZone: string): string => formatDay(dayOf(dueAt, timeZone))

type Payment = { id: string; customerId: string; accountId: string | null; checkoutSessionId: string | null }

const findPayment = (actor: SystemActor, paymentId: string): Promise<Payment | undefined> =>
  withTenant(actor, (db) =>
    db
      .selectFrom('payments')
      .select(['id', 'customerId', 'accountId', 'checkoutSessionId'])
      .where('businessId', '=', db.businessId)
      .where('providerPaymentId', '=', paymentId)
      .executeTakeFirst(),
  )

/** The invoices that a payment is or was for. */
const invoicesOf = async (db: TenantDb, { id, checkoutSessionId }: Payment): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select invoice_id as id from payment_allocations where business_id = ${db.businessId} and payment_id = ${id}
    union select invoice_id from checkout_sessions
      where business_id = ${db.businessId} and (id = ${checkoutSessionId} or lead_id = ${checkoutSessionId})`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** The invoices that a payment ever lay on: what a bank gives back lies there again, and they are locked before it. */
const everOn = async (db: TenantDb, { id }: Payment): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct invoice_id as id from allocation_reversals where business_id = ${db.businessId} and payment_id = ${id}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** The row of a dispute, made when it is first seen. The invoices and the payment are locked by the caller. */
const rowTx = async (db: TenantDb, state: Dispute, account: string, payment: Payment, invoiceIds: string[]) => {
  const made = await db
    .insertInto('disputes')
    .values({
      businessId: db.businessId,
      id: newId(),
      paymentId: payment.id,
      provider: state.provider,
      livemode: state.livemode,
      accountId: account,
      providerDisputeId: state.id,
      kind: state.kind,
      status: state.status,
      reason: state.reason,
      amountCents: state.amountCents,
      feeCents: state.feeCents,
      openedOn: dayOf(state.openedAt, await timeZoneOf(db)),
      dueAt: state.dueAt,
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'providerDisputeId']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made && invoiceIds.length > 0)
    await db
      .insertInto('disputeInvoices')
      .values(invoiceIds.map((invoiceId) => ({ businessId: db.businessId, disputeId: made.id, invoiceId })))
      .execute()
  if (made) return { row: made, isNew: true }
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('providerDisputeId', '=', state.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { row, isNew: false }
}

/**
 * What the office hears of each step, once.
 * @param again which decision it is where the bank had decided otherwise before; 0 for the first
 */
const tellOffice = async (
  db: TenantDb,
  dispute: DisputeRow,
  customerId: string,
  { isPaid, again }: { isPaid: boolean; again: number },
): Promise<void> => {
  const { name } = await getContact(db, customerId)
  const amount = formatCents(dispute.amountCents)
  const until = dispute.dueAt
    ? ` Send your evidence before ${dueDay(dispute.dueAt, await timeZoneOf(db))}, or the bank decides without it.`
    : ''
  const why = reasonLabel(dispute.reason)
  const said: Record<string, { title: string; content: string }> = {
    inquiry: {
      title: `The bank of ${name} asks about ${amount}`,
      content: `${why} No money was taken yet.${until}`,
    },
    dispute: {
      title: `${name} disputes a payment of ${amount}`,
      content: `${why} The bank took the money until it has decided.${until}`,
    },
    return: {
      title: `The bank returned ${amount} of ${name}`,
      content: `${why} What it paid is open again: they have to pay another way.`,
    },
    won_waits: {
      title: `Dispute won: ${amount} of ${name} comes back`,
      content: 'It is booked as soon as the bank gives it back. Until then the invoice stays open.',
    },
    won: {
      title: `Dispute won: ${amount} of ${name} is back`,
      content: isPaid
        ? 'The invoice is paid as before.'
        : 'It pays what is open of its invoices; what is more is the customer’s credit.',
    },
    lost: {
      title: `Dispute lost: the bank gave ${amount} to ${name}`,
      content:
        'The invoice is open again. Ask for the money another way, or write it off. Nobody is reminded by itself.',
    },
    closed: { title: `The bank of ${name} asks no more about ${amount}`, content: 'Nothing was taken.' },
  }
  const step =
    dispute.kind === 'return' || isUndecided(dispute.status)
      ? dispute.kind
      : dispute.status === 'won' && dispute.money === 'taken'
        ? 'won_waits'
        : dispute.status
  const words = said[step]
  if (!words) return
  await notifyOffice(db, {
    type: 'invoice',
    ...words,
    ...(again > 0 ? { content: `The bank decided once more. ${words.content}` } : {}),
    customerId,
    path: linkTo.dispute(dispute.id),
    dedupeKey: `dispute:${dispute.id}:${step}${again > 0 ? `:${again}` : ''}`,
  })
}

/** A bank gave a transfer back for good: its payer hears of it, and an account whose holder did not allow it is not charged again. */
const returnedTx = async (db: TenantDb, dispute: DisputeRow, customerId: string): Promise<void> => {
  const { id, amountCents: cents, reason: problem } = dispute
  const invoices = await lockDisputedTx(db, id)
  await tellPayerTx(db, customerId, invoices, { kind: 'returned', cents, problem }, `bank-returned:${id}`)
  const method = problem === 'debit_not_authorized' ? await findMethod(db, customerId) : undefined
  if (method?.autopay && method.kind === 'bank')
    await setAutopayTx(db, method, false, `The bank took ${formatCents(cents)} back. ${bankProblem(problem)}`)
}

/** Reminders, late fees, charges and pages wait for the bank; who disputes is charged by itself no more. */
const markTx = async (db: TenantDb, dispute: DisputeRow, customerId: string, isDecidedAnew: boolean): Promise<void> => {
  if (dispute.kind === 'return') {
    await returnedTx(db, dispute, customerId)
    return
  }
  const undecided = isUndecided(dispute.status)
  const words = stopWords(dispute.amountCents)
  // what the decision before left there goes with it
  const before = isDecidedAnew ? (dispute.status === 'lost' ? null : lostWords(dispute.amountCents)) : words
  const others = await sql<{ id: string }>`
    select i.invoice_id as id from dispute_invoices i join disputes d on d.business_id = i.business_id and d.id = i.dispute_id
    where i.business_id = ${db.businessId} and d.id <> ${dispute.id} and d.kind <> 'return' and d.status in ('needs_response', 'under_review')`.execute(
    db,
  )
  for (const invoice of await lockDisputedTx(db, dispute.id)) {
    const to = dispute.status === 'lost' ? lostWords(dispute.amountCents) : null
    await setDisputedTx(
      db,
      invoice,
      undecided || others.rows.some(({ id }) => id === invoice.id),
      undecided ? { from: null, to: words } : { from: before, to },
    )
    if (undecided) await endPagesTx(db, invoice.id)
  }
  const held = await db
    .selectFrom('disputes')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('paymentId', '=', dispute.paymentId)
    .where('kind', '=', 'dispute')
    .where('status', 'in', ['needs_response', 'under_review'])
    .executeTakeFirst()
  await db
    .updateTable('payments')
    .set({ disputed: held !== undefined })
    .where('businessId', '=', db.businessId)
    .where('id', '=', dispute.paymentId)
    .execute()
  const method = undecided ? await findMethod(db, customerId) : undefined
  if (method?.autopay)
    await setAutopayTx(db, method, false, `A payment of ${formatCents(dispute.amountCents)} is disputed.`)
}

/** Whether all of a payment that did not go back lies on invoices. */
const isAllocated = async (db: TenantDb, paymentId: string): Promise<boolean> =>
  (
    await db
      .selectFrom('payments')
      .select(sql<boolean>`allocated_cents = amount_cents - refunded_cents`.as('all'))
      .where('businessId', '=', db.businessId)
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
  ).all

/** What the bank took for the first time: what it holds, or, where it gave it back by now, what it had taken then. */
const firstTaken = ({ takenCents, returnedCents, amountCents }: Dispute): number =>
  takenCents > returnedCents ? takenCents - returnedCents : Math.min(takenCents, amountCents)

const apply = (
  actor: SystemActor,
  state: Dispute,
  account: string,
  payment: Payment,
  lookedAt: string,
): Promise<void> =>
  withTenant(actor, async (db) => {
    const invoiceIds = await invoicesOf(db, payment)
    await lockInvoicesTx(db, [...invoiceIds, ...(await everOn(db, payment))])
    const locked = await lockPaymentTx(db, payment.id)
    const { row, isNew } = await rowTx(db, state, account, payment, invoiceIds)
    // a look that began earlier saw less: what a later one saw is booked
    if (row.lookedAt !== null && Date.parse(lookedAt) < Date.parse(row.lookedAt)) return
    await db
      .updateTable('disputes')
      .set({ lookedAt })
      .where('businessId', '=', db.businessId)
      .where('id', '=', row.id)
      .execute()
    let dispute = row
    const moves = isNew || movesOn(row, state)
    const isDecidedAnew = !moves && isDecidedOtherwise(row, state)
    if (isDecidedAnew)
      dispute = await setDisputeTx(db, row.id, {
        status: state.status,
        feeCents: state.feeCents,
        decidedOn: await todayOf(db),
      })
    if (!isNew && moves)
      dispute = await setDisputeTx(db, row.id, {
        kind: state.kind,
        status: state.status,
        amountCents: state.amountCents,
        feeCents: state.feeCents,
        dueAt: state.dueAt,
        reason: state.reason,
        // an inquiry that became a dispute is answered once more
        ...(row.kind === 'inquiry' && state.kind === 'dispute' ? { submission: 'none' as const } : {}),
      })
    const until = (at: string | null) => (at === null ? null : Date.parse(at))
    // a bank may give more time, or say why only later
    if (
      !moves &&
      isUndecided(row.status) &&
      row.kind === state.kind &&
      row.status === state.status &&
      (until(row.dueAt) !== until(state.dueAt) || row.reason !== state.reason)
    )
      dispute = await setDisputeTx(db, row.id, { dueAt: state.dueAt, reason: state.reason })
    if (moves && !isUndecided(state.status) && dispute.decidedOn === null)
      dispute = await setDisputeTx(db, row.id, { decidedOn: await todayOf(db) })
    const ledger: LedgerEntry[] = []
    const heldCents = state.takenCents - state.returnedCents
    if (dispute.money === 'none' && state.takenCents > 0)
      dispute = await takeTx(db, actor, dispute, locked, firstTaken(state), ledger)
    else if (dispute.money === 'returned' && heldCents > 0)
      dispute = await takeTx(db, actor, dispute, locked, heldCents, ledger)
    const isBack = dispute.money === 'taken' && heldCents <= 0 && dispute.status !== 'lost'
    if (isBack) dispute = await giveBackTx(db, actor, dispute, ledger)
    for (const entry of ledger) await addLedgerEntryTx(db, entry)
    if (dispute.version === row.version && !isNew) return
    await markTx(db, dispute, payment.customerId, isDecidedAnew)
    if (moves || isBack || isDecidedAnew) {
      const invoices = await lockDisputedTx(db, dispute.id)
      const isPaid =
        invoices.length > 0 && invoices.every(({ status }) => status === 'paid') && (await isAllocated(db, payment.id))
      if (isDecidedAnew)
        log.warn({ disputeId: row.id, was: row.status, is: state.status }, 'a dispute was decided anew')
      const turns = (await listTurns(db, dispute.id)).length
      // lost, then won: no turn, because the first taking is given back; it is a second decision all the same
      const again = isDecidedAnew ? Math.max(turns, 1) : turns
      await tellOffice(db, dispute, payment.customerId, { isPaid, again })
    }
    await publishChange(db, 'payments', [payment.id])
    if (invoiceIds.length > 0) await publishChange(db, 'invoices', invoiceIds)
    await publishChange(db, 'customers', [payment.customerId])
  })

const tries = 3

/**
 * Brings the books in line with what the provider says of a dispute now, as often as it likes and in any order: it only moves forward, and what it
 * takes is taken once. Where the bank decides otherwise afterwards the money goes where the bank has it.
 */
export const syncDispute = async (disputeId: string, account: string): Promise<void> => {
  const lookedAt = clock.iso()
  const state = await findDispute(disputeId, account)
  if (!state) {
    log.warn({ disputeId, account }, 'a dispute that the provider does not know')
    return
  }
  const found = await database()
    .selectFrom('paymentAccountLookups')
    .select('businessId')
    .where('accountId', '=', account)
    .executeTakeFirst()
  if (!found || (state.mark && state.mark.businessId !== found.businessId)) {
    log.error({ disputeId, account }, 'a dispute does not fit its account')
    return
  }
  const actor = systemActor(asBusinessId(found.businessId))
  if (state.mark && !(await findPayment(actor, state.paymentId)))
    await bookFirst(actor, { mark: state.mark, paymentId: state.paymentId }, account)
  const payment = await findPayment(actor, state.paymentId)
  // What the business takes in its account beside us is not ours to book.
  if (!payment && !state.mark) return
  if (!payment) throw new Error('A dispute of a payment that is not booked yet.')
  if (payment.accountId !== account) {
    log.error({ disputeId, account }, 'a dispute does not fit its payment')
    return
  }
  for (let left = tries; left > 0; left--)
    try {
      await apply(actor, state, account, payment, lookedAt)
      return
    } catch (error) {
      // put somewhere else at this very moment
      if (left === 1 || !(error instanceof AppError) || error.code !== 'state_conflict') throw error
    }
}

/**
 * Asks the provider after every dispute of a business that is undecided, or won and not yet paid back: a word that got lost would otherwise leave its
 * invoice disputed for good.
 * @throws Error when one could not be looked at: the next night looks again
 */
export const sweepDisputes = async (actor: SystemActor): Promise<void> => {
  const rows = await withTenant(actor, (db) =>
    db
      .selectFrom('disputes')
      .select(['providerDisputeId', 'accountId'])
      .where('businessId', '=', db.businessId)
      .where((eb) =>
        eb.or([
          eb('status', 'in', ['needs_response', 'under_review']),
          eb.and([eb('status', '=', 'won'), eb('money', '=', 'taken')]),
        ]),
      )
      .orderBy('createdAt')
      .execute(),
  )
  await forEach(
    'the look after open disputes',
    rows,
    ({ providerDisputeId }) => ({ dispute: providerDisputeId }),
    ({ providerDisputeId, accountId }) => syncDispute(providerDisputeId, accountId),
  )
}

/** A stored event about a dispute: it names it, the provider is asked for its state. */
export const processDisputeEvent = async (event: StoredWebhook): Promise<void> => {
  const id = (event.payload as { data?: { object?: { id?: string } } }).data?.object?.id
  if (event.type.startsWith('charge.dispute.') && id && event.account) await syncDispute(id, event.account)
}
