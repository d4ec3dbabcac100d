import { sql } from 'kysely'
import { todayOf } from '../features/businesses/server/queries.ts'
import { billToOfVisit, linesOf } from '../features/invoices/batch/server/commands.ts'
import { confirmedOf, planFinishedVisits } from '../features/invoices/batch/server/queries.ts'
import { setReminders } from '../features/invoices/reminders/server/commands.ts'
import { dueOn } from '../features/invoices/rules.ts'
import { insertInvoicesTx } from '../features/invoices/server/commands.ts'
import { writeOffInvoice } from '../features/invoices/writeoffs/server/commands.ts'
import {
  creditInvoice,
  giveCredit,
  refundPayment,
  reversePayment,
} from '../features/payments/corrections/server/commands.ts'
import { recordDeposit } from '../features/payments/credits/server/commands.ts'
import { bookPaymentTx, recordPayment } from '../features/payments/server/commands.ts'
import type { Actor, SystemActor } from '../platform/actor.ts'
import { nextNumber } from '../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { linkToken } from '../platform/links.ts'
import { addDays, type Day, daysBetween, instantAt } from '../shared/dates.ts'

/** Invoices a finished week as it would have been on its last evening, and lets most customers have paid since. */
export const billWeek = async (
  db: TenantDb,
  who: SystemActor,
  week: { from: Day; to: Day },
  today: Day,
  timeZone: string,
  random: () => number,
): Promise<void> => {
  const plan = await planFinishedVisits(db, { from: week.from, to: week.to, grouping: null })
  if (!plan.invoices.length) return
  const first = await nextNumber(db, 'invoice', plan.invoices.length)
  const batchId = newId()
  await db
    .insertInto('invoiceBatches')
    .values({
      businessId: db.businessId,
      id: batchId,
      status: 'done',
      send: true,
      planned: JSON.stringify(plan.invoices.map(confirmedOf)),
      total: plan.invoices.length,
      done: plan.invoices.length,
      invoiceCount: plan.invoices.length,
      visitCount: plan.invoices.reduce((sum, invoice) => sum + invoice.visits.length, 0),
      totalCents: plan.invoices.reduce((sum, invoice) => sum + invoice.totals.totalCents, 0),
      mailedCount: plan.invoices.filter((invoice) => invoice.visits[0]?.customerEmail).length,
    })
    .execute()
  for (const [i, planned] of plan.invoices.entries()) {
    const visit = planned.visits[0]!
    const termsDays = visit.termsDays ?? 14
    const [id = ''] = await insertInvoicesTx(db, null, [
      {
        number: first + i,
        customerId: visit.customerId,
        batchId,
        termsDays,
        message: 'Thank you for trusting us with your lawn.',
        totals: planned.totals,
        billTo: billToOfVisit(visit),
        lines: linesOf(planned),
      },
    ])
    await db
      .updateTable('visits')
      .set({ invoiceId: id })
      .where('businessId', '=', db.businessId)
      .where(
        'id',
        'in',
        planned.visits.map((v) => v.id),
      )
      .execute()
    const at = instantAt(week.to, 1050, timeZone)
    await db
      .updateTable('invoices')
      .set({
        status: 'issued',
        issueOn: week.to,
        dueOn: dueOn(week.to, termsDays),
        sentAt: visit.customerEmail ? at : null,
        viewedAt: random() < 0.7 ? instantAt(addDays(week.to, 1), 600, timeZone) : null,
        createdAt: at,
        updatedAt: at,
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await db
      .insertInto('ledgerEntries')
      .values({
        businessId: db.businessId,
        id: newId(),
        customerId: visit.customerId,
        kind: 'invoice',
        amountCents: planned.totals.totalCents,
        refType: 'invoice',
        refId: id,
        onDay: week.to,
        createdAt: at,
      })
      .execute()
    await linkToken(db, 'invoice', id)
    const age = daysBetween(week.to, today)
    const paysAfter = Math.floor(1 + random() ** 2 * 22)
    if (paysAfter >= age || random() < 0.05) continue
    await bookPaymentTx(db, who, id, {
      method: random() < 0.72 ? 'card' : 'check',
      amountCents: random() < 0.03 ? Math.ceil(planned.totals.totalCents / 2) : planned.totals.totalCents,
      receivedOn: addDays(week.to, paysAfter),
    })
  }
}

/** One of each way back, so that the screens have something to show: credit that waits, a deposit for a job, a credit note, a refund, a payment taken back, a debt let go. */
export const setRight = async (owner: Actor): Promise<void> => {
  const { paid, open } = await withTenant(owner, async (db) => {
    const newest = (status: 'paid' | 'issued') =>
      db
        .selectFrom('invoices')
        .select(['id', 'customerId', 'totalCents', 'dueOn'])
        .where('businessId', '=', db.businessId)
        .where('status', '=', status)
        .where('totalCents', '>', 4000)
        .orderBy('issueOn', status === 'paid' ? 'desc' : 'asc')
        .orderBy('number')
        .limit(6)
        .execute()
    return { paid: await newest('paid'), open: await newest('issued') }
  })
  const today = await withTenant(owner, (db) => todayOf(db))
  const [first, second, third] = paid
  const [oldest, next, owes, waits, disputes] = open
  if (first)
    await giveCredit(owner, first.customerId, { amountCents: 2500, reason: 'Sprinkler head broken by the trailer' })
  if (second) await creditInvoice(owner, second.id, { amountCents: 1500, reason: 'Back yard was locked, not mowed' })
  if (third) {
    const payment = await withTenant(owner, (db) =>
      db
        .selectFrom('paymentAllocations')
        .select('paymentId')
        .where('businessId', '=', db.businessId)
        .where('invoiceId', '=', third.id)
        .executeTakeFirstOrThrow(),
    )
    const refund = { amountCents: 2000, method: 'check' as const, onDay: today, creditInvoices: true }
    await refundPayment(owner, payment.paymentId, { ...refund, reason: 'Charged for edging they had declined' })
  }
  if (next) {
    const body = { method: 'check' as const, amountCents: next.totalCents, receivedOn: today, note: '2207' }
    const { id } = await recordPayment(owner, next.id, body)
    await reversePayment(owner, id, { reason: 'Check 2207 was for the neighbor' })
  }
  if (owes) {
    const job = await withTenant(owner, (db) =>
      db
        .selectFrom('jobs')
        .select(['id', 'customerId'])
        .where('businessId', '=', db.businessId)
        .where('customerId', '=', owes.customerId)
        .where('status', '=', 'active')
        .orderBy('number')
        .executeTakeFirst(),
    )
    const money = { method: 'check' as const, amountCents: 40_000, receivedOn: today, note: '1184' }
    // more than is open of that work: the rest waits for its next invoice
    if (job) await recordDeposit(owner, job.customerId, { ...money, jobId: job.id })
  }
  if (waits) await setReminders(owner, waits.id, { promisedOn: addDays(today, 4) })
  if (disputes) await setReminders(owner, disputes.id, { stop: 'They dispute the hedge trimming' })
  if (oldest) await writeOffInvoice(owner, oldest.id, { reason: 'Moved out of state, no answer since' })
}

/** What the money events would tell the office is past; a demo starts with a calm bell. */
export const forgetEvents = async (db: TenantDb): Promise<void> => {
  await sql`delete from notifications where business_id = ${db.businessId}`.execute(db)
}
