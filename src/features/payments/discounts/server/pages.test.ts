import { beforeEach, describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBankBusiness, accounts, passDays, payFromBank, publicPage } from '../../../../test/bank.ts'
import {
  aCardClock,
  aCustomer,
  anInvoice,
  cardOf,
  invoiceOf,
  office,
  payPage,
  runCards,
  subjects,
} from '../../../../test/cards.ts'
import type { TestBusiness } from '../../../../test/factories.ts'
import { readPdf } from '../../../../test/papers.ts'
import { movements, setTips } from '../../../../test/tips.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { statementsApi } from '../../../invoices/statements/contract.ts'
import { runAutopay } from '../../cards/server/tasks.ts'
import { paymentsApi } from '../../contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'

/** The discount for paying without a card on every page that takes a bank account, in autopay, and where it is read. */

const at = aCardClock()
beforeEach(() => {
  resetClock()
  at.begin()
  return resetClock
})

const setDiscount = async (own: TestBusiness, cashDiscountBps: number) => {
  const api = await office(own)
  const { version } = await api.ok(businessesApi.get, {})
  await api.ok(businessesApi.update, { body: { cashDiscountBps, version } })
}
const discounted = async () => {
  const own = await aBankBusiness()
  await setDiscount(own, 300)
  const customerId = await aCustomer(own)
  return { own, customerId, ...(await anInvoice(own, customerId, 10, 10_000)) }
}
const given = (own: TestBusiness) =>
  own.db(async (db) =>
    (
      await db
        .selectFrom('creditNotes')
        .select(['totalCents', 'isDiscount'])
        .where('businessId', '=', own.id)
        .orderBy('totalCents')
        .execute()
    ).map((row) => [Number(row.totalCents), row.isDiscount]),
  )
const amountOf = async (url: string) =>
  (await stranger.ok(localPaymentsApi.checkout, { params: { sessionId: url.split('/').at(-1) ?? '' } })).amountCents
const byBank = (token: string, body: object = {}) =>
  stranger.ok(paymentsApi.payByBank, { params: { token }, body: body as never })
const paid = async (own: TestBusiness, url: string, account = accounts.good) => {
  expect((await payFromBank(url, account)).body.result).toBe('paid')
  await runTasks()
  await passDays(own)
}
const balanced = async (own: TestBusiness) => expect(await own.db(compareBooks)).toEqual([])
const ledgerOf = async (own: TestBusiness) =>
  (await movements(own)).reduce((sum, movement) => sum + Number(movement.split(' ')[1]), 0)

describe('less from a bank account', () => {
  it('with a tip: the tip is not made less, and another tip is another page', async () => {
    const { own, id, token } = await discounted()
    await setTips(own, 'amount')
    expect((await stranger.call(paymentsApi.payByBank, { params: { token }, body: { tipCents: 99_999 } })).status).toBe(
      422,
    )
    const { url } = await byBank(token, { tipCents: 500 })
    expect(await amountOf(url)).toBe(10_200)
    await paid(own, url)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0 })
    expect(await given(own)).toEqual([[300, true]])
    expect(await ledgerOf(own)).toBe(0)
    await balanced(own)
  })

  it('several invoices of a statement are one payment, each less its own discount; the other button takes cards alone', async () => {
    const { own, customerId, id } = await discounted()
    const second = await anInvoice(own, customerId, 10, 3333)
    const api = await office(own)
    const { url: link } = await api.ok(statementsApi.link, { params: { id: customerId } })
    const path = new URL(link).pathname
    const page = (await stranger.raw({ method: 'GET', url: path })).text
    expect(page).toContain('$129.33 by bank account, check or cash')
    const numbers = await Promise.all([id, second.id].map(async (one) => (await invoiceOf(own, one)).number))
    const press = async (bank: boolean) => {
      const boxes = numbers.map((number): [string, string] => [`inv-${number}`, 'on'])
      const { text } = await stranger.raw({
        method: 'POST',
        url: `${path}/pay`,
        payload: new URLSearchParams([...boxes, ...(bank ? ([['by-bank', '1']] as const) : [])] as never).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      return /url=(\/local\/checkout\/[\w]+)/.exec(text)?.[1] ?? ''
    }
    const all = await press(false)
    expect(await amountOf(all)).toBe(13_333)
    expect((await payFromBank(all)).status).toBe(422)
    const less = await press(true)
    expect(await amountOf(less)).toBe(12_933)
    expect((await payPage(less)).status).toBe(422)
    await paid(own, less)
    for (const one of [id, second.id])
      expect(await invoiceOf(own, one)).toMatchObject({ status: 'paid', balanceCents: 0, pendingCents: 0 })
    expect(await given(own)).toEqual([
      [100, true],
      [300, true],
    ])
    expect(await ledgerOf(own)).toBe(0)
    await balanced(own)
  })

  it('a debit for several that its bank takes back is owed again with every discount', async () => {
    const { own, customerId, id } = await discounted()
    const second = await anInvoice(own, customerId, 10, 3333)
    await own.db((db) =>
      db
        .insertInto('lateFees')
        .values({
          businessId: own.id,
          id: second.id,
          invoiceId: id,
          feeInvoiceId: second.id,
          period: 0,
          amountCents: 3333,
          onDay: at.day(),
          createdAt: new Date().toISOString(),
        })
        .execute(),
    )
    const { token } = { token: ((await invoiceOf(own, id)).publicPath ?? '').split('/').at(-1) ?? '' }
    expect((await publicPage(token)).cashDiscount).toMatchObject({ payCents: 9700, withFeesCents: 12_933 })
    const { url } = await byBank(token, { withFees: true })
    expect(await amountOf(url)).toBe(12_933)
    await paid(own, url, accounts.takenBack)
    expect(await ledgerOf(own)).toBe(0)
    await passDays(own)
    expect((await invoiceOf(own, id)).balanceCents).toBe(10_000)
    expect((await invoiceOf(own, second.id)).balanceCents).toBe(3333)
    expect(await ledgerOf(own)).toBe(13_333)
    await balanced(own)
  })
})

