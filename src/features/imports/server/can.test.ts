import { describe, expect, it } from 'vitest'
import { type Api, runTasks } from '../../../test/api.ts'
import { supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { type ImportRecord, importsApi } from '../contract.ts'
import type { ImportAction } from '../rules.ts'

const at = (id: string) => ({ params: { id } })
const acts: Record<ImportAction, (api: Api, id: string) => Promise<{ status: number; body: ImportRecord }>> = {
  setMapping: (api, id) => api.call(importsApi.setMapping, { ...at(id), body: { mapping: ['name', 'street'] } }),
  check: (api, id) => api.call(importsApi.check, at(id)),
  setServices: (api, id) => api.call(importsApi.setServices, { ...at(id), body: { services: [] } }),
  confirm: (api, id) => api.call(importsApi.confirm, { ...at(id), body: {} }),
  undo: (api, id) => api.call(importsApi.undo, at(id)),
}
const uploaded = async (own: TestBusiness, text = 'Name,Street\nAnn Lee,1 Oak St') =>
  (await own.api.ok(importsApi.create, { body: { fileName: 'list.csv', text } })).id
const done =
  (...verbs: ImportAction[]) =>
  async (own: TestBusiness) => {
    const id = await uploaded(own)
    for (const verb of verbs) {
      expect((await acts[verb](own.api, id)).status).toBe(200)
      await runTasks()
    }
    return id
  }
const withoutGoodRows = async (own: TestBusiness) => {
  const id = await uploaded(own, 'Name,Street\n,1 Oak St')
  await own.api.ok(importsApi.check, at(id))
  return id
}

const states: Record<string, { make: (own: TestBusiness) => Promise<string>; may: ImportAction[] }> = {
  uploaded: { make: uploaded, may: ['setMapping', 'check'] },
  checked: { make: done('check'), may: ['setMapping', 'check', 'setServices', 'confirm'] },
  'checked, with no row that can come in': { make: withoutGoodRows, may: ['setMapping', 'check', 'setServices'] },
  done: { make: done('check', 'confirm'), may: ['undo'] },
  undone: { make: done('check', 'confirm', 'undo'), may: [] },
}

describe('what may be done with an import stands on it, and the commands say the same', () => {
  it.each(Object.entries(states))('%s', async (_, { make, may }) => {
    for (const action of Object.keys(acts) as ImportAction[]) {
      const own = await aBusiness()
      const id = await make(own)
      const before = await own.api.ok(importsApi.get, at(id))
      expect(Object.entries(before.can).flatMap(([one, can]) => (can ? [one] : []))).toEqual(may)
      const { status, body } = await acts[action](own.api, id)
      // what was done already answers how it stands, and changes nothing
      expect(before.can[action] ? status === 200 : status === 409 || body.status === before.status).toBe(true)
    }
  })

  it('is nothing for who may not change customers', async () => {
    const own = await aBusiness()
    const id = await done('check')(own)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    for (const api of [dispatcher.api, await supportIn(own)]) {
      const { status, body } = await api.call(importsApi.get, at(id))
      if (status === 200) expect(Object.values(body.can)).toEqual([false, false, false, false, false])
      for (const act of Object.values(acts)) expect((await act(api, id)).status).toBe(403)
    }
  })
})
