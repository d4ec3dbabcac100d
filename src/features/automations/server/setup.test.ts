import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { anAutomatedBusiness, automating } from '../../../test/automations.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { automationsApi } from '../contract.ts'
import { usualOf } from '../kinds/rules.ts'

/** One that is set up is made by its form, once, as it was written. */

let business: TestBusiness
const { api } = automating(() => business)
beforeEach(async () => {
  business = await anAutomatedBusiness()
})
afterEach(resetClock)

const create = async (body: object, key?: string) =>
  (await api()).call(automationsApi.create, { body: body as never }, key ? { 'idempotency-key': key } : {})
const list = async () => (await (await api()).ok(automationsApi.list, {})).items

it('is made as it was written, off, and as usual where nothing was', async () => {
  const written = {
    kind: 'visit_done',
    name: 'After a visit',
    delay: 5,
    channels: ['email'],
    approval: 'ask',
    textEn: 'Hi {customer first name}, the gate is shut.',
    conditions: { tags: ['vip'] },
  }
  const { status, body } = await create(written)
  expect(status).toBe(200)
  expect(body).toMatchObject({ ...written, conditions: { ...usualOf('visit_done').conditions, tags: ['vip'] } })
  expect(body).toMatchObject({ enabled: false, subjectEn: usualOf('visit_done').subjectEn, version: 1 })
  expect(await list()).toEqual([body])
  const plain = await create({ kind: 'upsell' })
  expect(plain.body).toMatchObject(usualOf('upsell'))
})

it('is one for a doubled press, and goes on with the same', async () => {
  const key = newId()
  const press = () => create({ kind: 'visit_done', delay: 3 }, key)
  const both = await Promise.all([press(), press()])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(new Set(both.map(({ body }) => body.id)).size).toBe(1)
  expect(await list()).toHaveLength(1)
})

it.each<[string, object, number]>([
  ['a kind that there is not', { kind: 'newsletter' }, 422],
  ['a variable that there is not', { kind: 'visit_done', textEn: 'Hi {nombre}' }, 422],
  ['no words', { kind: 'visit_done', textEn: ' ' }, 422],
  ['hours out of its kind', { kind: 'visit_done', delay: 500 }, 422],
  ['a time of day where it has none', { kind: 'visit_done', atMinute: 600 }, 422],
  ['no time of day where it needs one', { kind: 'win_back', atMinute: null }, 422],
  ['no way', { kind: 'visit_done', channels: [] }, 422],
  ['a service that is not theirs', { kind: 'visit_done', conditions: { serviceIds: [newId()] } }, 404],
])('is refused with %s, and nothing is made', async (_, body, status) => {
  expect((await create(body)).status).toBe(status)
  expect(await list()).toEqual([])
})

it('is for who may change settings', async () => {
  const office = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
  expect((await office.api.call(automationsApi.create, { body: { kind: 'visit_done' } })).status).toBe(403)
  const other = await aBusiness()
  await create({ kind: 'visit_done' })
  expect((await other.api.ok(automationsApi.list, {})).items).toEqual([])
})
