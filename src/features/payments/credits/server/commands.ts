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
import { takeFrom } from '../../../invoices/corrections/rules.ts'
import { isOpen } from '../../../invoices/rules.ts'
import { addLedgerEntryTx, type LockedInvoice, lockInvoicesTx } from '../../../invoices/server/commands.ts'
import { addOwnPaymentTx, addPaymentTx, allocateTx, isFree, lockRestsTx } from '../../corrections/server/rows.ts'
import { endPagesTx, exceptionOf, providerDayTx } from '../../server/commands.ts'
import type { creditsApi, Deposit } from '../contract.ts'
import { listJobShares, sumDepositsOn, usesCredit } from './queries.ts'

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

/** What of the deposits for jobs may go on an invoice: of each job no more than its work there with its tax. */
const ofDeposits = (rests: readonly Rest[], shares: ReadonlyMap<string, number>, leftOf: (rest: Rest) => number) => {
  const room = new Map(shares)
  return rests.flatMap((rest): Part[] => {
    const most = room.get(rest.jobId ?? '') ?? 0
    const cents = Math.min(leftOf(rest), most)
    room.set(rest.jobId ?? '', most - cents)
    return cents > 0 ? [{ rest, cents }] : []
  })
}

/**
 * Puts on invoices, in the transaction that issues them, what is there for them: a deposit for their job, and where the business wants it
 * what else of the customer's money lies on no invoice. So the mail that carries an invoice says what is really still to pay.
 */
