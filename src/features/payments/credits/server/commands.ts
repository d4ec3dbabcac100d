import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { listPaidAhead } from '../../../invoices/ahead/server/queries.ts'
import { takeFrom, wasVoided } from '../../../invoices/corrections/rules.ts'
import { invoiceName, isOpen } from '../../../invoices/rules.ts'
import { addLedgerEntryTx, type LockedInvoice, lockInvoicesTx } from '../../../invoices/server/commands.ts'
import {
  addOwnPaymentTx,
  addPaymentTx,
  allocateTx,
  isFree,
  listRests,
  lockRestsTx,
  takeOffTx,
} from '../../corrections/server/rows.ts'
import { endPagesTx, exceptionOf, providerDayTx } from '../../server/commands.ts'
import type { creditsApi, Deposit } from '../contract.ts'
import { type Bound, roomOf, type Shares } from '../rules.ts'
import { listBoundOn, listShares, usesCredit } from './queries.ts'

type Rest = Awaited<ReturnType<typeof lockRestsTx>>[number]

const openOf = ({ totalCents, paidCents }: LockedInvoice): number => totalCents - paidCents

type Part = { rest: Rest; cents: number }

/** Puts money on locked open invoices, one after the other. @returns the invoices that it touched, as they stand then, and what paid each last */
const putTx = async (
  db: TenantDb,
  invoices: readonly LockedInvoice[],
  /** What of the money may go on an invoice and how much of it, the first before the others. */
  partsFor: (invoice: LockedInvoice, leftOf: (rest: Rest) => number) => readonly Part[],
): Promise<{ invoice: LockedInvoice; paymentId: string; cents: number }[]> => {
  const left = new Map<string, number>()
  const leftOf = (rest: Rest): number => left.get(rest.id) ?? rest.restCents
  const touched: { invoice: LockedInvoice; paymentId: string; cents: number }[] = []
  for (const before of invoices) {
    const parts = takeFrom(partsFor(before, leftOf), openOf(before))
    let invoice = before
    for (const { part, cents } of parts) {
      left.set(part.rest.id, leftOf(part.rest) - cents)
      invoice = await allocateTx(db, part.rest.id, invoice, cents)
    }
    const last = parts.at(-1)
    if (last) touched.push({ invoice, paymentId: last.part.rest.id, cents: openOf(before) - openOf(invoice) })
  }
  return touched
}

type OfWork = Bound & { rest: Rest }

/** What of the rests is bound to work, what is for one job before what is for a quote with all of its jobs. */
const boundOf = (rests: readonly Rest[]): OfWork[] => {
  const bound = rests.flatMap((rest): OfWork[] =>
    isFree(rest) ? [] : [{ rest, jobId: rest.jobId, quoteId: rest.jobId ? null : rest.quoteId }],
  )
  return [...bound.filter(({ jobId }) => jobId), ...bound.filter(({ jobId }) => !jobId)]
}

const nothing: Shares = { cents: new Map(), quoteOf: new Map() }

/** What of money that was paid ahead may go on an invoice: of its own work there no more than that comes to. */
const ofWork = (
  bound: readonly OfWork[],
  shares: Shares,
  paid: readonly (Bound & { cents: number })[],
  leftOf: (rest: Rest) => number,
): Part[] => {
  const room = roomOf(shares, paid)
  return bound.flatMap(({ rest, ...of }): Part[] => {
    const cents = Math.min(leftOf(rest), room.for(of))
    room.take(of, cents)
    return cents > 0 ? [{ rest, cents }] : []
  })
}

/**
 * Puts on invoices, in the transaction that issues them, what is there for them: what was paid ahead for their work, and where the business wants it
 * what else of the customer's money lies on no invoice. So the mail that carries an invoice says what is really still to pay. What is left of a
 * quote that is billed as a whole is free then.
 */
export const spendAtIssueTx = async (db: TenantDb, invoiceIds: readonly string[]): Promise<void> => {
  await putAtIssueTx(db, invoiceIds)
  const { rows } = await sql<{ customerId: string; quoteId: string }>`
    select customer_id, quote_id from invoices where business_id = ${db.businessId} and id = any(${[...invoiceIds]}::uuid[]) and quote_id is not null`.execute(
    db,
  )
  for (const { customerId, quoteId } of rows) await freeQuoteDepositTx(db, customerId, quoteId)
}

