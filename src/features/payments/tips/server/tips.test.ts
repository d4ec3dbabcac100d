import { describe, expect, it } from 'vitest'
import { failLocalRefund } from '../../../../local/payments/checkout.ts'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { openLocalDispute, stepLocalDispute } from '../../../../local/payments/disputes.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { passDays, payFromBank, setBank } from '../../../../test/bank.ts'
import { accountOf, invoiceOf, openPage, payPage, tellOf } from '../../../../test/cards.ts'
import { aBusiness, aPerson } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { aTipped, movements, openWithTip, payWithTip, setTips, type Tipped } from '../../../../test/tips.ts'
import { customersApi } from '../../../customers/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { statementsApi } from '../../../invoices/statements/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { tipsApi } from '../contract.ts'

const page = (token: string) => stranger.ok(paymentsApi.publicInvoice, { params: { token } })
const firstPayment = async ({ own, id }: Tipped) => {
  const [payment] = (await invoiceOf(own, id)).payments
  if (!payment) throw new Error('Nothing was paid.')
  return payment
}
const report = ({ own }: Tipped) => own.api.ok(tipsApi.list, { query: { from: today(), to: today() } })
const sharesOf = async (tipped: Tipped) =>
  Object.fromEntries((await report(tipped)).people.map(({ name, cents }) => [name, cents]))
const refund = (tipped: Tipped, paymentId: string, body: { amountCents: number; tipCents?: number }) =>
  tipped.own.api.call(correctionsApi.refundPayment, {
    params: { id: paymentId },
    body: { method: 'card', onDay: today(), reason: 'Sorry', creditInvoices: false, ...body },
  })
const books = ({ own }: Tipped) => own.db(compareBooks)

