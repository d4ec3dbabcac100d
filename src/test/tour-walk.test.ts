import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpointPlugins } from '../app-endpoints.ts'
import { invoicesApi } from '../features/invoices/contract.ts'
import { paymentsApi } from '../features/payments/contract.ts'
import { tourApi } from '../features/tour/contract.ts'
import { addDemoTx } from '../features/tour/server/commands.ts'
import { localEndpointPlugins } from '../local/endpoints.ts'
import { resetClock, setClock } from '../platform/clock.ts'
import { config } from '../platform/config.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { readCredential } from '../platform/http/session.ts'
import { tourOf } from '../platform/http/tour.ts'
import { newId } from '../platform/ids.ts'
import { type Endpoint, takesAny } from '../shared/endpoint.ts'
import { tourHours, tourMessage } from '../shared/tour.ts'
import { tourPaths } from '../shared/tourPaths.ts'
import { type Api, apiWith, runTasks, stranger } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { aVisit } from './field.ts'
import { aFullBusiness, answersTo } from './full-business.ts'
import { rowSums } from './row-sums.ts'

/** Every endpoint of every contract, asked by a visitor of the tour (decision 032). What is new is closed until it stands in `tourPaths`. */
const all = [...endpointPlugins, ...localEndpointPlugins].flatMap((plugin) =>
  Object.entries(plugin.contract).map(([name, endpoint]: [string, Endpoint]) => ({
    name: `${plugin.feature}.${name}`,
    endpoint,
  })),
)
const ofBusiness = all.filter(({ endpoint }) => takesAny(endpoint, 'member', 'office', 'owner'))
const seats = ['office', 'crew'] as const
const isOpen = (seat: (typeof seats)[number], { method, path }: Endpoint) =>
  method === 'GET' && tourPaths[seat].includes(path)

let business: TestBusiness
let ids: string[]
let visitor: Record<(typeof seats)[number], Api>

const asDemo = (on: boolean) =>
  business.db((db) => db.updateTable('businesses').set({ demo: on }).where('businessId', '=', business.id).execute())
const start = () => stranger.call(tourApi.start, {})
const begin = async (): Promise<typeof visitor> => {
  const { token } = await stranger.ok(tourApi.start, {})
  return { office: apiWith(token, 'Admin'), crew: apiWith(token, 'Employee') }
}

beforeAll(async () => {
  const full = await aFullBusiness()
  business = full.business
  const messages = await business.db((db) =>
    db.selectFrom('messages').select('id').where('businessId', '=', business.id).execute(),
  )
  ids = [...full.ids, ...messages.map((message) => message.id)]
  await business.db(async (db) => {
    await addDemoTx(db, true)
  })
  await asDemo(true)
  visitor = await begin()
})
afterEach(() => {
  resetClock()
  Object.assign(config, { production: false, tour: false })
})

const ask = (api: Api, endpoint: Endpoint, id = newId()) =>
  api.raw({
    method: endpoint.method,
    url: endpoint.path.replace(/:[A-Za-z]+/g, id),
    ...(endpoint.method === 'GET' || endpoint.method === 'DELETE'
      ? {}
      : { payload: {}, headers: { 'content-type': 'application/json', 'idempotency-key': newId() } }),
  })

let asked = 0

