import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { setLocalPost, signEvent } from '../../../../local/payments/events.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, addMonths, type Day, formatDay, instantAt } from '../../../../shared/dates.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { somebodyWaits } from '../../../../test/database.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, aVisit, today } from '../../../../test/field.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { compareBooks } from '../../../payments/corrections/server/queries.ts'
import { creditsApi } from '../../../payments/credits/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { addLedgerEntryTx } from '../../server/commands.ts'
import { closingApi } from '../contract.ts'
import { daysOfMonth, monthOf } from '../rules.ts'

// the days below are read once: midday of that day holds them together over a midnight of the run
const midday = new Date(instantAt(today(), 12 * 60, 'America/New_York'))
beforeEach(() => setClock(() => midday))
afterEach(resetClock)

const thisMonth = monthOf(today())
const month = monthOf(addMonths(`${thisMonth}-01`, -1))
const { from, to } = daysOfMonth(month)
const reason = 'The bank statement came late'

const anIssued = async (own: TestBusiness, customerId: string, cents = 5000) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const close = (own: Pick<TestBusiness, 'api'>, leaveOpen = false, which = month) =>
  own.api.call(closingApi.close, { body: { month: which, leaveOpen } })
const check = (own: TestBusiness) => own.api.ok(closingApi.check, { query: { month } })
const money = (receivedOn: Day, amountCents = 5000) => ({ method: 'check' as const, amountCents, receivedOn })
const moved = async (own: TestBusiness) => {
  const { rows, books } = await own.db(async (db) => ({
    rows: await db.selectFrom('ledgerEntries').select('onDay').where('businessId', '=', own.id).execute(),
    books: await compareBooks(db),
  }))
  expect(books).toEqual([])
  return rows.length
}
/** Closes the books up to a day that a person could not: what is dated today is then in a closed month. */
const closeThrough = (own: TestBusiness, closedThrough: Day) =>
  own.db((db) =>
    db
      .insertInto('monthClosings')
      .values({
        businessId: own.id,
        id: newId(),
        seq: 1,
        action: 'closed',
        closedThrough,
        onDay: closedThrough,
      })
      .execute(),
  )

describe('closing a month', () => {
  it('says what is open first, and closes all the same for an owner who saw it', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    await aVisit(own, { day: to, status: 'completed', priceCents: 4000 })
    const id = await anIssued(own, customerId, 3000)
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body: money(to, 4500) })
    const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 700 }]
    const draft = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ createdAt: `${to}T15:00:00Z` })
        .where('businessId', '=', own.id)
        .where('id', '=', draft.id)
        .execute(),
    )
    const { items } = await own.api.ok(categoriesApi.list, {})
    const spent = { vendor: 'Coastal Insurance', method: 'card' as const, categoryId: items[0]?.id ?? '' }
    for (const [day, totalCents] of [
      [from, 10_000],
      [addDays(to, 1), 700],
    ] as const)
      await own.api.ok(expensesApi.create, { body: { ...spent, day, totalCents } })
    expect(await check(own)).toMatchObject({
      from,
      to,
      closed: false,
      hasOpen: true,
      open: {
        drafts: { count: 1, totalCents: 700 },
        visits: { count: 1, totalCents: 4000, withoutPrice: 0 },
        unmatched: { count: 1, totalCents: 1500, customers: [{ id: customerId, cents: 1500 }] },
      },
      sums: { paidCents: -4500, invoicedCents: 0, togetherCents: -4500, spentCents: 10000 },
      closeRefusal: null,
    })
    const refused = await close(own)
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('still open')])
    expect((await own.api.ok(closingApi.list, {})).closedThrough).toBeNull()
    const closed = await close(own, true)
    expect(closed.body).toMatchObject({
      closedThrough: to,
      months: [{ month, closed: true }, ...Array(11).fill({ closed: true })],
      history: [{ action: 'closed', onDay: to }],
    })
    expect((await close(own, true)).error.message).toMatch(/closed already/)
  })

  it('names what a bank was asked for and has not answered: one payment, however many invoices it is for', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const [lead, other, later] = await Promise.all([1, 2, 3].map(() => anIssued(own, customerId)))
    const leadId = newId()
    const asked = (id: string, invoiceId: string | undefined, day: Day, more: object = {}) =>
      own.db((db) =>
        db
          .insertInto('checkoutSessions')
          .values({
            businessId: own.id,
            id,
            invoiceId: invoiceId ?? '',
            amountCents: 5000,
            provider: 'local',
            status: 'processing',
            expiresAt: `${day}T17:00:00Z`,
            processingAt: `${day}T16:00:00Z`,
            createdAt: `${day}T16:00:00Z`,
            ...more,
          })
          .execute(),
      )
    await asked(leadId, lead, to, { tipCents: 300 })
    await asked(newId(), other, to, { leadId })
    await asked(newId(), later, addDays(to, 1))
    expect((await check(own)).open.moving).toEqual({ count: 1, totalCents: 10_300 })
    expect((await close(own)).error.message).toContain('still open')
  })

  it('is not done before the month is over, and only by an owner', async () => {
    const own = await aBusiness()
    const early = await close(own, true, thisMonth)
    expect([early.status, early.error.message]).toEqual([409, expect.stringContaining('not over yet')])
    const admin = await aPerson(own.id, 'Admin')
    expect((await close(admin)).status).toBe(403)
    const reopen = await admin.api.call(closingApi.reopen, { body: { month, reason } })
    expect(reopen.status).toBe(403)
    expect((await admin.api.ok(closingApi.list, {})).can).toEqual({ close: false, reopen: false })
  })

  it('is taken back with a reason, with all months after it', async () => {
    const own = await aBusiness()
    const before = monthOf(addMonths(from, -2))
    expect((await close(own)).status).toBe(200)
    const blank = await own.api.call(closingApi.reopen, { body: { month: before, reason: ' ' } })
    expect(blank.status).toBe(422)
    const opened = await own.api.ok(closingApi.reopen, { body: { month: before, reason } })
    expect(opened.closedThrough).toBe(addDays(daysOfMonth(before).from, -1))
    expect(opened.months.slice(0, 4).map(({ closed }) => closed)).toEqual([false, false, false, true])
    expect(opened.history[0]).toMatchObject({ action: 'reopened', reason })
    const again = await own.api.call(closingApi.reopen, { body: { month: before, reason } })
    expect(again.error.message).toMatch(/open already/)
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId)
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body: money(to) })
  })
})

