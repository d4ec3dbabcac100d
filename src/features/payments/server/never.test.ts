import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { findLocalPayment } from '../../../local/payments/checkout.ts'
import { signEvent } from '../../../local/payments/events.ts'
import { systemActor } from '../../../platform/actor.ts'
import { database } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { storeWebhook } from '../../../platform/webhooks.ts'
import { runTasks, stranger, testServer } from '../../../test/api.ts'
import { aCustomer, accountOf, anIssuedInvoice, openPage, payPage, withCard } from '../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit, today } from '../../../test/field.ts'
import { theOwner } from '../../../test/funnel.ts'
import { copyRow, refuseRows, tryAgain } from '../../../test/refuse.ts'
import { rowSums } from '../../../test/row-sums.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { statementsApi } from '../../invoices/statements/contract.ts'
import { failedTasksApi } from '../../system/failed/contract.ts'
import { planCharge } from '../cards/server/charges.ts'
import { paymentsApi } from '../contract.ts'
import { correctionsApi } from '../corrections/contract.ts'

/** What must never happen with money, where a table or the queue is what stands in the way (docs/flows/never-events.md). */

let heal: () => Promise<void> = async () => undefined
afterEach(() => heal())

const open = async (cents = 5500) => {
  const own = await aBusiness()
  const customerId = await aCustomer(own)
  return { own, customerId, ...(await anIssuedInvoice(own, customerId, cents)) }
}
const statusOf = async (own: TestBusiness, id: string) => (await own.api.ok(invoicesApi.get, { params: { id } })).status

const invoiceRow = (own: TestBusiness, id: string) =>
  own.db((db) =>
    db
      .selectFrom('invoices')
      .select('customerId')
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )

describe('the tables refuse, whoever writes', () => {
  it('a second open attempt of one invoice, beside a page or a card', async () => {
    const { own, token } = await open()
    await openPage(token)
    for (const kind of ['page', 'autopay'])
      await expect(copyRow(own, 'checkout_sessions', { id: newId(), kind, provider_session_id: null })).rejects.toThrow(
        /checkout_sessions_open/,
      )
  })

  it('a second try of one number', async () => {
    const { own, id, token } = await open()
    await openPage(token)
    await own.db((db) =>
      db
        .updateTable('checkoutSessions')
        .set({ status: 'failed', kind: 'autopay', tryNumber: 1 })
        .where('businessId', '=', own.id)
        .where('invoiceId', '=', id)
        .execute(),
    )
    await expect(copyRow(own, 'checkout_sessions', { id: newId(), provider_session_id: null })).rejects.toThrow(
      /checkout_sessions_try/,
    )
  })

  it('a second plan to charge one invoice', async () => {
    const { own } = await withCard()
    // due in ten days: it is planned seven days ahead
    await own.db((db) => db.updateTable('invoices').set({ dueOn: today() }).where('businessId', '=', own.id).execute())
    await own.db((db) =>
      db.updateTable('paymentMethods').set({ noticeDays: 14 }).where('businessId', '=', own.id).execute(),
    )
    for (const { id } of (await own.api.ok(invoicesApi.list, { query: { view: 'open' } })).items)
      await planCharge(systemActor(own.id), id)
    await expect(copyRow(own, 'autopay_charges')).rejects.toThrow(/autopay_charges_pkey/)
  })

  it('a second plan of a business that runs', async () => {
    const own = await aBusiness()
    const values = {
      businessId: own.id,
      provider: 'local' as const,
      livemode: false,
      plan: 'basic' as const,
      period: 'month' as const,
      priceCents: 2900,
      status: 'active' as const,
      startedAt: '2026-01-01T00:00:00Z',
    }
    const begin = () =>
      own.db((db) =>
        db
          .insertInto('subscriptions')
          .values({ ...values, id: newId(), providerSubscriptionId: newId() })
          .execute(),
      )
    await begin()
    await expect(begin()).rejects.toThrow(/subscriptions_live/)
  })

  it('one line of a visit on two invoices', async () => {
    const own = await aBusiness()
    await aVisit(own, { status: 'completed', priceCents: 5500 })
    await own.api.ok(invoicesApi.createBatch, { body: { send: false } })
    await expect(copyRow(own, 'invoice_lines', { id: newId(), position: 9 })).rejects.toThrow(
      /invoice_lines_business_id_visit_line_id_key/,
    )
  })

  it('a change of the ledger, by anybody', async () => {
    const { own } = await open()
    const entries = own.db((db) =>
      db.selectFrom('ledgerEntries').selectAll().where('businessId', '=', own.id).execute(),
    )
    const before = await entries
    expect(before.length).toBeGreaterThan(0)
    for (const statement of [
      sql`update ledger_entries set amount_cents = 0 where business_id = ${own.id}`,
      sql`delete from ledger_entries where business_id = ${own.id}`,
    ])
      await expect(own.db((db) => statement.execute(db))).rejects.toThrow(/permission denied/)
  })

  it('any change of what stands on an issued invoice, of its lines and of its taxes', async () => {
    const { own, id } = await open()
    const tries = [
      ...['number', 'terms_days', 'subtotal_cents', 'discount_cents', 'tax_cents', 'total_cents'].map(
        (column) => sql`update invoices set ${sql.ref(column)} = ${sql.ref(column)} + 1 where id = ${id}`,
      ),
      sql`update invoices set message = 'Another' where id = ${id}`,
      sql`update invoices set bill_to = '{"name":"Another"}' where id = ${id}`,
      sql`update invoices set sender = '{"name":"Another"}' where id = ${id}`,
      sql`update invoices set status = 'draft' where id = ${id}`,
      sql`update invoices set due_on = due_on + 1 where id = ${id}`,
      sql`update invoices set issue_on = issue_on - 1 where id = ${id}`,
      sql`delete from invoices where id = ${id}`,
      sql`update invoice_lines set total_cents = 1 where invoice_id = ${id}`,
      sql`update invoice_lines set description = 'Another' where invoice_id = ${id}`,
      sql`update invoice_lines set tax_treatment = 'exempt' where invoice_id = ${id}`,
      sql`delete from invoice_lines where invoice_id = ${id}`,
      sql`insert into invoice_taxes (business_id, id, invoice_id, name, rate_percent, base_cents, tax_cents)
        values (${own.id}, ${newId()}, ${id}, 'County', 1, 100, 1)`,
      sql`insert into invoice_lines (business_id, id, invoice_id, description, unit_price_cents, total_cents)
        values (${own.id}, ${newId()}, ${id}, 'More', 100, 100)`,
    ]
    for (const one of tries)
      await expect(
        own.db(async (db) => {
          await sql`set local swath.past_days = 'off'`.execute(db)
          await one.execute(db)
        }),
      ).rejects.toThrow(/issued_invoice_stays/)
    // what becomes of it is free, and so is all of a draft
    await own.db((db) =>
      sql`update invoices set sent_at = now(), reminders_stopped = 'They called' where id = ${id}`.execute(db),
    )
    expect(await statusOf(own, id)).toBe('issued')
  })

  it('a second payment of one payment of the provider', async () => {
    const { own, token } = await open()
    await payPage(await openPage(token))
    await runTasks()
    await expect(copyRow(own, 'payments', { id: newId(), receipt_number: 900 })).rejects.toThrow(
      /payments_business_id_provider_payment_id_key/,
    )
  })

  it('more put on invoices and given back than came in, and a refund over the payment', async () => {
    const { own, id, customerId } = await open()
    const body = { method: 'check' as const, amountCents: 5500, receivedOn: today() }
    const { id: paymentId } = await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
    const give = (change: object) =>
      own.db((db) =>
        db.updateTable('payments').set(change).where('businessId', '=', own.id).where('id', '=', paymentId).execute(),
      )
    await expect(give({ refundedCents: 1 })).rejects.toThrow(/payments_used_once/)
    await expect(give({ allocatedCents: 5501 })).rejects.toThrow(/payments_used_once/)
    // ten who refund at once: together never more than came in
    const refund = () =>
      own.api.call(correctionsApi.refundPayment, {
        params: { id: paymentId },
        body: { amountCents: 1000, method: 'check', onDay: today(), reason: 'Sorry', creditInvoices: false },
      })
    const answers = await Promise.all(Array.from({ length: 10 }, refund))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(customerId).not.toBe('')
  })

  it('the same event twice, and lets another account have one of the same id', async () => {
    const event = { provider: 'stripe', account: '', eventId: `evt_${newId()}`, type: 'none', payload: {} }
    expect(await Promise.all(Array.from({ length: 5 }, () => storeWebhook(event)))).toHaveLength(5)
    expect(await storeWebhook(event)).toBe(false)
    expect(await storeWebhook({ ...event, account: 'acct_other' })).toBe(true)
  })
})