describe.each(seats)('a visitor in the %s', (seat) => {
  // a network may look 1,500 times a minute: the seats ask in minutes of their own
  beforeEach(() => {
    if (seat === 'crew') setClock(() => new Date(Date.now() + 120_000))
  })

  it.each(all.filter(({ endpoint }) => endpoint.method !== 'GET'))('cannot $name', async ({ endpoint }) => {
    for (const id of [ids[0], newId()]) {
      const { status, error } = await ask(visitor[seat], endpoint, id)
      expect([status, error.message]).toEqual([403, tourMessage.readOnly])
    }
  })

  it.each(ofBusiness.filter(({ endpoint }) => endpoint.method === 'GET' && !isOpen(seat, endpoint)))(
    'does not see $name',
    async ({ endpoint }) => {
      const { status, error } = await ask(visitor[seat], endpoint, ids[0])
      expect([status, error.message]).toEqual([403, tourMessage.closed])
    },
  )

  it.each(all.filter(({ endpoint }) => endpoint.method === 'GET' && takesAny(endpoint, 'productOwner', 'support')))(
    'is nobody to $name',
    async ({ endpoint }) => {
      expect([400, 401, 403]).toContain((await ask(visitor[seat], endpoint)).status)
    },
  )

  it.each(ofBusiness.filter(({ endpoint }) => isOpen(seat, endpoint)))(
    'reads $name, without what opens something by itself',
    async ({ endpoint }) => {
      // a visitor does not read all of it within a minute: each is asked in another one than the one before
      const other = (asked++ % 2) * 120_000
      setClock(() => new Date(Date.now() + other))
      for (const { status, text } of await answersTo(visitor[seat], endpoint, ids)) {
        expect([200, 404, 422]).toContain(status)
        expect(text).not.toMatch(/471[12]#/)
        expect(text).not.toMatch(/\/(i|portal|quote|u|employee-invite)\/[\w-]{43}|token=[\w-]{43}/)
      }
    },
  )

  it('is answered no field that is named like a key to something', () => {
    const opened = ofBusiness.filter(({ endpoint }) => isOpen(seat, endpoint))
    const fields = new Set(
      opened.flatMap(({ endpoint }) => {
        const schema = JSON.stringify(z.toJSONSchema(endpoint.response as z.ZodType, { unrepresentable: 'any' }))
        return [...schema.matchAll(/"properties":\{|"([A-Za-z]\w*)":\{/g)].map(([, name]) => name ?? '')
      }),
    )
    expect(fields.size).toBeGreaterThan(10)
    expect(
      [...fields].filter((name) => /token|secret|password|cipher|hash|^gateCode$|pinCode|apiKey/i.test(name)),
    ).toEqual([])
  })

  it('knows no path that is gone', () => {
    const reads = new Set(
      ofBusiness.filter(({ endpoint }) => endpoint.method === 'GET').map(({ endpoint }) => endpoint.path),
    )
    expect(tourPaths[seat].filter((path) => !reads.has(path))).toEqual([])
  })
})

describe('the tour', () => {
  it('keeps closed what carries secrets, whole lists and what is between a business and us', () => {
    const closed = ofBusiness
      .filter((one) => seats.every((seat) => !isOpen(seat, one.endpoint)))
      .map(({ name }) => name)
    expect(closed).toEqual(
      expect.arrayContaining([
        'system.stream',
        'customers.exportCsv',
        'imports.list',
        'me.get',
        'me.devices',
        'wholeExports.list',
        'twoFactor.status',
        'integrations.list',
        'subscriptions.get',
        'invoices.pdf',
        'notifications.list',
        'support.get',
      ]),
    )
  })

  it('shows the office, a crew phone and the page of a customer, none of them a person who could sign in', async () => {
    const office = await visitor.office.ok(tourApi.view, {})
    expect(office).toMatchObject({ businessName: 'Green Test Lawns', user: { role: 'Admin', email: null } })
    const crew = await visitor.crew.ok(tourApi.view, {})
    expect(crew.user).toMatchObject({ role: 'Employee', email: null })
    const page = await visitor.office.ok(tourApi.customerPage, {})
    expect(page).toMatchObject({ canPay: true })
    expect(JSON.stringify(page)).not.toMatch(/[\w-]{43}/)
    const { status } = await visitor.office.call(invoicesApi.get, { params: { id: office.invoiceId ?? '' } })
    expect(status).toBe(200)
  })

  it('pays no invoice, not even with its link in hand', async () => {
    const { items } = await business.api.ok(invoicesApi.list, { query: {} })
    const invoice = await business.api.ok(invoicesApi.get, { params: { id: items[0]?.id ?? '' } })
    const params = { token: invoice.publicPath?.split('/').at(-1) ?? '' }
    for (const endpoint of [paymentsApi.pay, paymentsApi.viewed, paymentsApi.sync]) {
      const { status, error } = await visitor.office.call(endpoint, { params })
      expect([status, error.message]).toEqual([403, tourMessage.readOnly])
    }
    expect((await stranger.call(paymentsApi.publicInvoice, { params })).status).toBe(200)
  })

  it('changes no row of any table for two visitors who try everything, and lets no mail or text leave', async () => {
    const rows = () => business.db((db) => rowSums(db))
    // A network may ask so much in a minute: here each walk has one of its own.
    let minutes = 0
    const aMinuteLater = () => {
      minutes++
      setClock(() => new Date(Date.now() + minutes * 61_000))
    }
    aMinuteLater()
    await runTasks()
    const before = await rows()
    const read = async (one: typeof visitor) => (await one.office.raw({ method: 'GET', url: '/api/customers' })).text
    const [first, second] = [await begin(), await begin()]
    const seen = await read(second)
    for (const seat of seats) {
      aMinuteLater()
      for (const { endpoint } of ofBusiness) {
        const answers =
          endpoint.method === 'GET'
            ? await answersTo(first[seat], endpoint, ids.slice(0, 3))
            : [await ask(first[seat], endpoint, ids[0])]
        expect(answers.map(({ status }) => status)).not.toContain(429)
      }
    }
    await runTasks()
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['customers', 'messages', 'public_tokens', 'sessions', 'visits']),
    )
    expect(await rows()).toEqual(before)
    aMinuteLater()
    expect(await read(second)).toBe(seen)
  }, 60_000)

  it('lets nothing leave a demo business in production, whoever asks for it', async () => {
    const visit = await aVisit(business, { status: 'completed', priceCents: 5500 })
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ email: 'invented@example.com' })
        .where('businessId', '=', business.id)
        .where('id', '=', visit.customerId)
        .execute(),
    )
    Object.assign(config, { production: true, tour: true })
    await business.api.ok(invoicesApi.createBatch, { body: { send: true } })
    await runTasks()
    const mails = await business.db((db) =>
      db
        .selectFrom('messages')
        .select(['status', 'reason'])
        .where('businessId', '=', business.id)
        .where('address', '=', 'invented@example.com')
        .execute(),
    )
    expect(mails).toEqual([{ status: 'suppressed', reason: 'A demo business writes to nobody' }])
  })

  it('is over after its hours, with a kind word, and begins afresh', async () => {
    setClock(() => new Date(Date.now() + tourHours * 3_600_000 + 1_000))
    const { status, error } = await visitor.office.call(tourApi.view, {})
    expect([status, error.code, error.message]).toEqual([401, 'session_ended', tourMessage.over])
    expect((await (await begin()).office.call(tourApi.view, {})).status).toBe(200)
  })

  it('is closed in production without SWATH_TOUR, also to who began before', async () => {
    Object.assign(config, { production: true })
    const { status, error } = await start()
    expect([status, error.message]).toEqual([404, tourMessage.none])
    expect((await visitor.office.call(tourApi.view, {})).status).toBe(401)
    Object.assign(config, { tour: true })
    expect((await start()).status).toBe(200)
    expect((await visitor.office.call(tourApi.view, {})).status).toBe(200)
  })

  it('shows no real business, whatever its address, and none that is closed', async () => {
    await asDemo(false)
    expect((await start()).status).toBe(404)
    expect((await visitor.office.call(tourApi.view, {})).status).toBe(401)
    await asDemo(true)
    const close = (closedAt: string | null) =>
      business.db((db) =>
        db
          .updateTable('businesses')
          .set({ closedAt, deleteAfter: closedAt })
          .where('businessId', '=', business.id)
          .execute(),
      )
    await close(new Date().toISOString())
    expect([(await start()).status, (await visitor.crew.call(tourApi.view, {})).status]).toEqual([404, 401])
    await close(null)
    expect((await start()).status).toBe(200)
  })

  it('takes no other token, and its own opens nothing of another business', async () => {
    expect((await business.api.call(tourApi.view, {})).status).toBe(401)
    expect((await stranger.call(tourApi.view, {})).status).toBe(401)
    const other = await aBusiness()
    const { items } = await business.api.ok(invoicesApi.list, { query: {} })
    expect((await visitor.office.call(invoicesApi.get, { params: { id: items[0]?.id ?? '' } })).status).toBe(200)
    expect((await other.api.call(invoicesApi.get, { params: { id: items[0]?.id ?? '' } })).status).toBe(404)
  })

  it('leaves room for an office behind one address, and bounds it', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 125; n++)
      statuses.push((await stranger.raw({ method: 'POST', url: '/api/tour', remoteAddress: '203.0.113.80' })).status)
    expect(statuses.slice(0, 120)).toEqual(Array(120).fill(200))
    expect(statuses.slice(120)).toEqual(Array(5).fill(429))
  })

  it('counts looks too, and an IPv6 network as one', async () => {
    setClock(() => new Date(Date.now() + 120_000))
    const look = async (remoteAddress: string) =>
      (await visitor.office.raw({ method: 'GET', url: '/api/tour', remoteAddress })).status
    const statuses: number[] = []
    for (let n = 0; n < 1503; n++) statuses.push(await look(`2001:db8:7:7::${n.toString(16)}`))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1500)
    expect(statuses.slice(1500)).toEqual(Array(3).fill(429))
    expect(await look('2001:db8:7:8::1')).toBe(200)
    setClock(() => new Date(Date.now() + 180_001))
    expect(await look('2001:db8:7:7::1')).toBe(200)
  }, 60_000)

  it('counts the beginnings of an IPv6 network as one', async () => {
    let last = 0
    for (let n = 0; n < 121; n++)
      last = (await stranger.raw({ method: 'POST', url: '/api/tour', remoteAddress: `2001:db8:9::${n.toString(16)}` }))
        .status
    expect(last).toBe(429)
  })

  it.each(seats)('writes nothing in the %s even where a read would: PostgreSQL refuses it', async (seat) => {
    const request = { headers: { 'x-client-app': seat === 'crew' ? 'employee' : 'admin' }, ip: '203.0.113.90' }
    const actor = await tourOf(await readCredential(visitor[seat].token ?? ''), request as never)
    const write = withTenant(actor, (db) =>
      db.updateTable('businesses').set({ name: 'Changed' }).where('businessId', '=', actor.businessId).execute(),
    )
    await expect(write).rejects.toMatchObject({ code: 'forbidden' })
  })
})
