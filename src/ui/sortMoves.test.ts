import { expect, test } from 'vitest'
import { boundsOf } from './mapPins.ts'
import { moveBetween, placeOf } from './sortMoves.ts'

const order = { north: ['a', 'b', 'c'], south: ['d'], empty: [] }

test.each([
  ['a', 'north', 2, { north: ['b', 'c', 'a'], south: ['d'], empty: [] }],
  ['c', 'north', 0, { north: ['c', 'a', 'b'], south: ['d'], empty: [] }],
  ['b', 'south', 0, { north: ['a', 'c'], south: ['b', 'd'], empty: [] }],
  ['b', 'empty', 9, { north: ['a', 'c'], south: ['d'], empty: ['b'] }],
  ['b', 'nowhere', 0, order],
])('%s to %s at %i', (id, list, index, expected) => {
  expect(moveBetween(order, id, list, index)).toEqual(expected)
})

test('places', () => {
  expect(placeOf(order, 'c')).toEqual({ listId: 'north', index: 2 })
  expect(placeOf(order, 'x')).toBeNull()
})

test('bounds leave out what is nowhere', () => {
  expect(
    boundsOf([
      { lat: 32, lon: -81 },
      { lat: 33, lon: -80 },
      { lat: Number.NaN, lon: 0 },
    ]),
  ).toEqual([-81, 32, -80, 33])
  expect(boundsOf([])).toBeNull()
})
