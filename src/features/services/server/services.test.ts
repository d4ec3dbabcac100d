import { beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { type ServiceDraft, servicesApi } from '../contract.ts'
import { defaultServices } from '../defaults/rules.ts'

let business: TestBusiness
let other: TestBusiness

const draft = (changes: Partial<ServiceDraft> = {}): ServiceDraft => {
  const mow = defaultServices[0]
  if (!mow) throw new Error('no default service')
  const { code: _code, ...rest } = mow
  return { ...rest, ...changes }
}
const newService = (changes?: Partial<ServiceDraft>) => business.api.ok(servicesApi.create, { body: draft(changes) })

beforeAll(async () => {
  business = await aBusiness()
  other = await aBusiness()
})

describe('services', () => {
  it('starts with the usual lawn-care services, once', async () => {
    const fresh = await aBusiness()
    const first = await fresh.api.ok(servicesApi.addDefaults, {})
    expect(first.items.map((s) => s.code)).toEqual(defaultServices.map((s) => s.code))
    const second = await fresh.api.ok(servicesApi.addDefaults, {})
    expect(second.items).toHaveLength(defaultServices.length)
  })

  it('is added, changed with its version, and a stale version is refused', async () => {
    const made = await newService({ name: 'Spring mow' })
    expect(made).toMatchObject({ code: 'spring-mow', version: 1, jobCount: 0 })
    expect((await newService({ name: 'Spring mow' })).code).toBe('spring-mow-2')
    const body = { ...draft({ name: 'Spring cut' }), version: 1 }
    const changed = await business.api.ok(servicesApi.update, { params: { id: made.id }, body })
    expect(changed).toMatchObject({ name: 'Spring cut', version: 2 })
    const stale = await business.api.call(servicesApi.update, { params: { id: made.id }, body })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
  })

  it('keeps what a change leaves out', async () => {
    const made = await newService({ description: 'Twice a month', minGapDays: 5, skills: ['aerator'] })
    const changed = await business.api.ok(servicesApi.update, {
      params: { id: made.id },
      body: { photoRequired: true, version: 1 },
    })
    expect(changed).toEqual({ ...made, photoRequired: true, version: 2 })
  })

  it('refuses a rule that makes no sense, with the field, and changes nothing', async () => {
    const made = await newService()
    const priceRule = { ...draft().priceRule, tiers: [{ upToSquareFeet: 5000, centsPerKsqft: 100 }] }
    const answer = await business.api.call(servicesApi.update, {
      params: { id: made.id },
      body: { ...draft(), priceRule, version: 1 },
    })
    expect(answer.status).toBe(422)
    expect(answer.error.errors?.[0]?.path).toBe('priceRule.tiers.0')
    const { items } = await business.api.ok(servicesApi.catalog, { query: {} })
    expect(items.find((s) => s.id === made.id)).toMatchObject({ version: 1, priceRule: made.priceRule })
  })

  it('previews a price by lawn size and never guesses one', async () => {
    const { id } = await newService()
    const ask = (squareFeet: number | null, frequency: 'weekly' | 'biweekly' = 'weekly') =>
      business.api.ok(servicesApi.quotePrice, { params: { id }, body: { squareFeet, frequency } })
    expect(await ask(10_000)).toEqual({ priceCents: 5800, minutes: 26, reason: null })
    expect(await ask(10_000, 'biweekly')).toMatchObject({ priceCents: 7500 })
    expect(await ask(null)).toEqual({ priceCents: null, minutes: null, reason: 'needs a lawn size' })
  })

  it('is archived, restored and put in order', async () => {
    const fresh = await aBusiness()
    const { items } = await fresh.api.ok(servicesApi.addDefaults, {})
    const [first, second] = items
    if (!first || !second) throw new Error('no services')
    await fresh.api.ok(servicesApi.archive, { params: { id: first.id } })
    const archived = await fresh.api.ok(servicesApi.catalog, { query: { archived: 'true' } })
    expect(archived.items.map((s) => s.id)).toEqual([first.id])
    // somebody makes another with the same code meanwhile
    await fresh.api.ok(servicesApi.addDefaults, {})
    expect((await fresh.api.ok(servicesApi.restore, { params: { id: first.id } })).archivedAt).toBeNull()
    const ordered = await fresh.api.ok(servicesApi.reorder, { body: { ids: [second.id, first.id] } })
    expect(ordered.items.slice(0, 2).map((s) => s.id)).toEqual([second.id, first.id])
  })

  it('shows a crew names and checklists, nothing about money', async () => {
    await newService()
    const employee = await business.employee()
    const answer = await employee.api.call(servicesApi.names, {})
    expect(Object.keys(answer.body.items[0] ?? {}).sort()).toEqual([
      'category',
      'checklist',
      'id',
      'measuredBy',
      'name',
    ])
    expect(answer.text).not.toMatch(/cents|price|minutes/i)
    expect((await employee.api.call(servicesApi.catalog, { query: {} })).status).toBe(403)
    expect((await employee.api.call(servicesApi.create, { body: draft() })).status).toBe(403)
  })

  it('asks for the permission for money and an active subscription to change, not to read', async () => {
    const { id } = await newService()
    const dispatcher = await business.admin()
    await business.db((db) =>
      db
        .updateTable('users')
        .set({ permissions: ['customers', 'schedule'] })
        .where('businessId', '=', business.id)
        .where('id', '=', dispatcher.userId)
        .execute(),
    )
    expect((await dispatcher.api.call(servicesApi.catalog, { query: {} })).status).toBe(200)
    expect((await dispatcher.api.call(servicesApi.archive, { params: { id } })).status).toBe(403)
    const lapsed = await aBusiness({ status: 'canceled' })
    expect((await lapsed.api.call(servicesApi.create, { body: draft() })).status).toBe(402)
    expect((await lapsed.api.call(servicesApi.catalog, { query: {} })).status).toBe(200)
  })

  it('knows nothing of another business', async () => {
    const { id } = await newService()
    const answers = await Promise.all([
      other.api.call(servicesApi.update, { params: { id }, body: { ...draft(), version: 1 } }),
      other.api.call(servicesApi.archive, { params: { id } }),
      other.api.call(servicesApi.restore, { params: { id } }),
      other.api.call(servicesApi.quotePrice, { params: { id }, body: { squareFeet: 1000 } }),
      other.api.call(servicesApi.reorder, { body: { ids: [id] } }),
    ])
    expect(answers.map((a) => a.status)).toEqual([404, 404, 404, 404, 404])
  })

  it('a doubled click makes one service', async () => {
    const key = { 'idempotency-key': 'double-click-1' }
    const body = draft({ name: 'Doubled' })
    const [a, b] = [
      await business.api.call(servicesApi.create, { body }, key),
      await business.api.call(servicesApi.create, { body }, key),
    ]
    expect(b.body.id).toBe(a.body.id)
    const { items } = await business.api.ok(servicesApi.catalog, { query: {} })
    expect(items.filter((s) => s.name === 'Doubled')).toHaveLength(1)
  })
})

it('a new business has its usual work in Spanish for the crews who read it, and a stop carries both', async () => {
  const own = await aBusiness()
  const { items } = await own.api.ok(servicesApi.addDefaults, {})
  const mow = items.find(({ code }) => code === 'mow')
  expect(mow).toMatchObject({
    nameEs: 'Cortar, orillar, recortar y soplar',
    checklist: [{ text: 'Gates closed', es: 'Portones cerrados' }, { es: 'Aceras y entrada sopladas' }],
  })
  expect(items.filter(({ nameEs }) => !nameEs)).toEqual([])
  const renamed = await own.api.ok(servicesApi.update, {
    params: { id: mow?.id ?? '' },
    body: { nameEs: 'Corte completo', version: mow?.version ?? 0 },
  })
  expect([renamed.name, renamed.nameEs]).toEqual([mow?.name, 'Corte completo'])
})
