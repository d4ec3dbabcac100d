import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import {
  type Charge,
  type Checkout,
  type PaidTo,
  PaymentRefused,
  type PaymentRequest,
  type Refund,
  type RefundRequest,
} from '../../platform/payments/provider.ts'
import { findLocalAccount } from './accounts.ts'
import { findLocalCharge, findLocalMethodCharged, findLocalMethodOf, refuseLocalCharge } from './cards.ts'
import { beginDebit, findDebit, type LocalDebit } from './debits.ts'
import { cardFee, type LocalMove, noteMove } from './moves.ts'
import { checkKey, read } from './objects.ts'

// The test provider's own side of a page for money that is paid once.

const minutesOpen: Record<Exclude<PaymentRequest['purpose'], 'invoice'>, number> = {
  deposit: 60,
  fee: 24 * 60,
  card: 24 * 60,
}

export type LocalPayment = Checkout & {
  /** The account of a business that it is paid into; null for ours. */
  account: string | null
  /** The payment behind it, whether its money has come or not. */
  intentId: string | null
  /** The payer chose to leave the card or the bank account. */
  savesCard: boolean
  takesBank: boolean
  bankOnly: boolean
  tipCents: number
  /** What it was paid with, where that is known. */
  paidWith: PaidTo | null
  description: string
  payeeName: string
  returnPath: string
  language: 'en' | 'es'
}

/** The same key opens the same page. @throws PaymentRefused when the account takes no cards now, as the real one would */
export const openLocalPayment = async (request: PaymentRequest, account: string | null): Promise<Checkout> => {
  await refuseLocalCharge(request.purpose === 'card' ? null : request.amountCents, account)
  const id = `cs_test_${createHash('sha256').update(request.requestKey).digest('hex').slice(0, 32)}`
  await database()
    .insertInto('localCheckoutSessions')
    .values({
      id,
      payload: JSON.stringify({ ...request, account }),
      createdAt: clock.iso(),
      expiresAt:
        request.purpose === 'invoice'
          ? request.closesAt
          : new Date(clock.nowMs() + minutesOpen[request.purpose] * 60_000).toISOString(),
    })
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  const made = await findLocalPayment(id, account)
  if (!made) throw new Error('The local checkout was not kept.')
  const kept = await database()
    .selectFrom('localCheckoutSessions')
    .select('payload')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { paidWith: _, ...first } = kept.payload as unknown as PaymentRequest & { paidWith?: PaidTo }
  checkKey(request.requestKey, first, { ...request, account })
  return made
}

/** The business took our access to its account away: what is in it is out of our sight, as at the real one. */
const isShut = async (account: string | null | undefined): Promise<boolean> =>
  typeof account === 'string' && !(await findLocalAccount(account))

/** @param account asked by its account a page of another one is not there; undefined asks whoever it is of */
export const findLocalPayment = async (id: string, account?: string | null): Promise<LocalPayment | null> => {
  const row = await database().selectFrom('localCheckoutSessions').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const request = row.payload as unknown as PaymentRequest & {
    account?: string | null
    paidWith?: PaidTo
    paidAt?: string
  }
  const of = request.account ?? null
  if (account !== undefined && (account !== of || (await isShut(of)))) return null
  const debit = await findDebit(id)
  const intentId = request.purpose === 'card' ? null : row.paymentIntent
  const isOver = row.status === 'open' && Date.parse(row.expiresAt) < clock.nowMs()
  return {
    provider: 'local',
    livemode: false,
    account: of,
    id,
    url: `/local/checkout/${id}`,
    status: isOver ? 'expired' : row.status,
    expiresAt: row.expiresAt,
    intentId,
    paymentId: debit && debit.status !== 'paid' && debit.status !== 'returned' ? null : intentId,
    paidAt: debit ? null : (request.paidAt ?? null),
    processing: debit?.status === 'processing',
    problem: debit?.status === 'failed' ? debit.problem : null,
    method: debit ? 'bank' : 'card',
    amountCents: request.purpose === 'card' ? 0 : request.amountCents,
    invoice: request.purpose === 'invoice' ? request.mark : null,
    fee: request.purpose === 'fee' ? request.mark : null,
    card: request.purpose === 'card' ? request.mark : null,
    deposit: request.purpose === 'deposit' ? request.mark : null,
    customerId: null,
    subscriptionId: null,
    saved: row.status === 'complete' && debit?.status !== 'failed' ? await findLocalMethodOf(id) : null,
    savesCard: request.purpose === 'card' || (request.purpose === 'invoice' && request.savesCard),
    takesBank: request.purpose !== 'fee' && request.purpose !== 'deposit' && request.takesBank,
    bankOnly: request.purpose === 'invoice' && request.bankOnly === true,
    tipCents: request.purpose === 'invoice' ? request.tipCents : 0,
    paidWith: request.paidWith ?? null,
    description:
      request.purpose === 'card'
        ? request.takesBank
          ? 'Keep a card or a bank account'
          : 'Keep a card'
        : request.description,
    payeeName: request.payeeName,
    returnPath: request.successPath,
    language: request.language ?? 'en',
  }
}