/** What `spendAtIssueTx` would put on a draft: of money that was paid ahead for its work, and of credit where the business wants it. */
export const readSpendable = async (
  db: TenantDb,
  { id, customerId, totalCents }: { id: string; customerId: string; totalCents: number },
): Promise<{ depositCents: number; creditCents: number }> => {
  const rests = await listRests(db, customerId).execute()
  if (rests.length === 0) return { depositCents: 0, creditCents: 0 }
  const shares = (await listShares(db, [id])).get(id) ?? nothing
  const bound = ofWork(boundOf(rests), shares, [], ({ restCents }) => restCents)
  const depositCents = Math.min(
    totalCents,
    bound.reduce((sum, { cents }) => sum + cents, 0),
  )
  const free = (await usesCredit(db)) ? rests.filter(isFree) : []
  const creditCents = Math.min(
    totalCents - depositCents,
    free.reduce((sum, { restCents }) => sum + restCents, 0),
  )
  return { depositCents, creditCents }
}

const putAtIssueTx = async (db: TenantDb, invoiceIds: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select i.id from invoices i where i.business_id = ${db.businessId} and i.id = any(${[...invoiceIds]}::uuid[]) and i.status = 'issued'
      and exists (select from payments p where p.business_id = i.business_id and p.customer_id = i.customer_id and p.status = 'succeeded'
        and p.allocated_cents + p.refunded_cents < p.amount_cents)
    order by i.customer_id, i.number`.execute(db)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const locked = new Map((await lockInvoicesTx(db, ids)).map((invoice) => [invoice.id, invoice]))
  const invoices = ids.flatMap((id) => locked.get(id) ?? [])
  const shares = await listShares(db, ids)
  const byRule = await usesCredit(db)
  const paid: string[] = []
  for (const customerId of new Set(invoices.map((invoice) => invoice.customerId))) {
    const rests = await lockRestsTx(db, customerId)
    const own = invoices.filter((invoice) => invoice.customerId === customerId)
    const bound = boundOf(rests)
    const free = byRule ? rests.filter(isFree) : []
    const touched = await putTx(db, own, ({ id }, leftOf) => [
      ...ofWork(bound, shares.get(id) ?? nothing, [], leftOf),
      ...free.map((rest) => ({ rest, cents: leftOf(rest) })),
    ])
    paid.push(...touched.map(({ paymentId }) => paymentId))
    if (touched.length > 0) await publishChange(db, 'customers', [customerId])
  }
  if (paid.length > 0) await publishChange(db, 'payments', paid)
}

/** Invoices whose saved card is asked right now: the answer is not known yet. */
const listBeingCharged = async (db: TenantDb, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('checkoutSessions')
    .select('invoiceId')
    .where('businessId', '=', db.businessId)
    .where('invoiceId', 'in', [...ids])
    .where('kind', '=', 'autopay')
    .where('status', 'in', ['open', 'processing'])
    .execute()
  return new Set(rows.map(({ invoiceId }) => invoiceId))
}

/** What is open of a customer is looked at so far. */
const mostOpen = 200

/** Open invoices of a customer on which money may be put, the oldest first; what is on its way pays them, or a bank decides first: put there it would come back as paid twice. */
const listOpen = async (db: TenantDb, customerId: string): Promise<string[]> => {
  const open = await db
    .selectFrom('invoices')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('status', 'in', ['issued', 'partially_paid'])
    .where('pendingCents', '=', 0)
    .where('disputed', '=', false)
    .orderBy('dueOn')
    .orderBy('number')
    .limit(mostOpen)
    .execute()
  return open.map(({ id }) => id)
}

type PartsFor = Parameters<typeof putTx>[2]

/** Puts money on open invoices in the order given and says what came of it. @returns what went where */
const putOnOpenTx = async (
  db: TenantDb,
  customerId: string,
  ids: readonly string[],
  by: 'money' | 'credit',
  /** Read once the invoices are locked. */
  readParts: () => Promise<PartsFor>,
): Promise<{ invoiceId: string; cents: number }[]> => {
  const locked = new Map((await lockInvoicesTx(db, ids)).map((invoice) => [invoice.id, invoice]))
  const partsFor = await readParts()
  const charged = await listBeingCharged(db, ids)
  const invoices = ids
    .flatMap((id) => locked.get(id) ?? [])
    .filter(
      ({ id, status, pendingCents, disputed }) => isOpen(status) && pendingCents === 0 && !disputed && !charged.has(id),
    )
  const put = await putTx(db, invoices, partsFor)
  for (const { invoice, paymentId, cents } of put) {
    // an open payment page asks for a balance that no longer holds
    await endPagesTx(db, invoice.id)
    if (invoice.status === 'paid') await emit(db, 'invoice.paid', { invoiceId: invoice.id, paymentId, by, cents })
    await publishChange(db, 'invoices', [invoice.id])
    await publishChange(db, 'payments', [paymentId])
    await publishChange(db, 'customers', [customerId])
  }
  return put.map(({ invoice, cents }) => ({ invoiceId: invoice.id, cents }))
}

/** Puts credit that is not bound to work on the open invoices of a customer, the oldest first. */
export const spendCreditTx = async (db: TenantDb, customerId: string): Promise<void> => {
  await putOnOpenTx(db, customerId, await listOpen(db, customerId), 'credit', async () => {
    const rests = (await lockRestsTx(db, customerId)).filter(isFree)
    return (_, leftOf) => rests.map((rest) => ({ rest, cents: leftOf(rest) }))
  })
}

/**
 * Puts what a customer paid ahead on the open invoices of the work that it is for, the oldest first.
 * @param paymentId this payment alone, which came now
 */
export const spendAheadTx = async (
  db: TenantDb,
  customerId: string,
  paymentId?: string,
): Promise<{ invoiceId: string; cents: number }[]> => {
  const waiting = boundOf(await listRests(db, customerId).execute())
  if (waiting.length === 0) return []
  const open = await listOpen(db, customerId)
  const shares = await listShares(db, open)
  const order = open.filter((id) => waiting.some((of) => roomOf(shares.get(id) ?? nothing, []).for(of) > 0))
  if (order.length === 0) return []
  return putOnOpenTx(db, customerId, order, paymentId ? 'money' : 'credit', async () => {
    const bound = boundOf((await lockRestsTx(db, customerId)).filter(({ id }) => !paymentId || id === paymentId))
    const paid = await listBoundOn(db, order)
    return ({ id }, leftOf) => ofWork(bound, shares.get(id) ?? nothing, paid.get(id) ?? [], leftOf)
  })
}

/**
 * An invoice that is voided gives back what was paid ahead for its work: it waits for the next one of that work again.
 * @returns the invoice as it stands then
 */
export const giveBackAtVoidTx = async (db: TenantDb, who: Who, invoice: LockedInvoice): Promise<LockedInvoice> => {
  const ahead = await listPaidAhead(db, invoice.id)
  const ids = ahead.map(({ paymentId }) => paymentId)
  if (ids.length > 0)
    await sql`select id from payments where business_id = ${db.businessId} and id = any(${ids}::uuid[]) order by id for update`.execute(
      db,
    )
  const change = { reason: wasVoided(invoiceName(invoice.number)), onDay: await todayOf(db), refundId: null }
  let left = invoice
  for (const { paymentId, amountCents } of await listPaidAhead(db, invoice.id))
    left = await takeOffTx(
      db,
      who,
      paymentId,
      { invoice: left, allocatedCents: amountCents },
      { ...change, amountCents },
    )
  if (invoice.quoteId)
    await db
      .updateTable('payments')
      .set({ freedAt: null })
      .where('businessId', '=', db.businessId)
      .where('quoteId', '=', invoice.quoteId)
      .execute()
  if (ids.length > 0) {
    await publishChange(db, 'payments', ids)
    await publishChange(db, 'customers', [invoice.customerId])
  }
  return left
}

type NewDeposit = z.output<(typeof creditsApi)['recordDeposit']['body']>

/** Books money that comes before its invoice. For a job it waits for the invoices of that job, or goes on those that are open, the oldest first. */
export const recordDeposit = (actor: Actor, customerId: string, deposit: NewDeposit): Promise<Deposit> =>
  withTenant(actor, async (db) => {
    await getContact(db, customerId)
    return bookDepositTx(db, actor, customerId, deposit)
  })

/**
 * The same in the caller's transaction, for a quote too.
 * @throws validation_failed for a day to come and for somebody else's job, state_conflict for a canceled one
 */
export const bookDepositTx = async (
  db: TenantDb,
  actor: Actor,
  customerId: string,
  {
    jobId,
    quoteId = null,
    method,
    amountCents,
    receivedOn,
    note,
    exceptionReason,
  }: NewDeposit & { quoteId?: string | null },
): Promise<Deposit> => {
  if (receivedOn > (await todayOf(db))) throw invalid([{ path: 'receivedOn', message: 'This day has not come yet' }])
  if (jobId) {
    const job = await db
      .selectFrom('jobs')
      .select(['customerId', 'number', 'status'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', jobId)
      .executeTakeFirst()
    if (job?.customerId !== customerId) throw invalid([{ path: 'jobId', message: 'This is no job of this customer' }])
    if (job.status === 'canceled')
      throw conflict(`Job #${job.number} was canceled, so no deposit is taken for it. Nothing was booked.`)
  }
  const paid = { customerId, jobId, quoteId, method, amountCents, receivedOn, note }
  const { id, receiptNumber } = await addOwnPaymentTx(db, actor, paid)
  const put = jobId || quoteId ? await spendAheadTx(db, customerId, id) : []
  await addLedgerEntryTx(
    db,
    {
      customerId,
      kind: 'payment',
      amountCents: -amountCents,
      refType: 'payment',
      refId: id,
      onDay: receivedOn,
    },
    exceptionOf(actor, { exceptionReason }),
  )
  await emit(db, 'credit.added', { customerId, paymentId: id, deposit: true })
  await audit(db, actor, 'deposit.record', { type: 'customer', id: customerId }, { after: { method, amountCents } })
  await publishChange(db, 'payments', [id])
  await publishChange(db, 'customers', [customerId])
  return {
    paymentId: id,
    receiptNumber,
    amountCents,
    creditCents: amountCents - put.reduce((sum, { cents }) => sum + cents, 0),
    invoiceId: put[0]?.invoiceId ?? null,
  }
}

