import { expect, it } from 'vitest'
import { imageKindOf, isPdf } from './rules.ts'

const bytes = (...parts: (string | number)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((p) => (typeof p === 'number' ? [p] : [...p].map((c) => c.charCodeAt(0)))))

it.each([
  ['a photo', bytes(0xff, 0xd8, 0xff, 0xe0), 'jpeg'],
  ['a screenshot', bytes(0x89, 'PNG\r\n', 0x1a, '\n'), 'png'],
  ['webp', bytes('RIFF', 1, 2, 3, 4, 'WEBPVP8 '), 'webp'],
  ['an iPhone original', bytes(0, 0, 0, 0x18, 'ftypheic'), null],
  ['a drawing with a script', bytes('<svg onload="x">'), null],
  ['nothing', bytes(), null],
])('knows %s by its first bytes', (_, input, expected) => expect(imageKindOf(input)).toBe(expected))

it('a PDF is one by its first bytes', () =>
  expect([isPdf(bytes('%PDF-1.7')), isPdf(bytes('MZ')), isPdf(bytes())]).toEqual([true, false, false]))
