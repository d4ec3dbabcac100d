import { beforeAll, describe, expect, it } from 'vitest'
import { endpointPlugins } from '../app-endpoints.ts'
import { localEndpointPlugins } from '../local/endpoints.ts'
import { resetClock, setClock } from '../platform/clock.ts'
import { asBusinessId } from '../platform/db/tenant.ts'
import { signAccessToken } from '../platform/http/session.ts'
import { newId } from '../platform/ids.ts'
import { type Endpoint, takesAny } from '../shared/endpoint.ts'
import type { Permission } from '../shared/roles.ts'
import { type Api, apiWith, stranger } from './api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from './factories.ts'

/** Every endpoint of every contract, asked by everybody it is not for. A new endpoint is covered the day it is born. Ids of others: foreign-ids.test.ts. */
const all = [...endpointPlugins, ...localEndpointPlugins].flatMap((plugin) =>
  Object.entries(plugin.contract).map(([name, endpoint]) => ({ name: `${plugin.feature}.${name}`, endpoint })),
)
const guarded = all.filter(({ endpoint }) => !takesAny(endpoint, 'public', 'webhook', 'refresh'))
const hasParams = (endpoint: Endpoint): boolean => endpoint.path.includes(':')

const urlWith = (endpoint: Endpoint, value: string): string => endpoint.path.replace(/:[A-Za-z]+/g, value)
const ask = (api: Api, endpoint: Endpoint, value: string = newId(), payload?: unknown) =>
  api.raw({
    method: endpoint.method,
    url: urlWith(endpoint, value),
    ...(endpoint.method === 'GET' || endpoint.method === 'DELETE'
      ? {}
      : { payload: (payload ?? {}) as object, headers: { 'content-type': 'application/json' } }),
  })

let business: TestBusiness
let employee: Person
let bareAdmin: Person

beforeAll(async () => {
  business = await aBusiness()
  employee = await business.employee()
  bareAdmin = await aPerson(business.id, 'Admin', { permissions: [] as Permission[] })
})

describe('without a session', () => {
  it.each(guarded)('$name is 401 without a token, with junk and with an expired one', async ({ endpoint }) => {
    expect((await ask(stranger, endpoint)).status).toBe(401)
    expect((await ask(apiWith('junk'), endpoint)).status).toBe(401)
    setClock(() => new Date(Date.now() - 3_600_000))
    const old = await signAccessToken({
      businessId: asBusinessId(business.id),
      userId: business.owner.userId,
      sessionId: business.owner.sessionId,
      tokenVersion: 1,
    })
    resetClock()
    expect((await ask(apiWith(old, 'Owner'), endpoint)).error.code).toBe(
      endpoint.access === 'productOwner' || endpoint.access === 'support' || endpoint.access === 'tour'
        ? 'unauthenticated'
        : 'token_expired',
    )
  })
  const signsIn = ({ method, path, access }: Endpoint) =>
    access === 'refresh' || (access === 'public' && method === 'POST' && path.startsWith('/api/auth/'))
  it.each(all.filter(({ endpoint }) => signsIn(endpoint)))('$name is 403 from a foreign page', async ({ endpoint }) => {
    const answer = await stranger.raw({
      method: endpoint.method,
      url: endpoint.path.replace(':token', 'x'),
      headers: { origin: 'https://evil.test' },
    })
    expect(answer.status).toBe(403)
  })
  it.each(all.filter(({ endpoint }) => endpoint.access === 'webhook'))(
    '$name takes nothing unsigned',
    async ({ endpoint }) => {
      expect([400, 401, 403]).toContain((await ask(stranger, endpoint)).status)
    },
  )
  it.each(all.filter(({ endpoint }) => endpoint.access === 'public' && hasParams(endpoint)))(
    '$name shows nothing for a token that means nothing',
    async ({ endpoint }) => {
      expect([404, 422]).toContain((await ask(stranger, endpoint, 'x'.repeat(43))).status)
    },
  )
})