type QuoteDeposit = {
  quoteId: string
  customerId: string
  method: 'card' | 'ach'
  amountCents: number
  /** When it was paid at the provider; null where it does not say. */
  paidAt: string | null
  note: string
  provider: string
  providerPaymentId: string
  accountId: string
  livemode: boolean
}

/** Books the deposit of a quote, once by the provider's id. @returns the payment, or null where it was booked before */
export const bookQuoteDepositTx = async (
  db: TenantDb,
  who: Who,
  { paidAt, note, ...deposit }: QuoteDeposit,
): Promise<string | null> => {
  const known = await db
    .selectFrom('payments')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('providerPaymentId', '=', deposit.providerPaymentId)
    .executeTakeFirst()
  if (known) return null
  const { day, note: closed } = await providerDayTx(db, paidAt)
  const made = await addPaymentTx(db, who, {
    ...deposit,
    receivedOn: day,
    note: [note, closed].filter(Boolean).join('. '),
  })
  if (!made) return null
  const { customerId, amountCents } = deposit
  await spendAheadTx(db, customerId, made.id)
  await addLedgerEntryTx(db, {
    customerId,
    kind: 'payment',
    amountCents: -amountCents,
    refType: 'payment',
    refId: made.id,
    onDay: day,
  })
  await emit(db, 'credit.added', { customerId, paymentId: made.id, deposit: true })
  await publishChange(db, 'payments', [made.id])
  await publishChange(db, 'customers', [customerId])
  return made.id
}

/** The quote becomes jobs or is invoiced: what came for it pays the invoices of that work, also where an invoice of the quote itself had freed it. */
export const keepForQuoteTx = async (db: TenantDb, quoteId: string): Promise<void> => {
  await db
    .updateTable('payments')
    .set({ freedAt: null })
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .execute()
}

/** The quote came to nothing, or is on an invoice of its own: what is left of what came for it is credit that any invoice may use. */
export const freeQuoteDepositTx = async (db: TenantDb, customerId: string, quoteId: string): Promise<void> => {
  const freed = await db
    .updateTable('payments')
    .set({ freedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('jobId', 'is', null)
    .where('freedAt', 'is', null)
    .where('status', '=', 'succeeded')
    .returning(['id', sql<number>`(amount_cents - refunded_cents - allocated_cents)::float8`.as('restCents')])
    .execute()
  const left = freed.filter(({ restCents }) => restCents > 0)
  if (left.length === 0) return
  for (const { id } of left) await emit(db, 'credit.added', { customerId, paymentId: id, deposit: false })
  await publishChange(
    db,
    'payments',
    left.map(({ id }) => id),
  )
  await publishChange(db, 'customers', [customerId])
}
