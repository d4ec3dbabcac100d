import { describe, expect, it } from 'vitest'
import { family } from './families.ts'
import { solve } from './solve.ts'

/**
 * Best cost ever seen of six small instances of the families, from runs of 60,000 steps with ten seeds. Lower one that
 * is beaten, and never raise the gap below to make a change pass: it may only fall.
 */
const BEST = new Map([
  [5, 14826],
  [16, 15943],
  [20, 22813],
  [21, 6889],
  [25, 7615],
  [36, 15122],
])
const STEPS = 3000
const SEEDS = 3
/** Mean gap in percent. The same on every machine, however busy: steps are counted, not seconds. */
const GAP = 1.651

describe('the search', () => {
  it('comes as near to the best known plans in the same number of steps as it ever did', () => {
    const gaps: number[] = []
    for (const [number, best] of BEST)
      for (let seed = 1; seed <= SEEDS; seed++) {
        const solution = solve(family(number).problem, { seed, iterations: STEPS })
        expect(solution.unserved).toEqual([])
        gaps.push(100 * (solution.cost.totalCents / best - 1))
      }
    const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length
    expect(mean, gaps.map((gap) => gap.toFixed(2)).join(' ')).toBeLessThanOrEqual(GAP)
    // Steps are counted: however long they take.
  }, 180_000)
})
