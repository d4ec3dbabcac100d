import { describe, expect, it } from 'vitest'
import type { Api } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { servicesApi } from '../contract.ts'
import { defaultServices } from '../defaults/rules.ts'
import type { ServiceAction } from '../rules.ts'

const at = (id: string) => ({ params: { id } })
const read = async (api: Api, id: string) => {
  for (const query of [{}, { archived: 'true' as const }]) {
    const { status, body } = await api.call(servicesApi.catalog, { query })
    const found = status === 200 ? body.items.find((one) => one.id === id) : undefined
    if (found) return { status, body: found }
    if (status !== 200) return { status, body: { can: { update: false, archive: false, restore: false } } }
  }
  throw new Error('The service is gone')
}
const acts: Acts<ServiceAction> = {
  update: async (api, id) => {
    const { status, body } = await read(api, id)
    const version = status === 200 && 'version' in body ? body.version : 1
    return api.call(servicesApi.update, { ...at(id), body: { version, description: 'Twice' } })
  },
  archive: (api, id) => api.call(servicesApi.archive, at(id)),
  restore: (api, id) => api.call(servicesApi.restore, at(id)),
}

const offered = async (own: TestBusiness) => {
  const [draft] = defaultServices
  if (!draft) throw new Error('no usual service')
  const { code: _, ...body } = draft
  return (await own.api.ok(servicesApi.create, { body })).id
}
const archived = async (own: TestBusiness) => {
  const id = await offered(own)
  await own.api.ok(servicesApi.archive, at(id))
  return id
}

describe('what may be done with a service stands on it, and the commands say the same', () => {
  it.each<[string, (own: TestBusiness) => Promise<string>, ServiceAction[]]>([
    ['offered', offered, ['update', 'archive']],
    ['archived', archived, ['update', 'restore']],
  ])('%s', async (_, make, may) => {
    const own = await aBusiness()
    expect(await doneOf(own.api, () => make(own), read, acts)).toEqual(may)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    expect(await doneOf(clerk.api, () => make(own), read, acts)).toEqual(may)
    const id = await make(own)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    for (const api of [dispatcher.api, (await own.employee()).api, await supportIn(own)])
      expect(await doneOf(api, async () => id, read, acts)).toEqual([])
  })
})
