import { describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { signEvent } from '../../../../local/payments/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { connectApi } from '../contract.ts'

const idIn = (url: string) => url.split('/').at(-1) ?? ''
const state = async (own: TestBusiness) => (await own.api.ok(connectApi.getAccount, {})).state
const open = async (own: TestBusiness) => idIn((await own.api.ok(connectApi.connectAccount, {})).url)
const step = async (linkId: string, what: 'finish' | 'submit' | 'leave' | 'askMore' | 'pause' | 'remove') => {
  await stranger.ok(localPaymentsApi.stepAccount, { params: { linkId }, body: { step: what } })
  await runTasks()
}
const titles = async (own: TestBusiness) =>
  (await own.api.ok(notificationsApi.list, {})).notifications.map(({ title }) => title)

const anInvoice = async (own: TestBusiness) => {
  const visit = await aVisit(own, { status: 'completed', priceCents: 5500 })
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  const id = (await own.api.ok(invoicesApi.list, { query: { customerId: visit.customerId } })).items[0]?.id ?? ''
  const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
  return { id, token: idIn(publicPath ?? ''), customerId: visit.customerId }
}
const pay = (token: string) => stranger.call(paymentsApi.pay, { params: { token } })
const payPage = (sessionId: string) =>
  stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })

describe('a business sets up card payments', () => {
  it('walks the states by the provider’s webhooks, and cards work exactly while charges are on', async () => {
    const own = await aBusiness({ cards: false })
    const { token } = await anInvoice(own)
    expect(await own.api.ok(connectApi.getAccount, {})).toMatchObject({
      state: 'none',
      takesCards: false,
      can: { connect: true, disconnect: false },
    })
    expect((await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).canPay).toBe(false)
    const refused = await pay(token)
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('contact the business')])

    // Two presses at once open one account.
    const links = await Promise.all([open(own), open(own)])
    const accounts = await own.db((db) =>
      db.selectFrom('paymentAccounts').select('accountId').where('businessId', '=', own.id).execute(),
    )
    expect(accounts).toHaveLength(1)
    const [link = ''] = links
    await step(link, 'leave')
    expect(await own.api.ok(connectApi.syncAccount, {})).toMatchObject({
      state: 'incomplete',
      requirements: expect.arrayContaining(['A bank account for your payouts']),
    })
    await step(link, 'submit')
    expect(await state(own)).toBe('checking')
    expect((await pay(token)).status).toBe(409)
    await step(link, 'finish')
    expect(await state(own)).toBe('ready')
    expect(await titles(own)).toContain('Customers can pay by card now')
    expect((await pay(token)).status).toBe(200)
    await step(link, 'askMore')
    expect(await own.api.ok(connectApi.getAccount, {})).toMatchObject({
      state: 'needsInfo',
      takesCards: true,
      requirements: ['A photo of your driver’s license or passport'],
    })
    expect(await titles(own)).toContain('Card payments: ready, but more information is needed')
    await step(link, 'pause')
    expect(await own.api.ok(connectApi.getAccount, {})).toMatchObject({ state: 'paused', takesCards: false })
    expect((await pay(token)).status).toBe(409)
    expect(await titles(own)).toContain('Card payments are paused')
  })

  it('a pause ends the open payment pages; one paid a moment before is booked', async () => {
    const own = await aBusiness({ cards: false })
    const link = await open(own)
    await step(link, 'finish')
    const [paid, left] = [await anInvoice(own), await anInvoice(own)]
    const [paidPage, leftPage] = [idIn((await pay(paid.token)).body.url), idIn((await pay(left.token)).body.url)]
    expect((await payPage(paidPage)).status).toBe(200)
    await step(link, 'pause')
    expect((await payPage(leftPage)).status).toBe(409)
    expect((await own.api.ok(invoicesApi.get, { params: { id: paid.id } })).status).toBe('paid')
    expect((await own.api.ok(invoicesApi.get, { params: { id: left.id } })).checkoutOpen).toBe(false)
  })

  it('disconnecting stops cards, keeps refunds, and connecting again uses the same account', async () => {
    const own = await aBusiness({ cards: false })
    await step(await open(own), 'finish')
    const { id, token } = await anInvoice(own)
    await payPage(idIn((await pay(token)).body.url))
    await runTasks()
    expect(await own.api.ok(connectApi.disconnectAccount, {})).toMatchObject({
      state: 'disconnected',
      takesCards: false,
    })
    expect((await own.api.call(connectApi.disconnectAccount, {})).status).toBe(409)
    const second = await anInvoice(own)
    expect((await pay(second.token)).status).toBe(409)
    const payment = (await own.api.ok(invoicesApi.get, { params: { id } })).payments[0]
    await own.api.ok(correctionsApi.refundPayment, {
      params: { id: payment?.id ?? '' },
      body: { method: 'card', onDay: today(), amountCents: 1000, reason: 'Gate left open', creditInvoices: true },
    })
    await runTasks()
    const refunds = await own.db((db) =>
      db.selectFrom('refunds').select(['status', 'problem']).where('businessId', '=', own.id).execute(),
    )
    expect(refunds).toEqual([{ status: 'succeeded', problem: null }])
    await open(own)
    expect(await state(own)).toBe('ready')
    const accounts = await own.db((db) =>
      db.selectFrom('paymentAccounts').select('accountId').where('businessId', '=', own.id).execute(),
    )
    expect(accounts).toHaveLength(1)
  })

  it('access taken away at the provider is said, and a new set-up makes a new account', async () => {
    const own = await aBusiness({ cards: false })
    const link = await open(own)
    await step(link, 'finish')
    await step(link, 'remove')
    expect(await state(own)).toBe('removed')
    expect((await stranger.ok(localPaymentsApi.account, { params: { linkId: link } })).expired).toBe(true)
    expect(
      (await stranger.call(localPaymentsApi.stepAccount, { params: { linkId: link }, body: { step: 'finish' } }))
        .status,
    ).toBe(409)
    const again = await open(own)
    expect(await state(own)).toBe('incomplete')
    await step(again, 'finish')
    expect(await state(own)).toBe('ready')
  })

  it('is the owner’s to do; the office only sees it, a crew does not', async () => {
    const own = await aBusiness({ cards: false })
    const admin = await own.admin()
    const crew = await own.employee()
    expect((await admin.api.call(connectApi.connectAccount, {})).status).toBe(403)
    expect((await admin.api.ok(connectApi.getAccount, {})).can).toEqual({ connect: false, disconnect: false })
    expect((await crew.api.call(connectApi.getAccount, {})).status).toBe(403)
  })
})

