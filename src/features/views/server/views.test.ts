import { expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import type { Api } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { viewsApi } from '../contract.ts'
import { viewLimit } from '../rules.ts'

type Draft = { name: string; query?: Record<string, string>; shared?: boolean; isDefault?: boolean }
const body = ({ query = { q: 'oak' }, ...draft }: Draft) => ({ hub: 'jobs' as const, query, ...draft })
const keep = (api: Api, draft: Draft) => api.ok(viewsApi.create, { body: body(draft) })
const namesOf = async (api: Api, hub: 'jobs' | 'customers' = 'jobs') =>
  (await api.ok(viewsApi.list, { query: { hub } })).items.map(({ name }) => name)

it('a view is kept for oneself; shared it is there for the whole office, and for nobody else', async () => {
  const business = await aBusiness()
  const other = await aBusiness()
  const admin = await business.admin()
  const employee = await business.employee()
  const own = await keep(business.api, { name: 'North side', query: { q: ' oak ', sort: 'number.desc', view: 'late' } })
  expect(own).toMatchObject({ query: { q: 'oak', view: 'late' }, shared: false, makerName: null, version: 1 })
  expect(await namesOf(admin.api)).toEqual([])
  expect(await namesOf(business.api, 'customers')).toEqual([])
  for (const call of [
    admin.api.call(viewsApi.update, { params: { id: own.id }, body: { version: 1, name: 'Mine' } }),
    admin.api.call(viewsApi.remove, { params: { id: own.id } }),
    admin.api.call(viewsApi.setDefault, { body: { hub: 'jobs', viewId: own.id } }),
  ])
    expect((await call).status).toBe(404)
  await business.api.ok(viewsApi.update, { params: { id: own.id }, body: { version: 1, shared: true } })
  const { items } = await admin.api.ok(viewsApi.list, { query: { hub: 'jobs' } })
  expect(items).toMatchObject([
    { name: 'North side', makerName: business.owner.name, can: { update: true, share: false, remove: true } },
  ])
  expect(await namesOf(other.api)).toEqual([])
  expect((await employee.api.call(viewsApi.list, { query: { hub: 'jobs' } })).status).toBe(403)
  for (const call of [
    other.api.call(viewsApi.update, { params: { id: own.id }, body: { version: 2, name: 'Mine' } }),
    other.api.call(viewsApi.remove, { params: { id: own.id } }),
    other.api.call(viewsApi.setDefault, { body: { hub: 'jobs', viewId: own.id } }),
  ])
    expect((await call).status).toBe(404)
  // The office keeps what is shared in order, but takes it from nobody.
  await admin.api.ok(viewsApi.update, {
    params: { id: own.id },
    body: { version: 2, name: 'North', query: { q: 'elm' } },
  })
  const taken = await admin.api.call(viewsApi.update, { params: { id: own.id }, body: { version: 3, shared: false } })
  expect([taken.status, taken.error.message]).toEqual([
    409,
    `Only ${business.owner.name} can stop sharing this view. Nothing was changed.`,
  ])
  await admin.api.ok(viewsApi.remove, { params: { id: own.id } })
  expect(await namesOf(business.api)).toEqual([])
})

it('who changes a view has seen what it is', async () => {
  const { api } = await aBusiness()
  const { id } = await keep(api, { name: 'Late' })
  await api.ok(viewsApi.update, { params: { id }, body: { version: 1, query: { view: 'late' } } })
  const second = await api.call(viewsApi.update, { params: { id }, body: { version: 1, query: { q: 'x' } } })
  expect([second.status, second.error.code]).toEqual([409, 'version_conflict'])
  expect((await api.ok(viewsApi.list, { query: { hub: 'jobs' } })).items[0]?.query).toEqual({ view: 'late' })
})

it('what is shared later has a name that nobody shares yet', async () => {
  const business = await aBusiness()
  const admin = await business.admin()
  const [mine, theirs] = [await keep(business.api, { name: 'East side' }), await keep(admin.api, { name: 'East side' })]
  const share = (api: Api, id: string, more: object = {}) =>
    api.call(viewsApi.update, { params: { id }, body: { version: 1, shared: true, ...more } })
  expect((await share(business.api, mine.id)).status).toBe(200)
  const taken = await share(admin.api, theirs.id)
  expect([taken.status, taken.error.errors?.[0]?.message]).toEqual([
    422,
    `${business.owner.name} shares a view of this name. Choose another one.`,
  ])
  expect((await share(admin.api, theirs.id, { name: 'East side 2' })).status).toBe(200)
})

it('a name is there once, whoever shares it; another list has its own', async () => {
  const business = await aBusiness()
  const admin = await business.admin()
  await keep(business.api, { name: 'North side', shared: true })
  const mine = await business.api.call(viewsApi.create, { body: body({ name: ' north SIDE ' }) })
  expect(mine.error.errors).toEqual([{ path: 'name', message: 'You have a view of this name. Choose another one.' }])
  const theirs = await admin.api.call(viewsApi.create, { body: body({ name: 'North side' }) })
  expect(theirs.error.errors?.[0]?.message).toBe(
    `${business.owner.name} shares a view of this name. Choose another one.`,
  )
  await business.api.ok(viewsApi.create, { body: { hub: 'customers', name: 'North side', query: { tag: 'weekly' } } })
  const other = await keep(business.api, { name: 'N'.repeat(60) })
  const renamed = await business.api.call(viewsApi.update, {
    params: { id: other.id },
    body: { version: 1, name: 'NORTH side' },
  })
  expect(renamed.error.errors?.[0]?.path).toBe('name')
  await business.api.ok(viewsApi.update, { params: { id: other.id }, body: { version: 1, name: 'n'.repeat(60) } })
})

it('a list opens with one view at a time, everybody with their own', async () => {
  const business = await aBusiness()
  const admin = await business.admin()
  const first = await keep(business.api, { name: 'A', shared: true, isDefault: true })
  const second = await keep(business.api, { name: 'B', isDefault: true })
  const defaults = async (api: Api) =>
    (await api.ok(viewsApi.list, { query: { hub: 'jobs' } })).items.filter((v) => v.isDefault).map((v) => v.name)
  expect(await defaults(business.api)).toEqual(['B'])
  expect(await defaults(admin.api)).toEqual([])
  await admin.api.ok(viewsApi.setDefault, { body: { hub: 'jobs', viewId: first.id } })
  expect([await defaults(business.api), await defaults(admin.api)]).toEqual([['B'], ['A']])
  const wrong = await admin.api.call(viewsApi.setDefault, { body: { hub: 'customers', viewId: first.id } })
  expect(wrong.error.errors?.[0]?.path).toBe('viewId')
  await business.api.ok(viewsApi.setDefault, { body: { hub: 'jobs', viewId: null } })
  expect(await defaults(business.api)).toEqual([])
  await business.api.ok(viewsApi.remove, { params: { id: first.id } })
  await business.api.ok(viewsApi.remove, { params: { id: second.id } })
  expect([await defaults(admin.api), await namesOf(business.api)]).toEqual([[], []])
})

it('one person keeps fifty views of a list, also from two tabs at once', async () => {
  const business = await aBusiness()
  for (let n = 1; n < viewLimit; n++) await keep(business.api, { name: `View ${n}` })
  const last = await Promise.all(
    ['one', 'two'].map((name) => business.api.call(viewsApi.create, { body: body({ name }) })),
  )
  expect(last.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(last.find(({ status }) => status === 409)?.error.message).toBe(
    'You keep 50 views of this list, the most there can be. Delete one first. Nothing was changed.',
  )
  await keep((await business.admin()).api, { name: 'Somebody else has room' })
  await business.api.ok(viewsApi.create, { body: { hub: 'customers', name: 'Another list too', query: {} } })
})

it('a doubled click keeps one view, and what a list does not know is refused', async () => {
  const { api } = await aBusiness()
  const headers = { 'idempotency-key': newId() }
  const both = await Promise.all([1, 2].map(() => api.call(viewsApi.create, { body: body({ name: 'Late' }) }, headers)))
  expect(new Set(both.map((answer) => answer.body.id)).size).toBe(1)
  const odd = await api.call(viewsApi.create, { body: body({ name: 'Odd', query: { jobId: 'x' } }) })
  expect([odd.status, odd.error.errors?.[0]?.path]).toEqual([422, 'query.jobId'])
  const id = both[0]?.body.id ?? ''
  const change = await api.call(viewsApi.update, { params: { id }, body: { version: 1, query: { tag: 'x' } } })
  expect(change.error.errors?.[0]?.path).toBe('query.tag')
  const long = await api.call(viewsApi.create, { body: body({ name: 'n'.repeat(61) }) })
  expect(long.error.errors?.[0]?.message).toBe('At most 60 characters.')
})
