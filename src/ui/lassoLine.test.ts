import { describe, expect, it } from 'vitest'
import { isInside, isLine, longer, type Spot } from './lassoLine.ts'

const square: Spot[] = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
]
const horseshoe: Spot[] = [
  [0, 0],
  [100, 0],
  [100, 100],
  [70, 100],
  [70, 30],
  [30, 30],
  [30, 100],
  [0, 100],
]

describe('a line around places', () => {
  it.each([
    ['the middle', [50, 50], square, true],
    ['beside it', [150, 50], square, false],
    ['above it', [50, -1], square, false],
    ['the bay of a horseshoe', [50, 60], horseshoe, false],
    ['the arm of a horseshoe', [85, 60], horseshoe, true],
  ] as const)('%s', (_, spot, line, inside) => {
    expect(isInside(spot, line)).toBe(inside)
  })

  it('leaves out steps too small to see, and a press is no line', () => {
    expect(longer([[0, 0]], [1, 1])).toHaveLength(1)
    expect(longer([[0, 0]], [9, 1])).toHaveLength(2)
    expect(isLine([[0, 0]])).toBe(false)
    expect(isLine(square)).toBe(true)
  })
})
