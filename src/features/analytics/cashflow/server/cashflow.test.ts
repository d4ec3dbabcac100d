import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aPlanBusiness } from '../../../../test/billing-plans.ts'
import { anIssuedInvoice } from '../../../../test/cards.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aLawn, aVisit, setClockToNoon, today } from '../../../../test/field.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { recurringApi } from '../../../expenses/recurring/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { cashFlowApi } from '../contract.ts'
import type { ListedKind } from '../rules.ts'

beforeEach(setClockToNoon)
afterEach(resetClock)

const flow = (own: TestBusiness) => own.api.ok(cashFlowApi.get, {})
const items = async (own: TestBusiness, week: number, kind: ListedKind) =>
  (await own.api.ok(cashFlowApi.items, { query: { week, kind } })).items
const withTerms = async (termsDays: number) => {
  const own = await aBusiness()
  await own.db((db) => db.updateTable('businesses').set({ termsDays }).where('businessId', '=', own.id).execute())
  return own
}
/** An issued invoice of so many days ago, due ten days after. */
const owed = async (own: TestBusiness, customerId: string, cents: number, daysAgo: number) => {
  const { id } = await anIssuedInvoice(own, customerId, cents)
  await own.db((db) =>
    db
      .updateTable('invoices')
      .set({ issueOn: addDays(today(), -daysAgo), dueOn: addDays(today(), 10 - daysAgo) })
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .execute(),
  )
  return id
}
/** Paid in full so many days after it was issued. */
const paid = async (own: TestBusiness, customerId: string, after: number) => {
  const id = await owed(own, customerId, 1000, 60)
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents: 1000, receivedOn: addDays(today(), after - 60) },
  })
}
const category = async (own: TestBusiness) => (await own.api.ok(categoriesApi.list, {})).items[0]?.id ?? ''

describe('what comes in', () => {
  it('comes as each customer pays, else as customers do, else on its due day; what is late a little later', async () => {
    const own = await withTerms(30)
    const slow = (await aLawn(own, { customer: 'Slow Ann' })).customerId
    const other = (await aLawn(own, { customer: 'New Bob' })).customerId
    // nothing was ever paid: the terms
    await owed(own, other, 5000, 0)
    expect(await items(own, 1, 'invoices')).toMatchObject([{ title: 'New Bob', basis: 'terms', cents: 5000 }])
    for (const after of [38, 40, 50]) await paid(own, slow, after)
    await owed(own, slow, 7000, 33)
    await owed(own, slow, 800, 45)
    // the median of hers is 40 days, so 7 from now; of all 43, which is too late for her other one
    expect(await items(own, 1, 'invoices')).toMatchObject([
      { title: 'Slow Ann', basis: 'own', cents: 7000, day: addDays(today(), 7) },
    ])
    expect(await items(own, 2, 'invoices')).toMatchObject([{ basis: 'late', cents: 800, day: addDays(today(), 14) }])
    expect(await items(own, 6, 'invoices')).toMatchObject([
      { title: 'New Bob', basis: 'usual', day: addDays(today(), 43) },
    ])
    const found = await flow(own)
    expect(found.known.daysToPay).toBe(43)
    expect(found.weeks.map((week) => week.in.invoices)).toEqual([0, 7000, 800, 0, 0, 0, 5000, 0, 0, 0, 0, 0])
  })

  it('comes on the day that was promised; what is too late or disputed is told apart', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const promised = await owed(own, customerId, 5000, 120)
    await owed(own, customerId, 900, 120)
    const disputed = await owed(own, customerId, 300, 5)
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ disputed: true })
        .where('businessId', '=', own.id)
        .where('id', '=', disputed)
        .execute(),
    )
    expect((await flow(own)).leftOut).toEqual({ doubtfulCents: 5900, disputedCents: 300, laterCents: 0 })
    await own.api.ok(invoicesApi.setReminders, { params: { id: promised }, body: { promisedOn: addDays(today(), 8) } })
    expect((await flow(own)).leftOut).toEqual({ doubtfulCents: 900, disputedCents: 300, laterCents: 0 })
    expect(await items(own, 1, 'invoices')).toMatchObject([{ id: promised, basis: 'promised' }])
  })

  it('is planned work as it is billed and paid, and done work that nobody billed; not what is billed to nobody', async () => {
    const own = await withTerms(10)
    await aVisit(own, { day: addDays(today(), 5), priceCents: 6000, customer: 'Planned' })
    await aVisit(own, { day: addDays(today(), -3), priceCents: 4000, customer: 'Late' })
    const gift = await aVisit(own, { day: addDays(today(), 5), priceCents: 1111 })
    const done = await aVisit(own, {
      day: addDays(today(), -1),
      priceCents: 7000,
      status: 'completed',
      customer: 'Done',
    })
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({ billable: false })
        .where('businessId', '=', own.id)
        .where('id', '=', gift.visitId)
        .execute(),
    )
    await aVisit(own, { day: null, priceCents: 2222 })
    await aVisit(own, { day: addDays(today(), 80), priceCents: 3333 })
    const found = await flow(own)
    expect(found.weeks.map((week) => week.in.work)).toEqual([0, 11_000, 6000, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(found.leftOut.laterCents).toBe(3333)
    expect(await items(own, 1, 'work')).toMatchObject([
      { id: done.visitId, title: 'Done', onDay: addDays(today(), -1), day: addDays(today(), 10) },
      { title: 'Late' },
    ])
  })
})

