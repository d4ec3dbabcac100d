import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replayLocalAccount, stepLocalAccount } from '../../../../local/payments/accounts.ts'
import { localBilling } from '../../../../local/payments/billing.ts'
import { completeLocalPayment } from '../../../../local/payments/checkout.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import {
  aCardClock,
  accountOf,
  anInvoice,
  aTryCutOff,
  bookedIds,
  cardOf,
  invoiceOf,
  leaveCard,
  office,
  openPage,
  runCards as run,
  subjects,
  tries,
  withCard,
} from '../../../../test/cards.ts'
import { somebodyWaits } from '../../../../test/database.ts'
import type { TestBusiness } from '../../../../test/factories.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { connectApi } from '../../connect/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { cardsApi } from '../contract.ts'
import { settle } from './settling.ts'

const { begin, onDay, day } = aCardClock()
beforeEach(begin)
afterEach(resetClock)

const titles = async (own: TestBusiness) =>
  (await (await office(own)).ok(notificationsApi.list, {})).notifications.map(({ title }) => title)
const recordCheck = async (own: TestBusiness, id: string, amountCents: number) => {
  const body = { method: 'check' as const, amountCents, receivedOn: day(10) }
  await (await office(own)).ok(paymentsApi.recordPayment, { params: { id }, body })
}
const announced = async () => {
  const all = await withCard()
  onDay(7)
  await run(all.own)
  onDay(10)
  return all
}

describe('a try without an answer', () => {
  it('stays the only one when a check comes meanwhile, and is booked as what it was', async () => {
    const { own, id } = await announced()
    const { request, account } = await aTryCutOff(own, id)
    const charge = await localBilling.chargeMethod(request, account)
    await recordCheck(own, id, 2000)
    expect((await (await office(own)).call(invoicesApi.voidInvoice, { params: { id } })).status).toBe(409)
    onDay(10, 660)
    await run(own)
    await run(own)
    expect((await bookedIds(own)).filter((one) => one === charge.id)).toHaveLength(1)
    expect(await bookedIds(own)).toHaveLength(2)
    expect(await tries(own)).toEqual([{ status: 'succeeded', tryNumber: 1 }])
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5000 })
    expect(await own.db(compareBooks)).toEqual([])
  })

  it('that never reached the provider is over when the sum changed, and what is open is charged', async () => {
    const { own, id } = await announced()
    await aTryCutOff(own, id)
    await recordCheck(own, id, 2000)
    onDay(10, 660)
    await run(own)
    expect(await tries(own)).toEqual([
      { status: 'failed', tryNumber: 1 },
      { status: 'succeeded', tryNumber: 2 },
    ])
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5000 })
    expect(await own.db(compareBooks)).toEqual([])
  })

  it('that is declined while autopay is ended promises no other try', async () => {
    const { own, id } = await announced()
    const { request } = await aTryCutOff(own, id)
    const before = await subjects(own)
    const { settled } = await own.db(async (db) => {
      const ofInvoice = db.selectFrom('autopayCharges').select('methodId').where('invoiceId', '=', id)
      await db
        .selectFrom('paymentMethods')
        .select('id')
        .where('businessId', '=', own.id)
        .where('id', 'in', ofInvoice)
        // as whoever changes the card has it
        .forNoKeyUpdate()
        .execute()
      const settled = settle(systemActor(own.id), id, request.mark.checkoutSessionId, {
        id: 'pi_declined',
        status: 'declined',
        method: 'card',
        amountCents: 5000,
        declineCode: 'insufficient_funds',
        provider: 'local',
        livemode: false,
        madeAt: null,
      })
      await somebodyWaits()
      await db
        .updateTable('autopayCharges')
        .set({ status: 'stopped' })
        .where('businessId', '=', own.id)
        .where('invoiceId', '=', id)
        .execute()
      // not awaited in here: it waits for this transaction
      return { settled }
    })
    await settled
    await runTasks()
    expect(await subjects(own)).toEqual(before)
  })

  it('is over when its plan is gone: the customer can pay, and nothing is charged', async () => {
    const { own, id, token } = await announced()
    await aTryCutOff(own, id)
    await stranger.ok(cardsApi.stopAutopay, { params: { token } })
    expect((await stranger.call(paymentsApi.pay, { params: { token } })).error.message).toContain('being charged right')
    onDay(10, 1300)
    await run(own)
    expect(await tries(own)).toEqual([{ status: 'failed', tryNumber: 1 }])
    expect((await stranger.call(paymentsApi.pay, { params: { token } })).status).toBe(200)
    expect((await invoiceOf(own, id)).status).toBe('issued')
  })

  it('is never asked again with another card: that one is announced and charged by itself', async () => {
    const { own, id, customerId } = await announced()
    await aTryCutOff(own, id)
    const other = await anInvoice(own, customerId)
    await leaveCard(other.token)
    onDay(10, 660)
    await run(own)
    expect(await tries(own)).toEqual([{ status: 'failed', tryNumber: 1 }])
    onDay(13)
    await run(own)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5000 })
    expect(await tries(own)).toEqual([
      { status: 'failed', tryNumber: 1 },
      { status: 'succeeded', tryNumber: 2 },
    ])
  })

  it('is let go after 23 hours where nobody answers for it, and the office looks before anything is charged again', async () => {
    const { own, id, customerId } = await announced()
    const { request, account } = await aTryCutOff(own, id)
    await localBilling.chargeMethod(request, account)
    await stepLocalAccount(account, 'remove')
    onDay(11, 530)
    await run(own)
    expect(await tries(own)).toEqual([{ status: 'open', tryNumber: 1 }])
    onDay(11, 700)
    await run(own)
    await run(own)
    expect(await tries(own)).toEqual([{ status: 'failed', tryNumber: 1 }])
    expect((await cardOf(own, customerId))?.ended).toContain('got no answer')
    expect((await titles(own)).filter((title) => /^Autopay of .* is off$/.test(title))).toHaveLength(1)
    expect((await invoiceOf(own, id)).status).toBe('issued')
  })
})

