import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareMove, shareTip } from './rules.ts'

const on = (visitId: string, ...people: string[]) => people.map((userId) => ({ visitId, userId }))

describe('whose a tip is', () => {
  it.each([
    ['nobody worked', 1000, [], {}],
    ['one person', 1000, on('v', 'a'), { a: 1000 }],
    ['two people', 1001, on('v', 'a', 'b'), { a: 501, b: 500 }],
    ['two visits, one of them by two', 1000, [...on('v', 'a'), ...on('w', 'a', 'b')], { a: 750, b: 250 }],
    ['a cent between three', 1, on('v', 'a', 'b', 'c'), { a: 1, b: 0, c: 0 }],
  ] as const)('%s', (_, cents, worked, shares) => {
    expect(Object.fromEntries(shareTip(cents, [...worked]).map(({ userId, cents: c }) => [userId, c]))).toEqual(shares)
  })

  it('given back in two halves leaves nobody a cent more or less', () => {
    const shares = shareTip(1000, on('v', 'a', 'b', 'c'))
    const [one, two] = [shareMove(-500, shares, 1000), shareMove(-500, shares, 500)]
    expect(shares.map(({ cents }, at) => cents + (one[at]?.cents ?? 0) + (two[at]?.cents ?? 0))).toEqual([0, 0, 0])
  })

  it('adds up to the cent, also what goes back of it', () => {
    const worked = fc.array(
      fc.record({ visitId: fc.constantFrom('v', 'w', 'x'), userId: fc.constantFrom('a', 'b', 'c') }),
      {
        minLength: 1,
      },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50_000 }), fc.nat(50_000), worked, (tip, back, people) => {
        const shares = shareTip(tip, people)
        const sum = (of: readonly { cents: number }[]) => of.reduce((all, { cents }) => all + cents, 0)
        expect(sum(shares)).toBe(tip)
        const part = Math.min(back, tip)
        expect(sum(shareMove(-part, shares, tip))).toBe(-part || 0)
        // all of it back leaves nobody with anything
        const rest = shareMove(part - tip, shares, tip - part)
        const left = shareMove(-part, shares, tip).map(({ cents }, at) => cents + (rest[at]?.cents ?? 0))
        expect(left.map((cents, at) => cents + (shares[at]?.cents ?? 0))).toEqual(shares.map(() => 0))
      }),
    )
  })
})
