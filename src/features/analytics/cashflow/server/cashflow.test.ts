import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
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
import { creditsApi } from '../../../payments/credits/contract.ts'
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
const update = (own: TestBusiness, id: string, values: object) =>
  own.db((db) => db.updateTable('invoices').set(values).where('businessId', '=', own.id).where('id', '=', id).execute())
/** A finished visit of so many minutes of one person on site, and on the road. */
const worked = async (own: TestBusiness, daysAgo: number, minutes: number, driveMinutes = 0) => {
  const { visitId } = await aVisit(own, { day: addDays(today(), -daysAgo), status: 'completed' })
  await own.db((db) =>
    db
      .updateTable('visits')
      .set({ workedSeconds: minutes * 60, people: 1, plannedDriveSeconds: driveMinutes * 60, finishedAt: clock.iso() })
      .where('businessId', '=', own.id)
      .where('id', '=', visitId)
      .execute(),
  )
}
const deposit = (own: TestBusiness, customerId: string, amountCents: number, jobId: string | null) =>
  own.api.ok(creditsApi.recordDeposit, {
    params: { id: customerId },
    body: { method: 'check', amountCents, receivedOn: today(), jobId } as never,
  })
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
    expect((await flow(own)).leftOut).toMatchObject({ doubtfulCents: 5900, disputedCents: 300, laterCents: 0 })
    await own.api.ok(invoicesApi.setReminders, { params: { id: promised }, body: { promisedOn: addDays(today(), 8) } })
    expect((await flow(own)).leftOut).toMatchObject({ doubtfulCents: 900, disputedCents: 300, laterCents: 0 })
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

describe('what comes in, and is not told by what is open alone', () => {
  it('is drafts as if they were sent today', async () => {
    const own = await withTerms(10)
    const { customerId } = await aLawn(own, { customer: 'Dora Draft' })
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } as never })
    const found = await flow(own)
    expect(found.weeks.map((week) => week.in.drafts)).toEqual([0, 5000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(await items(own, 1, 'drafts')).toMatchObject([{ id, title: 'Dora Draft', day: addDays(today(), 10) }])
    await own.api.ok(invoicesApi.issue, { params: { id } })
    const sent = await flow(own)
    expect(sent.weeks.map((week) => [week.in.drafts, week.in.invoices])[1]).toEqual([0, 5000])
  })

  it('is before sales tax: that goes on to the state', async () => {
    const own = await withTerms(0)
    const { customerId } = await aLawn(own)
    const draft = async (unitPriceCents: number, taxCents: number) => {
      const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
      const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } as never })
      await update(own, id, { taxCents, totalCents: unitPriceCents + taxCents })
      return id
    }
    await draft(5000, 400)
    const id = await draft(10_000, 800)
    await update(own, id, { status: 'issued', issueOn: today(), dueOn: addDays(today(), 10) })
    expect(await items(own, 1, 'invoices')).toMatchObject([{ id, cents: 10_000, taxCents: 800 }])
    const { weeks } = await flow(own)
    expect([weeks[1]?.in.invoices, weeks[0]?.in.drafts]).toEqual([10_000, 5000])
    // half of it is on its way from a bank, half of that is tax as well
    await update(own, id, { pendingCents: 5400 })
    expect(await items(own, 0, 'invoices')).toMatchObject([{ basis: 'bank', cents: 5000, taxCents: 400 }])
    expect(await items(own, 1, 'invoices')).toMatchObject([{ cents: 5000, taxCents: 400 }])
  })

  it('is without what was paid ahead: for its own work, and where credit pays by itself for the first that comes', async () => {
    const own = await withTerms(0)
    const first = await aVisit(own, { day: addDays(today(), 3), priceCents: 6000, customer: 'Ahead' })
    const second = await aVisit(own, { day: addDays(today(), 10), priceCents: 6000 })
    const other = await aVisit(own, { day: addDays(today(), 10), priceCents: 4000 })
    await own.db(async (db) => {
      await db
        .updateTable('visits')
        .set({ customerId: first.customerId, jobId: first.jobId, propertyId: first.propertyId })
        .where('businessId', '=', own.id)
        .where('id', '=', second.visitId)
        .execute()
      await db
        .updateTable('visits')
        .set({ customerId: first.customerId, propertyId: first.propertyId })
        .where('businessId', '=', own.id)
        .where('id', '=', other.visitId)
        .execute()
      await db
        .updateTable('jobs')
        .set({ customerId: first.customerId, propertyId: first.propertyId })
        .where('businessId', '=', own.id)
        .where('id', '=', other.jobId)
        .execute()
    })
    const work = async () => (await flow(own)).weeks.slice(0, 2).map((week) => week.in.work)
    expect(await work()).toEqual([6000, 10_000])
    await deposit(own, first.customerId, 9000, first.jobId)
    // nothing of it is for the other job
    expect(await work()).toEqual([0, 7000])
    expect(await items(own, 0, 'work')).toEqual([])
    expect(await items(own, 1, 'work')).toMatchObject([
      { id: other.visitId, cents: 4000, aheadCents: 0 },
      { id: second.visitId, cents: 3000, aheadCents: 3000 },
    ])
    expect((await flow(own)).known.aheadCents).toBe(9000)
    await deposit(own, first.customerId, 5000, null)
    expect(await work()).toEqual([0, 7000])
    await own.db((db) =>
      db.updateTable('businesses').set({ useCredit: true }).where('businessId', '=', own.id).execute(),
    )
    expect(await work()).toEqual([0, 2000])
  })

  it('is no visit that nobody closed for a month, nor work that nobody billed for a quarter; both are named', async () => {
    const own = await withTerms(0)
    await aVisit(own, { day: addDays(today(), -30), priceCents: 1000, budgetMinutes: 60 })
    await aVisit(own, { day: addDays(today(), -31), priceCents: 2000, budgetMinutes: 60 })
    await aVisit(own, { day: addDays(today(), -45), priceCents: 4000 })
    await aVisit(own, { day: addDays(today(), -90), priceCents: 500, status: 'completed' })
    await aVisit(own, { day: addDays(today(), -91), priceCents: 8000, status: 'completed' })
    const { weeks, leftOut, known } = await flow(own)
    expect(weeks[0]?.in.work).toBe(1500)
    expect(weeks[1]?.out.labor).toBe(known.hourCents)
    expect(leftOut).toMatchObject({
      neverClosedCents: 6000,
      neverClosedFrom: addDays(today(), -45),
      neverBilledCents: 8000,
    })
  })

  it('is no work that is billed by contract without a plan: nobody knows when its invoice comes, so it is named while its labor counts', async () => {
    const own = await withTerms(0)
    const contract = await aVisit(own, { day: addDays(today(), 5), priceCents: 5000, budgetMinutes: 60 })
    const before = await flow(own)
    expect([before.weeks[0]?.in.work, before.leftOut.byContractCents]).toEqual([5000, 0])
    const late = await aVisit(own, { day: addDays(today(), -31), priceCents: 700 })
    const after = await aVisit(own, { day: addDays(today(), 84), priceCents: 900 })
    const gift = await aVisit(own, { day: addDays(today(), 5), priceCents: 1111 })
    const given = async (jobIds: string[], billing: 'flat' | 'none') =>
      own.db(async (db) => {
        await db
          .updateTable('jobs')
          .set({ billing })
          .where('businessId', '=', own.id)
          .where('id', 'in', jobIds)
          .execute()
        await db
          .updateTable('visits')
          .set({ billable: false })
          .where('businessId', '=', own.id)
          .where('jobId', 'in', jobIds)
          .execute()
      })
    await given([contract.jobId, late.jobId, after.jobId], 'flat')
    await given([gift.jobId], 'none')
    const { weeks, leftOut, known } = await flow(own)
    expect(weeks.map((week) => week.in.work)).toEqual(Array(12).fill(0))
    expect(leftOut).toMatchObject({ byContractCents: 5000, neverClosedCents: 0, laterCents: 0 })
    expect(weeks[1]?.out.labor).toBeGreaterThanOrEqual(known.hourCents)
  })

  it('comes with autopay on its due day, or on the day of the next try', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await owed(own, customerId, 5000, 0)
    const methodId = newId()
    const row = { businessId: own.id, id: methodId, customerId, provider: 'local', livemode: false, accountId: 'acct' }
    const card = { providerCustomerId: 'c', providerMethodId: 'm', brand: 'visa', last4: '4242', expMonth: 1 }
    const mandate = { mandateText: '', mandateVersion: 1, mandateAt: clock.iso(), mandatePage: '' }
    await own.db((db) =>
      db
        .insertInto('paymentMethods')
        .values({ ...row, ...card, expYear: 2090, ...mandate })
        .execute(),
    )
    expect(await items(own, 1, 'invoices')).toMatchObject([{ id, basis: 'autopay', day: addDays(today(), 10) }])
    await own.db(async (db) => {
      await db
        .insertInto('autopayCharges')
        .values({
          ...{ businessId: own.id, invoiceId: id, methodId, status: 'waiting', announcedCents: 5000 },
          chargeOn: addDays(today(), 16),
        })
        .execute()
    })
    expect(await items(own, 2, 'invoices')).toMatchObject([{ id, basis: 'autopay', day: addDays(today(), 16) }])
  })
})