describe('a charge that the provider does not take', () => {
  it('because the account was paused a moment ago waits for it: no decline, no mail, autopay stays on', async () => {
    const { own, id, customerId } = await announced()
    const account = await accountOf(own)
    await replayLocalAccount(account, 'paused')
    await run(own)
    await run(own)
    expect(await tries(own)).toEqual([{ status: 'failed', tryNumber: 1 }])
    expect(await cardOf(own, customerId)).toMatchObject({ autopay: true, ended: null })
    expect((await subjects(own)).filter((subject) => subject.includes('declined'))).toEqual([])
    expect(await titles(own)).toContain('Card payments are paused')
    await stepLocalAccount(account, 'finish')
    await runTasks()
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('paid')
  })

  it('is told to who presses Pay as well, leaves no page open, and the account is looked at', async () => {
    const { own, token } = await announced()
    await replayLocalAccount(await accountOf(own), 'paused')
    const refused = await stranger.call(paymentsApi.pay, { params: { token } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('contact the business')])
    const open = await own.db((db) =>
      db
        .selectFrom('checkoutSessions')
        .select('id')
        .where('businessId', '=', own.id)
        .where('status', '=', 'open')
        .execute(),
    )
    expect(open).toEqual([])
    await runTasks()
    expect((await (await office(own)).ok(connectApi.getAccount, {})).state).toBe('paused')
  })

  it('because so little is open is not made at all, by page or by card', async () => {
    const { own, id, token, customerId } = await announced()
    await recordCheck(own, id, 4980)
    await run(own)
    expect(await tries(own)).toEqual([])
    // nor is it waited for: what no card takes is reminded of
    const plans = await own.db((db) =>
      db.selectFrom('autopayCharges').select('status').where('businessId', '=', own.id).execute(),
    )
    expect([plans, (await invoiceOf(own, id)).reminders.autopay]).toEqual([[], null])
    expect(await cardOf(own, customerId)).toMatchObject({ autopay: true, ended: null })
    expect((await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).canPay).toBe(false)
    const refused = await stranger.call(paymentsApi.pay, { params: { token } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('too little for a card')])
  })
})

it('a page that was paid without word of it is booked on the day of the charge, and the card is left alone', async () => {
  const { own, id, token } = await announced()
  await completeLocalPayment((await openPage(token)).split('/').at(-1) ?? '')
  onDay(10, 1000)
  await run(own)
  expect(await tries(own)).toEqual([])
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5000 })
  expect(await bookedIds(own)).toHaveLength(2)
})

it('a card of an account that was left for another one is not used', async () => {
  const { own, id, customerId } = await announced()
  await stepLocalAccount(await accountOf(own), 'remove')
  await runTasks()
  await (await office(own)).ok(connectApi.connectAccount, {})
  await replayLocalAccount(await accountOf(own), 'ready')
  await (await office(own)).ok(connectApi.syncAccount, {})
  await run(own)
  expect(await tries(own)).toEqual([])
  expect((await cardOf(own, customerId))?.ended).toContain('an account that is not in use any more')
  expect((await invoiceOf(own, id)).status).toBe('issued')
})
