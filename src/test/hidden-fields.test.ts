import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpointPlugins } from '../app-endpoints.ts'
import { businessesApi } from '../features/businesses/contract.ts'
import { jobsApi } from '../features/jobs/contract.ts'
import { servicesApi } from '../features/services/contract.ts'
import { localEndpointPlugins } from '../local/endpoints.ts'
import { permissionsOf } from '../shared/callers.ts'
import { type Endpoint, takesAny } from '../shared/endpoint.ts'
import { has, type Permission, type Role } from '../shared/roles.ts'
import type { Api } from './api.ts'
import { aPerson, type Person, type TestBusiness } from './factories.ts'
import { today } from './field.ts'
import { aFullBusiness, answersTo, carried, hiddenKey } from './full-business.ts'
import { aWorkday } from './planning.ts'

/**
 * What a person has no permission for never reaches their browser (decision 024). Every read of every contract is asked by people who
 * lack a permission, on a business with a record of every kind; a new endpoint is covered the day it is born.
 */

/** Values that look like hidden ones and may be seen, each with its reason. */
const allowed: Record<string, string> = {
  'subscriptions.get':
    'What Swath costs the office is our public price list and our bill for it, not money of their customers.',
  'sprint.mine': 'The same: the fee of our Setup Sprint.',
  'expenses.ownReceipts': 'What somebody paid and typed in: their own receipts, and nobody else’s.',
  'applications.pdf':
    'The bytes of a drawing, where any signs may stand together; it says what the CSV beside it says.',
  'subscriptions.status': 'The same: the plan of the business.',
  'lead-settings.get': 'What sending a neighbor is worth is told to every customer; it is nobody’s price.',
}
/** Free words: what was written to a customer stays as it was written. */
const writtenLabel = new Set([
  'messages.list',
  'messages.conversations',
  'messages.get',
  'conversations.thread',
  'message-log.list',
  'localPhone.state',
  // the messages about it
  'visits.get',
  'timeline.list',
])

const reads = [...endpointPlugins, ...localEndpointPlugins]
  .flatMap((plugin) =>
    Object.entries(plugin.contract).map(([name, endpoint]: [string, Endpoint]) => ({
      name: `${plugin.feature}.${name}`,
      endpoint,
    })),
  )
  .filter(({ name, endpoint }) => endpoint.method === 'GET' && name !== 'system.stream')

const dispatcherMay: Permission[] = ['customers', 'schedule', 'settings', 'team', 'crewLead']
const openTo = (rights: { role: Role; permissions: Permission[] }) =>
  reads.filter(
    ({ endpoint }) =>
      (takesAny(endpoint, 'member') || (takesAny(endpoint, 'office') && rights.role === 'Admin')) &&
      permissionsOf(endpoint).every((permission) => has(rights, permission)),
  )
const people = {
  dispatcher: { role: 'Admin' as const, permissions: dispatcherMay },
  employee: { role: 'Employee' as const, permissions: ['crewLead'] as Permission[] },
}

type Schema = {
  type?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
} & {
  additionalProperties?: Schema | boolean
  oneOf?: Schema[]
}
/** Paths of hidden keys for which a schema has no way to say nothing. */
const bound = (schema: Schema, path = ''): string[] => {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.some((one) => one.type === 'null') ? [] : options.flatMap((one) => bound(one, path))
  if (schema.items) return bound(schema.items, `${path}[]`)
  const more = typeof schema.additionalProperties === 'object' ? bound(schema.additionalProperties, `${path}{}`) : []
  return Object.entries(schema.properties ?? {})
    .flatMap(([key, inner]) => {
      const mayBeLeftOut = !schema.required?.includes(key) || inner.anyOf?.some((one) => one.type === 'null')
      if (mayBeLeftOut) return []
      return hiddenKey.test(key) ? [`${path}.${key}`] : bound(inner, `${path}.${key}`)
    })
    .concat(more)
}

let business: TestBusiness
let ids: string[]
const asked: Record<keyof typeof people, Person> = {} as never

