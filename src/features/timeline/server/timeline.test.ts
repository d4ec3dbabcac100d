import { expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aLawn, today } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { timelineApi } from '../contract.ts'

const aCustomer = async () => {
  const business = await aBusiness()
  const { customerId } = await aLawn(business)
  const { version } = await business.api.ok(customersApi.get, { params: { id: customerId } })
  await business.api.ok(customersApi.update, { params: { id: customerId }, body: { email: 'ann@oak.test', version } })
  return { business, params: { id: customerId }, customerId, api: business.api }
}

it('shows calls, notes, mail and money in one order, page by page without a gap or a double', async () => {
  const { params, customerId, api } = await aCustomer()
  for (let n = 0; n < 7; n++) {
    await api.ok(timelineApi.addNote, { params, body: { text: `Note ${n}` } })
    await api.ok(tasksApi.logCall, { params, body: { note: `Call ${n}`, at: `2026-0${n + 1}-10T15:00:00Z` } })
  }
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  const { id } = await api.ok(invoicesApi.create, { body: { customerId, termsDays: 14, lines } })
  await api.ok(invoicesApi.send, { params: { id } })
  await runTasks()
  const whole = await api.ok(timelineApi.list, { params, query: { limit: 100 } })
  expect(whole.nextCursor).toBeNull()
  expect(new Set(whole.items.map(({ kind }) => kind))).toEqual(new Set(['note', 'call', 'message', 'money']))
  expect(whole.items.map(({ at }) => at)).toEqual(
    whole.items
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  const paged: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(cursor)
    paged.push(...page.items.map((item) => item.id))
    cursor = page.nextCursor
  } while (cursor)
  expect(paged).toEqual(whole.items.map((item) => item.id))
  const calls = await api.ok(timelineApi.list, { params, query: { kind: 'call' } })
  expect(calls.items.map(({ text }) => text)).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `Call ${n}`))
  expect(whole.items.find(({ kind }) => kind === 'money')).toMatchObject({ amountCents: 5000 })

  function read(from: string | null) {
    return api.ok(timelineApi.list, { params, query: { limit: 4, ...(from ? { cursor: from } : {}) } })
  }
})

it('shows past visits with their crew, not those to come', async () => {
  const { business, params, api } = await aCustomer()
  const property = await business.db((db) => db.selectFrom('properties').select('id').executeTakeFirstOrThrow())
  const jobId = newId()
  await business.db(async (db) => {
    const own = { businessId: business.id, customerId: params.id, propertyId: property.id }
    await db
      .insertInto('jobs')
      .values({ ...own, id: jobId, number: 900, title: 'Mowing', status: 'active', startOn: '2026-01-01' } as never)
      .execute()
    for (const [days, status] of [
      [-7, 'completed'],
      [-3, 'skipped'],
      [7, 'scheduled'],
    ] as const) {
      const day = addDays(today(), days)
      const visit = { ...own, id: newId(), jobId, day, occurrenceOn: day, status, budgetMinutes: 30, priceCents: 4500 }
      await db
        .insertInto('visits')
        .values(visit as never)
        .execute()
    }
  })
  const { items } = await api.ok(timelineApi.list, { params, query: { kind: 'visit' } })
  expect(items.map(({ title }) => title)).toEqual(['Mowing: skipped', 'Mowing: done'])
})

it('shows no money to who may not see it, nobody else’s customer, and a note that was removed no more', async () => {
  const { business, params, customerId, api } = await aCustomer()
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  const { id } = await api.ok(invoicesApi.create, { body: { customerId, termsDays: 14, lines } })
  await api.ok(invoicesApi.send, { params: { id } })
  const note = await api.ok(timelineApi.addNote, { params, body: { text: 'Gate sticks' } })
  const admin = await business.admin()
  await business.db((db) =>
    db
      .updateTable('users')
      .set({ permissions: ['customers'] })
      .where('id', '=', admin.userId)
      .execute(),
  )
  const seen = await admin.api.ok(timelineApi.list, { params, query: {} })
  expect(seen.items.filter(({ kind }) => kind === 'money')).toEqual([])
  expect((await admin.api.ok(timelineApi.list, { params, query: { kind: 'money' } })).items).toEqual([])
  expect(await api.ok(timelineApi.removeNote, { params: { id: note.id } })).toMatchObject({ text: 'Gate sticks' })
  expect((await api.ok(timelineApi.list, { params, query: { kind: 'note' } })).items).toEqual([])
  const other = await aBusiness()
  expect((await other.api.call(timelineApi.list, { params, query: {} })).status).toBe(404)
  expect((await api.call(timelineApi.list, { params, query: { cursor: 'x' } })).status).toBe(422)
})
