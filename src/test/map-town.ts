import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { zxyToTileId } from 'pmtiles'
import sharp from 'sharp'

/** A town that the tests draw themselves, as vector tiles of either kind, as one archive, and behind a server that can be told to fail. */

export const town = { lat: 32.0, lon: -81.1 }
export type TileKind = 'openmaptiles' | 'protomaps'

type Layers = Record<string, GeoJSON.Feature[]>
type At = [east: number, north: number]
const step = 0.0021

const place = ([east, north]: At): [number, number] => [town.lon + east * step, town.lat + north * step * 0.85]
const line = (points: At[], properties: object): GeoJSON.Feature => ({
  type: 'Feature',
  properties: { ...properties },
  geometry: { type: 'LineString', coordinates: points.map(place) },
})
const area = (points: At[], properties: object): GeoJSON.Feature => ({
  type: 'Feature',
  properties: { ...properties },
  geometry: { type: 'Polygon', coordinates: [[...points, points[0] as At].map(place)] },
})
const point = (at: At, properties: object): GeoJSON.Feature => ({
  type: 'Feature',
  properties: { ...properties },
  geometry: { type: 'Point', coordinates: place(at) },
})

const trees = 'Maple Oak Cedar Birch Magnolia Juniper Laurel Willow Hickory Cypress Pecan Holly Sycamore'.split(' ')
const reach = 9
const steps = Array.from({ length: reach * 2 + 1 }, (_, i) => i - reach)
const river: At[] = [
  [-14, 5],
  [-8, 6.2],
  [-3, 5.1],
  [2, 6.4],
  [8, 5.6],
  [14, 7],
  [14, 8.2],
  [8, 6.9],
  [2, 7.6],
  [-3, 6.3],
  [-8, 7.4],
  [-14, 6.4],
]
const highway: At[] = [
  [-14, -6],
  [-6, -5.4],
  [2, -6.6],
  [14, -5.2],
]
const square = ([east, north]: At, width: number, height: number): At[] => [
  [east, north],
  [east + width, north],
  [east + width, north + height],
  [east, north + height],
]
const avenue = 'Savannah Ave'

const streets = steps
  .filter((at) => at % 6 !== 0)
  .flatMap((at, i) => [
    {
      points: [
        [at, -5],
        [at, 5],
      ] as At[],
      name: `${trees[i % trees.length]} St`,
    },
    {
      points: [
        [-reach, at / 2],
        [reach, at / 2],
      ] as At[],
      name: `${i + 4}th Ave`,
    },
  ])
const arteries = [-6, 0, 6].map((at) => ({
  points: [
    [at, -8],
    [at, 8],
  ] as At[],
  name: at === 0 ? avenue : at < 0 ? 'Ogeechee Rd' : 'Skidaway Rd',
}))
const blocks = steps.flatMap((east) => steps.map((north): At => [east + 0.14, north / 2 + 0.06]))
const houses = blocks
  .filter((_, i) => i % 3 !== 0)
  .flatMap(([east, north]) => [square([east, north], 0.2, 0.16), square([east + 0.4, north + 0.02], 0.22, 0.16)])

const openMapTiles = (): Layers => ({
  water: [area(river, { class: 'river' })],
  park: [area(square([-3, 1.1], 2.8, 1.8), { class: 'public_park', name: 'Forsyth Park' })],
  landcover: [area(square([2.2, -3.4], 3, 2), { class: 'grass' })],
  transportation: [
    ...streets.map(({ points }) => line(points, { class: 'minor' })),
    ...arteries.map(({ points }) => line(points, { class: 'primary' })),
    line(highway, { class: 'motorway' }),
  ],
  transportation_name: [
    ...streets.map(({ points, name }) => line(points, { class: 'minor', name })),
    ...arteries.map(({ points, name }) => line(points, { class: 'primary', name })),
    line(highway, { class: 'motorway', name: 'Veterans Pkwy', ref: 'I 16' }),
  ],
  building: houses.map((house) => area(house, {})),
  housenumber: blocks.map((at, i) => point([at[0] + 0.1, at[1] + 0.08], { housenumber: String(100 + i) })),
  place: [
    point([0.5, 0.2], { class: 'city', name: 'Testville', rank: 3 }),
    point([-4, -2.5], { class: 'neighbourhood', name: 'Ardsley Park', rank: 9 }),
  ],
})

