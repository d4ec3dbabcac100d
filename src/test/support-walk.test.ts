import { beforeAll, describe, expect, it } from 'vitest'
import { endpointPlugins } from '../app-endpoints.ts'
import { supportApi } from '../features/support/contract.ts'
import { localEndpointPlugins } from '../local/endpoints.ts'
import { newId } from '../platform/ids.ts'
import { callersOf, type Endpoint, takesAny } from '../shared/endpoint.ts'
import { supportAreas, supportMessage, supportPermissions } from '../shared/support.ts'
import { type Api, apiWith, stranger } from './api.ts'
import { aPerson, type Person, type TestBusiness } from './factories.ts'
import { aFullBusiness, answersTo, carried } from './full-business.ts'
import { anOwner } from './prospects.ts'
import { rowSums } from './row-sums.ts'

/** Every endpoint of every contract, asked by support (decision 026). What is new is closed until it stands in `supportAreas`. */
const all = [...endpointPlugins, ...localEndpointPlugins].flatMap((plugin) =>
  Object.entries(plugin.contract).map(([name, endpoint]: [string, Endpoint]) => ({
    name: `${plugin.feature}.${name}`,
    endpoint,
  })),
)
const ofBusiness = all.filter(({ endpoint }) => takesAny(endpoint, 'member', 'office', 'owner'))
const openPaths = new Set(Object.values(supportAreas).flat())
const isOpen = ({ endpoint }: { endpoint: Endpoint }) => endpoint.method === 'GET' && openPaths.has(endpoint.path)

let business: TestBusiness
let ids: string[]
let support: Api
let admin: Person

beforeAll(async () => {
  const full = await aFullBusiness()
  business = full.business
  const messages = await business.db((db) =>
    db.selectFrom('messages').select('id').where('businessId', '=', business.id).execute(),
  )
  ids = [...full.ids, ...messages.map((message) => message.id)]
  admin = await aPerson(business.id, 'Admin', { permissions: [...supportPermissions] })
  const { grant } = await business.api.ok(supportApi.grant, { body: { hours: 4, note: '' } })
  const { code } = await (await anOwner()).ok(supportApi.makeCode, { params: { id: grant?.id ?? '' } })
  support = apiWith((await stranger.ok(supportApi.open, { body: { code } })).token)
})

const ask = (endpoint: Endpoint, id = newId()) =>
  support.raw({
    method: endpoint.method,
    url: endpoint.path.replace(/:[A-Za-z]+/g, id),
    ...(endpoint.method === 'GET' || endpoint.method === 'DELETE'
      ? {}
      : { payload: {}, headers: { 'content-type': 'application/json', 'idempotency-key': newId() } }),
  })

describe('support', () => {
  it.each(ofBusiness.filter(({ endpoint }) => endpoint.method !== 'GET'))('cannot $name', async ({ endpoint }) => {
    for (const id of [ids[0], newId()]) {
      const { status, error } = await ask(endpoint, id)
      expect([status, error.message]).toEqual([403, supportMessage.readOnly])
    }
  })

  it.each(ofBusiness.filter((one) => one.endpoint.method === 'GET' && !isOpen(one)))(
    'does not see $name',
    async ({ endpoint }) => {
      const { status, error } = await ask(endpoint, ids[0])
      expect([status, error.message]).toEqual([403, supportMessage.closed])
    },
  )

  it.each(all.filter(({ endpoint }) => takesAny(endpoint, 'productOwner', 'refresh', 'webhook')))(
    'is nobody to $name',
    async ({ endpoint }) => {
      expect([400, 401, 403]).toContain((await ask(endpoint)).status)
    },
  )

  it('keeps closed what carries secrets, wages and whole lists away', () => {
    const closed = ofBusiness.filter((one) => one.endpoint.method === 'GET' && !isOpen(one)).map(({ name }) => name)
    expect(closed).toEqual(
      expect.arrayContaining([
        'system.stream',
        'customers.exportCsv',
        'imports.rowsCsv',
        'accounts.verify',
        'me.get',
        'me.devices',
        'wholeExports.list',
        'identity.status',
        'twoFactor.status',
        'localPhone.state',
        'subscriptions.get',
        'invoices.pdf',
        'notifications.list',
        'support.get',
      ]),
    )
  })

  it('has no area for a path that is gone', () => {
    const reads = new Set(ofBusiness.filter(isOpen).map(({ endpoint }) => endpoint.path))
    expect([...openPaths].filter((path) => !reads.has(path))).toEqual([])
    expect([...openPaths]).toHaveLength(Object.values(supportAreas).flat().length)
    expect(ofBusiness.filter(isOpen).flatMap(({ endpoint }) => callersOf(endpoint))).not.toContain('owner')
  })
})

describe('what support reads', () => {
  const secret = /[wW]age(?!nt)|[cC]osts?(Cents)?$|[bB]urden|^\.?gateCode/

  it.each(ofBusiness.filter(isOpen))(
    '$name is what an Admin without wages sees, without links',
    async ({ endpoint }) => {
      const [theirs, admins] = [await answersTo(support, endpoint, ids), await answersTo(admin.api, endpoint, ids)]
      expect(theirs.map(({ status }) => status)).toEqual(admins.map(({ status }) => status))
      expect(theirs.filter(({ status }) => status !== 200 && status !== 404 && status !== 422)).toEqual([])
      for (const { body, text } of theirs) {
        expect(carried(body).filter((path) => secret.test(path))).toEqual([])
        expect(text).not.toMatch(/471[12]#/)
        expect(text).not.toMatch(/\/(i|portal|quote|u|employee-invite)\/[\w-]{43}|token=[\w-]{43}|\/api\/f\//)
      }
    },
  )

  it('changes no row of any table but its own log', async () => {
    const rows = () => business.db((db) => rowSums(db, ['support_access_log']))
    const before = await rows()
    for (const { endpoint } of ofBusiness) {
      if (endpoint.method === 'GET') await answersTo(support, endpoint, ids)
      else for (const id of ids) await ask(endpoint, id)
    }
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['customers', 'public_tokens', 'sessions', 'visits']))
    expect(await rows()).toEqual(before)
    // every endpoint with every id: a busy machine takes its time
  }, 90_000)

  it('is a walk with teeth: the Admin gets a link that support does not', async () => {
    const link = /\/i\/[\w-]{43}/
    const open = ofBusiness.filter(isOpen)
    const linked: string[] = []
    for (const { name, endpoint } of open)
      if ((await answersTo(admin.api, endpoint, ids)).some(({ text }) => link.test(text))) linked.push(name)
    expect(linked).toEqual(expect.arrayContaining(['invoices.get', 'messages.get']))
  })
})
