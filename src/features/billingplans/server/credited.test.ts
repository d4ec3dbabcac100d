import { expect, it } from 'vitest'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'

const { api, on, bill, books, aCustomer, start, get, settle, invoice, pay } = aPlanBusiness()

it('what the settlement credited of a month is credited by no second note and goes back as no second money', async () => {
  await on('2027-03-20')
  const { customerId } = await aCustomer()
  const plan = await start(customerId)
  await bill('2027-04-02')
  const billed = await get(plan.id)
  await pay(billed, 1)
  const id = billed.months[0]?.invoice?.id ?? ''
  const { totalCents, payments } = await invoice(id)
  expect((await settle(plan.id, 'credit')).status).toBe(200)
  const again = await api.call(correctionsApi.creditInvoice, {
    params: { id },
    body: { amountCents: totalCents, reason: 'Not mowed' },
  })
  expect([again.status, again.error.errors?.[0]?.message]).toEqual([
    422,
    'At most $0.00: the rest was credited before.',
  ])
  // wanted as money after all, the credit of the settlement is what is used up
  const refunded = await api.ok(correctionsApi.refundPayment, {
    params: { id: payments[0]?.id ?? '' },
    body: { amountCents: totalCents, method: 'check', onDay: '2027-04-02', reason: 'Moved', creditInvoices: true },
  })
  expect([refunded.creditCents, refunded.invoices[0]?.status]).toEqual([0, 'paid'])
  expect(await books()).toEqual([])
})
