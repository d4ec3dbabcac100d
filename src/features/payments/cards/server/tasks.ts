import { sql } from 'kysely'
import { z } from 'zod'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { leastChargeCents } from '../../../../platform/payments/provider.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { enqueue, enqueueAll, task } from '../../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../../platform/tasks/walk.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { addDays, type Day, dayOf, minuteOfDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { getCashDiscount, isClosed, timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { isHeld } from '../../../invoices/pending/server/queries.ts'
import { invoiceName, isOpen } from '../../../invoices/rules.ts'
import { lockInvoiceTx } from '../../../invoices/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { connectState } from '../../connect/rules.ts'
import { settingsPath } from '../../connect/server/commands.ts'
import { factsOf, findAccountRow, findCardTaker } from '../../connect/server/queries.ts'
import { expiresSoon, lastGoodDay } from '../rules.ts'
import { chargeInvoice, planCharge } from './charges.ts'
import { tellHolderTx } from './commands.ts'
import { mandateOf } from './queries.ts'
import { methodById, syncCharge } from './settling.ts'
import { settleOpenTries } from './tries.ts'

/** Cards are charged in the business's day: whoever wonders reaches somebody. */
const fromMinute = 9 * 60
const toMinute = 20 * 60
const mostPerRun = 500

/** The business's zone while its cards may be charged, else null. */
const zoneByDay = async (actor: SystemActor): Promise<string | null> => {
  const zone = await withTenant(actor, timeZoneOf)
  const minute = minuteOfDay(clock.now(), zone)
  return minute >= fromMinute && minute < toMinute ? zone : null
}

const queue = (_payload: unknown, businessId: string) => `autopay:${businessId}`

/** One invoice of autopay: its charge is announced, or made. One that fails is tried again by itself and keeps no other. */
export const autopayInvoiceWork = task({
  name: 'payments.autopayInvoice',
  payload: z.object({ invoiceId: z.uuid(), step: z.enum(['plan', 'charge']) }),
  // within minutes: the next hour asks anew
  attempts: 6,
  queue,
  run: async (actor, { invoiceId, step }) => {
    // a worker that was away for hours charges nobody in the night
    if ((await zoneByDay(actor)) === null) return
    await (step === 'plan' ? planCharge : chargeInvoice)(actor, invoiceId)
  },
  gaveUp: (actor, { invoiceId, step }) =>
    withTenant(actor, async (db) => {
      const { number, customerId } = await lockInvoiceTx(db, invoiceId)
      const { name } = await getContact(db, customerId)
      await notifyOffice(db, {
        type: 'invoice',
        title: `Autopay of ${invoiceName(number)} is stuck`,
        content: `The charge of ${name} could not be ${step === 'plan' ? 'announced' : 'made'}, because something went wrong here. Nobody is charged twice, and it is tried again every hour by day. If you read this again tomorrow, please tell support.`,
        customerId,
        path: linkTo.invoice(invoiceId),
        dedupeKey: `autopay-stuck:${invoiceId}:${await todayOf(db)}`,
      })
    }),
})

/** Tells holders of cards that end soon, once for a card. */
const warnOfExpiry = (actor: SystemActor, today: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const [year = 0, month = 0] = addDays(today, 30).split('-').map(Number)
    const rows = await db
      .selectFrom('paymentMethods')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('removedAt', 'is', null)
      .where('autopay', '=', true)
      .where('warnedAt', 'is', null)
      .where(sql<boolean>`(exp_year, exp_month) <= (${year}::int, ${month}::int)`)
      .limit(mostPerRun)
      .forUpdate()
      .execute()
    for (const method of rows.filter((one) => expiresSoon(one, today))) {
      await db
        .updateTable('paymentMethods')
        .set({ warnedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', method.id)
        .execute()
      const news = { kind: 'expiring' as const, lastDay: lastGoodDay(method) ?? today }
      // a card that its bank renewed is warned of again in its own time
      const key = `card-expiring:${method.id}:${method.expYear}-${method.expMonth}`
      await tellHolderTx(db, method, news, key, null)
    }
  })

/**
 * A business was closed, or takes no cards any more: what was planned is charged no more, and one that goes on announces it anew. A charge that
 * a bank was asked for is settled first.
 * @param before only what should have been charged before this day
 * @param most so many at a time; null for all
 * @returns what was planned
 */
export const dropPlansTx = async (db: TenantDb, before: Day | null = null, most: number | null = null) => {
  const { rows } = await sql<{ invoiceId: string; methodId: string; chargeOn: Day; announcedCents: number }>`
    delete from autopay_charges d where d.business_id = ${db.businessId} and d.invoice_id in (
      select a.invoice_id from autopay_charges a where a.business_id = ${db.businessId} and a.status = 'waiting'
        and (${before}::date is null or a.charge_on < ${before}::date)
        and not exists (select from checkout_sessions s where s.business_id = a.business_id and s.invoice_id = a.invoice_id
          and s.status in ('open', 'processing') and s.kind = 'autopay')
      order by a.invoice_id limit ${most} for update)
    returning d.invoice_id, d.method_id, d.charge_on, d.announced_cents`.execute(db)
  await publishChange(
    db,
    'invoices',
    rows.map(({ invoiceId }) => invoiceId),
  )
  return rows
}

/** Holders who are told in one transaction that they are not charged. */
const toldAtOnce = 50

/** Who counted on a charge hears that it is not made, or pays neither way. @returns how many it was; fewer than `toldAtOnce` are the last */
const dropAndTellTx = async (db: TenantDb, before: Day | null): Promise<number> => {
  const dropped = await dropPlansTx(db, before, toldAtOnce)
  for (const { invoiceId, methodId, chargeOn, announcedCents } of dropped) {
    const invoice = await db
      .selectFrom('invoices')
      .select(['number', 'status'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', invoiceId)
      .executeTakeFirstOrThrow()
    if (!isOpen(invoice.status)) continue
    const news = {
      kind: 'dropped' as const,
      chargeOn,
      amountCents: Number(announcedCents),
      invoice: invoiceName(invoice.number),
    }
    const key = `autopay-dropped:${invoiceId}:${methodId}:${chargeOn}`
    await tellHolderTx(db, await methodById(db, methodId), news, key, invoiceId)
  }
  return dropped.length
}

/**
 * Nothing can be charged for a business, so nothing is promised to its customers either, and they are reminded as anybody else. A pause by the
 * provider is often over within the day: what is planned waits for that day.
 */
const letGoWithoutCards = async (actor: SystemActor, today: Day): Promise<void> => {
  const state = await withTenant(actor, async (db) => {
    const row = await findAccountRow(db)
    return connectState(row ? factsOf(row) : null)
  })
  const before = state === 'paused' || state === 'checking' ? today : null
  let dropped = 0
  for (let last = toldAtOnce; last === toldAtOnce; dropped += last)
    last = await withTenant(actor, async (db) => {
      const count = await dropAndTellTx(db, before)
      // with what it tells of: whoever is ended between two steps has told the office of the first
      if (count > 0) await tellOfLetGoTx(db, dropped + count, today)
      return count
    })
}

const tellOfLetGoTx = (db: TenantDb, dropped: number, today: Day): Promise<void> =>
  notifyOffice(db, {
    type: 'invoice',
    title: `Autopay stands still: ${dropped === 1 ? 'a charge' : `${dropped} charges`} that ${dropped === 1 ? 'was' : 'were'} announced will not be made`,
    content:
      'You take no cards right now, so nobody is charged, and who counted on a charge was told. Their invoices are reminded of and get late fees as any other. Once you take cards again, each charge is announced anew.',
    path: settingsPath,
    dedupeKey: `autopay-no-cards:${today}`,
    again: true,
  })

/** Finds the charges of a business whose day has come, to be announced or made one by one (`autopayInvoiceWork`). */
export const runAutopay = async (actor: SystemActor): Promise<void> => {
  await settleOpenTries(actor)
  const closed = await withTenant(actor, async (db) => {
    const gone = await isClosed(db)
    if (gone) await dropPlansTx(db)
    return gone
  })
  if (closed) return
  const zone = await zoneByDay(actor)
  if (zone === null) return
  const today = dayOf(clock.now(), zone)
  if (!(await withTenant(actor, findCardTaker))) return letGoWithoutCards(actor, today)
  await withTenant(actor, async (db) => {
    const { noticeDays } = await mandateOf(db)
    const discountBps = await getCashDiscount(db)
    // What is held is announced anew when it is held no more: its holder has not counted with a charge meanwhile.
    await sql`
      delete from autopay_charges a using invoices i, customers c
      where a.business_id = ${db.businessId} and a.status = 'waiting' and i.business_id = a.business_id and i.id = a.invoice_id
        and c.business_id = i.business_id and c.id = i.customer_id and ${isHeld(today)}
        and not exists (select from checkout_sessions s where s.business_id = a.business_id and s.invoice_id = a.invoice_id
          and s.status in ('open', 'processing') and s.kind = 'autopay')`.execute(db)
    const planned = await sql<{ id: string }>`
      select i.id from invoices i join payment_methods m on m.business_id = i.business_id and m.customer_id = i.customer_id
        join customers c on c.business_id = i.business_id and c.id = i.customer_id
      where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid') and i.due_on <= ${today}::date + greatest(m.notice_days, ${noticeDays}::int) and not ${isHeld(today)}
        and i.total_cents - i.paid_cents - case when m.kind = 'bank' then round((i.total_cents - i.paid_cents) * ${discountBps}::int / 10000.0) else 0 end >= ${leastChargeCents}
        and not i.disputed and i.pending_cents = 0
        and m.removed_at is null and m.autopay
        and not exists (select from autopay_charges c where c.business_id = i.business_id and c.invoice_id = i.id)
      order by i.due_on, i.number limit ${mostPerRun}`.execute(db)
    const rows = await db
      .selectFrom('autopayCharges')
      .select('invoiceId')
      .where('businessId', '=', db.businessId)
      .where('status', '=', 'waiting')
      .where('chargeOn', '<=', today)
      .orderBy('chargeOn')
      .limit(mostPerRun)
      .execute()
    const ask = (invoiceId: string, step: 'plan' | 'charge') => ({ payload: { invoiceId, step }, key: invoiceId })
    await enqueueAll(db, autopayInvoiceWork, [
      ...planned.rows.map(({ id }) => ask(id, 'plan')),
      ...rows.map(({ invoiceId }) => ask(invoiceId, 'charge')),
    ])
  })
  await warnOfExpiry(actor, today)
}

/** Businesses are worked off beside each other: a long first of the month of one keeps nobody else's past the evening. */
export const autopayWork = task({
  name: 'payments.autopayOf',
  payload: z.object({}),
  queue,
  run: runAutopay,
})

/** Hourly, each business in its own day; of a closed one only what was begun is settled. */
export const autopayAll: GlobalTask = {
  name: 'payments.autopay',
  run: () =>
    forEachBusiness('autopay', (actor) => withTenant(actor, (db) => enqueue(db, autopayWork, {}, { key: 'hourly' }))),
}
export const autopaySchedule: Schedule = { task: autopayAll.name, match: '20 * * * *', onlyLatest: true }

/** A charge is over, or its bank was asked; what else is told while it is made says nothing yet. */
const chargeEvents = new Set([
  'payment_intent.processing',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
])

/** A stored event about a charge: it names it, the provider is asked for its state. */
export const processChargeEvent = async (event: StoredWebhook): Promise<void> => {
  const id = (event.payload as { data?: { object?: { id?: string } } }).data?.object?.id
  const { created } = event.payload as { created?: number }
  const at = typeof created === 'number' ? new Date(created * 1000).toISOString() : null
  if (chargeEvents.has(event.type) && id && event.account) await syncCharge(id, event.account, at)
}
