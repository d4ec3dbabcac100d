import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configurePatience, patiently, ServiceError } from './ask-service.ts'
import { travelSetupOf } from './engines.ts'
import { googleEngine } from './google-routes.ts'
import { osrmEngine } from './osrm.ts'
import { notAnswered, noWay, type Place, PlacesRefused, type TravelEngine } from './travel-engine.ts'
import { valhallaEngine } from './valhalla.ts'
import { localValhallaEngine } from './valhalla-local.ts'

// Local servers that answer as the engines document it, and refuse every call that the engines do not know.

type Asked = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }
type Reply = { status?: number; type?: string; headers?: Record<string, string>; body: string | object }

let server: Server
let base: string
let asked: Asked[]
let reply: (call: Asked) => Reply | Promise<Reply>

beforeEach(async () => {
  configurePatience(1)
  asked = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const call = { method: request.method ?? '', url: new URL(request.url ?? '', base), headers: request.headers, body }
    asked.push(call)
    const { status = 200, type = 'application/json', headers = {}, body: answer } = await reply(call)
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  configurePatience()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const a: Place = { lat: 40.26, lng: -76.8 }
const b: Place = { lat: 40.27, lng: -76.79 }
const c: Place = { lat: 40.28, lng: -76.78 }
const departure = { day: '2026-06-12', minute: 600, timeZone: 'America/New_York' }
const options = () => ({ departure, signal: AbortSignal.timeout(5000) })

const unknown: Reply = { status: 404, body: { error: 'no such call' } }

const osrm = (answer: Reply | ((call: Asked) => Reply)) => {
  reply = (call) => {
    const known = /^\/table\/v1\/driving\/(-?\d+\.\d+,-?\d+\.\d+;?)+$/.test(call.url.pathname)
    const q = call.url.searchParams
    const wanted = q.get('annotations') === 'duration,distance' && q.has('sources') && q.has('destinations')
    if (call.method !== 'GET' || !known || !wanted) return unknown
    return typeof answer === 'function' ? answer(call) : answer
  }
  return osrmEngine({ url: base, profile: 'driving', timeoutMs: 2000 })
}

const valhalla = (answer: Reply) => {
  reply = (call) => {
    const body = call.body ? (JSON.parse(call.body) as Record<string, unknown>) : {}
    const known = call.method === 'POST' && call.url.pathname === '/sources_to_targets'
    return known && body.costing === 'auto' && body.verbose === false && Array.isArray(body.sources) ? answer : unknown
  }
  return valhallaEngine({ url: base, profile: 'auto', timeoutMs: 2000 })
}

const google = (answer: Reply, traffic = false) => {
  reply = (call) => {
    const known = call.method === 'POST' && call.url.pathname === '/distanceMatrix/v2:computeRouteMatrix'
    if (!known || !call.headers['x-goog-fieldmask']) return unknown
    if (call.headers['x-goog-api-key'] !== 'k-1')
      return { status: 403, body: [{ error: { code: 403, message: 'denied' } }] }
    return answer
  }
  return googleEngine({ url: base, key: 'k-1', traffic, timeoutMs: 2000 })
}

const ask = async (engine: TravelEngine, sources = [a, b], targets = [b, c]) => {
  const { seconds, meters } = await engine.ask(sources, targets, options())
  return { seconds: [...seconds], meters: [...meters] }
}

const goodTable = {
  code: 'Ok',
  durations: [
    [61.4, 122],
    [0, null],
  ],
  distances: [
    [1000.6, 2400],
    [0, null],
  ],
  sources: [],
  destinations: [],
}

const pair = (originIndex: number, destinationIndex: number, more: object = {}) => ({
  originIndex,
  destinationIndex,
  status: {},
  condition: 'ROUTE_EXISTS',
  distanceMeters: 1000 + originIndex * 10 + destinationIndex,
  duration: `${60 + originIndex * 10 + destinationIndex}s`,
  ...more,
})

describe('OSRM', () => {
  it('is asked for a table in its order of coordinates, and tells where there is no way', async () => {
    const engine = osrm({ body: goodTable })
    expect(await ask(engine)).toEqual({ seconds: [61, 122, 0, noWay], meters: [1001, 2400, 0, noWay] })
    expect(asked[0]?.url.pathname).toBe(
      '/table/v1/driving/-76.800000,40.260000;-76.790000,40.270000;-76.790000,40.270000;-76.780000,40.280000',
    )
    expect(asked[0]?.url.searchParams.get('sources')).toBe('0;1')
    expect(asked[0]?.url.searchParams.get('destinations')).toBe('2;3')
  })

  it('that cannot place a coordinate refuses these places, not all', async () => {
    const engine = osrm({ status: 400, body: { code: 'NoSegment', message: 'Could not find a matching segment' } })
    await expect(ask(engine)).rejects.toThrow(PlacesRefused)
  })
})

describe('the way on roads', () => {
  const signal = () => AbortSignal.timeout(5_000)

  it('of OSRM is its line through the places', async () => {
    const coordinates = [
      [-76.8, 40.26],
      [-76.795, 40.262],
      [-76.79, 40.27],
    ]
    reply = ({ method, url }) =>
      method === 'GET' &&
      url.searchParams.get('geometries') === 'geojson' &&
      url.searchParams.get('overview') === 'full'
        ? { body: { code: 'Ok', routes: [{ geometry: { type: 'LineString', coordinates } }] } }
        : unknown
    const engine = osrmEngine({ url: base, profile: 'driving', timeoutMs: 2000 })
    expect(await engine.way?.ask([a, b], signal())).toEqual(coordinates.map(([lng, lat]) => ({ lat, lng })))
    expect(asked[0]?.url.pathname).toBe('/route/v1/driving/-76.800000,40.260000;-76.790000,40.270000')
  })

  it('of Valhalla is read from the shapes of its legs', async () => {
    // the line of Valhalla's own manual, in millionths of a degree
    const shape = '_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI'
    reply = ({ method, url, body }) =>
      method === 'POST' && url.pathname === '/route' && JSON.parse(body).costing === 'auto'
        ? { body: { trip: { status: 0, legs: [{ shape }] } } }
        : unknown
    const engine = valhallaEngine({ url: base, profile: 'auto', timeoutMs: 2000 })
    expect(await engine.way?.ask([a, b], signal())).toEqual([
      { lat: 38.5, lng: -120.2 },
      { lat: 40.7, lng: -120.95 },
      { lat: 43.252, lng: -126.453 },
    ])
  })

  it.each([
    ['a page', { type: 'text/html', body: '<html>busy</html>' }],
    ['no route', { body: { code: 'Ok', routes: [] } }],
    ['a shape that is none', { body: { trip: { status: 0, legs: [{ shape: '\u0001\u0002' }] } } }],
  ])('is none when the answer is %s', async (_, answer) => {
    reply = () => answer
    for (const engine of [
      osrmEngine({ url: base, profile: 'driving', timeoutMs: 2000 }),
      valhallaEngine({ url: base, profile: 'auto', timeoutMs: 2000 }),
    ])
      await expect(engine.way?.ask([a, b], signal())).rejects.toThrow()
  })

  it('is not asked of Google, whose lines may only lie on its own maps', () =>
    expect(googleEngine({ url: base, key: 'k-1', traffic: false }).way).toBeUndefined())
})

describe('Valhalla', () => {
  it('answers in the short form', async () => {
    const engine = valhalla({
      body: {
        sources_to_targets: {
          durations: [
            [146, 616],
            [311, null],
          ],
          distances: [
            [1.356, 8.399],
            [3.691, null],
          ],
        },
        units: 'kilometers',
        algorithm: 'costmatrix',
      },
    })
    expect(await ask(engine)).toEqual({ seconds: [146, 616, 311, noWay], meters: [1356, 8399, 3691, noWay] })
    expect(JSON.parse(asked[0]!.body).sources[0]).toEqual({ lat: 40.26, lon: -76.8 })
  })

  it('answers in the long form, and in miles', async () => {
    const engine = valhalla({
      body: {
        sources_to_targets: [
          [
            { from_index: 0, to_index: 0, time: 146, distance: 1 },
            { from_index: 0, to_index: 1, time: null, distance: null },
          ],
        ],
        units: 'miles',
      },
    })
    expect(await ask(engine, [a])).toEqual({ seconds: [146, noWay], meters: [1609, noWay] })
  })

  it.each([154, 171])('refuses places with its error %i', async (error_code) => {
    const engine = valhalla({ status: 400, body: { error_code, error: 'about these places', status_code: 400 } })
    await expect(ask(engine)).rejects.toThrow(PlacesRefused)
  })
})

describe('Google Routes', () => {
  it('streams pairs in any order; what is 0 is left out, what failed is asked again another time', async () => {
    const engine = google({
      body: [
        pair(1, 1, { condition: 'ROUTE_NOT_FOUND', distanceMeters: undefined, duration: undefined }),
        pair(0, 1),
        { status: {}, condition: 'ROUTE_EXISTS', duration: '0s' },
        { originIndex: 1, status: { code: 13, message: 'internal' } },
      ],
    })
    expect(await ask(engine)).toEqual({ seconds: [0, 61, notAnswered, noWay], meters: [0, 1001, 0, 0] })
    expect(asked[0]?.headers['x-goog-fieldmask']).toContain('duration')
    expect(JSON.parse(asked[0]!.body)).toMatchObject({ travelMode: 'DRIVE', routingPreference: 'TRAFFIC_UNAWARE' })
  })

  it('may stream an element a line', async () => {
    const lines = [pair(0, 0), pair(0, 1)].map((one) => JSON.stringify(one)).join('\n')
    expect((await ask(google({ body: lines }), [a])).seconds).toEqual([60, 61])
  })

  it('is asked for traffic of a day to come, in the zone of the business, and kept apart by kind of day and hour', async () => {
    const engine = google({ body: [pair(0, 0)] }, true)
    await engine.ask([a], [b], { departure: { ...departure, day: '2020-06-12' }, signal: AbortSignal.timeout(5000) })
    const body = JSON.parse(asked[0]!.body) as { departureTime: string; routingPreference: string }
    expect(body.routingPreference).toBe('TRAFFIC_AWARE')
    expect(Date.parse(body.departureTime)).toBeGreaterThan(Date.now())
    expect(new Date(body.departureTime).getUTCDay()).toBe(5)
    const bucket = (day: string, minute: number) => engine.bucketOf({ day, minute, timeZone: 'America/New_York' })
    expect(bucket('2026-06-12', 600)).toBe(bucket('2026-06-09', 660))
    expect(new Set([bucket('2026-06-12', 600), bucket('2026-06-13', 600), bucket('2026-06-12', 480)]).size).toBe(3)
  })

  it.each([
    ['a pair is missing', [pair(0, 0), pair(0, 1), pair(1, 0)]],
    ['a pair comes twice', [pair(0, 0), pair(0, 0), pair(0, 1), pair(1, 0)]],
    ['nobody asked for it', [pair(0, 0), pair(0, 1), pair(1, 0), pair(2, 0)]],
    ['the stream ends in an error', [pair(0, 0), { error: { code: 13, message: 'internal' } }]],
  ])('is not believed when %s', async (_, body) => {
    await expect(ask(google({ body }))).rejects.toThrow()
  })
})

describe('every engine', () => {
  const engines: [string, (answer: Reply) => TravelEngine][] = [
    ['OSRM', osrm],
    ['Valhalla', valhalla],
    ['Google', google],
  ]
  const answers: [string, Reply][] = [
    ['HTML of a gateway', { type: 'text/html', body: '<html>Bad gateway</html>' }],
    ['an empty body', { body: '' }],
    ['cut JSON', { body: '{"code":"Ok","durations":[[1,' }],
    ['another shape', { body: { hello: 'world' } }],
    ['text for numbers', { body: { ...goodTable, durations: [['1', '2']] } }],
    ['a row less', { body: { ...goodTable, durations: [[1, 2]], distances: [[1, 2]] } }],
    [
      'negative seconds',
      {
        body: {
          ...goodTable,
          durations: [
            [-1, 2],
            [3, 4],
          ],
        },
      },
    ],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
  ]
  for (const [name, engineOf] of engines)
    it.each(answers)(`does not believe %s: ${name}`, async (_, answer) => {
      await expect(ask(engineOf(answer))).rejects.toThrow()
    })

  it.each(engines)('gives up on silence: %s', async (_, engineOf) => {
    const engine = engineOf({ body: '' })
    reply = () => new Promise(() => {})
    const signal = AbortSignal.timeout(150)
    await expect(engine.ask([a], [b], { departure, signal })).rejects.toThrow('did not answer')
  })
})

describe('patience', () => {
  it.each([429, 500, 503])('tries again after %i, and waits as it was told', async (status) => {
    let times = 0
    const engine = osrm(() =>
      ++times < 3 ? { status, headers: { 'retry-after': '0' }, body: 'later' } : { body: goodTable },
    )
    expect((await patiently(3, undefined, () => ask(engine))).seconds).toHaveLength(4)
    expect(times).toBe(3)
  })

  it.each([400, 401, 403, 404])('does not try again after %i', async (status) => {
    const engine = osrm({ status, body: { code: 'InvalidUrl' } })
    await expect(patiently(3, undefined, () => ask(engine))).rejects.toThrow(ServiceError)
    expect(asked).toHaveLength(1)
  })
})

describe('what the environment says', () => {
  const none = {
    engine: undefined,
    url: undefined,
    key: undefined,
    profile: undefined,
    traffic: false,
    tiles: undefined,
    valhallaPackage: 'not-installed-beside-us',
  } as const

  it.each([
    [{ engine: 'osrm' }, 'its address is missing', ['SWATH_TRAVEL_URL']],
    [{ engine: 'valhalla' }, 'its address is missing', ['SWATH_TRAVEL_URL']],
    [{ engine: 'google' }, 'its key is missing', ['SWATH_TRAVEL_KEY']],
    [{ engine: 'valhalla-local' }, 'is not named', ['SWATH_VALHALLA_TILES']],
    [{ engine: 'valhalla-local', tiles: '/nowhere' }, 'no road tiles in /nowhere', ['SWATH_VALHALLA_TILES']],
  ] as const)('%j stays off and says what is missing', (settings, message, missing) => {
    expect(travelSetupOf({ ...none, ...settings })).toMatchObject({
      state: 'off',
      message: expect.stringContaining(message),
      missing,
    })
  })

  it('names a package that is not there', () => {
    const dir = mkdtempSync(join(tmpdir(), 'swath-tiles-'))
    mkdirSync(join(dir, '2'))
    expect(travelSetupOf({ ...none, engine: 'valhalla-local', tiles: dir })).toMatchObject({
      state: 'off',
      message: expect.stringContaining('not-installed-beside-us is not installed'),
    })
    rmSync(dir, { recursive: true })
  })

  it.each([
    [{ engine: 'osrm', url: 'http://osrm:5000' }, 'osrm:driving', 'osrm:5000'],
    [{ engine: 'valhalla', url: 'http://v:8002', profile: 'truck' }, 'valhalla:truck', 'v:8002'],
    [{ engine: 'google', key: 'k' }, 'google', 'routes.googleapis.com'],
    [{ engine: 'google', key: 'k', traffic: true }, 'google:traffic', 'routes.googleapis.com'],
  ] as const)('%j is on', (settings, id, host) => {
    expect(travelSetupOf({ ...none, ...settings })).toMatchObject({ state: 'on', engine: { id }, host })
  })
})

const valhallaFolder = process.env.SWATH_TEST_VALHALLA
const osmFolder = process.env.SWATH_TEST_OSM

describe('Valhalla in this process', () => {
  const dir = mkdtempSync(join(tmpdir(), 'swath-valhalla-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('says of places that it refuses them, for a way as for drives', async () => {
    const path = join(dir, 'package')
    mkdirSync(path)
    writeFileSync(
      join(path, 'index.js'),
      `const refuse = async () => { throw new Error('{"error_code":442,"error":"No path could be found for input"}') }
       exports.getConfig = async () => ({})
       exports.Actor = class { matrix = refuse; route = refuse }`,
    )
    const engine = localValhallaEngine({ tiles: dir, package: path, profile: 'auto' })
    await expect(engine.way?.ask([a, b], options().signal)).rejects.toThrow(PlacesRefused)
    await expect(engine.ask([a], [b], options())).rejects.toThrow(PlacesRefused)
  })

  it('answers on real roads', async () => {
    const roads = osmFolder && join(osmFolder, 'harrisburg.osm.pbf')
    if (!valhallaFolder || !roads || !existsSync(roads)) {
      console.log(
        'not run: SWATH_TEST_VALHALLA (folder of the package) and SWATH_TEST_OSM (folder of harrisburg.osm.pbf)',
      )
      return
    }
    const { execFileSync } = await import('node:child_process')
    const { writeFileSync } = await import('node:fs')
    const cli = join(valhallaFolder, 'bin/valhalla-cli.js')
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [cli, ...args], { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] })
    const tiles = join(dir, 'tiles')
    writeFileSync(join(dir, 'config.json'), run('build_config', '--mjolnir-tile-dir', tiles))
    run('build_tiles', '-c', join(dir, 'config.json'), roads)
    const setup = travelSetupOf({
      engine: 'valhalla-local',
      url: undefined,
      key: undefined,
      profile: undefined,
      traffic: false,
      tiles,
      valhallaPackage: valhallaFolder,
    })
    if (setup.state !== 'on') throw new Error(JSON.stringify(setup))
    const places = Array.from({ length: 50 }, (_, i) => ({
      lat: 40.23 + Math.abs(Math.sin(i * 12.9)) * 0.06,
      lng: -76.83 + Math.abs(Math.sin(i * 78.2)) * 0.07,
    }))
    const started = performance.now()
    const block = await setup.engine.ask(places, places, options())
    console.log(`Valhalla answered 2,500 pairs in ${Math.round(performance.now() - started)} ms`)
    const cell = (i: number, j: number) => block.seconds[i * 50 + j]!
    let [asymmetric, reached] = [0, 0]
    for (let i = 0; i < 50; i++) {
      expect(cell(i, i)).toBe(0)
      for (let j = 0; j < i; j++) {
        if (cell(i, j) !== cell(j, i)) asymmetric++
        if (cell(i, j) > 0) reached++
      }
    }
    expect(reached).toBeGreaterThan(1100)
    expect(asymmetric).toBeGreaterThan(500)
    await expect(setup.engine.ask([...places, a], places, options())).rejects.toThrow(PlacesRefused)
    await expect(setup.engine.ask([{ lat: 45, lng: -70 }], places, options())).rejects.toThrow(PlacesRefused)
    expect(localValhallaEngine).toBeDefined()
  })
})