describe('an event', () => {
  const post = async (id: string, session: string, account: string) => {
    const object = { id: session, object: 'checkout.session', status: 'complete', payment_status: 'paid' }
    const payload = JSON.stringify({
      id,
      object: 'event',
      account,
      type: 'checkout.session.completed',
      data: { object },
    })
    const headers = { 'content-type': 'application/json', 'stripe-signature': await signEvent(payload) }
    return (await stranger.raw({ method: 'POST', url: '/api/webhooks/stripe', headers, payload })).status
  }

  it('that is signed and says paid of a page that nobody paid books nothing: the provider is asked', async () => {
    const { own, id, token } = await open()
    const session = (await openPage(token)).split('/').at(-1) ?? ''
    expect(await post(`evt_${newId()}`, session, await accountOf(own))).toBe(200)
    await runTasks()
    expect(await statusOf(own, id)).toBe('issued')
  })

  it('that could not be kept is not said to be: the provider brings it again', async () => {
    const eventId = `evt_${newId()}`
    heal = await refuseRows('webhook_events', `new.event_id = '${eventId}'`)
    expect(await post(eventId, 'cs_nobody', 'acct_nobody')).toBeGreaterThanOrEqual(500)
    await heal()
    expect(await post(eventId, 'cs_nobody', 'acct_nobody')).toBe(200)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from webhook_events where event_id = ${eventId}`.execute(database())
    expect(rows[0]?.count).toBe(1)
  })

  it('that fails every time keeps no other, stands with the product owner, and does its work when it is tried again', async () => {
    const { own, customerId, id, token } = await open()
    const other = await anIssuedInvoice(own, customerId, 3300)
    const page = await openPage(token)
    await payPage(page)
    await payPage(await openPage(other.token))
    const session = page.split('/').at(-1) ?? ''
    const paymentId = (await findLocalPayment(session))?.paymentId ?? ''
    heal = await refuseRows('payments', `new.provider_payment_id = '${paymentId}'`)
    await runTasks()
    expect([await statusOf(own, id), await statusOf(own, other.id)]).toEqual(['issued', 'paid'])
    for (let tries = 1; tries < 10; tries++) await tryAgain('webhook:stripe:')
    const owner = await theOwner()
    const stuck = async () =>
      (await owner.ok(failedTasksApi.list, {})).items.filter(
        ({ task, lastError }) => task === 'webhooks.process' && lastError.includes('broken on purpose'),
      )
    const [failed, ...more] = await stuck()
    expect([failed?.attempts, more]).toEqual([10, []])
    await heal()
    await owner.ok(failedTasksApi.retry, { params: { id: failed?.id ?? '' } })
    await runTasks()
    expect([await statusOf(own, id), await stuck()]).toEqual(['paid', []])
  })
})

it('nothing is paid, begun, turned off or counted by opening the links of a customer, as a scanner of mails does', async () => {
  const { own, id, token } = await withCard()
  const { url } = await own.api.ok(statementsApi.link, { params: { id: (await invoiceRow(own, id)).customerId } })
  const statement = new URL(url).pathname
  const app = await testServer()
  const before = await own.db((db) => rowSums(db))
  for (const path of [
    `/i/${token}?paid=1`,
    `/api/public/invoices/${token}`,
    `/api/public/invoices/${token}/pay`,
    `/api/public/invoices/${token}/sync`,
    `/api/public/invoices/${token}/autopay`,
    `/api/public/invoices/${token}/pdf`,
    statement,
    `${statement}?paid=1`,
    `${statement}/pay`,
    `${statement}/card`,
  ])
    for (const method of ['GET', 'HEAD'] as const) await app.inject({ method, url: path })
  await runTasks()
  expect(await own.db((db) => rowSums(db))).toEqual(before)
})
