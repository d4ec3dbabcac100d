import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { businessLeadsApi as leadsApi, type NewLead } from '../contract.ts'
import { leadWaysApi } from '../phone/contract.ts'
import { leadSettingsApi } from '../requests/contract.ts'
import type { LeadAction } from '../rules.ts'

const ofId = (id: string) => ({ params: { id } })
const read = (api: Api, id: string) => api.call(leadsApi.get, ofId(id))
const versionOf = async (api: Api, id: string) => (await read(api, id)).body.version ?? 1
const acts: Acts<LeadAction> = {
  update: async (api, id) =>
    api.call(leadsApi.update, { ...ofId(id), body: { version: await versionOf(api, id), wants: 'Hedges' } }),
  move: async (api, id) =>
    api.call(leadsApi.move, { ...ofId(id), body: { version: await versionOf(api, id), stage: 'contacted' } }),
  note: (api, id) => api.call(leadsApi.note, { ...ofId(id), body: { words: 'Two dogs' } }),
  text: (api, id) => api.call(leadsApi.sendText, { ...ofId(id), body: { text: 'Hello' } }),
  mail: (api, id) => api.call(leadsApi.sendEmail, { ...ofId(id), body: { subject: 'Your lawn', text: 'Hello' } }),
  convert: async (api, id) =>
    api.call(leadsApi.convert, {
      ...ofId(id),
      body: { version: await versionOf(api, id), property: null, allowDuplicate: true },
    }),
}

const lead =
  (changes: Partial<NewLead> = {}) =>
  async (own: TestBusiness): Promise<string> =>
    (
      await own.api.ok(leadsApi.create, {
        body: {
          name: 'Maya Brooks',
          source: 'call',
          phone: '+19125550147',
          email: `${newId()}@home.test`,
          allowDuplicate: true,
          ...changes,
        },
      })
    ).id
const moved = (stage: 'won' | 'lost') => async (own: TestBusiness) => {
  const id = await lead()(own)
  const { version } = await own.api.ok(leadsApi.get, ofId(id))
  const lost = stage === 'lost' ? { lost: { reason: 'price' as const } } : {}
  await own.api.ok(leadsApi.move, { ...ofId(id), body: { version, stage, ...lost } })
  return id
}
const converted = async (own: TestBusiness) => {
  const id = await lead()(own)
  expect((await acts.convert(own.api, id)).status).toBe(200)
  return id
}

const all: LeadAction[] = ['update', 'move', 'note', 'text', 'mail', 'convert']
const without = (...left: LeadAction[]) => all.filter((action) => !left.includes(action))
const states: Record<string, { make: (own: TestBusiness) => Promise<string>; may: LeadAction[] }> = {
  'somebody new': { make: lead(), may: all },
  'somebody without a phone': { make: lead({ phone: null }), may: without('text') },
  'somebody without an e-mail': { make: lead({ email: null }), may: without('mail') },
  won: { make: moved('won'), may: all },
  lost: { make: moved('lost'), may: all },
  'a customer by now': { make: converted, may: without('convert') },
}

describe('what may be done with a lead stands on it, and the commands say the same', () => {
  it.each(Object.entries(states))('%s', async (_, { make, may }) => {
    const own = await aBusiness()
    expect(await doneOf(own.api, () => make(own), read, acts)).toEqual(may)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
    expect(await doneOf(clerk.api, () => make(own), read, acts)).toEqual(may)
    const id = await make(own)
    const driver = await aPerson(own.id, 'Admin', { permissions: ['schedule', 'money'] })
    for (const api of [driver.api, (await own.employee()).api, await supportIn(own)])
      expect(await doneOf(api, async () => id, read, acts)).toEqual([])
  })
})

it('who has no plan any more reads every lead and is told of the way out at each change', async () => {
  const own = await aBusiness()
  const id = await lead()(own)
  await own.db((db) =>
    db.updateTable('businesses').set({ subscriptionStatus: 'canceled' }).where('businessId', '=', own.id).execute(),
  )
  expect((await read(own.api, id)).status).toBe(200)
  expect((await own.api.call(leadsApi.board, { query: {} })).status).toBe(200)
  for (const [action, act] of Object.entries(acts))
    expect([action, (await act(own.api, id)).status]).toEqual([action, 402])
  await runTasks()
  expect((await read(own.api, id)).body).toMatchObject({ stage: 'new', wants: '' })
})

it('a lead, its past and its settings are for the office that handles customers, of this business', async () => {
  const own = await aBusiness()
  const id = await lead()(own)
  const other = await aBusiness()
  const driver = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
  const crew = await own.employee({ permissions: ['crewLead'] })
  const looks = [
    (api: Api) => api.call(leadsApi.get, ofId(id)),
    (api: Api) => api.call(leadsApi.timeline, { ...ofId(id), query: {} }),
    (api: Api) => api.call(leadsApi.list, { query: {} }),
    (api: Api) => api.call(leadsApi.board, { query: {} }),
    (api: Api) => api.call(leadsApi.counts, {}),
    (api: Api) => api.call(leadSettingsApi.get, {}),
    (api: Api) => api.call(leadWaysApi.get, {}),
  ]
  for (const look of looks) {
    expect((await look(driver.api)).status).toBe(403)
    expect((await look(crew.api)).status).toBe(403)
    expect((await look(own.api)).status).toBe(200)
  }
  expect((await other.api.call(leadsApi.get, ofId(id))).status).toBe(404)
  expect((await other.api.ok(leadsApi.list, { query: {} })).items).toEqual([])
})
