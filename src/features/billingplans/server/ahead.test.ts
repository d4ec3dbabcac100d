import { expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { creditsApi } from '../../payments/credits/contract.ts'
import { quotesApi } from '../../quotes/contract.ts'
import { quoteDepositsApi } from '../../quotes/deposits/contract.ts'
import { billingPlansApi } from '../contract.ts'

const { api, of, on, bill, books, aCustomer, start, get, invoice, settle, settlement, finish } = aPlanBusiness()

const check = (receivedOn: string) => ({ method: 'check' as const, receivedOn, note: '' })

/** A quote over weekly mowing for $50 a visit, signed with a deposit, which became a job in April. */
const aQuote = async (depositCents: number) => {
  const { customerId, propertyId, job } = await aCustomer()
  const [mowed] = job.lines
  const lines = [
    {
      id: newId(),
      serviceId: mowed?.serviceId,
      name: 'Mowing',
      frequency: 'weekly',
      visits: 30,
      unitPriceCents: 5000,
      minutes: 30,
    },
  ]
  const content = { lines, deposit: { kind: 'amount', value: depositCents } }
  const made = await api.ok(quotesApi.create, { body: { propertyId, content } as never })
  const sent = await api.ok(quotesApi.send, {
    params: { id: made.id },
    body: { mail: true, text: false, version: made.version },
  })
  const quote = await api.ok(quotesApi.approve, {
    params: { id: made.id },
    body: { signer: 'Ann', note: 'By phone', choice: { packageId: null, lineIds: [] }, version: sent.version },
  })
  await api.ok(quoteDepositsApi.record, { params: { id: made.id }, body: check('2027-03-20') })
  const { version } = await api.ok(quotesApi.get, { params: { id: made.id } })
  const { jobId } = await api.ok(quotesApi.convert, {
    params: { id: made.id },
    body: { startOn: '2027-04-01', version },
  })
  return { customerId, quote, jobId: jobId ?? '', other: job }
}
const credit = async (id: string) => (await api.ok(correctionsApi.listCredits, { params: { id } })).creditCents
const invoicesOf = async (planId: string) => {
  const made = (await get(planId)).months.flatMap(({ invoice: one }) => one?.id ?? [])
  return Promise.all(made.map(invoice))
}
const linesOf = async (jobId: string) =>
  (
    await of().db((db) =>
      db.selectFrom('jobLines').select('id').where('businessId', '=', of().id).where('jobId', '=', jobId).execute(),
    )
  ).map(({ id }) => id)

it('months of a plan take what was paid ahead for the quote of its work, one after the other, until it is used up', async () => {
  await on('2027-03-20')
  const { customerId, jobId } = await aQuote(50_000)
  const lineIds = await linesOf(jobId)
  const plan = await start(customerId, { lineIds })
  await bill('2027-04-01')
  const [first] = await invoicesOf(plan.id)
  expect(first).toMatchObject({ status: 'paid', paidCents: first?.totalCents })
  await bill('2027-06-01')
  const all = await invoicesOf(plan.id)
  expect(all).toHaveLength(3)
  expect(all.reduce((sum, { paidCents }) => sum + paidCents, 0)).toBe(50_000)
  expect(all.map(({ status }) => status)).toEqual(['paid', 'paid', 'partially_paid'])
  expect([await credit(customerId), await books()]).toEqual([0, []])
})

it('of a plan over other work too only its share, also the deposit of a single job, and voided it goes back there', async () => {
  await on('2027-03-20')
  const { customerId, jobId, other } = await aQuote(100_000)
  const plan = await start(customerId)
  await bill('2027-04-01')
  const [first] = await invoicesOf(plan.id)
  const { lines } = plan
  const listOf = (id: string) => lines.filter((line) => line.jobId === id).reduce((sum, { cents }) => sum + cents, 0)
  const share = listOf(jobId) / (listOf(jobId) + listOf(other.id))
  expect(share).toBeLessThan(0.6)
  expect(Math.abs((first?.paidCents ?? 0) - (first?.totalCents ?? 0) * share)).toBeLessThanOrEqual(1)
  await api.ok(creditsApi.recordDeposit, {
    params: { id: customerId },
    body: { ...check('2027-04-01'), amountCents: 90_000, jobId: other.id },
  })
  expect(await invoice(first?.id ?? '')).toMatchObject({ status: 'paid', balanceCents: 0 })
  const had = await credit(customerId)
  await api.ok(invoicesApi.voidInvoice, { params: { id: first?.id ?? '' } })
  expect(await credit(customerId)).toBe(had + (first?.totalCents ?? 0))
  expect(await books()).toEqual([])
})

it('the last invoice of a settlement takes it too; while the plan runs nobody is asked what to do with it', async () => {
  await on('2027-03-20')
  const { customerId, jobId } = await aQuote(60_000)
  const lineIds = await linesOf(jobId)
  const plan = await start(customerId, { lineIds })
  await bill('2027-04-01')
  const rest = await credit(customerId)
  await finish(jobId, 10)
  await of().db((db) =>
    db
      .updateTable('jobs')
      .set({ status: 'completed' })
      .where('businessId', '=', of().id)
      .where('id', '=', jobId)
      .execute(),
  )
  const waiting = async () =>
    (await api.ok(dashboardApi.get, {})).needs.filter(({ badge }) => badge === 'Deposit').length
  expect(await waiting()).toBe(0)
  const { totalCents } = await settlement(plan.id)
  expect(totalCents).toBeGreaterThan(0)
  expect((await settle(plan.id, 'bill')).status).toBe(200)
  expect(await credit(customerId)).toBe(rest - totalCents)
  expect([await waiting(), await books()]).toEqual([1, []])
  // nothing came of it but what was paid ahead: it is taken back, and that waits for the work again
  const settled = await get(plan.id)
  const last = settled.settled?.invoice?.id ?? ''
  expect([(await invoice(last)).status, settled.can.undoSettlement]).toEqual(['paid', true])
  expect((await api.ok(billingPlansApi.undoSettlement, { params: { id: plan.id } })).status).toBe('active')
  expect([(await invoice(last)).status, await credit(customerId), await books()]).toEqual(['void', rest, []])
})

it('a settlement of which a part was paid ahead and a part by the customer stays', async () => {
  await on('2027-03-20')
  const { customerId, jobId } = await aQuote(25_000)
  const plan = await start(customerId, { lineIds: await linesOf(jobId) })
  await bill('2027-04-01')
  await finish(jobId, 10)
  expect((await settle(plan.id, 'bill')).status).toBe(200)
  const settled = await get(plan.id)
  const last = await invoice(settled.settled?.invoice?.id ?? '')
  expect([last.status, last.paidCents > 0, settled.can.undoSettlement]).toEqual(['partially_paid', true, true])
  await api.ok(paymentsApi.recordPayment, {
    params: { id: last.id },
    body: { method: 'check', amountCents: 100, receivedOn: clock.iso().slice(0, 10) },
  })
  expect((await get(plan.id)).can.undoSettlement).toBe(false)
  const refused = await api.call(billingPlansApi.undoSettlement, { params: { id: plan.id } })
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('was used, paid')])
})
