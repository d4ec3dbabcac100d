import { describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../local/payments/contract.ts'
import { signEvent } from '../../../local/payments/events.ts'
import { findCheckout } from '../../../platform/payments/providers.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { accountOf } from '../../../test/cards.ts'
import { somebodyWaits } from '../../../test/database.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit, today } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { addLedgerEntryTx } from '../../invoices/server/commands.ts'
import { messagesApi } from '../../messages/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { paymentsApi } from '../contract.ts'
import { compareBooks } from '../corrections/server/queries.ts'

const anInvoice = async (own: TestBusiness, priceCents = 5500) => {
  const visit = await aVisit(own, { status: 'completed', priceCents })
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'odom@test.swath.test' })
      .where('businessId', '=', own.id)
      .where('id', '=', visit.customerId)
      .execute(),
  )
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  const id = (await own.api.ok(invoicesApi.list, { query: { customerId: visit.customerId } })).items[0]?.id ?? ''
  const invoice = await own.api.ok(invoicesApi.get, { params: { id } })
  return { id, token: (invoice.publicPath ?? '').split('/').at(-1) ?? '', customerId: visit.customerId }
}
const sessionOf = (url: string) => url.split('/').at(-1) ?? ''
const payCard = (sessionId: string, cardNumber = '4242 4242 4242 4242') =>
  stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber } })
const invoiceOf = (own: TestBusiness, id: string) => own.api.ok(invoicesApi.get, { params: { id } })

