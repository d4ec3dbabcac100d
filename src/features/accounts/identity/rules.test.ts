import { describe, expect, it } from 'vitest'
import { type IdentityFacts, identityMode, identityVerdict, issuerNames, returnPath } from './rules.ts'

const settings = { production: false, googleClientId: undefined, googleClientSecret: undefined, oidcIssuer: undefined }

describe('which provider is asked', () => {
  it.each([
    ['nothing set, on this computer', {}, { mode: 'local' }],
    [
      'nothing set, in production',
      { production: true },
      { mode: 'off', missing: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] },
    ],
    ['only an id', { googleClientId: 'a' }, { mode: 'off', missing: ['GOOGLE_CLIENT_SECRET'] }],
    ['only a secret', { googleClientSecret: 'a', production: true }, { mode: 'off', missing: ['GOOGLE_CLIENT_ID'] }],
    [
      'only an issuer',
      { oidcIssuer: 'https://id.test' },
      { mode: 'off', missing: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] },
    ],
    ['both', { googleClientId: 'a', googleClientSecret: 'b' }, { mode: 'real', issuer: 'https://accounts.google.com' }],
    [
      'both and an issuer',
      { googleClientId: 'a', googleClientSecret: 'b', oidcIssuer: 'https://id.test' },
      { mode: 'real', issuer: 'https://id.test' },
    ],
  ] as const)('%s', (_, changes, mode) => expect(identityMode({ ...settings, ...changes })).toEqual(mode))

  it('knows the two names of Google, and one of anybody else', () => {
    expect(issuerNames('accounts.google.com')).toEqual(issuerNames('https://accounts.google.com'))
    expect(issuerNames('https://id.test')).toEqual(['https://id.test'])
  })
})

describe('the path to come back to', () => {
  it.each([
    ['/jobs?tab=invoices', '/jobs?tab=invoices'],
    ['/employee-dashboard', '/employee-dashboard'],
    ['/dashboard', '/dashboard'],
  ])('%s is kept', (path, kept) => expect(returnPath(path)).toBe(kept))
  it.each([
    '',
    '/',
    '//evil.test/dashboard',
    '/\\evil.test',
    'https://evil.test/dashboard',
    'javascript:alert(1)',
    '/api/auth/logout',
    '/u/token',
    '/signin',
    '/pricing',
    '/nowhere',
    '/dashboard\\@evil.test',
    '/dash board',
    '/local/identity/auth',
    `/jobs?x=${'x'.repeat(600)}`,
  ])('%s is dropped', (path) => expect(returnPath(path)).toBeNull())
})

describe('who is let in', () => {
  const person = (status: 'active' | 'invited' | 'disabled', userId = 'u1') => ({ businessId: 'b1', userId, status })
  const facts = (changes: Partial<IdentityFacts>, claims: Partial<IdentityFacts['claims']> = {}): IdentityFacts => ({
    claims: { issuer: 'i', subject: 's', email: 'a@b.test', emailVerified: true, name: 'A', ...claims },
    linked: null,
    account: null,
    invite: null,
    connectTo: null,
    ...changes,
  })
  const invite = { open: true, email: 'a@b.test', userId: 'u2' }
  it.each<[string, IdentityFacts, string]>([
    ['a known identity', facts({ linked: person('active') }), 'signIn'],
    [
      'a known identity whose e-mail is another by now',
      facts({ linked: person('active') }, { email: null, emailVerified: false }),
      'signIn',
    ],
    ['a known identity of somebody deactivated', facts({ linked: person('disabled') }), 'disabled'],
    ['the e-mail of an account', facts({ account: person('active') }), 'prove'],
    [
      'the unverified e-mail of an account',
      facts({ account: person('active') }, { emailVerified: false }),
      'email_not_verified',
    ],
    ['the e-mail of somebody deactivated', facts({ account: person('disabled') }), 'disabled'],
    ['the e-mail of somebody invited, without the invitation', facts({ account: person('invited') }), 'invited'],
    ['nobody known', facts({}), 'register'],
    ['nobody known, unverified', facts({}, { emailVerified: false }), 'email_not_verified'],
    ['nobody known, without an e-mail', facts({}, { email: null }), 'email_not_verified'],
    ['an invitation to this e-mail', facts({ invite, account: person('invited', 'u2') }), 'takeInvite'],
    ['an invitation to another e-mail', facts({ invite: { ...invite, email: 'c@d.test' } }), 'invite_email'],
    ['an invitation to a phone', facts({ invite: { ...invite, email: null } }), 'invite_email'],
    ['an invitation, unverified', facts({ invite }, { emailVerified: false }), 'email_not_verified'],
    ['an invitation that is over', facts({ invite: { ...invite, open: false } }), 'invite_over'],
    ['an invitation, with the identity of somebody else', facts({ invite, linked: person('active') }), 'taken'],
    ['connecting', facts({ connectTo: { businessId: 'b1', userId: 'u1' } }), 'connect'],
    [
      'connecting what is connected here',
      facts({ connectTo: { businessId: 'b1', userId: 'u1' }, linked: person('active') }),
      'connect',
    ],
    [
      'connecting what is somebody else’s',
      facts({ connectTo: { businessId: 'b1', userId: 'u9' }, linked: person('active') }),
      'taken',
    ],
    [
      'connecting across businesses',
      facts({ connectTo: { businessId: 'b2', userId: 'u1' }, linked: person('active') }),
      'taken',
    ],
    [
      'connecting, unverified',
      facts({ connectTo: { businessId: 'b1', userId: 'u1' } }, { emailVerified: false }),
      'email_not_verified',
    ],
  ])('%s', (_, given, expected) => {
    const verdict = identityVerdict(given)
    expect(verdict.kind === 'problem' ? verdict.problem : verdict.kind).toBe(expected)
  })
})
