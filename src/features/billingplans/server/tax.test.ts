import { afterEach, describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import { messagesApi } from '../../messages/contract.ts'

/** What goes back of a plan carries the tax that was charged, whatever the rates are by then. */

const { api, of, on, bill, books, aCustomer, start, get, settlement, settle, finish, invoice, pay } = aPlanBusiness()

const addRate = (name: string, taxCategory: string, ratePercent: number) =>
  of().db((db) =>
    db
      .insertInto('taxRates')
      .values({ businessId: of().id, id: newId(), name, ratePercent: ratePercent as never, taxCategory, state: null })
      .execute(),
  )
const setRate = (ratePercent: number) =>
  of().db((db) =>
    db
      .updateTable('taxRates')
      .set({ ratePercent: ratePercent as never })
      .where('businessId', '=', of().id)
      .where('name', '=', 'Sales tax')
      .execute(),
  )
const notes = (customerId: string) =>
  of().db((db) =>
    db
      .selectFrom('creditNotes')
      .select(['netCents', 'taxCents', 'totalCents'])
      .where('businessId', '=', of().id)
      .where('customerId', '=', customerId)
      .execute(),
  )

afterEach(async () => {
  await setRate(7)
  await of().db((db) =>
    db.deleteFrom('taxRates').where('businessId', '=', of().id).where('name', '!=', 'Sales tax').execute(),
  )
})

describe('the tax of a settlement', () => {
  it('is the one that was billed, not a rate that was added since: the refund is what was paid, and the plan says so', async () => {
    await on('2027-03-20')
    const { customerId } = await aCustomer()
    const plan = await start(customerId, { kind: 'prepaid', months: ['2027-03'], billDay: 1, seasonCents: 156_750 })
    await pay(plan, 1)
    const paidCents = plan.months[0]?.invoice?.totalCents ?? 0
    await addRate('County', 'lawn', 7.125)
    const seen = await settlement(plan.id)
    // 7 % of the treatments' $142.50, as it stood on the invoice; nothing of the lawn's new rate
    expect([seen.netCents, seen.taxCents, seen.totalCents, seen.refundableCents]).toEqual([
      -156_750,
      -998,
      -157_748,
      paidCents,
    ])
    expect((await settle(plan.id, 'refund')).status).toBe(200)
    await runTasks()
    expect(await notes(customerId)).toEqual([{ netCents: 156_750, taxCents: 998, totalCents: paidCents }])
    const end = await get(plan.id)
    expect([end.billedCents, end.paidCents, end.differenceCents]).toEqual([0, 0, 0])
    expect(end.months[0]?.invoice).toMatchObject({ status: 'paid', creditedCents: paidCents })
    expect(end.entries.map(({ kind, cents, differenceCents }) => [kind, cents, differenceCents])).toEqual([
      ['billed', 156_750, -156_750],
      ['credited', 156_750, 0],
    ])
    expect(end.entries[1]?.label).toMatch(/^Credit CN-\d+$/)
    expect(await books()).toEqual([])
  })

  it('goes back to the cent of each month at the rate of that month, and comes on top at the rate of today', async () => {
    await on('2027-03-20')
    const { customerId } = await aCustomer()
    const plan = await start(customerId)
    await bill('2027-05-02')
    await setRate(9)
    await bill('2027-07-02')
    const billed = await get(plan.id)
    const invoices = billed.months.flatMap(({ invoice: one }) => one ?? [])
    expect(invoices).toHaveLength(4)
    const sumCents = invoices.reduce((sum, one) => sum + one.totalCents, 0)
    await setRate(3)
    expect((await settlement(plan.id)).totalCents).toBe(-sumCents)
    expect((await settle(plan.id, 'credit')).status).toBe(200)
    expect((await get(plan.id)).months[0]?.invoice).toMatchObject({ status: 'paid', creditedCents: 20_756 })
    // unticked, nobody hears of it: no money came
    await runTasks()
    const { items } = await api.ok(messagesApi.list, { query: { channel: 'email' } })
    expect(items.filter(({ subject }) => /^(Paid|Credited)/.test(subject))).toEqual([])
    expect(await books()).toEqual([])

    await on('2027-03-20')
    await setRate(7)
    const other = await aCustomer()
    const second = await start(other.customerId)
    await finish(other.job.id, 8)
    await bill('2027-05-25')
    await setRate(9)
    const seen = await settlement(second.id)
    expect([seen.netCents, seen.taxCents]).toEqual([6_250, Math.round((7_500 - 3_750) * 0.09)])
    expect((await settle(second.id, 'bill')).status).toBe(200)
    const end = await get(second.id)
    expect(await invoice(end.settled?.invoice?.id ?? '')).toMatchObject({ totalCents: seen.totalCents, taxCents: 338 })
    // the last invoice is billed too
    expect([end.billedCents, end.differenceCents]).toEqual([47_500, 0])
    expect(await books()).toEqual([])
  })
})