describe('what goes out', () => {
  it('is labor in the week after the work, costs that come again on their days, and others as they were', async () => {
    const own = await aBusiness()
    const ana = await own.employee({ name: 'Ana', wageCents: 2000 })
    await aCrew(own, { members: [ana] })
    await own.db((db) => db.updateTable('wages').set({ burdenPercent: 10 }).where('businessId', '=', own.id).execute())
    await aVisit(own, { day: addDays(today(), 8), budgetMinutes: 90 })
    const categoryId = await category(own)
    await own.api.ok(recurringApi.create, {
      body: {
        every: 'month',
        firstOn: addDays(today(), 3),
        categoryId,
        totalCents: 20_000,
        method: 'bank',
        vendor: 'Insurer',
      } as never,
    })
    await own.api.ok(expensesApi.create, {
      body: {
        day: addDays(today(), -20),
        categoryId,
        method: 'card',
        totalCents: 12_000,
        parts: [{ amountCents: 12_000 }],
      } as never,
    })
    const { weeks, known } = await flow(own)
    expect(known).toMatchObject({ hourCents: 2200, otherCents: 1000, drivePercent: 0 })
    expect(weeks.map((week) => week.out.labor)).toEqual([0, 0, 3300, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(weeks.map((week) => week.out.other)).toEqual(Array(12).fill(1000))
    expect(weeks.filter((week) => week.out.recurring === 20_000)).toHaveLength(3)
    expect(await items(own, 0, 'recurring')).toMatchObject([
      { title: 'Insurer', day: addDays(today(), 3), cents: 20_000 },
    ])
  })
})

describe('a billing plan', () => {
  const plans = aPlanBusiness()
  it('brings its months, and its visits bring nothing beside it', async () => {
    await plans.on('2027-04-01')
    const { customerId } = await plans.aCustomer()
    const before = await plans.api.ok(cashFlowApi.get, {})
    const work = (found: typeof before) => found.weeks.reduce((all, week) => all + week.in.work, 0)
    expect(work(before)).toBeGreaterThan(40_000)
    const plan = await plans.start(customerId)
    const after = await plans.api.ok(cashFlowApi.get, {})
    expect(work(after)).toBe(0)
    const billed = after.weeks.filter((week) => week.in.plans > 0)
    expect(billed.length).toBeGreaterThanOrEqual(2)
    expect(billed[0]?.in.plans).toBe(plan.months[0]?.cents)
  })
})

describe('who may see it', () => {
  it('is who works with money, each their own business', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    await owed(own, customerId, 5000, 0)
    const other = await aBusiness()
    expect((await flow(other)).weeks.every((week) => week.in.invoices === 0)).toBe(true)
    const crew = await own.employee()
    expect((await crew.api.call(cashFlowApi.get, {})).status).toBe(403)
    const admin = await aPerson(own.id, 'Admin')
    expect((await admin.api.call(cashFlowApi.items, { query: { week: 12, kind: 'work' } as never })).status).toBe(422)
  })
})
