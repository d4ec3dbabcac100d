import { expect, it } from 'vitest'
import { listThere } from '../../../../local/books/play.ts'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { openLocalDispute, stepLocalDispute } from '../../../../local/payments/disputes.ts'
import { centsOf } from '../../../../platform/books/client.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { withBooks } from '../../../../test/books.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { quickbooksApi } from '../../contract.ts'

it('money that a bank takes and gives back goes to the books, and the month agrees after each step', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { customerId } = await aLawn(own, { customer: `Anna ${own.id.slice(-6)}` })
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  const token = ((await own.api.ok(invoicesApi.get, { params: { id } })).publicPath ?? '').split('/').at(-1) ?? ''
  const { url } = await stranger.ok(paymentsApi.pay, { params: { token } })
  const sessionId = url.split('/').at(-1) ?? ''
  await stranger.ok(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
  await runTasks()
  const { accountId, paid } = await own.db(async (db) => ({
    accountId: (
      await db
        .selectFrom('paymentAccounts')
        .select('accountId')
        .where('businessId', '=', own.id)
        .executeTakeFirstOrThrow()
    ).accountId,
    paid: await db
      .selectFrom('payments')
      .select('providerPaymentId')
      .where('businessId', '=', own.id)
      .executeTakeFirstOrThrow(),
  }))
  const month = today().slice(0, 7)
  const agree = async () => {
    await books.send()
    expect(await books.failed()).toEqual([])
    const { differences, sums } = await own.api.ok(quickbooksApi.checkMonth, { body: { month } })
    expect(differences).toEqual([])
    return sums.find(({ kind }) => kind === 'movement')
  }
  const stands = async (type: string) => (await listThere(books.realm, type)).map((one) => centsOf(one.TotalAmt)).sort()
  const bank = await openLocalDispute(accountId, paid.providerPaymentId ?? '', {
    kind: 'dispute',
    reason: 'product_not_received',
  })
  await runTasks()
  expect(await agree()).toEqual({ kind: 'movement', count: 1, oursCents: 5000, theirsCents: 5000 })
  expect([await stands('Purchase'), await stands('Payment')]).toEqual([[5000], [5000]])
  await stepLocalDispute(bank ?? '', 'win')
  await runTasks()
  expect(await agree()).toEqual({ kind: 'movement', count: 2, oursCents: 10_000, theirsCents: 10_000 })
  expect([await stands('Purchase'), await stands('Payment')]).toEqual([[5000], [5000, 5000]])
})
