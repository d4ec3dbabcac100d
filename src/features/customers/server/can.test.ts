import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import type { Api } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aLawn, aVisit, today } from '../../../test/field.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { customersApi } from '../contract.ts'
import type { CustomerAction, PropertyAction } from '../rules.ts'

const ofId = (id: string) => ({ params: { id } })
const readCustomer = (api: Api, id: string) => api.call(customersApi.get, ofId(id))
const book = async (api: Api, customerId: string) => {
  const { properties } = (await readCustomer(api, customerId)).body
  const lines = [{ serviceId: newId(), recurrence: null, onceOn: today() }]
  const body = { propertyId: properties[0]?.id ?? '', startOn: today(), lines }
  const answer = await api.call(jobsApi.create, { body })
  // the service is none: whoever gets as far as being asked for it may book
  return answer.status === 404 ? { ...answer, status: 200 } : answer
}
const acts: Acts<CustomerAction> = {
  update: (api, id) => api.call(customersApi.update, { ...ofId(id), body: { version: 1, notes: 'Rings twice' } }),
  archive: (api, id) => api.call(customersApi.archive, ofId(id)),
  unarchive: (api, id) => api.call(customersApi.unarchive, ofId(id)),
  addProperty: (api, id) => api.call(customersApi.addProperty, { ...ofId(id), body: { street: '1 Bay St' } }),
  book,
}

const idle = async (own: TestBusiness) => (await aLawn(own)).customerId
const archived = async (own: TestBusiness) => {
  const id = await idle(own)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ archivedAt: new Date().toISOString() })
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .execute(),
  )
  return id
}
const states: Record<string, { make: (own: TestBusiness) => Promise<string>; may: CustomerAction[] }> = {
  'a customer without work': { make: idle, may: ['update', 'archive', 'addProperty', 'book'] },
  'a customer with a job': {
    make: async (own) => (await aVisit(own)).customerId,
    may: ['update', 'addProperty', 'book'],
  },
  'an archived customer': { make: archived, may: ['update', 'unarchive', 'addProperty'] },
}

describe('what may be done with a customer stands on it, and the commands say the same', () => {
  it.each(Object.entries(states))('%s', async (_, { make, may }) => {
    const own = await aBusiness()
    expect(await doneOf(own.api, () => make(own), readCustomer, acts)).toEqual(may)
    const id = await make(own)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    expect(await doneOf(dispatcher.api, async () => id, readCustomer, acts)).toEqual(
      may.filter((action) => action === 'book'),
    )
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    for (const api of [clerk.api, await supportIn(own)])
      expect(await doneOf(api, async () => id, readCustomer, acts)).toEqual([])
  })
})

const property: Acts<PropertyAction> = {
  update: (api, id) => api.call(customersApi.updateProperty, { ...ofId(id), body: { version: 1, dog: 'Rex' } }),
  locate: (api, id) =>
    api.call(customersApi.setLocation, { ...ofId(id), body: { latitude: 32, longitude: -81, version: 1 } }),
  archive: (api, id) => api.call(customersApi.archiveProperty, ofId(id)),
  unarchive: (api, id) => api.call(customersApi.unarchiveProperty, ofId(id)),
}

describe('what may be done with a property stands on it, and the commands say the same', () => {
  it.each<[string, PropertyAction[]]>([
    ['idle', ['update', 'locate', 'archive']],
    ['with a job', ['update', 'locate']],
    ['archived', ['unarchive']],
  ])('%s', async (state, may) => {
    const own = await aBusiness()
    const customers = new Map<string, string>()
    const make = async () => {
      const { customerId, propertyId } = state === 'with a job' ? await aVisit(own) : await aLawn(own)
      customers.set(propertyId, customerId)
      if (state === 'archived') await own.api.ok(customersApi.archiveProperty, ofId(propertyId))
      return propertyId
    }
    const read = async (api: Api, id: string) => {
      const { status, body } = await readCustomer(api, customers.get(id) ?? '')
      const found = body.properties.find((one) => one.id === id)
      if (!found) throw new Error('The customer has lost its property')
      return { status, body: found }
    }
    expect(await doneOf(own.api, make, read, property)).toEqual(may)
    const id = await make()
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    for (const api of [clerk.api, await supportIn(own)])
      expect(await doneOf(api, async () => id, read, property)).toEqual([])
  })
})
