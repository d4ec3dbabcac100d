import { describe, expect, it } from 'vitest'
import { limitRefusal, roomFor } from './rules.ts'

describe('the limit of the plan', () => {
  it.each([
    ['basic', 24, 1, null],
    ['basic', 25, 1, 'pro'],
    [null, 25, 1, 'pro'],
    ['pro', 100, 1, 'enterprise'],
    ['enterprise', 40_000, 1, null],
  ])('%s with %i and %i more: %s', (tier, active, adding, plan) =>
    expect(limitRefusal(tier, active, adding)?.plan ?? null).toBe(plan),
  )

  it.each([
    [212, 0, 25, 25],
    [212, 30, 25, 0],
    [5, 10, 25, 5],
    [5000, 900, null, 5000],
  ])('of %i more beside %i of %s there is room for %i', (adding, active, limit, room) =>
    expect(roomFor(adding, active, limit)).toBe(room),
  )
})
