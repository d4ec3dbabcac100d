import { afterEach, expect, test, vi } from 'vitest'
import { tileOf, town } from '../test/map-town.ts'
import { checkVector, isVectorTile, squareAt } from './mapAsk.ts'

const square = squareAt({ ...town, zoom: 13.6 }, 0, 14)
const text = (words: string) => new TextEncoder().encode(words)

test('the square of a view is the one that a map would ask for', () => {
  expect(square).toEqual({ z: 13, x: 2250, y: 3326 })
  expect(squareAt({ ...town, zoom: 18 }, 0, 14).z).toBe(14)
  expect(squareAt({ lat: 89, lon: 180, zoom: 2 }, 0, 14)).toEqual({ z: 2, x: 3, y: 0 })
})

test.each([
  ['a tile', tileOf('openmaptiles', square.z, square.x, square.y) as Uint8Array, true],
  ['a tile cut off', (tileOf('openmaptiles', square.z, square.x, square.y) as Uint8Array).slice(0, -3), false],
  ['nothing', new Uint8Array(), false],
  ['a page', text('<!doctype html><title>Sign in</title>'), false],
  ['an answer in words', text('{"error":"over the limit"}'), false],
  ['a length without an end', new Uint8Array([0x1a, 0xff, 0xff, 0xff]), false],
])('%s is a vector tile: %s', (_, bytes, is) => expect(isVectorTile(bytes)).toBe(is))

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['a tile', new Response(tileOf('openmaptiles', square.z, square.x, square.y) as BodyInit), true],
  ['that there is nothing to draw here', new Response(null, { status: 204 }), true],
  ['nothing at all', new Response(''), false],
  ['a refusal', new Response('', { status: 404 }), false],
])('a server that answers %s counts as an answer as it should', async (_, answer, has) => {
  vi.stubGlobal('location', { href: 'https://swath.test/' })
  vi.stubGlobal('fetch', async () => answer)
  const said = checkVector('https://tiles.test/1/2/3', AbortSignal.timeout(1_000)).then(
    () => true,
    () => false,
  )
  expect(await said).toBe(has)
})
