import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useDatabase } from '../../test/database.ts'
import { ServiceError } from './ask-service.ts'
import { censusGeocoder } from './census.ts'
import { geocoderSetupOf } from './engines.ts'
import type { Geocoder } from './geocoder.ts'
import { googleGeocoder } from './google-geocoding.ts'
import { nominatimGeocoder } from './nominatim.ts'
import { takeTurn } from './turns.ts'

// Local servers that answer as the services document it, and refuse every call that the services do not know.

type Asked = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }
type Reply = { status?: number; body: string | object }

let server: Server
let base: string
let asked: Asked[]
let reply: (call: Asked) => Reply

beforeEach(async () => {
  asked = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const call = { method: request.method ?? '', url: new URL(request.url ?? '', base), headers: request.headers, body }
    asked.push(call)
    const { status = 200, body: answer } = reply(call)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const oak = { street: '12 Oak St, "rear"', city: 'Savannah', state: 'GA', zip: '31419-1234' }
const elm = { street: '9 Elm Ave', city: 'Pooler', state: 'GA', zip: '31322' }
const unknown: Reply = { status: 404, body: { error: 'no such call' } }
const find = (service: Geocoder, addresses = [oak]) => service.find(addresses, AbortSignal.timeout(5000))

const nominatim = (places: object[] | string) => {
  reply = (call) => {
    const q = call.url.searchParams
    const polite = /^Swath \(office@lawn\.test\)$/.test(String(call.headers['user-agent']))
    const known = call.url.pathname === '/search' && q.get('format') === 'jsonv2' && q.has('street')
    return known && polite ? { body: places } : unknown
  }
  return nominatimGeocoder({ url: base, contact: 'office@lawn.test', everyMs: 1000, timeoutMs: 2000 })
}
const place = (changes: object = {}) => ({
  place_id: 1,
  lat: '32.0001',
  lon: '-81.2002',
  display_name: '12, Oak Street, Savannah',
  place_rank: 30,
  addresstype: 'place',
  address: { house_number: '12', road: 'Oak Street', 'ISO3166-2-lvl4': 'US-GA' },
  ...changes,
})

describe('Nominatim', () => {
  it('is asked by the parts of the address, under our name', async () => {
    expect(await find(nominatim([place()]))).toEqual([
      { lat: 32.0001, lng: -81.2002, quality: 'rooftop', several: false, label: '12, Oak Street, Savannah' },
    ])
    const q = asked[0]!.url.searchParams
    expect([q.get('postalcode'), q.get('countrycodes'), q.get('email')]).toEqual(['31419', 'us', 'office@lawn.test'])
  })

  it.each([
    [{ place_rank: 26, addresstype: 'road', address: { road: 'Oak Street' } }, 'street'],
    [{ place_rank: 21, addresstype: 'postcode', address: {} }, 'zip'],
    [{ place_rank: 16, addresstype: 'city', address: {} }, 'county'],
  ])('%j is known as %s', async (changes, quality) => {
    expect(await find(nominatim([place(changes)]))).toMatchObject([{ quality }])
  })

  it('with two houses far apart says so', async () => {
    expect(await find(nominatim([place(), place({ lat: '32.5' })]))).toMatchObject([{ several: true }])
    expect(await find(nominatim([place(), place({ lat: '32.0002' })]))).toMatchObject([{ several: false }])
  })

  it('that knows nothing answers null', async () => expect(await find(nominatim([]))).toEqual([null]))
})

const google = (body: object | string) => {
  reply = (call) => {
    const q = call.url.searchParams
    if (call.url.pathname !== '/maps/api/geocode/json' || !q.get('address')) return unknown
    return q.get('key') === 'k-1' ? { body } : { body: { status: 'REQUEST_DENIED', results: [] } }
  }
  return googleGeocoder({ url: base, key: 'k-1', timeoutMs: 2000 })
}
const result = (location_type = 'ROOFTOP', changes: object = {}) => ({
  formatted_address: '12 Oak St, Savannah, GA 31419, USA',
  geometry: { location: { lat: 32.1, lng: -81.3 }, location_type },
  types: ['street_address'],
  ...changes,
})

describe('Google', () => {
  it.each([
    ['ROOFTOP', {}, 'rooftop'],
    ['ROOFTOP', { partial_match: true }, 'street'],
    ['RANGE_INTERPOLATED', {}, 'street'],
    ['GEOMETRIC_CENTER', { types: ['route'] }, 'street'],
    ['APPROXIMATE', { types: ['postal_code'] }, 'zip'],
    ['APPROXIMATE', { types: ['locality'] }, 'county'],
  ])('%s with %j is known as %s', async (type, changes, quality) => {
    expect(await find(google({ status: 'OK', results: [result(type, changes)] }))).toMatchObject([
      { lat: 32.1, lng: -81.3, quality, several: false },
    ])
  })

  it('with two such houses says so, and without any answers null', async () => {
    expect(await find(google({ status: 'OK', results: [result(), result()] }))).toMatchObject([{ several: true }])
    expect(await find(google({ status: 'ZERO_RESULTS', results: [] }))).toEqual([null])
  })

  it.each([
    ['OVER_QUERY_LIMIT', true],
    ['REQUEST_DENIED', false],
  ])('says %s under status 200; waiting helps: %s', async (status, passing) => {
    const error = await find(google({ status, results: [] })).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ServiceError)
    expect((error as ServiceError).passing).toBe(passing)
  })
})

const census = (lines: string[]) => {
  reply = (call) => {
    const form = String(call.headers['content-type']).startsWith('multipart/form-data')
    const known = call.method === 'POST' && call.url.pathname === '/geocoder/locations/addressbatch' && form
    return known && call.body.includes('name="benchmark"') ? { body: lines.join('\n') } : unknown
  }
  return censusGeocoder({ url: base, timeoutMs: 2000 })
}

describe('the Census', () => {
  it('takes a file and answers in any order', async () => {
    const service = census([
      '"1","9 Elm Ave, Pooler, GA, 31322","No_Match"',
      '"0","12 Oak St, Savannah, GA, 31419","Match","Non_Exact","12 OAK ST, SAVANNAH, GA, 31419","-81.2,32.05","76355984","L"',
    ])
    expect(await find(service, [oak, elm])).toEqual([
      { lat: 32.05, lng: -81.2, quality: 'street', several: false, label: '12 OAK ST, SAVANNAH, GA, 31419' },
      null,
    ])
    expect(asked[0]!.body).toContain('0,"12 Oak St, ""rear""",Savannah,GA,31419\r\n1,9 Elm Ave,Pooler,GA,31322')
  })

  it('that cannot decide answers null', async () => {
    expect(await find(census(['"0","12 Oak St","Tie"']))).toEqual([null])
  })

  it('that leaves an address out is not believed', async () => {
    await expect(find(census(['"0","x","No_Match"']), [oak, elm])).rejects.toThrow('1 of 2')
  })
})

describe('every service', () => {
  it.each(['<html>Bad gateway</html>', '', '{"status":', '[{"lat":"north"}]', '"0","x","Match","Exact","y","ocean"'])(
    'is not believed when it answers %j',
    async (text) => {
      for (const service of [nominatim(text), google(text), census([text])])
        await expect(find(service), service.id).rejects.toThrow()
    },
  )

  it.each([
    [{ service: 'nominatim' }, 'e-mail address', ['SWATH_GEOCODER_CONTACT']],
    [{ service: 'google' }, 'key is missing', ['SWATH_GEOCODER_KEY']],
  ] as const)('%j stays off and says what is missing', (settings, message, missing) => {
    const none = { url: undefined, key: undefined, contact: undefined }
    expect(geocoderSetupOf({ ...none, ...settings })).toMatchObject({
      state: 'off',
      message: expect.stringContaining(message),
      missing,
    })
  })

  it('of the public is asked once a second, one of our own more often', () => {
    const own = { service: 'nominatim', key: undefined, contact: 'a@b.test' } as const
    expect(geocoderSetupOf({ ...own, url: undefined })).toMatchObject({
      state: 'on',
      host: 'nominatim.openstreetmap.org',
      geocoder: { everyMs: 1000 },
    })
    expect(geocoderSetupOf({ ...own, url: 'http://geo:8080' })).toMatchObject({ geocoder: { everyMs: 50 } })
  })
})

describe('turns', () => {
  beforeAll(useDatabase)

  it('come one after the other, over all processes, and none is taken that would come too late', async () => {
    const name = `test-${Math.random()}`
    const waits = await Promise.all(Array.from({ length: 4 }, () => takeTurn(name, 1000, 60_000)))
    const sorted = waits.map((wait) => wait ?? -1).sort((a, b) => a - b)
    expect(sorted[0]).toBeLessThan(50)
    for (const [i, wait] of sorted.entries()) {
      expect(wait).toBeGreaterThan(i * 1000 - 500)
      expect(wait).toBeLessThanOrEqual(i * 1000 + 1)
    }
    expect(await takeTurn(name, 1000, 1000)).toBeNull()
    expect(await takeTurn(name, 1000, 60_000)).toBeLessThanOrEqual(4001)
  })
})