/** The page that a payment was made on, whoever it is of. */
export const findLocalPaymentOf = async (paymentId: string): Promise<LocalPayment | null> => {
  const row = await database()
    .selectFrom('localCheckoutSessions')
    .select('id')
    .where('paymentIntent', '=', paymentId)
    .executeTakeFirst()
  return row ? findLocalPayment(row.id) : null
}

/** What a page was paid with, as a charge of its account: whoever knows only the payment's id asks so. */
export const findPageCharge = async (paymentId: string, account: string): Promise<Charge | null> => {
  const page = await findLocalPaymentOf(paymentId)
  if (!page || page.account !== account || page.paymentId === null) return null
  const { provider, livemode, amountCents, invoice } = page
  return {
    provider,
    livemode,
    id: paymentId,
    status: 'paid',
    method: page.method,
    amountCents,
    declineCode: null,
    madeAt: clock.iso(),
    mark: invoice,
  }
}

/** The newest pages that were paid into an account. */
export const listLocalPayments = async (account: string, most: number): Promise<LocalPayment[]> => {
  const rows = await database()
    .selectFrom('localCheckoutSessions')
    .select('id')
    .where(sql<string>`payload ->> 'account'`, '=', account)
    .where('paymentIntent', 'is not', null)
    .orderBy('createdAt', 'desc')
    .limit(most)
    .execute()
  const pages = await Promise.all(rows.map(({ id }) => findLocalPayment(id)))
  return pages.filter((page) => page !== null)
}

export const expireLocalPayment = async (id: string): Promise<void> => {
  await database()
    .updateTable('localCheckoutSessions')
    .set({ status: 'expired' })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()
}

type Asked = Omit<LocalDebit, 'status' | 'problem' | 'nextAt'>

/** Finishes a page, once: paid, or its payer's bank is asked. @returns the payment's id, or null when it was not open */
export const completeLocalPayment = async (
  id: string,
  debit: Asked | null = null,
  number = debit?.number ?? '',
): Promise<string | null> => {
  const paidWith: PaidTo = debit
    ? { kind: 'bank', brand: 'Test Bank', last4: number.slice(-4) }
    : { kind: 'card', brand: 'visa', last4: number.slice(-4) }
  const paymentId = await database()
    .transaction()
    .execute(async (tx) => {
      const row = await tx
        .updateTable('localCheckoutSessions')
        .set({
          status: 'complete',
          paymentIntent: `pi_test_${newId().replaceAll('-', '')}`,
          payload: sql`payload || ${JSON.stringify({ paidAt: clock.iso(), ...(number ? { paidWith } : {}) })}::jsonb`,
        })
        .where('id', '=', id)
        .where('status', '=', 'open')
        .where('expiresAt', '>', clock.iso())
        .returning('paymentIntent')
        .executeTakeFirst()
      if (row && debit) await beginDebit(tx, debit)
      return row?.paymentIntent ?? null
    })
  const page = paymentId && !debit ? await findLocalPayment(id) : null
  if (paymentId && page && page.amountCents > 0)
    await noteMove(page.account, paymentId, {
      kind: 'payment',
      amountCents: page.amountCents,
      feeCents: cardFee(page.amountCents),
      sourceId: paymentId,
      words: page.description,
    })
  return paymentId
}

