import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/geo/ask-service.ts'
import { configureTravelEngine } from '../../../platform/geo/engines.ts'
import { type Place, PlacesRefused, type TravelEngine } from '../../../platform/geo/travel-engine.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { travelApi } from '../contract.ts'
import { findWays } from './ways.ts'

let business: TestBusiness
let asked: Place[][]

beforeEach(async () => {
  business = await aBusiness()
  asked = []
})
afterEach(() => {
  configureTravelEngine()
  resetClock()
})

const engine = (ask: (places: readonly Place[]) => Place[], most = 4): void => {
  const way: TravelEngine['way'] = {
    places: most,
    ask: async (places) => {
      asked.push([...places])
      return ask(places)
    },
  }
  configureTravelEngine({
    id: `roads-${newId()}`,
    limits: { sources: 1, targets: 1, pairs: 1, places: 2 },
    keepDays: 1,
    bucketOf: () => 0,
    ask: async () => {
      throw new Error('Nobody asks for drives.')
    },
    way,
  })
}
/** Streets run north or east only: each leg has a corner. */
const corners = (places: readonly Place[]): Place[] =>
  places.flatMap((place, i) => {
    const next = places[i + 1]
    return next ? [place, { lat: place.lat, lng: next.lng }] : [place]
  })
const line = [
  { lat: 32, lon: -81.1 },
  { lat: 32.01, lon: -81.09 },
  { lat: 32.02, lon: -81.1 },
]
const ways = async (...lines: { lat: number; lon: number }[][]) =>
  (await business.api.ok(travelApi.ways, { body: { ways: lines } })).ways

it('lines run on roads, and the same line is asked for once', async () => {
  engine(corners)
  const found = await ways(line)
  expect(found).toEqual([[line[0], { lat: 32, lon: -81.09 }, line[1], { lat: 32.01, lon: -81.1 }, line[2]]])
  expect(await ways(line)).toEqual(found)
  expect(asked.length).toBe(1)
})

it('a long line is asked for in parts that an engine takes, and comes as one', async () => {
  engine(corners, 3)
  const long = Array.from({ length: 8 }, (_, i) => ({ lat: 32 + i / 100, lon: i % 2 === 0 ? -81.1 : -81.09 }))
  const [found] = await ways(long)
  expect(asked.map((places) => places.length)).toEqual([3, 3, 3, 2])
  expect(found?.length).toBe(15)
  expect(found?.filter((_, i) => i % 2 === 0)).toEqual(long)
})

it.each([
  [
    'another way',
    () => [
      { lat: 40, lng: -75 },
      { lat: 41, lng: -75 },
    ],
  ],
  ['no line', () => []],
])('an engine that answers %s leaves the line straight', async (_, answer) => {
  engine(answer)
  expect(await ways(line)).toEqual([null])
})

it('what is refused of one line takes no roads from the others', async () => {
  engine((places) => {
    if (places[0]?.lat === 40) return corners(line.map(({ lat, lon }) => ({ lat, lng: lon })))
    if (places[0]?.lat === 41) throw new PlacesRefused('No path could be found')
    return corners(places)
  })
  const at = (lat: number) => line.map((point, i) => ({ ...point, lat: lat + i / 100 }))
  const found = await business.api.ok(travelApi.ways, { body: { ways: [at(40), at(41), line] } })
  expect(found.ways.map((way) => way?.length)).toEqual([undefined, undefined, 5])
  expect(found.again, 'another try brings the same').toBe(false)
})

it.each([
  ['a line that goes nowhere', [line[0]!, line[0]!]],
  ['a line across the continent', [line[0]!, { lat: 45, lon: -120 }, line[0]!]],
])('%s is not asked for', async (_, points) => {
  engine(corners)
  const found = await business.api.ok(travelApi.ways, { body: { ways: [points] } })
  expect(found).toEqual({ ways: [null], again: false })
  expect(asked).toEqual([])
})

it('an engine that is away is left alone for a minute; one that knows no road to a place is not', async () => {
  let passing = false
  engine(() => {
    throw new ServiceError('no', { passing })
  })
  const both = async () => (await business.api.ok(travelApi.ways, { body: { ways: [line, line.slice(1)] } })).again
  expect(await both()).toBe(false)
  expect(asked.length).toBe(2)
  passing = true
  expect(await both(), 'another try may bring more').toBe(true)
  expect(asked.length).toBe(3)
  const later = Date.now() + 61_000
  setClock(() => new Date(later))
  await ways(line)
  expect(asked.length).toBe(4)
})

it('a person asks once a second at most', async () => {
  engine(corners)
  const other = await business.employee()
  for (let i = 0; i < 60; i++) await ways(line)
  expect((await business.api.call(travelApi.ways, { body: { ways: [line] } })).status).toBe(429)
  expect((await other.api.call(travelApi.ways, { body: { ways: [line] } })).status).toBe(200)
})

it('answers are kept by how long they are, so that no memory fills', async () => {
  const detailed = (places: readonly Place[]) => [
    ...Array.from({ length: 300_000 }, () => places[0]!),
    ...places.slice(1),
  ]
  engine(detailed)
  const lines = [line, line.slice(1), line.toReversed()]
  for (const points of [...lines, line, line]) await findWays(business.id, [points])
  expect(asked.length, 'the first is gone by then, and kept again').toBe(4)
})

it('without an engine lines stay straight, for the crew as for the office', async () => {
  configureTravelEngine(null)
  expect(await ways(line, line)).toEqual([null, null])
  const crew = await business.employee()
  expect((await crew.api.call(travelApi.ways, { body: { ways: [line] } })).body.ways).toEqual([null])
})
