import { afterEach, expect, it, vi } from 'vitest'
import { unsentNotes } from './unsent.ts'

afterEach(() => vi.unstubAllGlobals())

const keep = (text: string | null) =>
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'swath.draft.crew-quote.luis' ? text : null) })

it.each([
  ['nothing', null, 0],
  ['an empty draft', JSON.stringify({ propertyId: 'oak', picked: {}, note: ' ', photos: [] }), 0],
  ['words', JSON.stringify({ propertyId: null, picked: {}, note: 'Two beds', photos: [] }), 1],
  ['a service and its photos, as one thing', JSON.stringify({ picked: { mulch: {} }, photos: ['a', 'b'] }), 1],
  ['photos alone', JSON.stringify({ propertyId: 'oak', photos: ['a'] }), 1],
  ['what nobody can read', '{', 0],
])('counts a quote that was not sent: %s', (_, text, count) => {
  keep(text)
  expect(unsentNotes('luis')).toBe(count)
  expect(unsentNotes('ana')).toBe(0)
})
