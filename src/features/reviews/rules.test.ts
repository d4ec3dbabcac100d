import { describe, expect, it } from 'vitest'
import {
  authorOf,
  averageOf,
  changeUntil,
  isRepliedBefore,
  pageState,
  plainWords,
  reviewRefusals,
  type StarCounts,
} from './rules.ts'

describe('the average', () => {
  it.each<[StarCounts, number | null]>([
    [[0, 0, 0, 0, 0], null],
    [[0, 0, 0, 0, 7], 5],
    // 4.96 is not 5.0
    [[0, 0, 0, 1, 24], 4.9],
    [[0, 0, 0, 1, 100_000], 4.9],
    // 3.95 is not 4.0
    [[0, 0, 0, 19, 0], 4],
    [[0, 0, 1, 19, 0], 3.9],
    [[1, 0, 0, 0, 2], 3.6],
    [[1, 0, 0, 0, 0], 1],
    [[0, 0, 0, 3, 7], 4.7],
  ])('of %j is %s', (counts, average) => {
    expect(averageOf(counts)).toBe(average)
  })

  it('is never more than what it is, and 5 only where all are 5', () => {
    for (let one = 0; one < 4; one++)
      for (let four = 0; four < 40; four++)
        for (let five = 1; five < 60; five += 7) {
          const exact = (one + four * 4 + five * 5) / (one + four + five)
          const shown = averageOf([one, 0, 0, four, five]) ?? 0
          expect(shown).toBeLessThanOrEqual(exact + 1e-9)
          expect(exact - shown).toBeLessThan(0.1)
          expect(shown === 5).toBe(one + four === 0)
        }
  })
})

it.each([
  ['Rosa Marsh', 'Rosa M.'],
  ['Rosa & Jim Marsh', 'Rosa M.'],
  ['  Éva   álvarez ', 'Éva Á.'],
  ['Cher', 'Cher'],
  ['Oak LLC 2', 'Oak'],
  ['Marsh, Rosa', 'Rosa M.'],
  ['Marsh,Rosa', 'Rosa M.'],
  ['MARSH, ROSA & JIM', 'ROSA M.'],
  ['Rosa Marsh, Jr.', 'Rosa M.'],
  ['Rosa Marsh Jr.', 'Rosa M.'],
  ['Marsh, Jim, Sr.', 'Jim M.'],
  ['de la Cruz, Ana', 'Ana C.'],
  ['Oak Lawn, LLC', 'Oak L.'],
  ['Mrs. Rosa Marsh', 'Rosa M.'],
  ['Mrs. Marsh', 'Mrs. M.'],
])('%s stands on the page as %s', (name, author) => {
  expect(authorOf(name)).toBe(author)
})

it.each([
  ['a\u0000b\u0007c', 'abc'],
  [' one\r\ntwo\rthree\t! ', 'one\ntwo\nthree\t!'],
  ['fair \u202Elufwa\u202C', 'fair lufwa'],
  ['Muy bien 👩‍🌾', 'Muy bien 👩‍🌾'],
])('%j is taken as %j', (typed, words) => {
  expect(plainWords(typed)).toBe(words)
})

it('a reply is older than the words only where they were changed after it', () => {
  const of = (repliedAt: string | null, changedAt: string | null) => isRepliedBefore({ repliedAt, changedAt })
  const [early, late] = ['2026-06-12T12:00:00Z', '2026-06-12T12:00:01Z']
  expect([of(null, late), of(early, null), of(early, late), of(late, early)]).toEqual([false, false, true, false])
})

describe('the page of an ask', () => {
  const at = Date.parse('2026-06-12T12:00:00Z')
  const day = 86_400_000
  const iso = (ms: number) => new Date(ms).toISOString()
  it.each([
    ['open', { expiresAt: iso(at + 1), recalledAt: null }, null],
    ['closed', { expiresAt: iso(at), recalledAt: null }, null],
    ['closed', { expiresAt: iso(at + day), recalledAt: iso(at - day) }, null],
    ['changeable', { expiresAt: iso(at - day), recalledAt: null }, iso(at - 13 * day)],
    ['settled', { expiresAt: iso(at + day), recalledAt: null }, iso(at - 14 * day)],
  ] as const)('is %s', (state, ask, answeredAt) => {
    expect(pageState(ask, answeredAt, at)).toBe(state)
  })
  it('says until when', () => expect(changeUntil('2026-06-12T12:00:00.000Z')).toBe('2026-06-26T12:00:00.000Z'))
})

it('few stars are no reason to hide anything, and each action is refused where it has no place', () => {
  const state = { stars: 1, published: true, handledAt: null, repliedAt: null, hiddenAt: null, hiddenChangedAt: null }
  const refused = (change: object) =>
    Object.entries(reviewRefusals).flatMap(([action, why]) => (why({ ...state, ...change }) ? [action] : []))
  const [noReply, always] = [
    ['editReply', 'withdrawReply'],
    ['show', 'keepHidden'],
  ]
  expect(refused({})).toEqual([...noReply, ...always])
  expect(refused({ repliedAt: 'x', handledAt: 'x' })).toEqual(['reply', 'handle', ...always])
  expect(refused({ hiddenAt: 'x' })).toEqual([...noReply, 'hide', 'keepHidden'])
  expect(refused({ hiddenAt: 'x', hiddenChangedAt: 'x' })).toEqual([...noReply, 'hide'])
  expect(refused({ published: false })).toEqual(['reply', ...noReply, 'hide', ...always])
  expect(refused({ stars: 4 })).toEqual([...noReply, 'handle', ...always])
})
