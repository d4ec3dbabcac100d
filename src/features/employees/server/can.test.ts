import { describe, expect, it } from 'vitest'
import type { Api } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { teamApi } from '../../accounts/team/contract.ts'
import { employeesApi } from '../contract.ts'
import type { CrewAction, PersonAction } from '../rules.ts'

const ofId = (id: string) => ({ params: { id } })
const listed = async (api: Api) => api.call(employeesApi.list, { query: { status: 'all' } })
const readPerson = async (api: Api, id: string) => {
  const { status, body } = await listed(api)
  if (status !== 200) return { status, body: { can: {} as Record<PersonAction, boolean> } }
  const found = body.items.find((person) => person.id === id)
  if (!found) throw new Error('The list has lost somebody')
  return { status, body: found }
}
const versionOf = async (api: Api, id: string) =>
  (await listed(api)).body.items?.find((person) => person.id === id)?.version ?? 1
/** A field that does not hold refuses with 422; here every refusal counts. */
const refused = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer
  return { status: status === 422 ? 409 : status, text }
}
const acts: Acts<PersonAction> = {
  update: async (api, id) =>
    api.call(employeesApi.update, { ...ofId(id), body: { version: await versionOf(api, id), language: 'es' } }),
  changeEmail: async (api, id) =>
    refused(
      api.call(employeesApi.update, {
        ...ofId(id),
        body: { version: await versionOf(api, id), email: `new-${id}@test.swath.test` },
      }),
    ),
  deactivate: (api, id) => api.call(employeesApi.deactivate, ofId(id)),
  reactivate: (api, id) => api.call(employeesApi.reactivate, ofId(id)),
  inviteByEmail: (api, id) => api.call(teamApi.invite, { ...ofId(id), body: { channel: 'email' } }),
  inviteByText: (api, id) => api.call(teamApi.invite, { ...ofId(id), body: { channel: 'sms' } }),
  cancelInvite: (api, id) => api.call(teamApi.cancelInvite, ofId(id)),
  resetPin: (api, id) => api.call(teamApi.resetPin, ofId(id)),
}

const set = (own: TestBusiness, id: string, values: Record<string, unknown>) =>
  own.db((db) => db.updateTable('users').set(values).where('businessId', '=', own.id).where('id', '=', id).execute())
let phones = 0
const nextPhone = () => `+1912555${String(4000 + phones++)}`
const added = async (own: TestBusiness, fields: { email?: boolean; phone?: boolean; office?: boolean }) => {
  const email = fields.email ? `p${phones++}-${own.id}@test.swath.test` : null
  const person = await own.api.ok(employeesApi.create, {
    body: {
      name: 'Luis Ortega',
      email,
      phone: fields.phone ? nextPhone() : null,
      ...(fields.office ? { role: 'Admin' as const, preset: 'dispatcher' as const } : {}),
    },
  })
  return person.id
}
const withPin = async (own: TestBusiness) => {
  const id = await added(own, { phone: true })
  await set(own, id, { status: 'active', pinHash: 'a hash' })
  return id
}

const everyday: PersonAction[] = ['update', 'deactivate']
const states: Record<string, { make: (own: TestBusiness) => Promise<string>; may: PersonAction[] }> = {
  'not invited, without an address': { make: (own) => added(own, {}), may: ['update', 'changeEmail', 'deactivate'] },
  'not invited, with e-mail and phone': {
    make: (own) => added(own, { email: true, phone: true }),
    may: ['update', 'changeEmail', 'deactivate', 'inviteByEmail', 'inviteByText'],
  },
  'of the office with a phone only': {
    make: (own) => added(own, { phone: true, office: true }),
    may: ['update', 'changeEmail', 'deactivate'],
  },
  invited: {
    make: async (own) => {
      const id = await added(own, { phone: true })
      await own.api.ok(teamApi.invite, { ...ofId(id), body: { channel: 'sms' } })
      return id
    },
    may: ['update', 'changeEmail', 'deactivate', 'inviteByText', 'cancelInvite'],
  },
  'signing in by password': {
    make: async (own) => {
      const { userId } = await own.employee()
      await set(own, userId, { passwordHash: 'a hash' })
      return userId
    },
    may: everyday,
  },
  'signing in by PIN': { make: withPin, may: [...everyday, 'resetPin'] },
  deactivated: {
    make: async (own) => {
      const id = await withPin(own)
      await own.api.ok(employeesApi.deactivate, ofId(id))
      return id
    },
    may: ['reactivate'],
  },
}

describe('what may be done with a person stands on them, and the commands say the same', () => {
  it.each(Object.entries(states))('%s', async (_, { make, may }) => {
    const own = await aBusiness()
    expect(await doneOf(own.api, () => make(own), readPerson, acts)).toEqual(may)
    const id = await make(own)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    for (const api of [clerk.api, await supportIn(own)])
      expect(await doneOf(api, async () => id, readPerson, acts)).toEqual([])
  })

  it('nobody deactivates the owner or themselves, or touches who may do more', async () => {
    const own = await aBusiness()
    await set(own, own.owner.userId, { passwordHash: 'a hash' })
    const manager = await aPerson(own.id, 'Admin', { permissions: ['team', 'customers'] })
    await set(own, manager.userId, { passwordHash: 'a hash' })
    const admin = await own.admin()
    const on = (api: Api, id: string) => doneOf(api, async () => id, readPerson, acts)
    expect(await on(own.api, own.owner.userId)).toEqual(['update'])
    expect(await on(manager.api, own.owner.userId)).toEqual([])
    expect(await on(manager.api, admin.userId)).toEqual([])
    expect(await on(manager.api, manager.userId)).toEqual(['update'])
  })
})

const readCrew = (api: Api, id: string) =>
  api.call(employeesApi.crews, { query: {} }).then(({ status, body }) => ({
    status,
    body: { can: body.items.find((crew) => crew.id === id)?.can ?? ({ update: false, archive: false } as const) },
  }))
const crewActs: Acts<CrewAction> = {
  update: (api, id) => api.call(employeesApi.updateCrew, { ...ofId(id), body: { version: 1, breakMinutes: 15 } }),
  archive: (api, id) => api.call(employeesApi.archiveCrew, ofId(id)),
}

describe('what may be done with a crew stands on it, and the commands say the same', () => {
  it.each<[string, CrewAction[]]>([
    ['idle', ['update', 'archive']],
    ['under way', ['update']],
    ['put away', []],
  ])('%s', async (state, may) => {
    const own = await aBusiness()
    const make = async () => {
      const id = await aCrew(own)
      if (state === 'under way') await aVisit(own, { crewId: id, status: 'in_progress' })
      if (state === 'put away') await own.api.ok(employeesApi.archiveCrew, ofId(id))
      return id
    }
    expect(await doneOf(own.api, make, readCrew, crewActs)).toEqual(may)
    const id = await make()
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    for (const api of [clerk.api, await supportIn(own)])
      expect(await doneOf(api, async () => id, readCrew, crewActs)).toEqual([])
  })
})
