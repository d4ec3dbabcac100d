import { afterAll, beforeAll } from 'vitest'
import { billingPlansApi, type Plan } from '../features/billingplans/contract.ts'
import { billDueMonths } from '../features/billingplans/server/commands.ts'
import { invoicesApi } from '../features/invoices/contract.ts'
import { jobsApi } from '../features/jobs/contract.ts'
import { topUpVisits } from '../features/jobs/server/tasks.ts'
import { paymentsApi } from '../features/payments/contract.ts'
import { compareBooks } from '../features/payments/corrections/server/queries.ts'
import { servicesApi } from '../features/services/contract.ts'
import { visitsApi } from '../features/visits/contract.ts'
import { systemActor } from '../platform/actor.ts'
import { clock, resetClock, setClock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Day } from '../shared/dates.ts'
import { type Api, runTasks } from './api.ts'
import { aBusiness, aPerson, type TestBusiness } from './factories.ts'
import { aLawn, everyDay } from './field.ts'

/** A season of billing plans in tests: a business of 2027 whose treatments are taxed with 7 %, and what is done with its plans. */

export const season = { startsOn: '2027-04-01', endsOn: '2027-10-31' }
export const months = ['2027-04', '2027-05', '2027-06', '2027-07', '2027-08', '2027-09', '2027-10', '2027-11']

/** Makes the business before the tests of a file; `api` is always that of an Admin who signed in on the day that `on` set last. */
export const aPlanBusiness = () => {
  let business: TestBusiness
  let current: Api
  let mow: string
  let fert: string
  const api = new Proxy({} as Api, { get: (_, key: keyof Api) => current[key] })

  const on = async (day: Day) => {
    setClock(() => new Date(`${day}T16:00:00Z`))
    current = (await aPerson(business.id, 'Admin')).api
  }
  const bill = async (day: Day) => {
    await on(day)
    await billDueMonths(systemActor(business.id))
    await runTasks()
  }
  const books = () => business.db((db) => compareBooks(db))

  /** A lawn mowed each Monday from April to the end of October for $50, and fed twice for $75. */
  const aCustomer = async (email: string | null = 'ann@test.swath.test') => {
    const { customerId, propertyId } = await aLawn(business, { street: `${newId().slice(-4)} Oak St` })
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ email, termsDays: 10 })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute(),
    )
    const recurrence = {
      freq: 'week' as const,
      interval: 1,
      weekdays: [1],
      holiday: 'skip' as const,
      phaseOn: '2027-04-05',
      season: [{ from: '04-01', to: '10-31' }],
    }
    const line = (serviceId: string, unitPriceCents: number) => ({ serviceId, unitPriceCents, budgetMinutes: 30 })
    const job = await api.ok(jobsApi.create, {
      body: {
        propertyId,
        startOn: '2027-04-01',
        lines: [
          { ...line(mow, 5000), recurrence } as never,
          { ...line(fert, 7500), recurrence: null, onceOn: '2027-05-03' },
          { ...line(fert, 7500), recurrence: null, onceOn: '2027-09-06' },
        ],
      },
    })
    return { customerId, propertyId, job }
  }
  const preview = (customerId: string, more: object = {}) =>
    api.ok(billingPlansApi.preview, { body: { customerId, kind: 'budget', ...season, months, ...more } })
  const start = async (customerId: string, more: object = {}) => {
    const seen = await preview(customerId, more)
    const lineIds = seen.lines.filter(({ covered }) => covered).map(({ lineId }) => lineId)
    return api.ok(billingPlansApi.create, {
      body: {
        customerId,
        kind: 'budget',
        name: 'Season 2027',
        ...season,
        months,
        lineIds,
        seasonCents: seen.seasonCents,
        expectedListCents: seen.listCents,
        reason: 'Agreed',
        ...more,
      },
    })
  }
  const get = (id: string) => api.ok(billingPlansApi.get, { params: { id } })
  const settlement = (id: string, atFullPrice = false) =>
    api.ok(billingPlansApi.settlement, { params: { id }, query: { atFullPrice } as never })
  const settle = async (id: string, choice: string, more: object = {}) => {
    const { totalCents } = await settlement(id)
    return api.call(billingPlansApi.settle, {
      params: { id },
      body: { choice: choice as never, send: false, expectedTotalCents: totalCents, ...more },
    })
  }
  const visitsOf = (jobId: string) =>
    business.db((db) =>
      db
        .selectFrom('visits')
        .select(['id', 'day', 'status', 'coveredBy', 'toBill', 'invoiceId'])
        .where('businessId', '=', business.id)
        .where('jobId', '=', jobId)
        .orderBy('day')
        .execute(),
    )
  /** Finishes the first visits of a job that are open, on their days; the nights between make the later ones. */
  const finish = async (jobId: string, count: number) => {
    for (let done = 0; done < count; ) {
      const open = (await visitsOf(jobId)).filter(({ status }) => status === 'scheduled').slice(0, count - done)
      if (open.length === 0) throw new Error('no visit is left')
      for (const { id, day } of open) {
        await on(day ?? '2027-04-05')
        await api.ok(visitsApi.finish, { params: { visitId: id }, body: {} as never })
        done += 1
      }
      await topUpVisits.run(systemActor(business.id), {})
    }
    await runTasks()
  }
  const invoice = (id: string) => api.ok(invoicesApi.get, { params: { id } })
  const pay = async (plan: Plan, count: number) => {
    for (const { invoice: one } of plan.months.slice(0, count))
      if (one)
        await api.ok(paymentsApi.recordPayment, {
          params: { id: one.id },
          body: { method: 'check', amountCents: one.totalCents - one.paidCents, receivedOn: clock.iso().slice(0, 10) },
        })
  }

  beforeAll(async () => {
    setClock(() => new Date('2027-03-20T16:00:00Z'))
    business = await aBusiness({ workDays: everyDay })
    await on('2027-03-20')
    const { items } = await api.ok(servicesApi.addDefaults, {})
    const of = (code: string) => items.find((service) => service.code === code)?.id ?? ''
    mow = of('mow')
    fert = of('fert-weed')
    await business.db(async (db) => {
      await db
        .updateTable('services')
        .set({ taxCategory: 'lawn' })
        .where('businessId', '=', business.id)
        .where('id', '=', mow)
        .execute()
      await db
        .updateTable('services')
        .set({ taxCategory: 'treat' })
        .where('businessId', '=', business.id)
        .where('id', '=', fert)
        .execute()
      await db
        .insertInto('taxRates')
        .values({
          businessId: business.id,
          id: newId(),
          name: 'Sales tax',
          ratePercent: 7 as never,
          taxCategory: 'treat',
          state: null,
        })
        .execute()
    })
  })

  afterAll(() => resetClock())
  return {
    api,
    of: () => business,
    on,
    bill,
    books,
    aCustomer,
    preview,
    start,
    get,
    settlement,
    settle,
    visitsOf,
    finish,
    invoice,
    pay,
  }
}