const protomaps = (): Layers => ({
  water: [area(river, { kind: 'river' })],
  landuse: [area(square([-3, 1.1], 2.8, 1.8), { kind: 'park', name: 'Forsyth Park' })],
  roads: [
    ...streets.map(({ points, name }) => line(points, { kind: 'minor_road', kind_detail: 'residential', name })),
    ...arteries.map(({ points, name }) => line(points, { kind: 'major_road', kind_detail: 'primary', name })),
    line(highway, { kind: 'highway', kind_detail: 'motorway', name: 'Veterans Pkwy', ref: 'I 16' }),
  ],
  buildings: houses.map((house) => area(house, { kind: 'building' })),
  places: [point([0.5, 0.2], { kind: 'locality', kind_detail: 'city', name: 'Testville', min_zoom: 4 })],
})

const layersOf = { openmaptiles: openMapTiles, protomaps } as const
export const maxZoom = 14

const indexOf = (kind: TileKind) =>
  Object.entries(layersOf[kind]()).map(
    ([name, features]) =>
      [name, new GeoJSONVT({ type: 'FeatureCollection', features }, { maxZoom, indexMaxZoom: 5, buffer: 64 })] as const,
  )
const made = new Map<TileKind, ReturnType<typeof indexOf>>()

/** One tile of the town, or null where there is none of it. */
export const tileOf = (kind: TileKind, z: number, x: number, y: number): Uint8Array | null => {
  const index = made.get(kind) ?? indexOf(kind)
  made.set(kind, index)
  const layers = index.flatMap(([name, one]) => {
    const tile = one.getTile(z, x, y)
    return tile && tile.features.length > 0 ? [[name, tile] as const] : []
  })
  return layers.length === 0 ? null : fromGeojsonVt(Object.fromEntries(layers), { version: 2, extent: 4096 })
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]

const spread = (zoom: number): [x: number, y: number][] => {
  const count = 2 ** zoom
  const x = Math.floor(((town.lon + 180) / 360) * count)
  const y = Math.floor(((1 - Math.asinh(Math.tan((town.lat * Math.PI) / 180)) / Math.PI) / 2) * count)
  const around = Math.min(4, count - 1)
  return Array.from({ length: (around * 2 + 1) ** 2 }, (_, i): [number, number] => [
    x - around + (i % (around * 2 + 1)),
    y - around + Math.floor(i / (around * 2 + 1)),
  ]).filter(([a, b]) => a >= 0 && b >= 0 && a < count && b < count)
}

