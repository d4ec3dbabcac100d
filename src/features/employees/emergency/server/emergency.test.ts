import { expect, it } from 'vitest'
import { aBusiness, aPerson } from '../../../../test/factories.ts'
import { emergencyApi } from '../contract.ts'

it('is said, changed and taken off by who keeps the team; who saw an older one is told', async () => {
  const business = await aBusiness()
  const ana = await business.employee()
  const params = { id: ana.userId }
  expect(await business.api.ok(emergencyApi.get, { params })).toMatchObject({ name: '', phone: null, version: 0 })
  const set = (body: object) => business.api.call(emergencyApi.set, { params, body: body as never })
  const first = await set({ name: 'Rosa Reyes', relation: 'Mother', phone: '(912) 555-0147', version: 0 })
  expect(first.body).toMatchObject({ name: 'Rosa Reyes', relation: 'Mother', phone: '+19125550147', version: 1 })
  expect((await set({ name: 'Leo', phone: '9125550148', version: 0 })).error.code).toBe('version_conflict')
  expect((await set({ name: 'Leo', version: 1 })).error.errors?.[0]?.path).toBe('phone')
  expect((await set({ phone: '9125550148', version: 1 })).error.errors?.[0]?.path).toBe('name')
  expect((await set({ name: 'Leo', phone: '12', version: 1 })).error.errors?.[0]?.path).toBe('phone')
  expect((await set({ name: 'Leo', phone: '9125550148', version: 1 })).body).toMatchObject({ name: 'Leo', version: 2 })
  expect((await set({ version: 2 })).body).toMatchObject({ name: '', phone: null, version: 0 })
})

it('is nobody else’s to read: not the crew’s, not an office’s without the team, not another business’s', async () => {
  const [business, other] = [await aBusiness(), await aBusiness()]
  const ana = await business.employee()
  const params = { id: ana.userId }
  const bookkeeper = await aPerson(business.id, 'Admin', { permissions: ['money'] })
  expect((await ana.api.call(emergencyApi.get, { params })).status).toBe(403)
  expect((await bookkeeper.api.call(emergencyApi.get, { params })).status).toBe(403)
  expect((await other.api.call(emergencyApi.get, { params })).status).toBe(404)
})
