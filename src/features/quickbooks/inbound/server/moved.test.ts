import { afterEach, beforeEach, expect, it } from 'vitest'
import { changeThere } from '../../../../local/books/play.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { centsOf } from '../../../../platform/books/client.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { asBusinessId } from '../../../../platform/db/tenant.ts'
import { runTasks } from '../../../../test/api.ts'
import { withBooks } from '../../../../test/books.ts'
import { anIssuedInvoice } from '../../../../test/cards.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { compareBooks } from '../../../payments/corrections/server/queries.ts'
import { quickbooksApi } from '../../contract.ts'
import { lookAtChanges } from './commands.ts'

/** A payment that is put on another invoice in QuickBooks, of the same amount. */

beforeEach(() => setClock(() => new Date('2026-06-10T16:00:00Z')))
afterEach(resetClock)

const month = '2026-06'

/** A check on the first of two invoices, which somebody puts on the second in the books. */
const aMoved = async ({ quiet = false } = {}) => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { customerId } = await aLawn(own, { customer: `Anna ${own.id.slice(-6)}` })
  const [a, b] = [await anIssuedInvoice(own, customerId, 5000), await anIssuedInvoice(own, customerId, 7000)]
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id: a.id },
    body: { method: 'check', amountCents: 5000, receivedOn: today() },
  })
  await books.send()
  const idOf = async (cents: number) =>
    (await books.there('Invoice')).find((one) => centsOf(one.TotalAmt) === cents)?.Id ?? ''
  const [payment] = await books.there('Payment')
  const put = async (cents: number, said = false) => {
    const Line = [{ Amount: '50.00', LinkedTxn: [{ TxnId: await idOf(cents), TxnType: 'Invoice' }] }]
    await changeThere(books.realm, 'Payment', payment?.Id ?? '', { Line }, !said)
    await runTasks()
  }
  await put(7000, !quiet)
  const paid = async () =>
    Promise.all([a, b].map(async ({ id }) => (await own.api.ok(invoicesApi.get, { params: { id } })).paidCents))
  const balances = async () => [
    ...(await books.there('Invoice')).map(({ Balance }) => centsOf(Balance)).sort((x, y) => x - y),
  ]
  const check = async () => (await own.api.ok(quickbooksApi.checkMonth, { body: { month } })).differences
  return { own, books, a, b, put, paid, balances, check }
}

it('is told with its invoices, and moved here too by a press, once', async () => {
  const { own, books, a, b, paid, balances, check } = await aMoved()
  const [row] = await books.failed()
  expect(row).toMatchObject({
    kind: 'payment',
    message: `Somebody put it on INV-${b.number} in QuickBooks; in Swath it lies on INV-${a.number}. Nothing was changed here.`,
    fixes: ['follow', 'retry', 'accept'],
  })
  expect(await paid()).toEqual([5000, 0])
  expect(await check()).toMatchObject([
    { why: 'other_invoice', pays: { ours: `INV-${a.number}`, theirs: `INV-${b.number}` }, isInQueue: true },
  ])
  const press = () => own.api.call(quickbooksApi.fix, { params: { id: row?.id ?? '' }, body: { how: 'follow' } })
  const both = await Promise.all([press(), press()])
  expect(both.map(({ status }) => status).sort()[0]).toBe(200)
  await runTasks()
  expect(await paid()).toEqual([0, 5000])
  expect(await own.db(compareBooks)).toEqual([])
  await books.send()
  expect(await books.get()).toMatchObject({ waiting: 0, failed: 0 })
  expect(await balances()).toEqual([2000, 5000])
  expect(await check()).toEqual([])
})

it('is put back in the books by a press', async () => {
  const { books, paid, balances, check } = await aMoved()
  await books.fix((await books.failed())[0]?.id ?? '', 'retry')
  expect(await paid()).toEqual([5000, 0])
  expect(await balances()).toEqual([0, 7000])
  expect([await books.failed(), await check()]).toEqual([[], []])
})

it('left as it is, it is said no more, and its month goes on naming it', async () => {
  const { own, books, check } = await aMoved()
  await books.fix((await books.failed())[0]?.id ?? '', 'accept')
  await lookAtChanges(systemActor(asBusinessId(own.id)))
  expect(await books.failed()).toEqual([])
  expect(await check()).toMatchObject([{ why: 'other_invoice', isInQueue: false }])
  expect(await books.failed()).toEqual([])
})

it('whose notice got lost is found by the nightly look, and by the check of its month', async () => {
  const first = await aMoved({ quiet: true })
  expect(await first.books.failed()).toEqual([])
  await lookAtChanges(systemActor(asBusinessId(first.own.id)))
  expect(await first.books.failed()).toHaveLength(1)
  const second = await aMoved({ quiet: true })
  expect(await second.check()).toHaveLength(1)
  expect(await second.books.failed()).toHaveLength(1)
})

it('is not moved onto what has not so much open here', async () => {
  const { own, books, b, paid } = await aMoved()
  const [row] = await books.failed()
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id: b.id },
    body: { method: 'cash', amountCents: 4000, receivedOn: today() },
  })
  const refused = await own.api.call(quickbooksApi.fix, { params: { id: row?.id ?? '' }, body: { how: 'follow' } })
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('Only $30.00 is open')])
  expect(await paid()).toEqual([5000, 4000])
})
