import { expect, it } from 'vitest'
import { runTasks } from '../../../test/api.ts'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { billingPlansApi } from '../contract.ts'

const { api, on, bill, books, aCustomer, start, get, settlement, settle, finish, invoice } = aPlanBusiness()

/** A plan that was canceled in May with more done than billed, its last invoice sent. */
const aSettled = async () => {
  await on('2027-03-20')
  const { customerId, job } = await aCustomer()
  const plan = await start(customerId)
  await bill('2027-04-02')
  await finish(job.id, 6)
  await on('2027-05-20')
  const seen = await settlement(plan.id)
  expect(seen.choices).toContain('bill')
  expect((await settle(plan.id, 'bill', { send: true })).status).toBe(200)
  await runTasks()
  const last = (await get(plan.id)).settled?.invoice?.id ?? ''
  return { plan, seen, last }
}
const toSettle = async () =>
  (await api.ok(billingPlansApi.list, { query: { view: 'to_settle' } })).items.map(({ id }) => id)
const titles = async () => (await api.ok(dashboardApi.get, {})).needs.map(({ title }) => title)
/** Whether a voided invoice is offered to be made again, and what is answered where it is asked for all the same. */
const makesAgain = async (id: string) => {
  const { can, customer } = await invoice(id)
  const lines = [{ description: 'Work done', quantity: 1, unitPriceCents: 5000 }]
  const asked = await api.call(invoicesApi.create, { body: { customerId: customer.id, madeFrom: id, lines } })
  return [can.makeAgain, asked.status]
}

it('a settlement whose last invoice was voided waits to be settled anew, and what was done is billed once', async () => {
  const { plan, seen, last } = await aSettled()
  expect(await toSettle()).not.toContain(plan.id)
  await api.ok(invoicesApi.voidInvoice, { params: { id: last } })
  await runTasks()
  expect(await toSettle()).toContain(plan.id)
  expect(await titles()).toContainEqual(expect.stringContaining('the settlement of Season 2027 was voided'))
  expect(await get(plan.id)).toMatchObject({
    status: 'settled',
    settled: { voided: true },
    can: { settle: true, undoSettlement: true, change: false },
  })
  // the same sum as before: the months that were stopped stay so, and nothing of the void one counts
  expect(await settlement(plan.id)).toMatchObject({ totalCents: seen.totalCents, monthsLeft: { count: 0 } })
  const both = await Promise.all([settle(plan.id, 'bill'), settle(plan.id, 'bill')])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const again = (await get(plan.id)).settled
  expect(again).toMatchObject({ voided: false, totalCents: seen.totalCents })
  expect(again?.invoice?.id).not.toBe(last)
  expect((await invoice(again?.invoice?.id ?? '')).totalCents).toBe(seen.totalCents)
  expect([await toSettle(), (await get(plan.id)).can.settle]).toEqual([[], false])
  expect(await books()).toEqual([])
  // the void one stays the plan's, though another stands in its place: its work is not billed by hand as well
  expect(await makesAgain(last)).toEqual([false, 409])
  // taken back, it goes on with the months that the first settlement stopped
  const back = await api.ok(billingPlansApi.undoSettlement, { params: { id: plan.id } })
  expect([back.status, back.months.at(-1)?.state]).toEqual(['active', 'planned'])
  expect(await makesAgain(again?.invoice?.id ?? '')).toEqual([false, 409])
})

it('or is taken back: the plan goes on with its months', async () => {
  const { plan, last } = await aSettled()
  expect((await api.call(billingPlansApi.undoSettlement, { params: { id: plan.id } })).status).toBe(409)
  await api.ok(invoicesApi.voidInvoice, { params: { id: last } })
  await runTasks()
  const back = await api.ok(billingPlansApi.undoSettlement, { params: { id: plan.id } })
  expect([back.status, back.months.at(-1)?.state, back.settled]).toEqual(['active', 'planned', null])
  expect(await toSettle()).not.toContain(plan.id)
  expect(await makesAgain(last)).toEqual([false, 409])
  expect(await books()).toEqual([])
})
