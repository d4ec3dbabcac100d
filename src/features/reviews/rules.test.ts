import { describe, expect, it } from 'vitest'
import { authorOf, averageOf, changeUntil, pageState, reviewRefusals, type StarCounts } from './rules.ts'

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
])('%s stands on the page as %s', (name, author) => {
  expect(authorOf(name)).toBe(author)
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
  const state = { stars: 1, published: true, handledAt: null, repliedAt: null, hiddenAt: null }
  const refused = (change: object) =>
    Object.entries(reviewRefusals).flatMap(([action, why]) => (why({ ...state, ...change }) ? [action] : []))
  expect(refused({})).toEqual(['show'])
  expect(refused({ repliedAt: 'x', handledAt: 'x' })).toEqual(['reply', 'handle', 'show'])
  expect(refused({ hiddenAt: 'x' })).toEqual(['hide'])
  expect(refused({ published: false })).toEqual(['reply', 'hide', 'show'])
  expect(refused({ stars: 4 })).toEqual(['handle', 'show'])
})
