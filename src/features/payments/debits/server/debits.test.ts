import { beforeEach, describe, expect, it } from 'vitest'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock } from '../../../../platform/clock.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import {
  aBankBusiness,
  accounts,
  passDays,
  payByBank,
  payFromBank,
  publicPage,
  setBank,
} from '../../../../test/bank.ts'
import {
  aCardClock,
  aCustomer,
  anInvoice,
  invoiceOf,
  office,
  openPage,
  payPage,
  subjects,
} from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { noLateFees } from '../../../businesses/latefees/rules.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { chargeLateFees } from '../../../invoices/latefees/server/commands.ts'
import { pendingWords } from '../../../invoices/pending/rules.ts'
import { remindBySchedule } from '../../../invoices/reminders/server/commands.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { sweepPages } from '../../checkout/server/commands.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { sweepDebits } from './sweep.ts'

const at = aCardClock()
beforeEach(() => {
  resetClock()
  at.begin()
  return resetClock
})

const balanced = async (own: TestBusiness) => expect(await own.db(compareBooks)).toEqual([])
const payments = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('payments')
      .select(['method', 'amountCents', 'allocatedCents', 'refundedCents', 'receivedOn'])
      .where('businessId', '=', own.id)
      .execute(),
  )
const notices = async (own: TestBusiness): Promise<string[]> =>
  (await (await office(own)).ok(notificationsApi.list, { query: {} })).notifications.map(({ title }) => title)

const businessName = 'Green Test Lawns'
/** A customer's invoice over $50.00 that they paid from a bank account. */
const paidByBank = async (account = accounts.good, termsDays = 10) => {
  const own = await aBankBusiness()
  const customerId = await aCustomer(own)
  const invoice = await anInvoice(own, customerId, termsDays)
  await payByBank(invoice.token, account)
  return { own, customerId, ...invoice }
}