describe('less by autopay from a bank account', () => {
  /** A customer who pays an invoice from an account, less the discount, and leaves the account. */
  const withAccount = async (account = accounts.good) => {
    const { own, customerId, token } = await discounted()
    const { mandate } = await publicPage(token)
    await paid(own, (await byBank(token, { mandate: mandate.text })).url, account)
    expect(await given(own)).toEqual([[300, true]])
    return { own, customerId, ...(await anInvoice(own, customerId, 10, 10_000)) }
  }

  it('is announced and charged less the discount, which comes with the money', async () => {
    const { own, customerId, id } = await withAccount()
    at.onDay(8)
    await runCards(own)
    expect((await cardOf(own, customerId))?.next?.amountCents).toBe(9700)
    expect((await subjects(own)).filter((subject) => subject.includes('charges $97.00'))).toHaveLength(1)
    at.onDay(11)
    await runCards(own)
    expect(await invoiceOf(own, id)).toMatchObject({ pendingCents: 10_000, paidCents: 0 })
    await passDays(own)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0, pendingCents: 0 })
    expect(await given(own)).toEqual([
      [300, true],
      [300, true],
    ])
    expect(await ledgerOf(own)).toBe(0)
    await balanced(own)
  })

  it('is not planned every hour where less than the least is left of it', async () => {
    const { own, customerId, id } = await withAccount()
    // three percent less is 49 cents, which is charged to nobody
    const little = await anInvoice(own, customerId, 10, 51)
    at.onDay(8)
    await runAutopay(systemActor(own.id))
    const asked = async (invoiceId: string) =>
      (await ownerPool().query('select 1 from graphile_worker._private_jobs where key like $1', [`%${invoiceId}`]))
        .rowCount
    expect([await asked(id), await asked(little.id)]).toEqual([1, 0])
  })

  it('that ended since is announced anew before anything is charged', async () => {
    const { own, id } = await withAccount()
    at.onDay(8)
    await runCards(own)
    await setDiscount(own, 0)
    at.onDay(11)
    await runCards(own)
    expect((await invoiceOf(own, id)).pendingCents).toBe(0)
    expect((await subjects(own)).filter((subject) => subject.includes('charges $100.00'))).toHaveLength(1)
    at.onDay(15)
    await runCards(own)
    expect((await invoiceOf(own, id)).pendingCents).toBe(10_000)
    await balanced(own)
  })
})

describe('less, where it is read', () => {
  it('the PDF and the statement say what it comes to, in their reader’s language', async () => {
    const { own, customerId, id } = await discounted()
    const api = await office(own)
    const words = async () => {
      const { bytes } = await api.call(invoicesApi.pdf, { params: { id } })
      return (await readPdf(bytes)).flat().join(' ').replace(/\s+/g, ' ')
    }
    expect(await words()).toContain('3% off for paying without a card: $97.00 by bank, check or cash')
    const query = { from: at.day(), to: at.day() }
    expect((await api.ok(statementsApi.get, { params: { id: customerId }, query })).notes).toEqual([
      '3% off for paying without a card: $97.00 by bank, check or cash settles what is open, $3.00 less.',
    ])
    await own.db((db) =>
      db
        .updateTable('customers')
        .set({ language: 'es' })
        .where('businessId', '=', own.id)
        .where('id', '=', customerId)
        .execute(),
    )
    expect(await words()).toContain('3% de descuento por pagar sin tarjeta: con $97.00')
    await setDiscount(own, 0)
    expect(await words()).not.toContain('sin tarjeta')
  })
})
