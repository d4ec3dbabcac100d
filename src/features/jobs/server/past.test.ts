import { afterAll, beforeAll, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { jobsApi } from '../contract.ts'

// The Monday after the clocks went forward.
const [today, sunday] = ['2026-03-09', '2026-03-08']
let business: TestBusiness
let mow = ''
let propertyId = ''

const book = (changes: object) =>
  business.api.call(jobsApi.create, {
    body: {
      ...{ propertyId, startOn: sunday },
      lines: [{ serviceId: mow, recurrence: null, onceOn: sunday, unitPriceCents: 8000 }],
      ...changes,
    } as never,
  })
const visitsOf = (jobId: string) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['day', 'status', 'finishedAt', 'billable', 'invoiceId'])
      .where('businessId', '=', business.id)
      .where('jobId', '=', jobId)
      .orderBy('day')
      .execute(),
  )

beforeAll(async () => {
  setClock(() => new Date(`${today}T14:00:00Z`))
  business = await aBusiness()
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  mow = items.find((s) => s.code === 'mow')?.id ?? ''
  const customerId = newId()
  propertyId = newId()
  await business.db(async (db) => {
    const customer = { businessId: business.id, id: customerId, name: 'Ann Example', email: 'ann@example.test' }
    await db.insertInto('customers').values(customer).execute()
    const place = { street: '1 Oak St', city: 'Savannah', lawnSquareFeet: 9000 }
    await db
      .insertInto('properties')
      .values({ businessId: business.id, id: propertyId, customerId, ...place })
      .execute()
  })
})
afterAll(() => resetClock())

it('work of yesterday is booked as finished on its day, and can be invoiced', async () => {
  expect((await book({})).status).toBe(422)
  const { body: job } = await book({ includePast: true, pastDone: true })
  expect(job.totals).toMatchObject({ doneVisits: 1, doneCents: 8000, uninvoicedCents: 8000 })
  // Five in the afternoon of a day that was an hour short.
  expect(await visitsOf(job.id)).toMatchObject([
    { day: sunday, status: 'completed', finishedAt: expect.stringMatching(/^2026-03-08T21:00/), billable: true },
  ])
  const { invoiceCount } = await business.api.ok(invoicesApi.createBatch, { body: { send: false } })
  expect(invoiceCount).toBe(1)
  expect((await visitsOf(job.id))[0]?.invoiceId).not.toBeNull()
})

it('it stands as late where it is still to do, and only days that are over are finished', async () => {
  const { body: late } = await book({ includePast: true })
  expect((await visitsOf(late.id)).map((v) => v.status)).toEqual(['scheduled'])
  const recurrence = {
    freq: 'week',
    interval: 1,
    weekdays: [1],
    phaseOn: '2026-02-23',
    holiday: 'next',
    exceptions: [],
  }
  const { body: weekly } = await book({
    ...{ startOn: '2026-02-23', includePast: true, pastDone: true },
    lines: [{ serviceId: mow, recurrence, unitPriceCents: 5000 }],
  })
  expect((await visitsOf(weekly.id)).slice(0, 3).map((v) => [v.day, v.status])).toEqual([
    ['2026-03-02', 'completed'],
    ['2026-03-09', 'scheduled'],
    ['2026-03-16', 'scheduled'],
  ])
})