export const spendAtIssueTx = async (db: TenantDb, invoiceIds: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select i.id from invoices i where i.business_id = ${db.businessId} and i.id = any(${[...invoiceIds]}::uuid[]) and i.status = 'issued'
      and exists (select from payments p where p.business_id = i.business_id and p.customer_id = i.customer_id and p.status = 'succeeded'
        and p.allocated_cents + p.refunded_cents < p.amount_cents)
    order by i.customer_id, i.number`.execute(db)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const locked = new Map((await lockInvoicesTx(db, ids)).map((invoice) => [invoice.id, invoice]))
  const invoices = ids.flatMap((id) => locked.get(id) ?? [])
  const shares = await listJobShares(db, ids)
  const byRule = await usesCredit(db)
  const paid: string[] = []
  for (const customerId of new Set(invoices.map((invoice) => invoice.customerId))) {
    const rests = await lockRestsTx(db, customerId)
    const own = invoices.filter((invoice) => invoice.customerId === customerId)
    const deposits = rests.filter(({ jobId }) => jobId !== null)
    const free = byRule ? rests.filter(isFree) : []
    const touched = await putTx(db, own, ({ id }, leftOf) => [
      ...ofDeposits(deposits, shares.get(id) ?? new Map(), leftOf),
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

/** Puts credit that is not bound to a job on the open invoices of a customer, the oldest first. */
export const spendCreditTx = async (db: TenantDb, customerId: string): Promise<void> => {
  const open = await db
    .selectFrom('invoices')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('status', 'in', ['issued', 'partially_paid'])
    // what is on its way pays them, or a bank decides first: credit put there would come back as paid twice
    .where('pendingCents', '=', 0)
    .where('disputed', '=', false)
    .orderBy('dueOn')
    .orderBy('number')
    .limit(mostOpen)
    .execute()
  const ids = open.map(({ id }) => id)
  const locked = new Map((await lockInvoicesTx(db, ids)).map((invoice) => [invoice.id, invoice]))
  const rests = (await lockRestsTx(db, customerId)).filter(isFree)
  const charged = await listBeingCharged(db, ids)
  const invoices = ids
    .flatMap((id) => locked.get(id) ?? [])
    .filter(
      ({ id, status, pendingCents, disputed }) => isOpen(status) && pendingCents === 0 && !disputed && !charged.has(id),
    )
  for (const { invoice, paymentId, cents } of await putTx(db, invoices, (_, leftOf) =>
    rests.map((rest) => ({ rest, cents: leftOf(rest) })),
  )) {
    // an open payment page asks for a balance that no longer holds
    await endPagesTx(db, invoice.id)
    if (invoice.status === 'paid')
      await emit(db, 'invoice.paid', { invoiceId: invoice.id, paymentId, by: 'credit', cents })
    await publishChange(db, 'invoices', [invoice.id])
    await publishChange(db, 'payments', [paymentId])
    await publishChange(db, 'customers', [customerId])
  }
}

/** The oldest open invoice of a job, locked, or null. */
const lockOldestOfJobTx = async (db: TenantDb, jobId: string): Promise<LockedInvoice | null> => {
  const { rows } = await sql<{ id: string }>`
    select i.id from invoices i where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid')
      and i.customer_id = (select customer_id from jobs where business_id = ${db.businessId} and id = ${jobId})
      and exists (select from invoice_lines l join visits v on v.business_id = l.business_id and v.id = l.visit_id
        where l.business_id = i.business_id and l.invoice_id = i.id and v.job_id = ${jobId})
    order by i.due_on, i.number limit 1`.execute(db)
  const [invoice] = rows[0] ? await lockInvoicesTx(db, [rows[0].id]) : []
  return invoice && isOpen(invoice.status) ? invoice : null
}

/** How much of an invoice deposits of a job may still pay: its work there with its tax, less what they paid of it. */
const roomOfJob = async (db: TenantDb, invoiceId: string, jobId: string): Promise<number> => {
  const shareCents = (await listJobShares(db, [invoiceId])).get(invoiceId)?.get(jobId) ?? 0
  return Math.max(0, shareCents - (await sumDepositsOn(db, invoiceId, jobId)))
}

type NewDeposit = z.output<(typeof creditsApi)['recordDeposit']['body']>

/** Books money that comes before its invoice. For a job it waits for that job's first invoice, or goes on the oldest that is open. */
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
  const invoice = jobId ? await lockOldestOfJobTx(db, jobId) : null
  const paid = { customerId, jobId, quoteId, method, amountCents, receivedOn, note }
  const { id, receiptNumber } = await addOwnPaymentTx(db, actor, paid)
  const part = invoice && jobId ? Math.min(amountCents, openOf(invoice), await roomOfJob(db, invoice.id, jobId)) : 0
  if (invoice && part > 0) {
    await endPagesTx(db, invoice.id)
    const after = await allocateTx(db, id, invoice, part)
    if (after.status === 'paid')
      await emit(db, 'invoice.paid', { invoiceId: invoice.id, paymentId: id, by: 'money', cents: part })
    await publishChange(db, 'invoices', [invoice.id])
  }
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
    creditCents: amountCents - part,
    invoiceId: part > 0 ? (invoice?.id ?? null) : null,
  }
}

type QuoteDeposit = {
  quoteId: string
  customerId: string
  /** The job that the quote is by now; null while it is none. */
  jobId: string | null
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

/** The quote is a job now: what came for it waits for that job's first invoice. */
export const bindQuoteDepositsTx = async (db: TenantDb, quoteId: string, jobId: string): Promise<void> => {
  await db
    .updateTable('payments')
    .set({ jobId })
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('jobId', 'is', null)
    .execute()
}

/** The quote came to nothing: what came for it is credit that any invoice may use. */
export const freeQuoteDepositTx = async (db: TenantDb, customerId: string, quoteId: string): Promise<void> => {
  const freed = await db
    .updateTable('payments')
    .set({ freedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('jobId', 'is', null)
    .where('freedAt', 'is', null)
    .where('status', '=', 'succeeded')
    .returning('id')
    .execute()
  for (const { id } of freed) await emit(db, 'credit.added', { customerId, paymentId: id, deposit: false })
  await publishChange(
    db,
    'payments',
    freed.map(({ id }) => id),
  )
  await publishChange(db, 'customers', [customerId])
}
