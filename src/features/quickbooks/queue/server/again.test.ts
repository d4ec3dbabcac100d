import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeThere, deleteThere, listThere } from '../../../../local/books/play.ts'
import { create } from '../../../../local/books/records.ts'
import { breakBooks, inBooks } from '../../../../local/books/store.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { centsOf, dollarsOf } from '../../../../platform/books/client.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { asBusinessId } from '../../../../platform/db/tenant.ts'
import { runTasks } from '../../../../test/api.ts'
import { comeBack, withBooks } from '../../../../test/books.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { quickbooksApi } from '../../contract.ts'
import { lookAtChanges } from '../../inbound/server/commands.ts'
import { lookAtBooks, sweepBooks } from '../../server/tasks.ts'

/** What is pressed twice, changed in between or changed back ends as one record with today's facts. */

let now = new Date('2026-06-10T16:00:00Z')
beforeEach(() => {
  now = new Date('2026-06-10T16:00:00Z')
  setClock(() => now)
})
afterEach(resetClock)
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
const month = '2026-06'

const anInvoice = async (own: TestBusiness, cents = 5000, known?: string) => {
  const customerId = known ?? (await aLawn(own, { customer: `Anna ${own.id.slice(-6)}` })).customerId
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return { customerId, id }
}
const pay = (own: TestBusiness, id: string, amountCents = 5000) =>
  own.api.ok(paymentsApi.recordPayment, { params: { id }, body: { method: 'check', amountCents, receivedOn: today() } })
const stands = async (realm: string, type: string) =>
  (await listThere(realm, type)).map((one) => [one.TxnDate, centsOf(one.TotalAmt)])
const anExpense = async (own: TestBusiness, change: object = {}) => {
  const { items } = await own.api.ok(categoriesApi.list, {})
  const body = { day: today(), categoryId: items[0]?.id ?? '', method: 'card' as const, totalCents: 10_000, ...change }
  return { body, ...(await own.api.ok(expensesApi.create, { body })) }
}

describe('sending what a month lacks', () => {
  const aPaid = async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { id } = await anInvoice(own)
    const { id: localId } = await pay(own, id)
    await books.send()
    const check = () => own.api.ok(quickbooksApi.checkMonth, { body: { month } })
    const resend = async () => {
      await own.api.ok(quickbooksApi.resend, { body: { month, kind: 'payment', localId } })
      await runTasks()
    }
    const [there] = await listThere(books.realm, 'Payment')
    return { own, books, check, resend, remoteId: there?.Id ?? '' }
  }

  it('is done once, however often it is pressed', async () => {
    const { books, check, resend, remoteId } = await aPaid()
    await deleteThere(books.realm, 'Payment', remoteId, true)
    expect((await check()).differences).toMatchObject([{ kind: 'payment', why: 'missing_there' }])
    await resend()
    await resend()
    await resend()
    expect(await stands(books.realm, 'Payment')).toEqual([[today(), 5000]])
    expect((await check()).differences).toEqual([])
  })

  it('names what was moved to another month there, and moves that one back', async () => {
    const { books, check, resend, remoteId } = await aPaid()
    await changeThere(books.realm, 'Payment', remoteId, { TxnDate: '2026-05-31' }, true)
    expect((await check()).differences).toMatchObject([
      { kind: 'payment', why: 'other_month', theirsDay: '2026-05-31', oursCents: 5000, theirsCents: 5000 },
    ])
    await resend()
    expect(await stands(books.realm, 'Payment')).toEqual([[today(), 5000]])
    expect((await check()).differences).toEqual([])
  })
})

it('goes on after a disconnect with what happened in between', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { customerId } = await anInvoice(own)
  const spent = await anExpense(own)
  await books.send()
  await own.api.ok(quickbooksApi.disconnect, {})
  await runTasks()
  await anInvoice(own, 7700, customerId)
  await own.api.ok(expensesApi.remove, { params: { id: spent.id }, body: { version: spent.version } })
  await own.api.ok(quickbooksApi.finish, { body: await comeBack(own, own.id) })
  await books.send()
  expect((await stands(books.realm, 'Invoice')).map(([, cents]) => cents)).toEqual([5000, 7700])
  expect(await stands(books.realm, 'Purchase')).toEqual([])
  expect(await books.get()).toMatchObject({ waiting: 0, failed: 0, gathering: false })
})

it('says again what an answer that got lost left behind, as it stands now', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { id, body, version } = await anExpense(own)
  await breakBooks(books.realm, 'lost', 1)
  await books.send()
  await own.api.ok(expensesApi.update, { params: { id }, body: { ...body, totalCents: 12_000, version } })
  later(120)
  await books.send()
  expect(await stands(books.realm, 'Purchase')).toEqual([[today(), 12_000]])
  expect(await books.get()).toMatchObject({ waiting: 0, failed: 0 })
})

