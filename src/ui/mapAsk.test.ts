import { expect, test } from 'vitest'
import { tileOf, town } from '../test/map-town.ts'
import { isVectorTile, squareAt } from './mapAsk.ts'

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
