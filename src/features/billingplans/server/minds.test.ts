import { describe, expect, it } from 'vitest'
import { aPlanBusiness, months } from '../../../test/billing-plans.ts'
import { openPage, payPage } from '../../../test/cards.ts'
import { customersApi } from '../../customers/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { billingPlansApi } from '../contract.ts'

/** Minds that change: a settlement taken back late, work that is called off, a customer who leaves. */

const { api, on, bill, books, aCustomer, preview, start, get, settle, finish, invoice, pay } = aPlanBusiness()

const undo = (id: string) => api.call(billingPlansApi.undoSettlement, { params: { id } })
const act = (id: string, verb: 'cancel' | 'reactivate') =>
  api.ok(jobsApi.act, { params: { id, verb }, body: {} as never })

describe('a settlement that is to be taken back', () => {
  it('stays while another plan bills the same work, and goes once that one was taken back', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const old = await start(customerId)
    await finish(job.id, 8)
    await bill('2027-05-25')
    await settle(old.id, 'bill')
    await on('2027-05-27')
    const newer = await start(customerId, {
      name: 'From June',
      startsOn: '2027-05-27',
      months: months.slice(2),
      billDay: 28,
    })
    const kept = await get(old.id)
    expect([kept.can.undoSettlement, kept.status]).toEqual([false, 'settled'])
    const refused = await undo(old.id)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('From June bills')])
    await api.ok(billingPlansApi.discard, { params: { id: newer.id } })
    expect((await undo(old.id)).status).toBe(200)
    expect((await preview(customerId, { startsOn: '2027-05-27' })).lines[0]?.refusal).toBe('Covered by Season 2027')
    expect(await books()).toEqual([])
  })

  it('stays once it was paid on its page, also in the second before we hear of it', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    await finish(job.id, 12)
    await bill('2027-05-25')
    await settle(plan.id, 'bill')
    const billed = (await api.ok(invoicesApi.list, { query: { customerId } })).items.toSorted(
      (a, b) => b.number - a.number,
    )
    const last = await invoice(billed[0]?.id ?? '')
    const url = await openPage((last.publicPath ?? '').split('/').at(-1) ?? '')
    expect((await payPage(url)).body.result).toBe('paid')
    expect((await undo(plan.id)).status).toBe(409)
    expect((await invoice(last.id)).status).toBe('paid')
    expect(await books()).toEqual([])
  })

  it('stays once its credit paid an invoice of other work', async () => {
    await on('2027-03-20')
    const { customerId } = await aCustomer()
    const plan = await start(customerId)
    await bill('2027-06-15')
    await pay(await get(plan.id), 3)
    await settle(plan.id, 'credit')
    expect((await get(plan.id)).can.undoSettlement).toBe(true)
    const other = await api.ok(invoicesApi.create, {
      body: { customerId, lines: [{ description: 'Hedge', quantity: 1, unitPriceCents: 5000 }] },
    })
    await api.ok(invoicesApi.issue, { params: { id: other.id } })
    await api.call(correctionsApi.useCredit, { params: { id: other.id }, body: { amountCents: 5000 } })
    expect((await invoice(other.id)).status).toBe('paid')
    expect((await undo(plan.id)).status).toBe(409)
    expect((await invoice(other.id)).status).toBe('paid')
    expect(await books()).toEqual([])
  })
})

describe('work that is called off', () => {
  it('holds the plan’s months and says why; brought back it is billed', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    await bill('2027-05-02')
    await act(job.id, 'cancel')
    await bill('2027-06-02')
    const held = await get(plan.id)
    expect([held.billedCents, held.heldSince]).toEqual([41_250, '2027-06-01'])
    expect(held.heldWhy).toContain('All work of Season 2027 is canceled')
    const { needs } = await api.ok(dashboardApi.get, {})
    expect(needs.some(({ kind, path }) => kind === 'plan' && path.includes(plan.id))).toBe(true)
    await act(job.id, 'reactivate')
    await bill('2027-06-02')
    expect(await get(plan.id)).toMatchObject({ heldSince: null, heldWhy: null, billedCents: 61_875 })
  })

  it('keeps a customer from the archive until the plan is settled', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    await bill('2027-04-02')
    await act(job.id, 'cancel')
    const params = { id: customerId }
    expect((await api.ok(customersApi.get, { params })).can.archive).toBe(false)
    const refused = await api.call(customersApi.archive, { params })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('Season 2027')])
    const many = await api.ok(customersApi.bulk, {
      body: { choice: { ids: [customerId] }, action: { kind: 'archive' } },
    })
    expect(many).toMatchObject({ changed: 0, skipped: [{ id: customerId, reason: 'pays by Season 2027' }] })
    await settle(plan.id, 'credit')
    expect((await api.call(customersApi.archive, { params })).status).toBe(200)
  })
})

it('a change of which a month has come to nothing on its day is not taken back, but changed again', async () => {
  await on('2027-03-20')
  const { customerId } = await aCustomer()
  const plan = await start(customerId)
  await bill('2027-04-02')
  const seen = await api.ok(billingPlansApi.previewChange, { params: { id: plan.id }, body: {} })
  const changed = await api.ok(billingPlansApi.change, {
    params: { id: plan.id },
    body: {
      version: plan.version,
      lineIds: seen.lines.filter(({ covered }) => covered).map(({ lineId }) => lineId),
      seasonCents: seen.billedCents,
      reason: 'No more this year',
      tell: false,
      expectedListCents: seen.listCents,
    },
  })
  expect([changed.can.undoChange, changed.months[1]?.cents]).toEqual([true, 0])
  await bill('2027-05-02')
  const late = await get(plan.id)
  expect([late.months[1]?.state, late.can.undoChange]).toEqual(['stopped', false])
  // the month that was stopped is none of those that the next invoice counts
  const more = await api.ok(billingPlansApi.previewChange, { params: { id: plan.id }, body: {} })
  await api.ok(billingPlansApi.change, {
    params: { id: plan.id },
    body: {
      version: late.version,
      lineIds: more.lines.filter(({ covered }) => covered).map(({ lineId }) => lineId),
      seasonCents: more.billedCents + 30_000,
      reason: 'On again',
      tell: false,
      expectedListCents: more.listCents,
    },
  })
  await bill('2027-06-02')
  const { items } = await api.ok(invoicesApi.list, { query: { customerId } })
  const newest = await api.ok(invoicesApi.get, { params: { id: items[0]?.id ?? '' } })
  expect(newest.lines[0]?.description).toContain(`(2 of ${late.months.length - 1})`)
})