describe('what goes out', () => {
  it('is labor of the last seven days in the first week and of today in the next, as soon as it is finished', async () => {
    const own = await aBusiness()
    const ana = await own.employee({ name: 'Ana', wageCents: 2000 })
    await aCrew(own, { members: [ana] })
    await own.db((db) => db.updateTable('wages').set({ burdenPercent: 0 }).where('businessId', '=', own.id).execute())
    // three quarters of an hour on site and a quarter on the road
    await worked(own, 1, 45, 15)
    await worked(own, 8, 45, 15)
    await aVisit(own, { day: today(), budgetMinutes: 90 })
    expect((await flow(own)).weeks.slice(0, 3).map((week) => week.out.labor)).toEqual([2000, 4000, 0])
    await worked(own, 0, 90, 30)
    const { weeks, known } = await flow(own)
    expect(known.drivePercent).toBe(25)
    expect(weeks.slice(0, 3).map((week) => week.out.labor)).toEqual([2000, 8000, 0])
  })

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
    // the first expense is of three weeks ago: no mean of twelve
    expect(known).toMatchObject({ hourCents: 2200, otherCents: 3000, otherWeeks: 4, drivePercent: 0 })
    expect(weeks.map((week) => week.out.labor)).toEqual([0, 0, 3300, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(weeks.map((week) => week.out.other)).toEqual(Array(12).fill(3000))
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
    expect([work(after), after.leftOut.byContractCents]).toEqual([0, 0])
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
    for (const permission of ['money', 'payroll'] as const) {
      const half = await aPerson(own.id, 'Admin', { permissions: [permission] })
      expect((await half.api.call(cashFlowApi.get, {})).status).toBe(403)
    }
    const admin = await aPerson(own.id, 'Admin')
    expect((await admin.api.call(cashFlowApi.items, { query: { week: 12, kind: 'work' } as never })).status).toBe(422)
  })
})
