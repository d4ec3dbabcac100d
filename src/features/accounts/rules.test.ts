import { describe, expect, it } from 'vitest'
import { refreshVerdict } from './rules.ts'

const now = Date.parse('2026-06-12T12:00:00Z')
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
const session = (changes = {}) => ({
  usedAt: null,
  revokedAt: null,
  expiresAt: at(3600),
  successorUsed: false,
  ...changes,
})

describe('refreshVerdict', () => {
  it.each([
    ['a first use rotates', session(), 'admin', 'rotate'],
    ['the racing second tab gets the same successor', session({ usedAt: at(-9) }), 'admin', 'repeat'],
    ['after the grace it is reuse', session({ usedAt: at(-11) }), 'admin', 'reuse'],
    ['the crew app has 60 s', session({ usedAt: at(-59) }), 'employee', 'repeat'],
    ['and not more', session({ usedAt: at(-61) }), 'employee', 'reuse'],
    ['a used successor ends the grace', session({ usedAt: at(-2), successorUsed: true }), 'admin', 'reuse'],
    ['revoked is ended', session({ revokedAt: at(-1) }), 'admin', 'ended'],
    ['expired is ended', session({ expiresAt: at(0) }), 'admin', 'ended'],
  ] as const)('%s', (_name, stored, kind, verdict) => {
    expect(refreshVerdict(stored, kind, now)).toBe(verdict)
  })
})
