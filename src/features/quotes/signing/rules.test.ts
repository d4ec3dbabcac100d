import { describe, expect, it } from 'vitest'
import { agreeWords, hasOptions } from './rules.ts'

describe('what is agreed to with a name', () => {
  it('speaks of options only where there were some, and of no place of the name', () => {
    for (const language of ['en', 'es'] as const) {
      const words = agreeWords[language]
      expect(words('Cobb Lawn', true)).toMatch(/options chosen|opciones elegidas/)
      expect(words('Cobb Lawn', false)).not.toMatch(/option|opciones/)
      expect(words('Cobb Lawn', true)).not.toMatch(/above|below|arriba|abajo/)
    }
  })

  const line = (optional: boolean) => ({ optional })
  it.each([
    ['lines that all belong to it', { packages: [], lines: [line(false)] }, false],
    ['an optional line', { packages: [], lines: [line(false), line(true)] }, true],
    ['good, better, best', { packages: [{}, {}], lines: [line(false)] }, true],
    ['something off for paying ahead', { packages: [], lines: [line(false)], prepayPercent: 500 }, true],
    ['nothing off for paying ahead', { packages: [], lines: [line(false)], prepayPercent: null }, false],
  ])('options are %s', (_, content, is) => expect(hasOptions(content)).toBe(is))
})