describe('paying by card', () => {
  it('is paid once, however often the button, the webhook and the return come', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own)
    const opened = await Promise.all([1, 2, 3].map(() => stranger.ok(paymentsApi.pay, { params: { token } })))
    expect(new Set(opened.map((o) => o.url)).size).toBe(1)
    const session = sessionOf(opened[0]?.url ?? '')
    const results = await Promise.all([payCard(session), payCard(session), payCard(session)])
    expect(results.map((r) => r.body.result)).toEqual(['paid', 'paid', 'paid'])
    await Promise.all([
      stranger.ok(paymentsApi.sync, { params: { token } }),
      runTasks(),
      stranger.ok(paymentsApi.sync, { params: { token } }),
    ])
    await runTasks()
    const invoice = await invoiceOf(own, id)
    expect([invoice.status, invoice.paidCents, invoice.payments.length]).toEqual(['paid', 5500, 1])
    expect((await stranger.call(paymentsApi.pay, { params: { token } })).error.message).toMatch(/paid/)
    const subjects = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items.map((m) => m.subject)
    expect(subjects.filter((s) => s.startsWith('Paid:'))).toHaveLength(1)
    expect(
      (await own.api.ok(notificationsApi.list, {})).notifications.filter((n) => n.title.includes('paid INV-')),
    ).toHaveLength(1)
    const balance = await own.db((db) =>
      db
        .selectFrom('ledgerEntries')
        .select((eb) => eb.fn.sum<number>('amountCents').as('sum'))
        .where('businessId', '=', own.id)
        .executeTakeFirstOrThrow(),
    )
    expect(Number(balance.sum)).toBe(0)
  })

  it('asks nobody for more at once than the provider takes', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own, 100_000_000)
    expect(await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).toMatchObject({ canPay: false })
    const refused = await stranger.call(paymentsApi.pay, { params: { token } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('nothing was charged')])
    const check = { amountCents: 1, method: 'check' as const, receivedOn: today() }
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body: check })
    expect(await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).toMatchObject({ canPay: true })
    const { url } = await stranger.ok(paymentsApi.pay, { params: { token } })
    expect((await payCard(sessionOf(url))).body.result).toBe('paid')
    await runTasks()
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 100_000_000 })
  })

  it('says so when a card is declined, and another card still works', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own)
    const session = sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    expect((await payCard(session, '4000 0000 0000 0002')).body).toMatchObject({
      result: 'declined',
      message: expect.stringContaining('Nothing was charged'),
    })
    expect((await payCard(session, '1234')).status).toBe(422)
    await runTasks()
    expect((await invoiceOf(own, id)).status).toBe('issued')
    expect((await payCard(session)).body.result).toBe('paid')
    await runTasks()
    expect((await invoiceOf(own, id)).status).toBe('paid')
  })

  it('is not taken for a day that has not come', async () => {
    const own = await aBusiness()
    const { id } = await anInvoice(own)
    const answer = await own.api.call(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'cash', amountCents: 5500, receivedOn: addDays(today(), 1) },
    })
    expect([answer.status, answer.error.errors?.[0]?.path]).toEqual([422, 'receivedOn'])
    expect((await invoiceOf(own, id)).paidCents).toBe(0)
  })

  it('keeps too much as credit and tells the office, when cash came in the meantime', async () => {
    const own = await aBusiness()
    const { id, token, customerId } = await anInvoice(own)
    const session = sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    // The card goes through at the provider before its page is closed from our side.
    await payCard(session)
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'cash', amountCents: 5500, receivedOn: today() },
    })
    await runTasks()
    await stranger.ok(paymentsApi.sync, { params: { token } })
    await runTasks()
    const invoice = await invoiceOf(own, id)
    expect([invoice.status, invoice.paidCents]).toEqual(['paid', 5500])
    const ledger = await own.db((db) =>
      db
        .selectFrom('ledgerEntries')
        .select((eb) => eb.fn.sum<number>('amountCents').as('sum'))
        .where('businessId', '=', own.id)
        .where('customerId', '=', customerId)
        .executeTakeFirstOrThrow(),
    )
    expect(Number(ledger.sum)).toBe(-5500)
    // Credit that waits makes no invoice smaller: what is owed is the same on every screen.
    const body = {
      customerId,
      lines: [{ description: 'Mulch', quantity: 1, unitPriceCents: 8000, taxCategory: 'none' }],
    }
    const next = await own.api.ok(invoicesApi.create, { body })
    await own.api.ok(invoicesApi.issue, { params: { id: next.id } })
    const { items } = await own.api.ok(customersApi.list, {})
    expect(items.find((one) => one.id === customerId)).toMatchObject({ owedCents: 8000, balanceCents: 2500 })
    expect((await own.api.ok(dashboardApi.get, {})).money?.owedCents).toBe(8000)
    expect(
      (await own.api.ok(notificationsApi.list, {})).notifications.some((n) => n.title.includes('$55.00 too much')),
    ).toBe(true)
  })

  it('a part by check lowers what the card page asks for, and its old page ends', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own, 10000)
    const first = sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    const part = await own.api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'check', amountCents: 4000, receivedOn: today(), note: '#1042' },
    })
    expect(part).toMatchObject({ invoiceStatus: 'partially_paid', balanceCents: 6000, overpaymentCents: 0 })
    await runTasks()
    const mails = async () =>
      (await own.api.ok(messagesApi.list, {})).items.filter((mail) => /^(Received|Paid)/.test(mail.subject))
    const [receipt, ...more] = await mails()
    expect([receipt?.subject, more]).toEqual([expect.stringContaining('Received: $40.00 for INV-1001'), []])
    expect(receipt?.text).toContain('$60.00 is still open')
    expect(receipt?.text).toMatch(/Total.*\$100\.00[\s\S]*Paid so far.*-\$40\.00[\s\S]*To pay.*\$60\.00/)
    expect((await payCard(first)).status).toBe(409)
    const second = sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    expect((await stranger.ok(localPaymentsApi.checkout, { params: { sessionId: second } })).amountCents).toBe(6000)
    await payCard(second)
    await runTasks()
    expect((await invoiceOf(own, id)).status).toBe('paid')
    expect((await mails()).map((mail) => mail.subject.split(':')[0])).toEqual(['Paid', 'Received'])
    expect(
      (
        await own.api.call(paymentsApi.recordPayment, {
          params: { id },
          body: { method: 'cash', amountCents: 1, receivedOn: today() },
        })
      ).status,
    ).toBe(409)
  })
})

