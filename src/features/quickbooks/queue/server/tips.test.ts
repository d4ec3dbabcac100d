import { expect, it } from 'vitest'
import { listThere } from '../../../../local/books/play.ts'
import { centsOf } from '../../../../platform/books/client.ts'
import { runTasks } from '../../../../test/api.ts'
import { withBooks } from '../../../../test/books.ts'
import { invoiceOf } from '../../../../test/cards.ts'
import { today } from '../../../../test/field.ts'
import { aTipped, payWithTip } from '../../../../test/tips.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { quickbooksApi } from '../../contract.ts'

it('a tip is owed to the crew in the books, paid by its payment; what goes back is off what is owed, and the month agrees', async () => {
  const { own, id, token } = await aTipped()
  const books = await withBooks(own)
  const agree = async () => {
    await books.send()
    expect(await books.failed()).toEqual([])
    const { differences, sums } = await own.api.ok(quickbooksApi.checkMonth, { body: { month: today().slice(0, 7) } })
    expect(differences).toEqual([])
    return sums.find(({ kind }) => kind === 'movement')
  }
  await payWithTip(token, 750)
  expect(await agree()).toEqual({ kind: 'movement', count: 1, tips: 1, oursCents: 750, theirsCents: 750 })
  const invoices = await listThere(books.realm, 'Invoice')
  const tip = invoices.find((one) => centsOf(one.TotalAmt) === 750)
  const item = tip?.Line?.[0]?.SalesItemLineDetail?.ItemRef.value
  const items = await listThere(books.realm, 'Item')
  expect(items.find(({ Id }) => Id === item)).toMatchObject({
    Name: 'Tips for crews',
    IncomeAccountRef: { value: books.accounts.tips },
  })
  const [payment] = await listThere(books.realm, 'Payment')
  expect(centsOf(payment?.TotalAmt)).toBe(5750)
  // nothing of the payment is left over there
  expect(payment?.Line?.map((line) => centsOf(line.Amount))).toEqual([5000, 750])
  expect(payment?.Line?.at(-1)?.LinkedTxn?.[0]?.TxnId).toBe(tip?.Id)
  const { payments } = await invoiceOf(own, id)
  const body = {
    amountCents: 750,
    tipCents: 750,
    method: 'card' as const,
    onDay: today(),
    reason: 'Meant for another crew',
    creditInvoices: false,
  }
  await own.api.ok(correctionsApi.refundPayment, { params: { id: payments[0]?.id ?? '' }, body })
  await runTasks()
  expect(await agree()).toMatchObject({ count: 2 })
  expect((await listThere(books.realm, 'CreditMemo')).map((one) => centsOf(one.TotalAmt))).toEqual([750])
  expect((await listThere(books.realm, 'Purchase')).map((one) => centsOf(one.TotalAmt))).toEqual([750])
})

it('without an account for tips a person is told what to choose, and the payment goes all the same', async () => {
  const { own, token } = await aTipped()
  const books = await withBooks(own)
  const { version } = await books.get()
  const { accounts } = await own.api.ok(quickbooksApi.get, {}).then(({ setup }) => ({ accounts: setup?.accounts }))
  if (!accounts) throw new Error('Nothing is set up.')
  const startOn = today()
  const setUp = (tips: string | null, of: number) =>
    own.api.ok(quickbooksApi.setUp, {
      body: { accounts: { ...accounts, tips }, taxMode: 'line', startOn, version: of },
    })
  await setUp(null, version)
  await payWithTip(token, 750)
  await books.send()
  const [failed] = await books.failed()
  expect(failed).toMatchObject({ kind: 'movement', message: expect.stringContaining('Choose the account for tips') })
  expect((await listThere(books.realm, 'Payment')).map((one) => centsOf(one.TotalAmt))).toEqual([5750])
  await setUp(books.accounts.tips, (await books.get()).version)
  await books.fix(failed?.id ?? '', 'retry')
  await books.send()
  expect(await books.failed()).toEqual([])
  expect((await listThere(books.realm, 'Invoice')).map((one) => centsOf(one.TotalAmt)).toSorted()).toEqual([5000, 750])
})
