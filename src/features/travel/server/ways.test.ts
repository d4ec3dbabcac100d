import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/geo/ask-service.ts'
import { configureTravelEngine } from '../../../platform/geo/engines.ts'
import type { Place, TravelEngine } from '../../../platform/geo/travel-engine.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { travelApi } from '../contract.ts'

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

it('an engine that is away is left alone for a minute; one that knows no road to a place is not', async () => {
  let passing = false
  engine(() => {
    throw new ServiceError('no', { passing })
  })
  expect(await ways(line, line.slice(1))).toEqual([null, null])
  expect(asked.length).toBe(2)
  passing = true
  expect(await ways(line, line.slice(1))).toEqual([null, null])
  expect(asked.length).toBe(3)
  const later = Date.now() + 61_000
  setClock(() => new Date(later))
  await ways(line)
  expect(asked.length).toBe(4)
})

it('without an engine lines stay straight, for the crew as for the office', async () => {
  configureTravelEngine(null)
  expect(await ways(line, line)).toEqual([null, null])
  const crew = await business.employee()
  expect((await crew.api.call(travelApi.ways, { body: { ways: [line] } })).body.ways).toEqual([null])
})