describe('a tip on the page of an invoice', () => {
  it('is offered only where the business takes tips', async () => {
    const tipped = await aTipped()
    expect((await page(tipped.token)).tips).toEqual({
      choices: [10, 15, 20].map((percent) => ({ percent, cents: percent * 50 })),
      mostCents: 10_000,
    })
    await setTips(tipped.own, 'off')
    expect((await page(tipped.token)).tips).toBeNull()
    const refused = await stranger.call(paymentsApi.payWithTip, {
      params: { token: tipped.token },
      body: { tipCents: 500 },
    })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('nothing was charged')])
  })

  it('is a share of the rest where part of it is paid', async () => {
    const { own, id, token } = await aTipped()
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { amountCents: 3000, method: 'check', receivedOn: today() },
    })
    expect((await page(token)).tips?.choices).toEqual([10, 15, 20].map((percent) => ({ percent, cents: percent * 20 })))
  })

  it('is a slip of the keys above the most of it', async () => {
    const { token } = await aTipped()
    const refused = await stranger.call(paymentsApi.payWithTip, { params: { token }, body: { tipCents: 10_001 } })
    expect([refused.status, refused.error.errors?.[0]]).toEqual([
      422,
      { path: 'tipCents', message: 'At most $100.00.' },
    ])
  })

  it('stands by itself on the payment page, is no part of the invoice and no credit, and is said on every paper', async () => {
    const tipped = await aTipped()
    const { own, id, token, customerId } = tipped
    const url = await openWithTip(token, 750)
    const sessionId = url.split('/').at(-1) ?? ''
    expect(await stranger.ok(localPaymentsApi.checkout, { params: { sessionId } })).toMatchObject({
      amountCents: 5750,
      tipCents: 750,
    })
    await payPage(url)
    await Promise.all([stranger.ok(paymentsApi.sync, { params: { token } }), runTasks()])
    // the provider says it again
    await tellOf('checkout.session.completed', { id: sessionId }, await accountOf(own))
    await runTasks()
    const invoice = await invoiceOf(own, id)
    expect(invoice).toMatchObject({ status: 'paid', paidCents: 5000, totalCents: 5000 })
    expect(invoice.payments).toMatchObject([{ amountCents: 5750, allocatedCents: 5000, tipCents: 750 }])
    expect(await movements(own)).toEqual(['invoice 5000', 'payment -5750', 'tip 750'])
    const credits = await own.api.ok(correctionsApi.listCredits, { params: { id: customerId } })
    expect([credits.creditCents, credits.items]).toEqual([0, []])
    expect(await books(tipped)).toEqual([])
    expect((await page(token)).payments).toMatchObject([{ amountCents: 5000, tipCents: 750 }])
    const { items } = await own.api.ok(messagesApi.list, { query: { channel: 'email' } })
    const receipts = items.filter(({ subject }) => subject?.startsWith('Paid:'))
    expect(receipts.map(({ text }) => text)).toEqual([expect.stringContaining('$7.50 as a tip')])
    expect(items.filter(({ subject }) => subject?.includes('too much'))).toEqual([])
    const told = (await own.api.ok(notificationsApi.list, {})).notifications.filter(({ title }) =>
      title.includes(' paid '),
    )
    expect(told.map(({ content }) => content)).toEqual(['$50.00, and $7.50 as a tip'])
    const statement = await own.api.ok(statementsApi.get, {
      params: { id: customerId },
      query: { from: today(), to: today() },
    })
    expect(statement.entries.map(({ label }) => label).at(-1)).toBe('Tip for the crew')
    expect(statement).toMatchObject({ chargedCents: 5000, paidCents: -5000, returnedCents: 0, closingCents: 0 })
    expect(await sharesOf(tipped)).toEqual({ 'Rosa Diaz': 375, 'Sam Reed': 375 })
    expect((await own.api.ok(customersApi.get, { params: { id: customerId } })).balanceCents).toBe(0)
  })

  it('that was given for a visit is no credit in the thanks for the invoice', async () => {
    const tipped = await aTipped()
    const { own, token } = tipped
    await payPage(await openWithTip(token, 750))
    await stranger.ok(paymentsApi.sync, { params: { token } })
    const { id: visitId } = await own.db((db) =>
      db.selectFrom('visits').select('id').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    await own.db((db) =>
      db
        .updateTable('payments')
        .set({ tipInvoiceId: null, tipVisitId: visitId })
        .where('businessId', '=', own.id)
        .execute(),
    )
    await runTasks()
    const { items } = await own.api.ok(messagesApi.list, { query: { channel: 'email' } })
    const [receipt] = items.filter(({ subject }) => subject?.startsWith('Paid:'))
    expect(receipt?.text).toContain('$50.00')
    expect(receipt?.text).not.toContain('credit')
  })

  it('another tip is another page, and only one of the two can be paid', async () => {
    const { own, id, token } = await aTipped()
    const [first, again, other] = [
      await openWithTip(token, 500),
      await openWithTip(token, 500),
      await openWithTip(token, 1000),
    ]
    expect([again, other === first]).toEqual([first, false])
    expect((await payPage(first)).body.result).not.toBe('paid')
    expect((await payPage(other)).body.result).toBe('paid')
    await runTasks()
    expect((await invoiceOf(own, id)).payments).toMatchObject([{ amountCents: 6000, tipCents: 1000 }])
  })

  it('stays the crew’s where the invoice was paid in cash meanwhile: only the rest is credit', async () => {
    const tipped = await aTipped()
    const { own, id, token } = tipped
    await payPage(await openWithTip(token, 500))
    const body = { method: 'cash' as const, amountCents: 5000, receivedOn: today() }
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
    await stranger.ok(paymentsApi.sync, { params: { token } })
    await runTasks()
    expect((await movements(own)).toSorted()).toEqual(['invoice 5000', 'payment -5000', 'payment -5500', 'tip 500'])
    expect((await own.api.ok(correctionsApi.listCredits, { params: { id: tipped.customerId } })).creditCents).toBe(5000)
    expect(await books(tipped)).toEqual([])
  })

  it('comes with a bank payment once the bank has paid, and not when it did not', async () => {
    const tipped = await aTipped()
    const { own, id, token } = tipped
    await setBank(own, true)
    await payFromBank(await openWithTip(token, 500))
    await runTasks()
    expect(await invoiceOf(own, id)).toMatchObject({ pending: { cents: 5500, coversCents: 5000 }, payments: [] })
    expect((await report(tipped)).totalCents).toBe(0)
    await passDays(own)
    expect(await firstPayment(tipped)).toMatchObject({ method: 'ach', amountCents: 5500, tipCents: 500 })
    expect(await books(tipped)).toEqual([])
  })

  it('is added by nobody who did not choose it', async () => {
    const tipped = await aTipped()
    await payPage(await openPage(tipped.token))
    await runTasks()
    expect(await firstPayment(tipped)).toMatchObject({ amountCents: 5000, tipCents: 0 })
    expect((await report(tipped)).totalCents).toBe(0)
  })
})