describe('a closed month', () => {
  it('refuses money that is dated in it, with a way, and takes it with the reason of an owner', async () => {
    const own = await aBusiness()
    const admin = await aPerson(own.id, 'Admin')
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId)
    await close(own)
    const record = (who: Pick<TestBusiness, 'api'>, receivedOn: Day, exceptionReason?: string) =>
      who.api.call(paymentsApi.recordPayment, {
        params: { id },
        body: { ...money(receivedOn, 1000), ...(exceptionReason ? { exceptionReason } : {}) },
      })
    const before = await moved(own)
    const refused = await record(own, to)
    expect(refused.status).toBe(409)
    expect(refused.error).toMatchObject({
      message: expect.stringMatching(/is closed.*Nothing was changed: date it today/),
      details: { closedThrough: to },
    })
    expect((await record(admin, to, reason)).status).toBe(403)
    expect(await moved(own)).toBe(before)
    expect((await record(own, addDays(to, 1))).status).toBe(200)
    expect((await record(own, to, reason)).status).toBe(200)
    expect(await moved(own)).toBe(before + 2)
    expect((await own.api.ok(closingApi.list, {})).history[0]).toMatchObject({
      action: 'exception',
      onDay: to,
      reason,
      detail: 'Payment of $10.00',
    })
    const logged = await own.db((db) =>
      db
        .selectFrom('auditLog')
        .select(['actorId', 'after'])
        .where('businessId', '=', own.id)
        .where('action', '=', 'books.exception')
        .execute(),
    )
    expect(logged).toEqual([{ actorId: own.owner.userId, after: expect.objectContaining({ reason, onDay: to }) }])
    expect((await own.api.ok(closingApi.list, {})).closedThrough).toBe(to)
  })

  it.each([
    [
      'a deposit',
      (own, { customerId }, exceptionReason) =>
        own.api.call(creditsApi.recordDeposit, { params: { id: customerId }, body: { ...money(to), exceptionReason } }),
    ],
    [
      'a refund with its credit note',
      (own, { paymentId }, exceptionReason) =>
        own.api.call(correctionsApi.refundPayment, {
          params: { id: paymentId },
          body: { amountCents: 100, method: 'check', onDay: to, reason, creditInvoices: true, exceptionReason },
        }),
    ],
  ] as [string, Writer][])(
    'refuses %s that is dated in it, and takes it from an owner with a reason',
    async (_, write) => {
      const own = await aBusiness()
      const made = await aPaid(own, addDays(to, -1))
      await close(own, true)
      const before = await moved(own)
      expect((await write(own, made)).status).toBe(409)
      expect(await moved(own)).toBe(before)
      expect((await write(own, made, reason)).status).toBe(200)
      expect(await moved(own)).toBeGreaterThan(before)
      expect((await own.api.ok(closingApi.list, {})).history[0]).toMatchObject({
        action: 'exception',
        onDay: to,
        reason,
      })
    },
  )

  it.each([
    ['issuing', (own, { draftId }) => own.api.call(invoicesApi.issue, { params: { id: draftId } })],
    ['sending', (own, { draftId }) => own.api.call(invoicesApi.send, { params: { id: draftId } })],
    ['a batch', (own) => own.api.call(invoicesApi.createBatch, { body: { send: true } })],
    ['voiding', (own, { openId }) => own.api.call(invoicesApi.voidInvoice, { params: { id: openId } })],
    [
      'writing off',
      (own, { openId }) => own.api.call(invoicesApi.writeOff, { params: { id: openId }, body: { reason } }),
    ],
    ['opening again', (own, { writtenOffId }) => own.api.call(invoicesApi.reinstate, { params: { id: writtenOffId } })],
    [
      'a credit note',
      (own, { openId }) =>
        own.api.call(correctionsApi.creditInvoice, { params: { id: openId }, body: { amountCents: 100, reason } }),
    ],
    [
      'a credit',
      (own, { customerId }) =>
        own.api.call(correctionsApi.giveCredit, { params: { id: customerId }, body: { amountCents: 100, reason } }),
    ],
    [
      'taking a payment back',
      (own, { paymentId }) =>
        own.api.call(correctionsApi.reversePayment, { params: { id: paymentId }, body: { reason } }),
    ],
    [
      'a payment',
      (own, { openId }) =>
        own.api.call(paymentsApi.recordPayment, { params: { id: openId }, body: money(today(), 100) }),
    ],
    [
      'a refund',
      (own, { paymentId }) =>
        own.api.call(correctionsApi.refundPayment, {
          params: { id: paymentId },
          body: { amountCents: 100, method: 'check', onDay: today(), reason },
        }),
    ],
    [
      'a deposit',
      (own, { customerId }) =>
        own.api.call(creditsApi.recordDeposit, { params: { id: customerId }, body: money(today(), 100) }),
    ],
  ] as [string, Writer][])('refuses %s on a day that is closed', async (_, write) => {
    const own = await aBusiness()
    const made = await aPaid(own, addDays(to, -1))
    await closeThrough(own, today())
    const before = await moved(own)
    const { status, error } = await write(own, made)
    expect([status, error.message]).toEqual([409, expect.stringContaining('is closed')])
    expect(await moved(own)).toBe(before)
  })

  it('books a payment in the open month whose message comes late, and says so', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId)
    const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
    const token = (publicPath ?? '').split('/').at(-1) ?? ''
    const sessionId = (await stranger.ok(paymentsApi.pay, { params: { token } })).url.split('/').at(-1) ?? ''
    const kept: string[] = []
    const putBack = setLocalPost(async (_url, _headers, told) => {
      kept.push(told)
      return 200
    })
    // the card was charged while that month was open
    setClock(() => new Date(`${to}T16:00:00Z`))
    await stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
    setClock(() => midday)
    putBack()
    await close(own, true)
    const payload = kept.find((one) => one.includes('checkout.session.completed')) ?? '{}'
    const { status } = await stranger.raw({
      method: 'POST',
      url: '/api/webhooks/stripe',
      payload,
      headers: { 'content-type': 'application/json', 'stripe-signature': await signEvent(payload) },
    })
    expect(status).toBe(200)
    await runTasks()
    const { payments, status: state } = await own.api.ok(invoicesApi.get, { params: { id } })
    expect(state).toBe('paid')
    expect(payments[0]).toMatchObject({
      receivedOn: today(),
      note: expect.stringContaining(`Paid on ${formatDay(to, { year: true })}`),
    })
    await moved(own)
  })

  it('waits for money that is being booked, and money waits for it', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const entry = (onDay: Day) => ({
      customerId,
      kind: 'payment' as const,
      amountCents: -100,
      refType: 'payment' as const,
      refId: newId(),
      onDay,
    })
    let closing: ReturnType<typeof close> | undefined
    await own.db(async (db) => {
      await addLedgerEntryTx(db, entry(to))
      closing = close(own, true)
      await somebodyWaits()
    })
    expect((await closing)?.status).toBe(200)
    await expect(own.db((db) => addLedgerEntryTx(db, entry(to)))).rejects.toThrow(/is closed/)
    const [first, second] = await Promise.all([
      own.api.call(closingApi.reopen, { body: { month, reason } }),
      own.api.call(closingApi.reopen, { body: { month, reason } }),
    ])
    expect([first.status, second.status].sort()).toEqual([200, 409])
  })

  it('is of one business', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    await close(own)
    const { customerId } = await aLawn(other)
    await other.api.ok(creditsApi.recordDeposit, { params: { id: customerId }, body: money(to) })
    expect((await other.api.ok(closingApi.list, {})).history).toEqual([])
  })
})

type Made = Awaited<ReturnType<typeof aPaid>>
type Writer = (
  own: TestBusiness,
  made: Made,
  exceptionReason?: string,
) => Promise<{ status: number; error: { message: string } }>

/** One of everything that money can be done with. */
const aPaid = async (own: TestBusiness, receivedOn: Day) => {
  const { customerId } = await aVisit(own, { status: 'completed', priceCents: 4000 })
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'ann@test.swath.test' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const paidId = await anIssued(own, customerId)
  const { id: paymentId } = await own.api.ok(paymentsApi.recordPayment, {
    params: { id: paidId },
    body: money(receivedOn),
  })
  const openId = await anIssued(own, customerId)
  const writtenOffId = await anIssued(own, customerId)
  await own.api.ok(invoicesApi.writeOff, { params: { id: writtenOffId }, body: { reason } })
  const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 700 }]
  const draftId = (await own.api.ok(invoicesApi.create, { body: { customerId, lines } })).id
  return { customerId, paymentId, openId, writtenOffId, draftId }
}
