import { expect, it } from 'vitest'
import { listThere } from '../../../../local/books/play.ts'
import { centsOf } from '../../../../platform/books/client.ts'
import { withBooks } from '../../../../test/books.ts'
import { aCustomer, anIssuedInvoice } from '../../../../test/cards.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { exportsApi } from '../../../invoices/exports/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { quickbooksApi } from '../../contract.ts'

/** A customer who paid $97.00 of $100.00 by check, which settles it. */
const paidLess = async () => {
  const own = await aBusiness()
  const { version } = await own.api.ok(businessesApi.get, {})
  await own.api.ok(businessesApi.update, { body: { cashDiscountBps: 300, version } })
  const { id } = await anIssuedInvoice(own, await aCustomer(own), 10_000)
  const body = { method: 'check' as const, amountCents: 9700, receivedOn: today() }
  const payment = await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
  return { own, paymentId: payment.id }
}

it('the discount for paying without a card is booked to its own account, and the month is even', async () => {
  const { own, paymentId } = await paidLess()
  const books = await withBooks(own)
  const agree = async () => {
    await books.send()
    expect(await books.failed()).toEqual([])
    const { differences } = await own.api.ok(quickbooksApi.checkMonth, { body: { month: today().slice(0, 7) } })
    expect(differences).toEqual([])
  }
  await agree()
  const [memo] = await listThere(books.realm, 'CreditMemo')
  expect(centsOf(memo?.TotalAmt)).toBe(300)
  const items = await listThere(books.realm, 'Item')
  const item = items.find(({ Id }) => Id === memo?.Line?.[0]?.SalesItemLineDetail?.ItemRef.value)
  expect(item).toMatchObject({
    Name: 'Discount for paying without a card',
    IncomeAccountRef: { value: books.accounts.discounts },
  })
  const { text } = await own.api.call(exportsApi.csv, { query: { kind: 'journal', from: today(), to: today() } })
  expect(text).toContain('Discounts Given')
  expect(text).not.toContain('Customer Credits')
  // a check that bounced takes it along
  const body = { reason: 'The check bounced' }
  await own.api.ok(correctionsApi.reversePayment, { params: { id: paymentId }, body })
  await agree()
  expect((await listThere(books.realm, 'CreditMemo')).filter((one) => centsOf(one.TotalAmt) > 0)).toEqual([])
})

it('without an account it lowers the income, and one that is chosen later gets it', async () => {
  const { own } = await paidLess()
  const books = await withBooks(own)
  const choose = async (discounts: string | null) => {
    const { version } = await books.get()
    const body = { accounts: { ...books.accounts, discounts }, taxMode: 'line' as const, startOn: today(), version }
    await own.api.ok(quickbooksApi.setUp, { body })
    await books.send()
  }
  const account = async () =>
    (await listThere(books.realm, 'Item')).find(({ Name }) => Name?.startsWith('Discount'))?.IncomeAccountRef?.value
  await choose(null)
  expect(await account()).toBe(books.accounts.income)
  await choose(books.accounts.discounts)
  expect(await account()).toBe(books.accounts.discounts)
  expect(await books.failed()).toEqual([])
})