describe('with the wrong role', () => {
  it.each(guarded.filter(({ endpoint }) => takesAny(endpoint, 'office', 'owner')))(
    '$name is 403 to an employee',
    async ({ endpoint }) => {
      expect((await ask(employee.api, endpoint)).status).toBe(403)
    },
  )
  it.each(guarded.filter(({ endpoint }) => endpoint.permission || takesAny(endpoint, 'owner')))(
    '$name is 403 to an admin who lacks what it needs',
    async ({ endpoint }) => {
      expect((await ask(bareAdmin.api, endpoint)).status).toBe(403)
    },
  )
  it.each(guarded.filter(({ endpoint }) => endpoint.access === 'productOwner'))(
    '$name is not for the owner of a business',
    async ({ endpoint }) => {
      expect([401, 403]).toContain((await ask(business.api, endpoint)).status)
    },
  )
})

describe('with an id that is none', () => {
  const withIds = guarded.filter(({ endpoint }) => hasParams(endpoint) && endpoint.access !== 'productOwner')
  it.each(withIds)('$name refuses it', async ({ endpoint }) => {
    expect([404, 415, 422]).toContain((await ask(business.api, endpoint, 'not-an-id')).status)
  })
})

describe('with a bad body', () => {
  it.each(guarded.filter(({ endpoint }) => endpoint.body && endpoint.access !== 'productOwner'))(
    '$name answers 4xx and never 5xx',
    async ({ endpoint }) => {
      for (const junk of [
        [],
        7,
        'text',
        { lines: 'x', name: { $ne: null }, ids: [null], day: '2026-02-30', email: 'x'.repeat(5000) },
      ]) {
        const { status, error } = await ask(business.api, endpoint, newId(), junk)
        expect(status, JSON.stringify(error)).toBeLessThan(500)
      }
    },
  )
})

describe('the contracts', () => {
  it('name every path once and only below /api, but for health and what mails carry', () => {
    const routes = all.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(new Set(routes).size).toBe(routes.length)
    expect(
      all
        .filter(({ endpoint }) => !endpoint.path.startsWith('/api/'))
        .map(({ endpoint }) => endpoint.path)
        .sort(),
    ).toEqual([
      '/c/:business/:token',
      '/c/:token',
      '/card/:token',
      '/card/:token/leave',
      '/extra/:token',
      '/extra/:token',
      '/health',
      '/lead-form/:slug',
      '/lead-form/:slug',
      '/lead-form/:slug/form.js',
      '/lead-form/:slug/thanks',
      '/o/:business/:token',
      '/o/:token',
      '/portal/:name',
      '/portal/:name/account',
      '/portal/:name/account',
      '/portal/:name/account/address',
      '/portal/:name/bills',
      '/portal/:name/bills/autopay/off',
      '/portal/:name/bills/autopay/on',
      '/portal/:name/bills/card',
      '/portal/:name/bills/card/remove',
      '/portal/:name/bills/statement',
      '/portal/:name/choose',
      '/portal/:name/enter',
      '/portal/:name/language',
      '/portal/:name/link',
      '/portal/:name/messages',
      '/portal/:name/messages',
      '/portal/:name/out',
      '/portal/:name/papers',
      '/portal/:name/papers/treatments',
      '/portal/:name/service',
      '/portal/:name/service/:id/ask',
      '/portal/:name/service/:id/pause',
      '/portal/:name/service/:id/resume',
      '/portal/:name/visits',
      '/portal/:name/visits/:id',
      '/portal/:name/visits/:id/skip',
      '/portal/:name/visits/:id/unskip',
      '/quote/:token',
      '/quote/:token/:step',
      '/quote/:token/changes',
      '/quote/:token/choose',
      '/quote/:token/decline',
      '/quote/:token/pay',
      '/quote/:token/pdf',
      '/quote/:token/seen',
      '/quote/:token/sign',
      '/quotes/view/:token',
      '/ready',
      '/review/:token',
      '/review/:token',
      '/s/:token',
      '/s/:token/card',
      '/s/:token/pay',
      '/u/:token',
      '/visit/:token',
    ])
  })
})
