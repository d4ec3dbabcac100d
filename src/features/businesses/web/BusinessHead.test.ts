import { describe, expect, it } from 'vitest'
import { isLight } from './BusinessHead.tsx'

describe('text on a business color', () => {
  it.each([
    ['#14432f', false],
    ['#000000', false],
    ['#2766a8', false],
    ['#ffffff', true],
    ['#f2c200', true],
    ['#7fcba4', true],
    ['nonsense', false],
  ])('%s', (hex, light) => expect(isLight(hex)).toBe(light))
})
