import { expect, it } from 'vitest'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'

const { api, on, bill, books, aCustomer, start, get, invoice, finish } = aPlanBusiness()

it('credit for a month of a plan is no money that came for its work', async () => {
  await on('2027-03-20')
  const { customerId, job } = await aCustomer()
  const plan = await start(customerId)
  await bill('2027-04-02')
  const id = (await get(plan.id)).months[0]?.invoice?.id ?? ''
  const { totalCents } = await invoice(id)
  await api.ok(correctionsApi.creditInvoice, {
    params: { id },
    body: { amountCents: totalCents, reason: 'Not mowed well' },
  })
  expect((await invoice(id)).status).toBe('paid')
  await finish(job.id, 1)
  await on('2027-04-07')
  const week = (await api.ok(dashboardApi.get, {})).money?.week ?? []
  const sum = (of: 'doneCents' | 'paidCents') => week.reduce((all, day) => all + day[of], 0)
  expect(sum('doneCents')).toBeGreaterThan(0)
  expect(sum('paidCents')).toBe(0)
  expect(await books()).toEqual([])
})