describe('a payment page and its invoice', () => {
  const attemptsOf = (own: TestBusiness, invoiceId: string) =>
    own.db((db) =>
      db
        .selectFrom('checkoutSessions')
        .selectAll()
        .where('businessId', '=', own.id)
        .where('invoiceId', '=', invoiceId)
        .orderBy('createdAt')
        .execute(),
    )
  /** A press that ended before the provider's page was noted. */
  const cutOff = async (own: TestBusiness, invoiceId: string) => {
    const [checkoutSession] = await attemptsOf(own, invoiceId)
    await own.db((db) =>
      db
        .updateTable('checkoutSessions')
        .set({ providerSessionId: null })
        .where('businessId', '=', own.id)
        .where('id', '=', checkoutSession?.id ?? '')
        .execute(),
    )
  }
  const voided = (own: TestBusiness, id: string) => own.api.call(invoicesApi.voidInvoice, { params: { id } })

  it('the row stands first: a press that was cut off is gone on with, on the same page', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own)
    const first = await stranger.ok(paymentsApi.pay, { params: { token } })
    await cutOff(own, id)
    expect((await stranger.ok(paymentsApi.pay, { params: { token } })).url).toBe(first.url)
    expect(await attemptsOf(own, id)).toHaveLength(1)
  })

  it('what is paid on a page that was never noted is booked all the same', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own)
    const session = sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    await cutOff(own, id)
    await payCard(session)
    await runTasks()
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5500 })
  })

  it.each([
    ['voided', (own: TestBusiness, id: string) => own.api.call(invoicesApi.voidInvoice, { params: { id } })],
    [
      'written off',
      (own: TestBusiness, id: string) =>
        own.api.call(invoicesApi.writeOff, { params: { id }, body: { reason: 'Moved away' } }),
    ],
  ] as const)(
    'is %s while its page is open: the page ends at the provider, and nobody pays on it',
    async (_, letGo) => {
      const own = await aBusiness()
      const { id, token } = await anInvoice(own)
      const session = sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
      expect((await own.api.ok(invoicesApi.get, { params: { id } })).can).toMatchObject({ void: true, writeOff: true })
      expect((await letGo(own, id)).status).toBe(200)
      expect((await findCheckout(session, await accountOf(own)))?.status).toBe('expired')
      expect((await payCard(session)).status).toBe(409)
      expect((await invoiceOf(own, id)).paidCents).toBe(0)
      expect(await own.db(compareBooks)).toEqual([])
    },
  )

  it('what was paid on the page in the last second is booked, and then nothing is voided', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own)
    await payCard(sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url))
    // no webhook was worked off yet
    expect((await voided(own, id)).error.message).toContain('has payments on it')
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5500 })
  })

  it('a page that is being opened while the invoice is voided is never handed out', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own)
    await stranger.ok(paymentsApi.pay, { params: { token } })
    await cutOff(own, id)
    expect((await voided(own, id)).status).toBe(200)
    expect((await stranger.call(paymentsApi.pay, { params: { token } })).status).toBe(409)
    expect((await attemptsOf(own, id)).map(({ status }) => status)).toEqual(['expired'])
  })

  it('a voided invoice cannot be paid', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own)
    expect((await voided(own, id)).status).toBe(200)
    const refused = await stranger.call(paymentsApi.pay, { params: { token } })
    expect([refused.status, await attemptsOf(own, id)]).toEqual([409, []])
  })

  it('money that arrives for an invoice voided meanwhile is kept on no invoice, and the office is told', async () => {
    const own = await aBusiness()
    const { id, token, customerId } = await anInvoice(own)
    const session = sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    await payCard(session)
    await own.db((db) =>
      db
        .updateTable('checkoutSessions')
        .set({ expiresAt: '2026-01-01T00:00:00Z' })
        .where('businessId', '=', own.id)
        .execute(),
    )
    expect((await voided(own, id)).status).toBe(200)
    await runTasks()
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'void', paidCents: 0 })
    const kept = await own.db((db) =>
      db
        .selectFrom('payments')
        .leftJoin('paymentAllocations', (join) =>
          join
            .onRef('paymentAllocations.businessId', '=', 'payments.businessId')
            .onRef('paymentAllocations.paymentId', '=', 'payments.id'),
        )
        .select(['payments.amountCents', 'payments.customerId', 'paymentAllocations.id as allocation'])
        .where('payments.businessId', '=', own.id)
        .execute(),
    )
    expect(kept).toEqual([{ amountCents: 5500, customerId, allocation: null }])
    const { needs } = await own.api.ok(dashboardApi.get, {})
    expect(needs.find((need) => need.kind === 'payment')).toMatchObject({
      title: expect.stringMatching(/ paid an invoice that was voided$/),
      amountCents: 5500,
    })
  })
})