/** Gives a payment back, once for a key; only what was paid here can go back. */
export const refundLocalPayment = async (
  { paymentId, amountCents, mark, requestKey }: RefundRequest,
  account?: string | null,
): Promise<Refund> => {
  if (await isShut(account)) throw new PaymentRefused('No access to this account.', 'account_invalid')
  const paid = await database()
    .selectFrom('localCheckoutSessions')
    .select('id')
    .where('paymentIntent', '=', paymentId)
    .executeTakeFirst()
  const page = paid ? await findLocalPayment(paid.id) : null
  if (page ? page.paymentId === null : (await findLocalCharge(paymentId))?.status !== 'paid')
    throw new PaymentRefused('No such payment was made with the test provider.')
  const paidCents = page?.amountCents ?? (await findLocalCharge(paymentId))?.amountCents ?? null
  return keepRefund({ paymentId, amountCents, mark, requestKey }, account, paidCents)
}

const toOf = async (paymentId: string): Promise<PaidTo | null> => {
  const paid = await database()
    .selectFrom('localCheckoutSessions')
    .select('id')
    .where('paymentIntent', '=', paymentId)
    .executeTakeFirst()
  return paid ? ((await findLocalPayment(paid.id))?.paidWith ?? null) : findLocalMethodCharged(paymentId)
}

const keepRefund = async (
  { paymentId, amountCents, mark, requestKey }: Omit<RefundRequest, 'mark'> & { mark: RefundRequest['mark'] | null },
  account: string | null | undefined,
  paidCents: number | null,
): Promise<Refund> => {
  const idOf = (key: string) => `re_test_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
  const others = await database()
    .selectFrom('localRefunds')
    .select(['id', 'createdAt', 'amountCents'])
    .where('paymentIntent', '=', paymentId)
    .where('failed', '=', false)
    .execute()
  const asked = others.find(({ id }) => id === idOf(requestKey))
  // a key is forgotten after a day, as at the real one
  const isKnown = asked !== undefined && Date.parse(asked.createdAt) > clock.nowMs() - 24 * 3_600_000
  const id = asked && !isKnown ? idOf(`${requestKey}:${clock.iso()}`) : idOf(requestKey)
  const backCents = others.reduce((sum, one) => sum + Number(one.amountCents), 0)
  if (!isKnown && paidCents !== null && backCents + amountCents > paidCents)
    throw new PaymentRefused('This payment has already been refunded.', 'charge_already_refunded')
  await database()
    .insertInto('localRefunds')
    .values({
      id,
      paymentIntent: paymentId,
      mark: mark ? JSON.stringify(mark) : null,
      amountCents,
      createdAt: clock.iso(),
    })
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  const made = await findLocalRefund(id)
  if (!made) throw new Error('The local refund was not kept.')
  await noteMove(account, id, { kind: 'refund', amountCents: -amountCents, sourceId: id })
  return made
}

/** Somebody of the business gives money back in the provider's dashboard: without our mark. */
export const refundInDashboard = (paymentId: string, amountCents: number, account: string): Promise<Refund> =>
  keepRefund({ paymentId, amountCents, mark: null, requestKey: `dashboard:${newId()}` }, account, null)

export const findLocalRefund = async (id: string): Promise<Refund | null> =>
  (await readRefunds((query) => query.where('id', '=', id)))[0] ?? null

/** @throws PaymentRefused for an account that is shut, as at the real one */
export const listLocalRefunds = async (paymentId: string, account?: string | null): Promise<Refund[]> => {
  if (await isShut(account)) throw new PaymentRefused('No access to this account.', 'account_invalid')
  return readRefunds((query) => query.where('paymentIntent', '=', paymentId).orderBy('createdAt'))
}

const allRefunds = () => database().selectFrom('localRefunds').selectAll()
const readRefunds = async (which: (all: ReturnType<typeof allRefunds>) => ReturnType<typeof allRefunds>) => {
  const rows = await which(allRefunds()).execute()
  return Promise.all(
    rows.map(
      async (row): Promise<Refund> => ({
        id: row.id,
        failed: row.failed,
        mark: row.mark as Refund['mark'],
        to: await toOf(row.paymentIntent),
        paymentId: row.paymentIntent,
        amountCents: Number(row.amountCents),
      }),
    ),
  )
}

/** The bank of who gets a refund says no, days later: for tests of what then happens. */
export const failLocalRefund = async (id: string): Promise<void> => {
  await database().updateTable('localRefunds').set({ failed: true }).where('id', '=', id).execute()
  const gone = await read<LocalMove>('move', `txn_${id}`)
  if (gone) await noteMove(gone.account, `${id}_back`, { kind: 'refund', amountCents: -gone.amountCents, sourceId: id })
}
