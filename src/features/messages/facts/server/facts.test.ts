import { expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { anIssuedInvoice } from '../../../../test/cards.ts'
import { aBusiness, aPerson } from '../../../../test/factories.ts'
import { aVisit, today } from '../../../../test/field.ts'
import { customersApi } from '../../../customers/contract.ts'
import { suppress } from '../../server/commands.ts'
import { customerFactsApi } from '../contract.ts'

it('says of a customer what is booked and was done, what is owed, where and what for, and how they want to be written to', async () => {
  const own = await aBusiness()
  const day = addDays(today(), 3)
  const { customerId, propertyId, jobId, visitId } = await aVisit(own, { day })
  const params = { id: customerId }
  const before = await own.api.ok(customerFactsApi.get, { params })
  expect(before).toMatchObject({
    nextVisit: { id: visitId, jobId, day, title: 'Weekly mowing', street: '132 Laurel Green Ct' },
    lastVisit: null,
    money: { openCents: 0, overdueCents: 0, creditCents: 0, plan: null },
    properties: [{ id: propertyId, street: '132 Laurel Green Ct', city: 'Savannah' }],
    propertyCount: 1,
    jobs: [{ id: jobId, title: 'Weekly mowing' }],
    jobCount: 1,
    tags: [],
    language: 'en',
    paperWay: 'email',
    noTexts: null,
    noOffers: false,
  })
  await own.db(async (db) => {
    await db
      .updateTable('customers')
      .set({ phone: '+19125550101', email: 'ann@test.swath.test', language: 'es', tags: ['VIP'], paperWay: 'text' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute()
    await suppress(db, 'sms', '+19125550101', 'all', 'They replied STOP')
    const visit = await db
      .selectFrom('visits')
      .selectAll()
      .where('businessId', '=', own.id)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow()
    const done = addDays(today(), -4)
    await db
      .insertInto('visits')
      .values({
        businessId: own.id,
        id: newId(),
        customerId,
        propertyId,
        jobId: visit.jobId,
        occurrenceOn: done,
        day: done,
        status: 'completed',
        finishedAt: clock.iso(),
        budgetMinutes: 30,
        priceCents: 5500,
      })
      .execute()
  })
  await anIssuedInvoice(own, customerId, 8_000)
  const facts = await own.api.ok(customerFactsApi.get, { params })
  expect(facts).toMatchObject({
    nextVisit: { id: visitId },
    lastVisit: { day: addDays(today(), -4), status: 'completed' },
    money: { openCents: 8_000 },
    tags: ['VIP'],
    language: 'es',
    paperWay: 'text',
    noTexts: 'They replied STOP',
    noMail: null,
    noOffers: true,
  })
  // late or not, it says what the customer's own page says
  await anIssuedInvoice(own, customerId, 3_000)
  await own.db((db) =>
    db
      .updateTable('invoices')
      .set({ dueOn: addDays(today(), -1) })
      .where('businessId', '=', own.id)
      .where('totalCents', '=', 8_000)
      .execute(),
  )
  const { money } = await own.api.ok(customerFactsApi.get, { params })
  const { invoices } = await own.api.ok(customersApi.get, { params })
  expect(money).toMatchObject({ openCents: 11_000, overdueCents: 8_000 })
  expect(invoices).toMatchObject({ openCents: 11_000, overdueCents: 8_000 })
  // what a bank is about to pay is not late for who writes with them
  await own.db((db) =>
    db
      .updateTable('invoices')
      .set({ pendingCents: 8_000 })
      .where('businessId', '=', own.id)
      .where('totalCents', '=', 8_000)
      .execute(),
  )
  const pays = await own.api.ok(customerFactsApi.get, { params })
  expect(pays.money).toMatchObject({ openCents: 11_000, overdueCents: 0, pendingCents: 8_000 })
  // who may not see money sees none, and no plan of it
  const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
  expect(await dispatcher.api.ok(customerFactsApi.get, { params })).toMatchObject({
    money: null,
    lastVisit: { day: addDays(today(), -4) },
  })
  const other = await aBusiness()
  expect((await other.api.call(customerFactsApi.get, { params })).status).toBe(404)
})

it('names the first five of many jobs and says how many there are', async () => {
  const own = await aBusiness()
  const { customerId, propertyId } = await aVisit(own)
  await own.db(async (db) => {
    for (let at = 0; at < 6; at++)
      await db
        .insertInto('jobs')
        .values({
          businessId: own.id,
          id: newId(),
          customerId,
          propertyId,
          number: 9000 + at,
          title: `Job ${at}`,
          startOn: today(),
        })
        .execute()
  })
  const { jobs, jobCount } = await own.api.ok(customerFactsApi.get, { params: { id: customerId } })
  expect([jobs.length, jobCount]).toEqual([5, 7])
})