it('a payment and a void of the same customer do not wait for each other for ever', async () => {
  const own = await aBusiness()
  const first = await anInvoice(own)
  const { id } = await own.api.ok(invoicesApi.create, {
    body: {
      customerId: first.customerId,
      lines: [{ description: 'Haul away', quantity: 1, unitPriceCents: 2000, taxCategory: 'none', serviceOn: null }],
    },
  })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  let paid: Promise<{ status: number }> | undefined
  await own.db(async (db) => {
    await db
      .updateTable('invoices')
      .set({ status: 'void' })
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .execute()
    const body = { method: 'cash' as const, amountCents: 5500, receivedOn: today() }
    paid = own.api.call(paymentsApi.recordPayment, { params: { id: first.id }, body })
    await somebodyWaits()
    const entry = { kind: 'void' as const, amountCents: -2000, refType: 'invoice' as const, refId: id, onDay: today() }
    await addLedgerEntryTx(db, { ...entry, customerId: first.customerId })
  })
  expect((await paid)?.status).toBe(200)
})

it('asking after a payment is counted, so that nobody has the provider asked for ever', async () => {
  const own = await aBusiness()
  const { token } = await anInvoice(own)
  const ask = async () => (await stranger.call(paymentsApi.sync, { params: { token } })).status
  const answers: number[] = []
  for (let i = 0; i < 61; i++) answers.push(await ask())
  expect([answers.slice(0, 60).every((status) => status === 200), answers[60]]).toEqual([true, 429])
})

describe('webhooks of the payment provider', () => {
  const post = (payload: string, signature: string) =>
    stranger.raw({
      method: 'POST',
      url: '/api/webhooks/stripe',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload,
    })

  it('refuses what is not signed over these bytes, stores the same event once, never believes its payload', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own)
    const session = sessionOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    const payload = JSON.stringify({
      id: 'evt_forged_1',
      object: 'event',
      type: 'checkout.session.completed',
      data: {
        object: {
          id: session,
          object: 'checkout.session',
          status: 'complete',
          payment_status: 'paid',
          amount_total: 5500,
        },
      },
    })
    expect((await post(payload, 'junk')).status).toBe(400)
    expect((await post(`${payload} `, await signEvent(payload))).status).toBe(400)
    for (let i = 0; i < 3; i++) expect((await post(payload, await signEvent(payload))).status).toBe(200)
    await runTasks()
    expect((await invoiceOf(own, id)).status).toBe('issued')
  })

  it('stores an event about something unknown and answers 200', async () => {
    const payload = JSON.stringify({
      id: 'evt_unknown_1',
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { id: 'cs_nobody', object: 'checkout.session' } },
    })
    expect((await post(payload, await signEvent(payload))).status).toBe(200)
    await runTasks()
  })
})

describe('the public page', () => {
  it('tells what the customer paid too much, and whether it pays by itself', async () => {
    const own = await aBusiness()
    const { id, token, customerId } = await anInvoice(own)
    const credit = async () => (await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).credit
    expect(await credit()).toBeNull()
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'check', amountCents: 65_500, receivedOn: today() },
    })
    const byItself = (useCredit: boolean) =>
      own.db((db) => db.updateTable('businesses').set({ useCredit }).where('businessId', '=', own.id).execute())
    await byItself(false)
    expect(await credit()).toEqual({ cents: 60_000, byItself: false })
    await byItself(true)
    expect(await credit()).toEqual({ cents: 60_000, byItself: true })
    // money of somebody else is nobody's credit here
    const other = await anInvoice(own)
    expect(other.customerId).not.toBe(customerId)
    expect((await stranger.ok(paymentsApi.publicInvoice, { params: { token: other.token } })).credit).toBeNull()
  })

  it('shows nothing of the office, counts a view only when asked to, and 404s a wrong token', async () => {
    const own = await aBusiness({ name: 'Oak Lawns' })
    const { id, token } = await anInvoice(own)
    const page = await stranger.ok(paymentsApi.publicInvoice, { params: { token } })
    expect(page).toMatchObject({
      business: { name: 'Oak Lawns' },
      balanceCents: 5500,
      canPay: true,
      livemode: false,
      status: 'issued',
    })
    expect(JSON.stringify(page)).not.toContain(id)
    expect((await invoiceOf(own, id)).viewedAt).toBeNull()
    await stranger.ok(paymentsApi.viewed, { params: { token } })
    expect((await invoiceOf(own, id)).viewedAt).not.toBeNull()
    expect(
      (await stranger.call(paymentsApi.publicInvoice, { params: { token: `${token.slice(0, -1)}_` } })).status,
    ).toBe(404)
    const pdf = await stranger.raw({ method: 'GET', url: `/api/public/invoices/${token}/pdf` })
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-'])
  })
})
