import { expect, it } from 'vitest'
import { graceMs, waitingOf } from './waiting.ts'

const now = 1_000_000
const tap = (queuedAt: number, notBefore = queuedAt, state = 'waiting') => ({ state, queuedAt, notBefore })
const photo = (queuedAt: number) => ({ state: 'waiting', queuedAt })

it.each([
  ['nothing', [], true, 0, null],
  ['a tap of this moment', [tap(now)], true, 0, now + graceMs],
  ['one that can still be undone', [tap(now - 4_000, now + 2_000)], true, 0, now + 2_000 + graceMs],
  ['one that should have left', [tap(now - graceMs)], true, 1, null],
  ['both, and a photo', [tap(now - 9_000), tap(now), photo(now - 5_000)], true, 2, now + graceMs],
  ['without a signal all of it at once', [tap(now, now + 6_000), photo(now)], false, 2, null],
  ['what needs attention is counted elsewhere', [tap(now - 9_000, 0, 'attention')], false, 0, null],
])('%s', (_name, items, canSend, count, changesAt) => {
  expect(waitingOf(items, canSend, now)).toEqual({ count, changesAt })
})
