import { afterEach, beforeEach, expect, it } from 'vitest'
import { centsOf } from '../../../../platform/books/client.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { withBooks } from '../../../../test/books.ts'
import { payPage } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { copyRow } from '../../../../test/refuse.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { statementsApi } from '../../../invoices/statements/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { quickbooksApi } from '../../contract.ts'

/** One payment for several invoices, as the books have it. */

beforeEach(() => setClock(() => new Date('2026-06-10T16:00:00Z')))
afterEach(resetClock)

const issued = async (own: TestBusiness, customerId: string, cents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id, number } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return { id, number, name: `INV-${number}` }
}
/** Ticks invoices on the page of a statement and presses Pay. @returns the provider's page */
const openTogether = async (own: TestBusiness, customerId: string, invoices: readonly { number: number }[]) => {
  const { url } = await own.api.ok(statementsApi.link, { params: { id: customerId } })
  const { text } = await stranger.raw({
    method: 'POST',
    url: `${new URL(url).pathname}/pay`,
    payload: new URLSearchParams(invoices.map(({ number }): [string, string] => [`inv-${number}`, 'on'])).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return /url=(\/local\/checkout\/\w+)/.exec(text)?.[1] ?? ''
}
type Books = Awaited<ReturnType<typeof withBooks>>
/** Payments there: what each is over, and what of it lies on which invoice, by the invoice's name. */
const paymentsThere = async (books: Books) => {
  const names = new Map((await books.there('Invoice')).map(({ Id, DocNumber }) => [Id, DocNumber]))
  return (await books.there('Payment')).map(({ TotalAmt, Line = [] }) => ({
    cents: centsOf(TotalAmt),
    on: Line.flatMap(({ Amount, LinkedTxn = [] }) =>
      LinkedTxn.map(({ TxnId, TxnType }) => [TxnType, names.get(TxnId), centsOf(Amount)]),
    ),
  }))
}
const balancesThere = async (books: Books) =>
  (await books.there('Invoice')).map(({ DocNumber, Balance }) => [DocNumber, centsOf(Balance)])
it('is one payment there, with a line an invoice, each over what was paid on it', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { customerId } = await aLawn(own)
  const [first, second, third] = [
    await issued(own, customerId, 5500),
    await issued(own, customerId, 3333),
    await issued(own, customerId, 1001),
  ]
  const left = await issued(own, customerId, 9900)
  await payPage(await openTogether(own, customerId, [first, second, third]))
  await books.send()
  expect(await paymentsThere(books)).toEqual([
    {
      cents: 9834,
      on: [
        ['Invoice', first.name, 5500],
        ['Invoice', second.name, 3333],
        ['Invoice', third.name, 1001],
      ],
    },
  ])
  expect(await balancesThere(books)).toEqual([
    [first.name, 0],
    [second.name, 0],
    [third.name, 0],
    [left.name, 9900],
  ])
  // told twice it stays one
  await runTasks()
  await books.send()
  expect(await paymentsThere(books)).toHaveLength(1)
  const { differences } = await own.api.ok(quickbooksApi.checkMonth, { body: { month: '2026-06' } })
  expect(differences).toEqual([])
})

it('of which a part was paid meanwhile has a line less there, and the rest is credit', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { customerId } = await aLawn(own)
  const [first, second] = [await issued(own, customerId, 5500), await issued(own, customerId, 3333)]
  const page = await openTogether(own, customerId, [first, second])
  await payPage(page)
  // cash at the door before word of the page came
  const body = { method: 'cash' as const, amountCents: 5500, receivedOn: today() }
  await own.api.ok(paymentsApi.recordPayment, { params: { id: first.id }, body })
  await books.send()
  expect(await paymentsThere(books)).toEqual(
    expect.arrayContaining([
      { cents: 5500, on: [['Invoice', first.name, 5500]] },
      { cents: 8833, on: [['Invoice', second.name, 3333]] },
    ]),
  )
  // put on a later invoice, the same payment there gets the line
  const later = await issued(own, customerId, 7000)
  await own.api.ok(correctionsApi.useCredit, { params: { id: later.id }, body: { amountCents: 5500 } })
  await books.send()
  expect(await paymentsThere(books)).toEqual(
    expect.arrayContaining([
      {
        cents: 8833,
        on: [
          ['Invoice', second.name, 3333],
          ['Invoice', later.name, 5500],
        ],
      },
    ]),
  )
  expect((await balancesThere(books)).map(([, cents]) => cents)).toEqual([0, 0, 1500])
})

it('two of ours are never one record there, and one is never two: the table of links refuses it', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { customerId } = await aLawn(own)
  await issued(own, customerId, 5500)
  await books.send()
  await expect(copyRow(own, 'books_links')).rejects.toThrow(/books_links_pkey/)
  await expect(copyRow(own, 'books_links', { local_id: newId() })).rejects.toThrow(/books_links_.*remote_id/)
})