/** The town as a PMTiles archive, version 3, without compression and with one directory. */
export const archiveOf = (kind: TileKind): Buffer => {
  const tiles = Array.from({ length: maxZoom + 1 }, (_, z) => spread(z).map(([x, y]) => ({ z, x, y })))
    .flat()
    .flatMap(({ z, x, y }) => {
      const bytes = tileOf(kind, z, x, y)
      return bytes ? [{ id: zxyToTileId(z, x, y), bytes }] : []
    })
    .sort((a, b) => a.id - b.id)
  let before = 0
  const directory = Buffer.from([
    ...varint(tiles.length),
    ...tiles.flatMap(({ id }) => {
      const delta = varint(id - before)
      before = id
      return delta
    }),
    ...tiles.flatMap(() => varint(1)),
    ...tiles.flatMap(({ bytes }) => varint(bytes.length)),
    // a zero says: right behind the one before
    ...tiles.flatMap((_, i) => varint(i === 0 ? 1 : 0)),
  ])
  const about = Buffer.from(
    JSON.stringify({ vector_layers: Object.keys(layersOf[kind]()).map((id) => ({ id })), attribution: '© Testville' }),
  )
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes))
  const head = Buffer.alloc(127)
  head.write('PMTiles', 'latin1')
  head[7] = 3
  const parts = [directory.length, about.length, 0, data.length]
  let at = head.length
  for (const [i, length] of parts.entries()) {
    head.writeBigUInt64LE(BigInt(at), 8 + i * 16)
    head.writeBigUInt64LE(BigInt(length), 16 + i * 16)
    at += length
  }
  for (const offset of [72, 80, 88]) head.writeBigUInt64LE(BigInt(tiles.length), offset)
  head.set([1, 1, 1, 1, 0, maxZoom], 96)
  for (const [i, degrees] of [town.lon - 0.1, town.lat - 0.1, town.lon + 0.1, town.lat + 0.1].entries())
    head.writeInt32LE(Math.round(degrees * 1e7), 102 + i * 4)
  return Buffer.concat([head, directory, about, data])
}

/** How a map server behaves: as it should, with errors, never, or with something that is no map. */
export type Mood = 'well' | 'fails' | 'hangs' | 'nonsense'

/** A map server of the town. What it answers can be changed while somebody looks at it, for each part of it. */
export const aMapServer = async (kind: TileKind = 'openmaptiles') => {
  const mood: Record<'about' | 'tiles' | 'pictures', Mood> = { about: 'well', tiles: 'well', pictures: 'well' }
  const asked: string[] = []
  let toFail = 0
  const hanging = new Set<ServerResponse>()
  let base = ''
  const picture = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#41573a' } })
    .jpeg()
    .toBuffer()
  const send = (response: ServerResponse, type: string, body: Uint8Array | string, status = 200) =>
    response
      .writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
      .end(body)
  const aTile = (path: string): Uint8Array | null => {
    const [z = 0, x = 0, y = 0] = (/(\d+)\/(\d+)\/(\d+)/.exec(path) ?? []).slice(1).map(Number)
    return tileOf(kind, z, x, y)
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    asked.push(path)
    const part = path.startsWith('/tiles/') ? 'tiles' : path.startsWith('/pictures/') ? 'pictures' : 'about'
    if (mood[part] === 'hangs') return hanging.add(response)
    if (mood[part] === 'fails') return send(response, 'text/plain', 'broken', 500)
    if (mood[part] === 'nonsense')
      return send(response, 'text/html', '<!doctype html><title>Sign in to the Wi-Fi</title>')
    if (part === 'pictures') return send(response, 'image/jpeg', picture)
    if (part === 'tiles') {
      if (toFail > 0) {
        toFail -= 1
        return send(response, 'text/plain', 'broken', 500)
      }
      const tile = aTile(path)
      return tile ? send(response, 'application/x-protobuf', tile) : send(response, 'text/plain', '', 404)
    }
    const about = {
      tiles: [`${base}/tiles/{z}/{x}/{y}.pbf`],
      minzoom: 0,
      maxzoom: maxZoom,
      attribution: '© Testville Survey',
      vector_layers: Object.keys(layersOf[kind]()).map((id) => ({ id })),
    }
    const style = {
      version: 8,
      sources: { town: { type: 'vector', url: `${base}/planet` } },
      layers: [
        { id: 'theirs', type: 'background', paint: { 'background-color': '#ddeeff' } },
        { id: 'their-roads', type: 'line', source: 'town', 'source-layer': 'transportation' },
      ],
    }
    return send(response, 'application/json', JSON.stringify(path === '/style.json' ? style : about))
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: base,
    asked,
    be: (change: Partial<typeof mood>) => void Object.assign(mood, change),
    /** So many single squares fail, whatever the mood. */
    failNext: (count: number) => {
      toFail = count
    },
    failuresLeft: () => toFail,
    stop: async () => {
      for (const response of hanging) response.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
