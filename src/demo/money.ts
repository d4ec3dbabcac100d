import { sql } from 'kysely'
import { noLateFees } from '../features/businesses/latefees/rules.ts'
import { changeBusiness } from '../features/businesses/server/commands.ts'
import { getBusinessSettings, todayOf } from '../features/businesses/server/queries.ts'
import { addTaxRate } from '../features/businesses/taxes/server/commands.ts'
import { billToOfVisit, linesOf } from '../features/invoices/batch/server/commands.ts'
import { confirmedOf, planFinishedVisits } from '../features/invoices/batch/server/queries.ts'
import { pastMonths } from '../features/invoices/closing/rules.ts'
import { closeMonth } from '../features/invoices/closing/server/commands.ts'
import { createInvoice } from '../features/invoices/drafts/server/commands.ts'
import { addExemption } from '../features/invoices/exemptions/server/commands.ts'
import { issuerNow } from '../features/invoices/issuing/server/queries.ts'
import { chargeFeesOf } from '../features/invoices/latefees/server/commands.ts'
import { setReminders } from '../features/invoices/reminders/server/commands.ts'
import { dueOn, rulesVersion } from '../features/invoices/rules.ts'
import { insertInvoicesTx, issueInvoice } from '../features/invoices/server/commands.ts'
import { writeOffInvoice } from '../features/invoices/writeoffs/server/commands.ts'
import { creditInvoice, giveCredit, reversePayment } from '../features/payments/corrections/server/commands.ts'
import { refundPayment } from '../features/payments/corrections/server/refunds.ts'
import { recordDeposit } from '../features/payments/credits/server/commands.ts'
import { bookPaymentTx, recordPayment } from '../features/payments/server/commands.ts'
import { type Actor, type SystemActor, systemActor } from '../platform/actor.ts'
import { nextNumber } from '../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { registerLinks } from '../platform/links.ts'
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
  // Before anybody has counted the tables the planner takes each for empty, and goes through all of one for every row of another.
  await sql`set local enable_nestloop = off`.execute(db)
  const plan = await planFinishedVisits(db, { from: week.from, to: week.to, grouping: null })
  await sql`set local enable_nestloop = on`.execute(db)
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
  const at = instantAt(week.to, 1050, timeZone)
  const age = daysBetween(week.to, today)
  const made = plan.invoices.map((planned) => {
    const visit = planned.visits[0]!
    const isViewed = random() < 0.7
    const paysAfter = Math.floor(1 + random() ** 2 * 22)
    const isPaid = paysAfter < age && random() >= 0.05
    return {
      planned,
      visit,
      termsDays: visit.termsDays ?? 14,
      viewedAt: isViewed ? instantAt(addDays(week.to, 1), 600, timeZone) : null,
      paid: isPaid
        ? {
            method: random() < 0.72 ? ('card' as const) : ('check' as const),
            amountCents: random() < 0.03 ? Math.ceil(planned.totals.totalCents / 2) : planned.totals.totalCents,
            receivedOn: addDays(week.to, paysAfter),
          }
        : null,
    }
  })
  const ids = await insertInvoicesTx(
    db,
    null,
    made.map(({ planned, visit, termsDays }, i) => ({
      number: first + i,
      customerId: visit.customerId,
      batchId,
      termsDays,
      message: 'Thank you for trusting us with your lawn.',
      totals: planned.totals,
      billTo: billToOfVisit(visit),
      lines: linesOf(planned),
    })),
  )
  const idAt = (i: number): string => ids[i] ?? ''
  const billed = made.flatMap(({ planned }, i) => planned.visits.map(({ id }) => ({ id, invoiceId: idAt(i) })))
  await sql`
    update visits v set invoice_id = b."invoiceId" from jsonb_to_recordset(${JSON.stringify(billed)}::jsonb) as b(id uuid, "invoiceId" uuid)
    where v.business_id = ${db.businessId} and v.id = b.id`.execute(db)
  const sent = made.map(({ visit, termsDays, viewedAt }, i) => ({
    id: idAt(i),
    dueOn: dueOn(week.to, termsDays),
    sentAt: visit.customerEmail ? at : null,
    viewedAt,
  }))
  await sql`
    update invoices i set status = 'issued', rules_version = ${rulesVersion}, sender = ${issuerNow(db)}, issue_on = ${week.to}::date, due_on = s."dueOn", sent_at = s."sentAt", viewed_at = s."viewedAt",
      created_at = ${at}::timestamptz, updated_at = ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) as s(id uuid, "dueOn" date, "sentAt" timestamptz, "viewedAt" timestamptz)
    where i.business_id = ${db.businessId} and i.id = s.id`.execute(db)
  await db
    .insertInto('ledgerEntries')
    .values(
      made.map(({ planned, visit }, i) => ({
        businessId: db.businessId,
        id: newId(),
        customerId: visit.customerId,
        kind: 'invoice' as const,
        amountCents: planned.totals.totalCents,
        refType: 'invoice' as const,
        refId: idAt(i),
        onDay: week.to,
        createdAt: at,
      })),
    )
    .execute()
  await registerLinks(db, 'invoice', ids)
  for (const [i, { paid }] of made.entries()) if (paid) await bookPaymentTx(db, who, idAt(i), paid)
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
    await giveCredit(owner, first.customerId, {
      amountCents: 2500,
      reason: 'Sprinkler head broken by the trailer',
      tell: false,
    })
  if (second)
    await creditInvoice(owner, second.id, { amountCents: 1500, reason: 'Back yard was locked, not mowed', tell: false })
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
  if (first)
    await createInvoice(owner, {
      customerId: first.customerId,
      message: '',
      discountCents: 0,
      lines: [
        {
          description: 'Storm cleanup, two hours',
          quantity: 2,
          unitPriceCents: 6500,
          taxCategory: 'none',
          propertyId: null,
          serviceOn: null,
        },
      ],
    })
  // mowing is not taxed in Georgia; what is sold by the bale is
  await addTaxRate(owner, {
    ...{ name: 'Georgia sales tax', ratePercent: 4, taxCategory: 'goods', state: 'GA', places: [] },
    ...{ onTop: false, validFrom: null, validTo: null },
  })
  await addTaxRate(owner, {
    ...{ name: 'Chatham County', ratePercent: 3, taxCategory: 'goods', state: 'GA', places: ['Savannah'] },
    ...{ onTop: true, validFrom: null, validTo: null },
  })
  if (second) {
    const sold = { taxCategory: 'goods', propertyId: null, serviceOn: null }
    const { id } = await createInvoice(owner, {
      customerId: second.customerId,
      message: '',
      discountCents: 1000,
      lines: [{ ...sold, description: 'Pine straw, long needle, delivered', quantity: 12, unitPriceCents: 850 }],
    })
    await issueInvoice(owner, id)
  }
  if (oldest) await writeOffInvoice(owner, oldest.id, { reason: 'Moved out of state, no answer since' })
}

