import { expect, it } from 'vitest'
import { mayKeep } from './rules.ts'

const now = Date.parse('2026-06-12T18:00:00Z')
const spells = [
  { kind: 'work', startedAt: '2026-06-12T11:00:00Z', endedAt: '2026-06-12T15:00:00Z' },
  { kind: 'break', startedAt: '2026-06-12T15:00:00Z', endedAt: '2026-06-12T15:30:00Z' },
  { kind: 'rain', startedAt: '2026-06-12T15:30:00Z', endedAt: '2026-06-12T16:00:00Z' },
  { kind: 'work', startedAt: '2026-06-12T17:00:00Z', endedAt: null },
]

it.each<[string, string | null, boolean, string]>([
  ['2026-06-12T12:00:00Z', '2026-06-01T00:00:00Z', true, 'at work'],
  ['2026-06-12T15:45:00Z', '2026-06-01T00:00:00Z', true, 'waiting out the rain'],
  ['2026-06-12T17:59:00Z', '2026-06-01T00:00:00Z', true, 'on the clock that runs'],
  ['2026-06-12T18:01:30Z', '2026-06-01T00:00:00Z', true, 'by a clock that is a little ahead'],
  ['2026-06-12T18:03:00Z', '2026-06-01T00:00:00Z', false, 'at a time that has not come'],
  ['2026-06-12T10:59:00Z', '2026-06-01T00:00:00Z', false, 'before the clock began'],
  ['2026-06-12T15:15:00Z', '2026-06-01T00:00:00Z', false, 'on a break'],
  ['2026-06-12T16:30:00Z', '2026-06-01T00:00:00Z', false, 'off the clock'],
  ['2026-06-12T12:00:00Z', '2026-06-12T12:00:01Z', false, 'before they said yes'],
  ['2026-06-12T12:00:00Z', null, false, 'who never said yes'],
])('%s, sharing since %s: %s (%s)', (at, since, kept) => expect(mayKeep(at, since, spells, now)).toBe(kept))

it('what is older than two weeks is not taken any more', () => {
  const long = [{ kind: 'work', startedAt: '2026-05-01T00:00:00Z', endedAt: null }]
  expect(mayKeep('2026-05-29T18:00:00Z', '2026-05-01T00:00:00Z', long, now)).toBe(true)
  expect(mayKeep('2026-05-29T17:59:59Z', '2026-05-01T00:00:00Z', long, now)).toBe(false)
})
