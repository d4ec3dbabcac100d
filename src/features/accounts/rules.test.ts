import { describe, expect, it } from 'vitest'
import { customerCountOf, deviceName, isLinkOpen, refreshVerdict, slugOf } from './rules.ts'

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

describe('customerCountOf', () => {
  it.each([
    ['0-10', 0],
    ['11-25', 11],
    ['26-50', 26],
    ['51-100', 51],
    ['100+', 100],
    ['', 0],
    ['many', 0],
  ])('%s is %i', (range, count) => expect(customerCountOf(range)).toBe(count))
})

describe('slugOf', () => {
  it.each([
    ["Whitfield & Son's Lawn Care", 'whitfield-sons-lawn-care'],
    ['Césped Verde', 'cesped-verde'],
    ['  --A--  ', 'lawn-a'],
    ['緑の芝生', 'lawn'],
    ['x'.repeat(80), 'x'.repeat(40)],
    [`${'ab '.repeat(13)}c d`, 'ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-c'],
  ])('%s becomes %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
    expect(slugOf(name)).toMatch(/^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/)
  })
})

describe('isLinkOpen', () => {
  const link = { purpose: 'resetPassword', email: 'a@b.test', expiresAt: at(1), usedAt: null }
  it.each([
    ['in time', link, true],
    ['at its end', { ...link, expiresAt: at(0) }, false],
    ['used', { ...link, usedAt: at(-1) }, false],
    ['for something else', { ...link, purpose: 'signIn' }, false],
  ] as const)('%s: %s', (_name, stored, open) => expect(isLinkOpen(stored, ['resetPassword'], now)).toBe(open))
})

describe('deviceName', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15', 'Safari on Mac'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1',
      'Chrome on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['curl/8.0', 'Unknown device'],
    ['', 'Unknown device'],
  ])('%s is %s', (agent, name) => expect(deviceName(agent)).toBe(name))
})
