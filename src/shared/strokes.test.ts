import { expect, it } from 'vitest'
import { Stroke } from './strokeShape.ts'
import {
  changeOf,
  type Stroke as Line,
  mergeStrokes,
  mostPoints,
  mostStrokes,
  pointIn,
  strokePath,
  withPoint,
} from './strokes.ts'

const line = (id: string, points = [0.1, 0.2, 0.3, 0.4]): Line => ({ id, color: 'red', points })

it('a point is a share of what it is drawn on, whatever its size, and never outside of it', () => {
  const box = { left: 10, top: 20, width: 200, height: 100 }
  expect(pointIn({ x: 110, y: 45 }, box)).toEqual([0.5, 0.25])
  expect(pointIn({ x: -5, y: 999 }, box)).toEqual([0, 1])
  expect(pointIn({ x: 1, y: 1 }, { left: 0, top: 0, width: 0, height: 0 })).toEqual([1, 1])
})

it('a line grows by what is a move, up to what it holds', () => {
  expect(withPoint([], [0.5, 0.5])).toEqual([0.5, 0.5])
  expect(withPoint([0.5, 0.5], [0.501, 0.501])).toEqual([0.5, 0.5])
  expect(withPoint([0.5, 0.5], [0.51, 0.5])).toEqual([0.5, 0.5, 0.51, 0.5])
  const full = Array.from({ length: 2 * mostPoints }, () => 0)
  expect(withPoint(full, [1, 1])).toHaveLength(2 * mostPoints)
  expect(Stroke.safeParse(line('a', full)).success).toBe(true)
  expect(Stroke.safeParse(line('a', [0.1])).success).toBe(false)
  expect(Stroke.safeParse(line('a', [0.1, 1.2])).success).toBe(false)
})

it('is drawn at the size of its picture; a tap is a dot', () => {
  expect(strokePath(line('a'), 1000, 500)).toBe('M100 100L300 200')
  expect(strokePath(line('a', [0.5, 0.5]), 100, 100)).toBe('M50 50h0.1')
})

it('two phones that draw on one photo keep what both drew; what is taken away is gone, however often it is sent', () => {
  const [a, b, c] = [line('a'), line('b'), line('c')]
  const mine = changeOf([a], [a, b])
  const theirs = changeOf([a], [c])
  expect([mine, theirs]).toEqual([
    { add: [b], gone: [] },
    { add: [c], gone: ['a'] },
  ])
  const both = mergeStrokes(mergeStrokes([a], mine), theirs)
  expect(both.map(({ id }) => id)).toEqual(['b', 'c'])
  expect(mergeStrokes(both, mine)).toEqual(both)
  expect(mergeStrokes([], { add: Array.from({ length: 99 }, (_, n) => line(`${n}`)), gone: [] })).toHaveLength(
    mostStrokes,
  )
})
