import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inviteStateOf, pinProblem, signInMethodOf } from './rules.ts'

describe('an invitation', () => {
  const at = (iso: string) => Date.parse(iso)
  const open = { acceptedAt: null, revokedAt: null, expiresAt: '2026-06-08T00:00:00Z' }
  it.each([
    ['open to the last millisecond', open, '2026-06-07T23:59:59.999Z', 'open'],
    ['expired from then on', open, '2026-06-08T00:00:00Z', 'expired'],
    ['used, also when it is old', { ...open, acceptedAt: '2026-06-02T00:00:00Z' }, '2026-07-01T00:00:00Z', 'used'],
    ['revoked', { ...open, revokedAt: '2026-06-02T00:00:00Z' }, '2026-06-03T00:00:00Z', 'revoked'],
  ])('is %s', (_, invite, now, state) => expect(inviteStateOf(invite, at(now))).toBe(state))
})

describe('a PIN', () => {
  it.each([
    '123456',
    '654321',
    '000000',
    '777777',
    '123123',
    '121212',
    '987654',
    '12345',
    '1234567',
    'abcdef',
    ' 48213',
  ])('%s is refused in words', (pin) => expect(pinProblem(pin)).toMatch(/PIN/))
  it.each(['482135', '190284', '112233', '135790'])('%s is taken', (pin) => expect(pinProblem(pin)).toBeNull())
  it('is never refused without words, and never taken unless it is six digits', () => {
    fc.assert(fc.property(fc.string(), (text) => pinProblem(text) !== null || /^\d{6}$/.test(text)))
  })
})

it('asks for a password where there is an e-mail, else for a PIN', () => {
  expect(signInMethodOf({ email: 'a@b.test' })).toBe('password')
  expect(signInMethodOf({ email: null })).toBe('pin')
})