beforeAll(async () => {
  const full = await aFullBusiness()
  business = full.business
  ids = full.ids
  const dispatcher = await aPerson(business.id, 'Admin', { permissions: dispatcherMay })
  Object.assign(asked, { dispatcher, employee: full.employee })
})

const answers = async (api: Api, endpoint: Endpoint) =>
  (await answersTo(api, endpoint, ids)).filter(({ status }) => status === 200)

describe.each(Object.entries(people))('%s', (who, rights) => {
  const walk = openTo(rights)
  it.each(walk)('$name has a way to say nothing for every hidden field', ({ name, endpoint }) => {
    if (allowed[name]) return
    const schema = z.toJSONSchema(endpoint.response, { unrepresentable: 'any', reused: 'inline' }) as Schema
    expect(bound(schema)).toEqual([])
  })
  it.each(walk)('$name carries no hidden value', async ({ name, endpoint }) => {
    const { api } = asked[who as keyof typeof people]
    for (const { body, text } of await answers(api, endpoint)) {
      if (!allowed[name]) expect(carried(body)).toEqual([])
      expect(text).not.toMatch(/471[12]#/)
      if (!writtenLabel.has(name) && !allowed[name]) expect(text).not.toMatch(/\$\d/)
    }
  })
})

it('is a walk with teeth: the owner gets a value from every read that can hide one', async () => {
  const silent: string[] = []
  for (const { name, endpoint } of openTo(people.dispatcher)) {
    const schema = JSON.stringify(z.toJSONSchema(endpoint.response, { unrepresentable: 'any', reused: 'inline' }))
    const keys = [...schema.matchAll(/"(\w+)":\{/g)].some(([, key]) => hiddenKey.test(key ?? ''))
    if (!keys || allowed[name]) continue
    const seen = (await answers(business.api, endpoint)).flatMap(({ body }) => carried(body))
    if (seen.length === 0) silent.push(name)
  }
  expect(silent).toEqual([])
})

describe('who does not see a number', () => {
  it('cannot set it either', async () => {
    const { api } = asked.dispatcher
    const before = await business.api.ok(businessesApi.get, {})
    for (const change of [
      { defaultWageCents: 1 },
      { burdenPercent: 1 },
      { mileCostCents: 1 },
      { targetLaborHourCents: 1 },
    ]) {
      const answer = await api.call(businessesApi.update, { body: { ...change, version: before.version } })
      expect([answer.status, answer.error.code]).toEqual([403, 'forbidden'])
    }
    expect(await business.api.ok(businessesApi.get, {})).toEqual(before)
    const { items } = await business.api.ok(servicesApi.catalog, { query: {} })
    const service = items.find((one) => one.code !== 'FIELD-MOW')
    if (!service?.priceRule) throw new Error('The owner sees no price rule')
    const write = { params: { id: service.id }, body: { ...service, priceRule: service.priceRule } }
    expect((await api.call(servicesApi.update, write)).status).toBe(403)
    expect((await api.call(servicesApi.create, { body: write.body })).status).toBe(403)
  })

  it('gets no price from questions that are asked by POST', async () => {
    const { api } = asked.dispatcher
    const { items } = await business.api.ok(servicesApi.catalog, { query: {} })
    const service = items.find((one) => one.category === 'mow' && one.code !== 'FIELD-MOW')
    const quote = { params: { id: service?.id ?? '' }, body: { squareFeet: 8000 } }
    expect((await business.api.ok(servicesApi.quotePrice, quote)).priceCents).toBeGreaterThan(0)
    expect(await api.ok(servicesApi.quotePrice, quote)).toMatchObject({ priceCents: null, minutes: expect.any(Number) })
    const batch = { serviceIds: [service?.id ?? ''], recurrence: null, onceOn: aWorkday(), startOn: today() }
    const body = { ...batch, customerFilter: {}, includeWithoutPin: true, dryRun: true }
    const seen = await api.ok(jobsApi.batch, { body })
    expect(seen.items.length).toBeGreaterThan(0)
    expect(carried(seen)).toEqual([])
    const fixed = { ...body, priceMode: 'fixed' as const, fixedPriceCents: 100 }
    expect((await api.call(jobsApi.batch, { body: fixed })).status).toBe(403)
  })
})