it('takes out what does not belong there any more, and sends what does now', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const [card, account] = [await anExpense(own), await anExpense(own, { method: 'account', totalCents: 5500 })]
  await books.send()
  expect(await stands(books.realm, 'Purchase')).toEqual([[today(), 10_000]])
  const change = (one: typeof card, method: 'card' | 'account') =>
    own.api.ok(expensesApi.update, { params: { id: one.id }, body: { ...one.body, method, version: one.version } })
  await change(card, 'account')
  await change(account, 'card')
  await books.send()
  expect(await stands(books.realm, 'Purchase')).toEqual([[today(), 5500]])
})

describe('what came from there', () => {
  it('counts as the money that it was where a credit paid the rest, and ends the open page', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { id } = await anInvoice(own, 10_000)
    await books.send()
    const [invoice] = await listThere(books.realm, 'Invoice')
    const line = (cents: number, TxnId: string, TxnType: string) => ({
      Amount: dollarsOf(cents),
      LinkedTxn: [{ TxnId, TxnType }],
    })
    await inBooks(async (tx) => {
      const whose = { ...(invoice?.CustomerRef ? { CustomerRef: invoice.CustomerRef } : {}), TxnDate: today() }
      const memo = await create(tx, books.realm, 'CreditMemo', { ...whose, Line: [{ Amount: '40.00' }] })
      const Line = [line(10_000, invoice?.Id ?? '', 'Invoice'), line(4000, memo.Id, 'CreditMemo')]
      await create(tx, books.realm, 'Payment', { ...whose, TotalAmt: '60.00', Line })
    })
    await lookAtChanges(systemActor(asBusinessId(own.id)))
    const { payments, status } = await own.api.ok(invoicesApi.get, { params: { id } })
    expect([status, payments.map(({ amountCents }) => amountCents)]).toEqual(['partially_paid', [6000]])
    const told = (await own.api.ok(notificationsApi.list, {})).notifications.map(({ title }) => title)
    expect(told).toContain('A credit of $40.00 was used in QuickBooks')
  })

  it('and was accepted is not said again', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    await anInvoice(own)
    await books.send()
    const [invoice] = await listThere(books.realm, 'Invoice')
    const Line = (invoice?.Line ?? []).map((one) => ({ ...one, Amount: '40.00' }))
    await changeThere(books.realm, 'Invoice', invoice?.Id ?? '', { Line })
    await runTasks()
    const [row] = await books.failed()
    await books.fix(row?.id ?? '', 'accept')
    await lookAtChanges(systemActor(asBusinessId(own.id)))
    expect(await books.failed()).toEqual([])
  })
})

it('a payment behind an invoice that was left out says so, and can be left out too', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { customerId } = await anInvoice(own)
  await books.send()
  const { id } = await anInvoice(own, 3000, customerId)
  await breakBooks(books.realm, '6210', 1)
  await pay(own, id, 3000)
  await books.send()
  const [row] = await books.failed()
  await books.fix(row?.id ?? '', 'skip', 'Entered by hand')
  later(700)
  await books.send()
  const [behind] = await books.failed()
  expect(behind).toMatchObject({
    kind: 'payment',
    message: expect.stringContaining('was left out of QuickBooks'),
    fixes: ['retry', 'skip'],
  })
  await books.fix(behind?.id ?? '', 'skip', 'Entered by hand')
  expect(await books.get()).toMatchObject({ waiting: 0, failed: 0 })
})

it('goes by itself within a minute, and the night finds what no notice told', async () => {
  // what is marked is due by the database's own clock
  resetClock()
  const own = await aBusiness()
  const books = await withBooks(own)
  // the walk meets every business of this database, also those whose books an earlier test broke: only this one's count
  const walked = (walk: typeof sweepBooks) => walk.run({}).catch(() => undefined)
  const { id } = await anInvoice(own)
  await walked(sweepBooks)
  await runTasks()
  const [invoice] = await listThere(books.realm, 'Invoice')
  expect(centsOf(invoice?.TotalAmt)).toBe(5000)
  await inBooks((tx) =>
    create(tx, books.realm, 'Payment', {
      ...(invoice?.CustomerRef ? { CustomerRef: invoice.CustomerRef } : {}),
      TotalAmt: '50.00',
      TxnDate: today(),
      Line: [{ Amount: '50.00', LinkedTxn: [{ TxnId: invoice?.Id ?? '', TxnType: 'Invoice' }] }],
    }),
  )
  await walked(lookAtBooks)
  expect((await own.api.ok(invoicesApi.get, { params: { id } })).status).toBe('paid')
})