describe('paying from a bank account', () => {
  it('is off until the business wants it: the page takes cards alone', async () => {
    const own = await aBusiness()
    const { token } = await anInvoice(own, await aCustomer(own))
    expect((await publicPage(token)).takesBank).toBe(false)
    expect((await payFromBank(await openPage(token))).status).toBe(422)
    await setBank(own, true)
    expect((await publicPage(token)).takesBank).toBe(true)
  })

  it('is on its way for days: no money in the books, nothing to pay twice, and everybody reads so', async () => {
    const { own, id, token } = await paidByBank()
    expect(await publicPage(token)).toMatchObject({
      status: 'issued',
      balanceCents: 5000,
      payableCents: 0,
      canPay: false,
      pending: { cents: 5000, since: at.day() },
    })
    const invoice = await invoiceOf(own, id)
    expect(invoice).toMatchObject({ paidCents: 0, pendingCents: 5000, pending: { cents: 5000, since: at.day() } })
    expect(invoice.can).toMatchObject({ remind: false, writeOff: false, void: true, pay: true })
    expect(await payments(own)).toEqual([])
    const again = await stranger.call(paymentsApi.pay, { params: { token } })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('bank payment of $50.00')])
    expect(await subjects(own)).toContain(`Your bank payment of $50.00 to ${businessName} is on its way`)
    expect((await notices(own)).join()).toContain('A bank payment of $50.00')
    expect((await (await office(own)).ok(invoicesApi.list, { query: { view: 'pending' } })).items).toHaveLength(1)
    await balanced(own)
  })

  it('arrives: booked once by its method on the day the bank said so, with a receipt', async () => {
    const { own, id, token } = await paidByBank()
    at.onDay(5)
    await passDays(own)
    expect(await publicPage(token)).toMatchObject({ status: 'paid', pending: null, payableCents: 0 })
    expect(await payments(own)).toEqual([
      { method: 'ach', amountCents: 5000, allocatedCents: 5000, refundedCents: 0, receivedOn: at.day(5) },
    ])
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', pendingCents: 0, pending: null })
    await balanced(own)
  })

  it.each([
    ['poor', 'There was not enough money in the account.'],
    ['closed', 'The account was closed.'],
    ['notAllowed', 'The account’s holder did not authorize the payment.'],
  ] as const)('does not arrive (%s): open again, both are told why, and it can be paid', async (which, why) => {
    const { own, id, token } = await paidByBank(accounts[which])
    at.onDay(5)
    await passDays(own)
    expect(await publicPage(token)).toMatchObject({ status: 'issued', canPay: true, payableCents: 5000, pending: null })
    expect((await invoiceOf(own, id)).can.remind).toBe(true)
    expect(await subjects(own)).toContain(`Your bank payment of $50.00 to ${businessName} did not go through`)
    const told = (await (await office(own)).ok(notificationsApi.list, { query: {} })).notifications
    expect(told.find(({ title }) => title.includes('failed'))?.content).toContain(why)
    expect(await payments(own)).toEqual([])
    await payPage(await openPage(token))
    await runTasks()
    expect(await publicPage(token)).toMatchObject({ status: 'paid' })
    await balanced(own)
  })

  it('reminders and late fees wait for it, and count from the day on which it failed', async () => {
    const own = await aBankBusiness()
    const api = await office(own)
    const { version } = await api.ok(businessesApi.get, {})
    const lateFees = { ...noLateFees, kind: 'fixed' as const, fixedCents: 1500, graceDays: 3 }
    await api.ok(businessesApi.update, {
      body: { lateFees, invoiceTerms: 'Late pays more.', invoiceReminders: [3, 7], version },
    })
    const invoice = await anInvoice(own, await aCustomer(own), 0)
    await payByBank(invoice.token, accounts.poor)
    const run = async () => {
      await remindBySchedule(systemActor(own.id))
      await chargeLateFees(systemActor(own.id))
      await runTasks()
      const { lateFees: fees, lastRemindedAt } = await invoiceOf(own, invoice.id)
      return { fees: fees.length, reminded: lastRemindedAt !== null }
    }
    for (const day of [3, 5]) {
      at.onDay(day)
      expect(await run()).toEqual({ fees: 0, reminded: false })
    }
    await passDays(own)
    at.onDay(7)
    expect(await run()).toEqual({ fees: 0, reminded: false })
    at.onDay(8)
    expect(await run()).toEqual({ fees: 0, reminded: true })
    at.onDay(10)
    expect((await run()).fees).toBe(1)
  })

  it('is taken back by the bank after it had arrived: open again, both are told, the books balance', async () => {
    const { own, id, token } = await paidByBank(accounts.takenBack)
    at.onDay(5)
    await passDays(own)
    expect((await invoiceOf(own, id)).status).toBe('paid')
    at.onDay(9)
    await passDays(own)
    expect(await publicPage(token)).toMatchObject({ status: 'issued', canPay: true, pending: null })
    expect((await invoiceOf(own, id)).can.remind).toBe(true)
    expect(await payments(own)).toMatchObject([
      { method: 'ach', amountCents: 5000, allocatedCents: 0, refundedCents: 5000 },
    ])
    expect(await subjects(own)).toContain(`Your bank took $50.00 back from ${businessName}`)
    expect((await notices(own)).join()).toContain('The bank returned $50.00')
    await balanced(own)
  })

  it('the invoice is voided meanwhile: the money becomes credit when it comes, and both are told', async () => {
    const { own, id, token } = await paidByBank()
    await (await office(own)).ok(invoicesApi.voidInvoice, { params: { id } })
    expect(await publicPage(token)).toMatchObject({ status: 'void', pending: { cents: 5000 } })
    await passDays(own)
    expect(await payments(own)).toMatchObject([{ amountCents: 5000, allocatedCents: 0 }])
    expect((await subjects(own)).filter((one) => one.includes('was voided: your $50.00 is credit'))).toHaveLength(1)
    const { earlier } = await (await office(own)).ok(invoicesApi.get, { params: { id } })
    expect(earlier).toMatchObject([{ kind: 'late', method: 'ach', amountCents: 5000 }])
    await balanced(own)
  })

  it('cash comes meanwhile: both are booked, what is too much is credit', async () => {
    const { own, id } = await paidByBank()
    const body = { method: 'cash' as const, amountCents: 2000, receivedOn: at.day() }
    await (await office(own)).ok(paymentsApi.recordPayment, { params: { id }, body })
    await passDays(own)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', creditCents: 2000 })
    await balanced(own)
  })

  it('what is open beyond it can be paid: a payment that was taken back is asked for again', async () => {
    const own = await aBankBusiness()
    const { id, token } = await anInvoice(own, await aCustomer(own))
    const api = await office(own)
    const body = { method: 'check' as const, amountCents: 2000, receivedOn: at.day() }
    const { id: check } = await api.ok(paymentsApi.recordPayment, { params: { id }, body })
    await payByBank(token)
    expect(await publicPage(token)).toMatchObject({ pending: { cents: 3000 }, payableCents: 0 })
    await api.ok(correctionsApi.reversePayment, { params: { id: check }, body: { reason: 'It bounced' } })
    expect(await publicPage(token)).toMatchObject({ pending: { cents: 3000 }, payableCents: 2000, canPay: true })
    await payPage(await openPage(token))
    await runTasks()
    expect(await publicPage(token)).toMatchObject({
      status: 'partially_paid',
      paidCents: 2000,
      pending: { cents: 3000 },
    })
    await passDays(own)
    expect(await publicPage(token)).toMatchObject({ status: 'paid', pending: null })
    await balanced(own)
  })
})

describe('when the word of it gets lost', () => {
  it('the hourly look finds what began and what came, and asks a bank seldom', async () => {
    const own = await aBankBusiness()
    const { token } = await anInvoice(own, await aCustomer(own))
    const back = setLocalPost(async () => 200)
    const url = await openPage(token)
    await payFromBank(url)
    at.onDay(0, 700)
    await sweepPages(systemActor(own.id))
    expect((await publicPage(token)).pending).toMatchObject({ cents: 5000 })
    await passDays(own)
    await sweepDebits(systemActor(own.id))
    expect((await publicPage(token)).status).toBe('issued')
    at.onDay(1, 700)
    await sweepDebits(systemActor(own.id))
    expect((await publicPage(token)).status).toBe('paid')
    back()
    await runTasks()
    await balanced(own)
  })

  it('what nobody knows any more is let go after two weeks, and the office is told to look', async () => {
    const { own, token } = await paidByBank()
    await own.db((db) =>
      db
        .updateTable('checkoutSessions')
        .set({ providerSessionId: 'cs_gone' })
        .where('businessId', '=', own.id)
        .execute(),
    )
    at.onDay(10)
    await sweepDebits(systemActor(own.id))
    expect((await publicPage(token)).pending).not.toBeNull()
    at.onDay(15)
    await sweepDebits(systemActor(own.id))
    expect(await publicPage(token)).toMatchObject({ pending: null, canPay: true })
    expect((await notices(own)).join()).toContain('failed')
  })

  it('says since when in the words of the page', async () => {
    const { token } = await paidByBank()
    const { pending } = await publicPage(token)
    expect(pending && pendingWords(pending)).toBe(
      `Bank payment of $50.00 on its way since ${formatDay(at.day())}; it usually takes 4 business days.`,
    )
  })
})