describe('a tip goes back', () => {
  it('alone, with the payment, or not at all', async () => {
    const tipped = await aTipped()
    await payWithTip(tipped.token, 1000)
    const { id } = await firstPayment(tipped)
    // the payment without its tip: no more than what is none
    expect((await refund(tipped, id, { amountCents: 5001, tipCents: 0 })).error.errors?.[0]?.message).toContain(
      'At most $50.00',
    )
    expect((await refund(tipped, id, { amountCents: 1001, tipCents: 1001 })).error.errors?.[0]?.path).toBe('tipCents')
    expect((await refund(tipped, id, { amountCents: 400, tipCents: 400 })).status).toBe(200)
    expect(await invoiceOf(tipped.own, tipped.id)).toMatchObject({ status: 'paid' })
    expect(await sharesOf(tipped)).toEqual({ 'Rosa Diaz': 300, 'Sam Reed': 300 })
    expect((await refund(tipped, id, { amountCents: 5000, tipCents: 0 })).status).toBe(200)
    // all that is left of it is the tip: it stands with its invoice and can still go back
    expect(await invoiceOf(tipped.own, tipped.id)).toMatchObject({ status: 'issued', balanceCents: 5000 })
    expect(await firstPayment(tipped)).toMatchObject({ allocatedCents: 0, tipCents: 600, can: { refund: true } })
    expect(await books(tipped)).toEqual([])
    expect((await refund(tipped, id, { amountCents: 600 })).status).toBe(200)
    await runTasks()
    expect(await movements(tipped.own)).toEqual([
      'invoice 5000',
      'payment -6000',
      'tip 1000',
      'tip -400',
      'refund 400',
      'refund 5000',
      'tip -600',
      'refund 600',
    ])
    expect(await report(tipped)).toMatchObject({ totalCents: 0 })
    expect(await books(tipped)).toEqual([])
  })

  it('and is there again when the bank does not take the refund', async () => {
    const tipped = await aTipped()
    const { own } = tipped
    await payWithTip(tipped.token, 1000)
    const { id } = await firstPayment(tipped)
    await refund(tipped, id, { amountCents: 6000, tipCents: 1000 })
    await runTasks()
    expect(await sharesOf(tipped)).toEqual({ 'Rosa Diaz': 0, 'Sam Reed': 0 })
    const made = await own.db((db) =>
      db.selectFrom('refunds').select('providerRefundId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    await failLocalRefund(made.providerRefundId ?? '')
    for (let n = 0; n < 2; n++) {
      await tellOf('refund.failed', { id: made.providerRefundId ?? '' }, await accountOf(own))
      await runTasks()
    }
    expect(await firstPayment(tipped)).toMatchObject({ allocatedCents: 5000, tipCents: 1000, refundedCents: 0 })
    expect(await sharesOf(tipped)).toEqual({ 'Rosa Diaz': 500, 'Sam Reed': 500 })
    expect(await books(tipped)).toEqual([])
  })

  it('with what a bank takes, and comes back with what it gives back', async () => {
    const tipped = await aTipped()
    const { own } = tipped
    await payWithTip(tipped.token, 1000)
    const paid = await own.db((db) =>
      db.selectFrom('payments').select('providerPaymentId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    const dispute = await openLocalDispute(await accountOf(own), paid.providerPaymentId ?? '', {
      kind: 'dispute',
      reason: 'unrecognized',
    })
    await runTasks()
    expect(await movements(own)).toEqual(['invoice 5000', 'payment -6000', 'tip 1000', 'tip -1000', 'dispute 6000'])
    expect(await invoiceOf(own, tipped.id)).toMatchObject({ status: 'issued', balanceCents: 5000 })
    expect(await sharesOf(tipped)).toEqual({ 'Rosa Diaz': 0, 'Sam Reed': 0 })
    expect(await books(tipped)).toEqual([])
    await stepLocalDispute(dispute ?? '', 'win')
    await runTasks()
    expect(await firstPayment(tipped)).toMatchObject({ allocatedCents: 5000, tipCents: 1000, refundedCents: 0 })
    expect(await sharesOf(tipped)).toEqual({ 'Rosa Diaz': 500, 'Sam Reed': 500 })
    expect(await books(tipped)).toEqual([])
  })

  it('of two disputes that are both won, the tip and the work come back, whichever took what', async () => {
    const tipped = await aTipped()
    const { own } = tipped
    await payWithTip(tipped.token, 1000)
    const { providerPaymentId } = await own.db((db) =>
      db.selectFrom('payments').select('providerPaymentId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    const opened: string[] = []
    for (const amountCents of [5000, 1000]) {
      const wish = { kind: 'dispute', reason: 'unrecognized', amountCents } as const
      opened.push((await openLocalDispute(await accountOf(own), providerPaymentId ?? '', wish)) ?? '')
      await runTasks()
    }
    await stepLocalDispute(opened[0] ?? '', 'win')
    await runTasks()
    expect(await firstPayment(tipped)).toMatchObject({ allocatedCents: 4000, tipCents: 1000, refundedCents: 1000 })
    await stepLocalDispute(opened[1] ?? '', 'win')
    await runTasks()
    expect(await firstPayment(tipped)).toMatchObject({ allocatedCents: 5000, tipCents: 1000, refundedCents: 0 })
    expect(await invoiceOf(own, tipped.id)).toMatchObject({ status: 'paid', balanceCents: 0 })
    expect(await books(tipped)).toEqual([])
  })

  it.each([
    ['part, then all of it, and all comes back', [4000, 6000], 1],
    ['all of it, then part, and all came back first', [6000, 4000], 0],
  ] as const)('of two disputes, %s: the tip is what the part leaves of it', async (_, cents, won) => {
    const tipped = await aTipped()
    const { own } = tipped
    await payWithTip(tipped.token, 1000)
    const paid = await own.db((db) =>
      db.selectFrom('payments').select('providerPaymentId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    for (const [n, amountCents] of cents.entries()) {
      const wish = { kind: 'dispute', reason: 'unrecognized', amountCents } as const
      const dispute = await openLocalDispute(await accountOf(own), paid.providerPaymentId ?? '', wish)
      await runTasks()
      if (n === won) await stepLocalDispute(dispute ?? '', 'win')
      await runTasks()
    }
    expect(await firstPayment(tipped)).toMatchObject({ allocatedCents: 1000, tipCents: 1000, refundedCents: 4000 })
    expect(await invoiceOf(own, tipped.id)).toMatchObject({ balanceCents: 4000 })
    expect(await books(tipped)).toEqual([])
  })
})

describe('a tip that the office writes down', () => {
  it('pays nothing of the invoice, and is taken back with what was recorded by mistake', async () => {
    const tipped = await aTipped()
    const { own, id } = tipped
    const pay = (amountCents: number, tipCents: number) =>
      own.api.call(paymentsApi.recordPayment, {
        params: { id },
        body: { method: 'cash', amountCents, tipCents, receivedOn: today() },
      })
    expect((await pay(500, 501)).error.errors?.[0]?.path).toBe('tipCents')
    expect((await pay(6000, 1000)).body).toMatchObject({ overpaymentCents: 0, invoiceStatus: 'paid' })
    const payment = await firstPayment(tipped)
    expect(payment.can).toEqual({ reverse: true, refund: true, takeOff: true })
    await own.api.ok(correctionsApi.reversePayment, { params: { id: payment.id }, body: { reason: 'Another lawn' } })
    expect(await movements(own)).toEqual(['invoice 5000', 'payment -6000', 'tip 1000', 'tip -1000', 'adjustment 6000'])
    expect(await report(tipped)).toMatchObject({ totalCents: 0 })
    expect(await books(tipped)).toEqual([])
  })
})

describe('whose it is', () => {
  it('who was clocked in with the crew, else who was on it; the office can say otherwise', async () => {
    const tipped = await aTipped()
    const { own, members } = tipped
    await own.db(async (db) => {
      const visit = await db
        .selectFrom('visits')
        .select(['id', 'crewId'])
        .where('businessId', '=', own.id)
        .executeTakeFirstOrThrow()
      const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
      await db
        .updateTable('visits')
        .set({ startedAt: at(-60), finishedAt: at(-30) })
        .where('businessId', '=', own.id)
        .where('id', '=', visit.id)
        .execute()
      await db
        .insertInto('timeEntries')
        .values({
          businessId: own.id,
          id: visit.id,
          userId: members[1]?.userId ?? '',
          crewId: visit.crewId,
          startedAt: at(-120),
        })
        .execute()
    })
    await payWithTip(tipped.token, 901)
    expect(await sharesOf(tipped)).toEqual({ 'Sam Reed': 901 })
    const { id } = await firstPayment(tipped)
    const memberUserIds = members.map(({ userId }) => userId)
    const { people } = await own.api.ok(tipsApi.setPeople, { params: { id }, body: { memberUserIds } })
    expect(people.map(({ cents }) => cents).toSorted()).toEqual([450, 451])
    expect((await report(tipped)).people.map(({ cents }) => cents)).toEqual([451, 450])
    const { text } = await own.api.raw({ method: 'GET', url: `/api/tips/csv?from=${today()}&to=${today()}` })
    expect(text).toContain('Together,,9.01,,')
    expect(text.split('\r\n').filter((row) => row.includes(today()))).toHaveLength(2)
  })

  it('is nobody’s where no visit stands on the invoice, until somebody says', async () => {
    const tipped = await aTipped()
    const { own, customerId, members } = tipped
    const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 9000 }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.api.ok(invoicesApi.issue, { params: { id } })
    const body = { method: 'check' as const, amountCents: 10_000, tipCents: 1000, receivedOn: today() }
    const { id: paymentId } = await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
    expect(await report(tipped)).toMatchObject({ unnamedCents: 1000, people: [], items: [{ people: [] }] })
    await own.api.ok(tipsApi.setPeople, {
      params: { id: paymentId },
      body: { memberUserIds: [members[0]?.userId ?? ''] },
    })
    expect(await report(tipped)).toMatchObject({ unnamedCents: 0, people: [{ name: 'Rosa Diaz', cents: 1000 }] })
  })

  it('is for who sees wages, and names only people of the business', async () => {
    const tipped = await aTipped()
    const { own } = tipped
    await payWithTip(tipped.token, 500)
    const { id } = await firstPayment(tipped)
    const bare = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    expect((await bare.api.call(tipsApi.list, { query: { from: today(), to: today() } })).status).toBe(403)
    const foreign = await aBusiness()
    const set = (memberUserIds: string[]) =>
      own.api.call(tipsApi.setPeople, { params: { id }, body: { memberUserIds } })
    expect((await set([foreign.owner.userId])).status).toBe(404)
    expect((await foreign.api.ok(tipsApi.list, { query: { from: today(), to: today() } })).items).toEqual([])
    expect(await sharesOf(tipped)).toEqual({ 'Rosa Diaz': 250, 'Sam Reed': 250 })
  })
})
