import { expect, it } from 'vitest'
import { baseOf } from './mapMemory.ts'

it.each([
  [{ shown: 'satellite', missing: null }, 'satellite'],
  [{ shown: 'streets', missing: 'satellite' }, 'streets'],
  [{ shown: 'plain', missing: 'satellite' }, 'streets'],
  [{ shown: 'plain', missing: 'streets' }, null],
  [{ shown: 'streets', missing: null }, null],
] as const)('%j lets the next map begin with %s', (state, base) => expect(baseOf(state)).toBe(base))
