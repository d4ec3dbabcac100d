import { beforeEach, describe, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBankBusiness, accounts, passDays, payFromBank, setBank } from '../../../../test/bank.ts'
import {
  aCardClock,
  aCustomer,
  anInvoice,
  bookedIds,
  cardOf,
  invoiceOf,
  office,
  openSaving,
  runCards,
  subjects,
  tries,
} from '../../../../test/cards.ts'
import { cardLinksApi } from '../../cardlinks/contract.ts'
import { cardsApi } from '../../cards/contract.ts'
import { mandateText } from '../../cards/rules.ts'
import { paymentsApi } from '../../contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'

const at = aCardClock()
beforeEach(() => {
  resetClock()
  at.begin()
  return resetClock
})

/** A customer who paid an invoice from a bank account and left it, and the next invoice, due in 10 days. */
const withAccount = async (account: string) => {
  const own = await aBankBusiness()
  const customerId = await aCustomer(own)
  const first = await anInvoice(own, customerId)
  await payFromBank(await openSaving(first.token), account)
  await runTasks()
  // what a bank did not pay is not kept: the first payment is good whatever comes later
  await passDays(own)
  return { own, customerId, ...(await anInvoice(own, customerId)) }
}

/** The same by a link: nothing is paid, and what the account has later is not known yet. */
const withLinked = async (account: string) => {
  const own = await aBankBusiness()
  const customerId = await aCustomer(own)
  const api = await office(own)
  const { url } = await api.ok(cardLinksApi.send, { params: { id: customerId }, body: { by: 'email' } })
  const path = new URL(url).pathname
  const page = await stranger.raw({ method: 'GET', url: path })
  const mandate = mandateText('Green Test Lawns', 3, true)
  const form = {
    method: 'POST' as const,
    url: `${path}/leave`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }
  const opened = await stranger.raw({ ...form, payload: new URLSearchParams({ mandate }).toString() })
  const session = /\/local\/checkout\/(cs_test_[0-9a-f]+)/.exec(opened.text)?.[1] ?? ''
  await payFromBank(session, account)
  await runTasks()
  return { own, customerId, page: page.text, ...(await anInvoice(own, customerId)) }
}

/** Announced and charged: the bank was asked. */
const charged = async (account: string) => {
  const made = await withLinked(account)
  at.onDay(7)
  await runCards(made.own)
  at.onDay(10)
  await runCards(made.own)
  return made
}

describe('a bank account that is kept', () => {
  it('is left on the page of an invoice, with words that name the debit, and stands at the customer', async () => {
    const { own, customerId } = await withAccount(accounts.good)
    const card = await cardOf(own, customerId)
    expect(card).toMatchObject({
      kind: 'bank',
      label: 'Test Bank account ending in 6789',
      expires: null,
      autopay: true,
    })
    expect(card?.mandate.text).toContain('electronic (ACH) debit, which I authorize')
  })

  it('is left by the same link as a card where the business takes them, and is asked for as a card alone where not', async () => {
    const { own, customerId, page } = await withLinked(accounts.good)
    expect(page).toContain('Leave a card or a bank account with')
    expect(await cardOf(own, customerId)).toMatchObject({ kind: 'bank', autopay: true })
    expect(await subjects(own)).toContain('Your bank account is on file with Green Test Lawns')
    await setBank(own, false)
    const other = await aCustomer(own)
    const { url } = await (await office(own)).ok(cardLinksApi.send, { params: { id: other }, body: { by: 'hand' } })
    const { text } = await stranger.raw({ method: 'GET', url: new URL(url).pathname })
    expect([text.includes('bank account'), text.includes('Agree and leave a card')]).toEqual([false, true])
  })

  it('is taken off: it pays no more, and what is on its way still arrives', async () => {
    const { own, customerId, id } = await charged(accounts.good)
    await (await office(own)).ok(cardsApi.removeCard, { params: { id: customerId } })
    expect(await cardOf(own, customerId)).toBeNull()
    await passDays(own)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', pending: null })
    expect(await own.db(compareBooks)).toEqual([])
  })
})

describe('autopay from a bank account', () => {
  it('is announced, charged once on its day, on its way for days, and booked when it came', async () => {
    const { own, id, token } = await charged(accounts.good)
    const pending = { cents: 5000, since: at.day(10) }
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'issued', pending, paidCents: 0 })
    await runCards(own)
    at.onDay(11)
    await runCards(own)
    expect(await tries(own)).toEqual([{ status: 'processing', tryNumber: 1 }])
    expect((await stranger.call(paymentsApi.pay, { params: { token } })).status).toBe(409)
    at.onDay(14)
    await passDays(own)
    expect(await invoiceOf(own, id)).toMatchObject({
      status: 'paid',
      pending: null,
      payments: [{ method: 'ach', receivedOn: at.day(14), note: 'Autopay' }],
    })
    expect(await bookedIds(own)).toHaveLength(1)
    expect(await own.db(compareBooks)).toEqual([])
  })

  it('without enough money is asked for twice more at most, each three days after the answer; then autopay is off', async () => {
    const { own, customerId, id } = await charged(accounts.poor)
    for (const [answer, next] of [
      [14, 17],
      [21, 24],
    ] as const) {
      at.onDay(answer)
      await passDays(own)
      expect(await invoiceOf(own, id)).toMatchObject({ status: 'issued', pending: null })
      await runCards(own)
      expect((await invoiceOf(own, id)).pending).toBeNull()
      at.onDay(next)
      await runCards(own)
      expect((await invoiceOf(own, id)).pending).toMatchObject({ since: at.day(next) })
    }
    at.onDay(28)
    await passDays(own)
    at.onDay(35)
    await runCards(own)
    expect(await tries(own)).toHaveLength(3)
    expect(await cardOf(own, customerId)).toMatchObject({
      autopay: false,
      ended: expect.stringContaining('There was not enough money in the account.'),
    })
    const mails = await subjects(own)
    expect(mails.filter((one) => one.startsWith('Your bank account could not be charged'))).toHaveLength(2)
    expect(mails).toContain('Autopay with Green Test Lawns is off: your bank account could not be charged')
  })

  it.each(['closed', 'notAllowed'] as const)('is never asked for again where it is %s', async (which) => {
    const { own, customerId, id } = await charged(accounts[which])
    at.onDay(14)
    await passDays(own)
    at.onDay(24)
    await runCards(own)
    expect(await tries(own)).toHaveLength(1)
    expect(await cardOf(own, customerId)).toMatchObject({ autopay: false })
    expect((await invoiceOf(own, id)).can.remind).toBe(true)
  })

  it('is taken back as not allowed after it came: open again, not charged again, autopay is off', async () => {
    const { own, customerId, id } = await charged(accounts.takenBack)
    at.onDay(14)
    await passDays(own)
    expect((await invoiceOf(own, id)).status).toBe('paid')
    at.onDay(18)
    await passDays(own)
    at.onDay(25)
    await runCards(own)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'issued', pending: null })
    expect(await tries(own)).toHaveLength(1)
    expect(await cardOf(own, customerId)).toMatchObject({ autopay: false })
    expect(await own.db(compareBooks)).toEqual([])
  })
})
