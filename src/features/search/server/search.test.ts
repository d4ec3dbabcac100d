import { expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays, formatDay } from '../../../shared/dates.ts'
import { aBusiness, aPerson } from '../../../test/factories.ts'
import { aVisit, today } from '../../../test/field.ts'
import { searchApi } from '../contract.ts'

it('finds customers, jobs and invoices of the own business by name, street, phone, title and number', async () => {
  const business = await aBusiness()
  const [customerId, propertyId] = [newId(), newId()]
  await business.db(async (db) => {
    const businessId = business.id
    await db
      .insertInto('customers')
      .values({ businessId, id: customerId, name: 'Ana Nguyễn', phone: '+19125550123' })
      .execute()
    await db
      .insertInto('properties')
      .values({ businessId, id: propertyId, customerId, street: '12 Oak St', city: 'Savannah' })
      .execute()
    await db
      .insertInto('jobs')
      .values({
        businessId,
        id: newId(),
        number: 1042,
        customerId,
        propertyId,
        title: 'Weekly mow',
        startOn: '2026-01-01',
      })
      .execute()
    await db.insertInto('invoices').values({ businessId, id: newId(), number: 1043, customerId }).execute()
  })
  const kinds = async (q: string) =>
    (await business.api.ok(searchApi.find, { query: { q } })).results.map((r) => `${r.kind}: ${r.title}`)
  expect(await kinds('nguyễn')).toEqual(['customer: Ana Nguyễn'])
  expect(await kinds('12 oak')).toEqual(['customer: Ana Nguyễn'])
  expect(await kinds('912-555-0123')).toEqual(['customer: Ana Nguyễn'])
  expect(await kinds('mow')).toEqual(['job: #1042 Weekly mow'])
  expect(await kinds('104')).toEqual(['job: #1042 Weekly mow', 'invoice: INV-1043'])
  expect(await kinds('INV-1043')).toEqual(['invoice: INV-1043'])
  expect(await kinds('   ')).toEqual([])
  expect(await kinds('%')).toEqual([])
  const other = await aBusiness()
  expect((await other.api.ok(searchApi.find, { query: { q: 'oak' } })).results).toEqual([])
  expect((await (await business.employee()).api.call(searchApi.find, { query: { q: 'oak' } })).status).toBe(403)
})

it('finds the visit that somebody calls about, beside its customer, for who plans visits', async () => {
  const business = await aBusiness()
  const { jobId, customerId } = await aVisit(business, {
    customer: 'Rebecca Odom',
    day: addDays(today(), -7),
    status: 'completed',
  })
  const kinds = async (api = business.api) =>
    (await api.ok(searchApi.find, { query: { q: 'odom' } })).results.map((r) => `${r.kind}: ${r.title}`)
  expect(await kinds()).toEqual(['customer: Rebecca Odom', `visit: ${formatDay(addDays(today(), -7))}: Weekly mowing`])
  const next = await aVisit(business, { day: addDays(today(), 7) })
  await business.db((db) =>
    db.updateTable('visits').set({ jobId, customerId }).where('id', '=', next.visitId).execute(),
  )
  const { results } = await business.api.ok(searchApi.find, { query: { q: 'odom' } })
  expect(results.find((one) => one.kind === 'visit')?.path).toContain(`visitId=${next.visitId}`)
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
  expect((await kinds(clerk.api)).filter((one) => one.startsWith('visit'))).toEqual([])
})