describe('events of accounts', () => {
  const post = async (event: object) => {
    const payload = JSON.stringify({ id: `evt_${newId()}`, object: 'event', ...event })
    const headers = { 'content-type': 'application/json', 'stripe-signature': await signEvent(payload) }
    const { status } = await stranger.raw({ method: 'POST', url: '/api/webhooks/stripe', headers, payload })
    await runTasks()
    return status
  }
  const accountOf = async (own: TestBusiness) =>
    (
      await own.db((db) =>
        db.selectFrom('paymentAccounts').selectAll().where('businessId', '=', own.id).executeTakeFirstOrThrow(),
      )
    ).accountId

  it('of one business move nothing of another, whatever they claim', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const { id, token } = await anInvoice(own)
    const page = idIn((await pay(token)).body.url)
    await stranger.ok(paymentsApi.publicInvoice, { params: { token } })
    const object = { id: page, object: 'checkout.session', status: 'complete', payment_status: 'paid' }
    // The right page, told by another business's account, and by nobody's.
    for (const account of [await accountOf(other), undefined])
      expect(await post({ type: 'checkout.session.completed', account, data: { object } })).toBe(200)
    expect((await own.api.ok(invoicesApi.get, { params: { id } })).status).toBe('issued')
    expect(
      await post({ type: 'account.updated', account: 'acct_nobody', data: { object: { id: 'acct_nobody' } } }),
    ).toBe(200)
    await payPage(page)
    await runTasks()
    expect((await own.api.ok(invoicesApi.get, { params: { id } })).status).toBe('paid')
    const payment = await own.db((db) =>
      db.selectFrom('payments').select('accountId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    expect(payment.accountId).toBe(await accountOf(own))
  })
})