/** The church and the school next to it pay no tax; one of their certificates ends soon. */
export const showExemptions = async (owner: Actor): Promise<void> => {
  const { today, customers } = await withTenant(owner, async (db) => ({
    today: await todayOf(db),
    customers: await db
      .selectFrom('customers')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('company', 'is not', null)
      .where('archivedAt', 'is', null)
      .orderBy('id')
      .limit(2)
      .execute(),
  }))
  const [first, second] = customers
  const validFrom = addDays(today, -350)
  if (first)
    await addExemption(owner, first.id, {
      certificate: 'GA-204418',
      state: 'GA',
      validFrom,
      validUntil: addDays(today, 15),
    })
  if (second)
    await addExemption(owner, second.id, { certificate: 'ST-5M 7731', state: null, validFrom, validUntil: null })
}

/** Late fees are on for what is issued from today; one that was late before that has one. */
export const chargeOneFee = async (owner: Actor): Promise<void> => {
  const { version } = await withTenant(owner, (db) => getBusinessSettings(db, owner))
  await changeBusiness(owner, {
    version,
    lateFees: {
      ...noLateFees,
      kind: 'percent',
      minimumCents: 500,
      graceDays: 5,
      capCents: 4000,
      second: { fromDays: 60, kind: 'fixed', percent: 5, fixedCents: 2500 },
    },
  })
  const setFrom = (day: Day) =>
    withTenant(owner, (db) =>
      db.updateTable('businesses').set({ lateFeesFrom: day }).where('businessId', '=', db.businessId).execute(),
    )
  const today = await withTenant(owner, (db) => todayOf(db))
  const late = await withTenant(owner, (db) =>
    db
      .selectFrom('invoices')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('status', '=', 'issued')
      .where('dueOn', '<', addDays(today, -6))
      .where('remindersStopped', 'is', null)
      .where('promisedOn', 'is', null)
      // what was paid and is owed again has its days of grace anew
      .where('reopenedOn', 'is', null)
      .orderBy('dueOn')
      .orderBy('number')
      .limit(1)
      .execute(),
  )
  await setFrom(addDays(today, -365))
  await chargeFeesOf(
    systemActor(owner.businessId),
    late.map(({ id }) => id),
  )
  await setFrom(today)
}

/** The month before the last is with the accountant. */
export const closeBooks = async (owner: Actor): Promise<void> => {
  const today = await withTenant(owner, (db) => todayOf(db))
  const month = pastMonths(today, 2).at(-1)
  if (month) await closeMonth(owner, { month, leaveOpen: true })
}

/** What the money events would tell the office is past; a demo starts with a calm bell. */
export const forgetEvents = async (db: TenantDb): Promise<void> => {
  await sql`delete from notifications where business_id = ${db.businessId}`.execute(db)
}
