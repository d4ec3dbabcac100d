import { afterEach, beforeEach, expect, it } from 'vitest'
import { failLocalRefund } from '../../../../local/payments/checkout.ts'
import { centsOf } from '../../../../platform/books/client.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { signInAgain, withBooks } from '../../../../test/books.ts'
import { accountOf, anIssuedInvoice, openPage, payPage } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { closingApi } from '../../../invoices/closing/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { compareBooks } from '../../../payments/corrections/server/queries.ts'
import { processRefundEvent } from '../../../payments/corrections/server/tasks.ts'
import { quickbooksApi } from '../../contract.ts'

/** What is taken back after its month was closed is dated in an open month in QuickBooks, too. */

const on = (day: string) => setClock(() => new Date(`${day}T16:00:00Z`))
beforeEach(() => on('2026-05-20'))
afterEach(resetClock)

const types = ['Invoice', 'Payment', 'CreditMemo', 'Purchase'] as const
const reason = 'A mistake'

const aBook = async () => {
  const own = await aBusiness()
  const books = await withBooks(own, '2026-04-01')
  const { customerId } = await aLawn(own, { customer: `Anna ${own.id.slice(-6)}` })
  const send = async () => {
    await books.send()
    expect(await books.failed()).toEqual([])
    expect(await books.waiting()).toEqual([])
  }
  /** What stands there under the days of a month, by kind: id, total. */
  const stands = async (month: string) =>
    Object.fromEntries(
      await Promise.all(
        types.map(async (type) => [
          type,
          (await books.there(type))
            .filter(({ TxnDate, TotalAmt }) => TxnDate?.startsWith(month) && centsOf(TotalAmt) !== 0)
            .map(({ Id, TotalAmt }) => `${Id} ${centsOf(TotalAmt)}`)
            .sort(),
        ]),
      ),
    ) as Record<(typeof types)[number], string[]>
  const amounts = async (month: string) =>
    Object.fromEntries(
      Object.entries(await stands(month)).map(([type, rows]) => [
        type,
        rows.map((row) => Number(row.split(' ')[1])).sort((a, b) => a - b),
      ]),
    )
  const balances = async () =>
    Object.fromEntries((await books.there('Invoice')).map((one) => [centsOf(one.TotalAmt), centsOf(one.Balance)]))
  const nextMonth = async () => {
    await send()
    on('2026-06-10')
    await signInAgain(own)
    await own.api.ok(closingApi.close, { body: { month: '2026-05', leaveOpen: true } })
  }
  const agree = async () => {
    for (const month of ['2026-05', '2026-06'])
      expect((await own.api.ok(quickbooksApi.checkMonth, { body: { month } })).differences).toEqual([])
    expect(await own.db(compareBooks)).toEqual([])
  }
  return { own, books, customerId, send, stands, amounts, balances, nextMonth, agree }
}
const pay = (own: TestBusiness, id: string, amountCents: number) =>
  own.api.ok(paymentsApi.recordPayment, { params: { id }, body: { method: 'check', amountCents, receivedOn: today() } })

it('a void, a payment, a credit and a write-off that are taken back leave the closed month there as it was', async () => {
  const { own, books, customerId, send, stands, amounts, balances, nextMonth, agree } = await aBook()
  const wrong = await anIssuedInvoice(own, customerId, 1100)
  const paid = await anIssuedInvoice(own, customerId, 2200)
  const check = await pay(own, paid.id, 2200)
  const credited = await anIssuedInvoice(own, customerId, 3300)
  const note = await own.api.ok(correctionsApi.creditInvoice, {
    params: { id: credited.id },
    body: { amountCents: 300, reason },
  })
  const lost = await anIssuedInvoice(own, customerId, 4400)
  await pay(own, lost.id, 400)
  await own.api.ok(invoicesApi.writeOff, { params: { id: lost.id }, body: { reason } })
  await nextMonth()
  const may = await stands('2026-05')

  await own.api.ok(invoicesApi.voidInvoice, { params: { id: wrong.id } })
  await own.api.ok(correctionsApi.reversePayment, { params: { id: check.id }, body: { reason } })
  await own.api.ok(correctionsApi.reversePayment, { params: { id: note.paymentId ?? '' }, body: { reason } })
  await own.api.ok(invoicesApi.reinstate, { params: { id: lost.id } })
  await send()
  expect(await stands('2026-05')).toEqual(may)
  expect(await amounts('2026-06')).toEqual({
    Invoice: [300, 4000],
    Payment: [],
    CreditMemo: [1100],
    Purchase: [2200],
  })
  // what is owed stands open there, and what stands against a closed month is settled with it
  expect(await balances()).toEqual({ 1100: 0, 2200: 2200, 3300: 3300, 4400: 4000, 300: 0, 4000: 0 })
  expect((await books.there('CreditMemo')).map(({ Balance }) => centsOf(Balance))).toEqual([0, 0, 0])
  expect(await books.there('Purchase')).toMatchObject([
    {
      AccountRef: { value: books.accounts.deposit },
      Line: [{ AccountBasedExpenseLineDetail: { AccountRef: { value: books.accounts.receivable } } }],
    },
  ])
  await agree()
  // sent once more, nothing stands there twice
  await send()
  expect((await amounts('2026-06')).CreditMemo).toEqual([1100])
  // and the invoice whose check never came is paid anew
  await pay(own, paid.id, 2200)
  await send()
  expect((await balances())[2200]).toBe(0)
  await agree()
})

it('a refund that fails after its month was closed comes back in the open one', async () => {
  const { own, customerId, send, stands, amounts, nextMonth, agree } = await aBook()
  const { id, token } = await anIssuedInvoice(own, customerId, 5000)
  await payPage(await openPage(token))
  await stranger.ok(paymentsApi.sync, { params: { token } })
  await runTasks()
  const payment = (await own.api.ok(invoicesApi.get, { params: { id } })).payments[0]?.id ?? ''
  await own.api.ok(correctionsApi.refundPayment, {
    params: { id: payment },
    body: { amountCents: 2000, method: 'card', onDay: today(), reason },
  })
  await runTasks()
  await nextMonth()
  const may = await stands('2026-05')
  expect(may.Purchase).toHaveLength(1)
  const { providerRefundId } = await own.db((db) =>
    db.selectFrom('refunds').select('providerRefundId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
  )
  await failLocalRefund(providerRefundId ?? '')
  await processRefundEvent({
    provider: 'stripe',
    account: await accountOf(own),
    eventId: 'evt_failed',
    type: 'refund.failed',
    payload: { data: { object: { id: providerRefundId } } },
  })
  await send()
  expect(await stands('2026-05')).toEqual(may)
  expect((await amounts('2026-06')).Payment).toEqual([2000])
  await agree()
})

it('what was changed there in the closed month by hand is named', async () => {
  const { own, books, customerId, nextMonth } = await aBook()
  const wrong = await anIssuedInvoice(own, customerId, 1100)
  await nextMonth()
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: wrong.id } })
  const check = (month: string) => own.api.ok(quickbooksApi.checkMonth, { body: { month } })
  // nothing was sent yet: the month that is open says what it waits for, the closed one is the same
  expect((await check('2026-05')).differences).toEqual([])
  expect((await check('2026-06')).differences).toMatchObject([
    { label: `Void of INV-${wrong.number}`, why: 'waiting', oursCents: 1100 },
  ])
  await books.send()
  expect((await check('2026-06')).differences).toEqual([])
})
