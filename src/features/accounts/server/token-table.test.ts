import { SignJWT } from 'jose'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { asBusinessId } from '../../../platform/db/tenant.ts'
import { signAccessToken, signOwnerToken } from '../../../platform/http/session.ts'
import { signingKey } from '../../../platform/keys.ts'
import { linkToken } from '../../../platform/links.ts'
import { accountState, fromAddress } from '../../../test/account.ts'
import { apiWith, stranger } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { accountsApi } from '../contract.ts'
import type { LinkPurpose } from '../rules.ts'
import { hashPassword, openSession, refreshSession } from './commands.ts'
import { makeLink } from './email-links.ts'

/** Every kind of token, every way it can be wrong: the documented answer, and nothing of the person or their sessions changed. */

let business: TestBusiness
let other: TestBusiness
let passwordHash: string
const device = { userAgent: 'test', ip: '10.9.9.9' }

beforeAll(async () => {
  other = await aBusiness()
  passwordHash = await hashPassword('correct horse 1')
})
beforeEach(async () => {
  business = await aBusiness()
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
})
afterEach(resetClock)

const later = (seconds: number): void => {
  const at = clock.nowMs() + seconds * 1000
  setClock(() => new Date(at))
}
const unchanged = async (work: () => Promise<void>): Promise<void> => {
  const before = await accountState(business, business.owner.userId)
  await work()
  expect(await accountState(business, business.owner.userId)).toEqual(before)
}

const claims = () => ({
  businessId: asBusinessId(business.id),
  userId: business.owner.userId,
  sessionId: business.owner.sessionId,
  tokenVersion: 1,
})
const signWith = (secret: Uint8Array, kid: string, alg = 'HS256') =>
  new SignJWT({ bid: business.id, sid: business.owner.sessionId, ver: 1 })
    .setProtectedHeader({ alg, kid })
    .setSubject(business.owner.userId)
    .setAudience('swath')
    .setIssuedAt()
    .setExpirationTime('15m')
    .sign(secret)

const unsigned = (): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ bid: business.id, sub: business.owner.userId, sid: business.owner.sessionId, ver: 1, aud: 'swath', exp: 9e9 })}.`
}

describe('access tokens', () => {
  it.each<[string, () => Promise<string> | string, string]>([
    ['no token at all', () => '', 'unauthenticated'],
    ['junk', () => 'junk', 'unauthenticated'],
    ['one without a signature', unsigned, 'unauthenticated'],
    [
      'one signed with a key that is not ours',
      () => signWith(new Uint8Array(32).fill(7), signingKey('access-token').id),
      'unauthenticated',
    ],
    [
      'one that names a key we do not have',
      () => signWith(signingKey('access-token').secret, 'k999'),
      'unauthenticated',
    ],
    [
      'one signed with our key for something else',
      () => signWith(signingKey('link').secret, signingKey('link').id),
      'unauthenticated',
    ],
    ['one of the product owner', () => signOwnerToken({ name: 'owner', passwordHash: 'x' }), 'unauthenticated'],
    [
      'one with a changed person',
      async () => {
        const [head, , signature] = (await signAccessToken(claims())).split('.')
        const body = Buffer.from(
          JSON.stringify({
            bid: other.id,
            sub: other.owner.userId,
            sid: other.owner.sessionId,
            ver: 1,
            aud: 'swath',
            exp: 9e9,
          }),
        )
        return `${head}.${body.toString('base64url')}.${signature}`
      },
      'unauthenticated',
    ],
    [
      'one that crosses two businesses',
      () => signAccessToken({ ...claims(), businessId: asBusinessId(other.id) }),
      'session_ended',
    ],
    [
      'one with the session of somebody else',
      () => signAccessToken({ ...claims(), sessionId: other.owner.sessionId }),
      'session_ended',
    ],
    ['one of an older version', () => signAccessToken({ ...claims(), tokenVersion: 0 }), 'session_ended'],
    [
      'a refresh token',
      async () => (await openSession(asBusinessId(other.id), other.owner.userId, device)).refreshToken,
      'unauthenticated',
    ],
  ])('%s is 401', async (_name, make, code) => {
    const token = await make()
    await unchanged(async () => {
      const answer = token
        ? await apiWith(token).call(accountsApi.verify, {})
        : await stranger.call(accountsApi.verify, {})
      expect([answer.status, answer.error.code]).toEqual([401, code])
    })
  })

  it('an expired one is 401 token_expired', async () => {
    const token = await signAccessToken(claims())
    later(15 * 60 + 1)
    expect((await apiWith(token).call(accountsApi.verify, {})).error.code).toBe('token_expired')
  })
})

describe('refresh tokens', () => {
  const ask = (cookie: string, app = 'admin') =>
    stranger.call(
      accountsApi.refresh,
      {},
      {
        origin: 'http://localhost:3000',
        'x-client-app': app,
        cookie: `swath_${app}=${cookie}`,
      },
    )
  const mine = async () => (await openSession(asBusinessId(business.id), business.owner.userId, device)).refreshToken

  it.each<[string, (token: string) => string]>([
    ['none', () => ''],
    ['junk', () => 'junk'],
    ['one cut short', (token) => token.slice(0, -1)],
    ['one with another secret', (token) => `${token.slice(0, -4)}AAAA`],
    ['one of another business', (token) => [other.id, ...token.split('.').slice(1)].join('.')],
    ['one of another session', (token) => [token.split('.')[0], other.owner.sessionId, token.split('.')[2]].join('.')],
    ['an SQL wish', () => `${business.id}.' or true --.x`],
  ])('%s is 401 and ends nobody', async (_name, change) => {
    const token = await mine()
    await unchanged(async () => {
      expect([(await ask(change(token))).status]).toEqual([401])
    })
    expect((await ask(token)).status).toBe(200)
  })

  it('one of the office does nothing as one of the crew app', async () => {
    const token = await mine()
    expect(
      (
        await stranger.call(
          accountsApi.refresh,
          {},
          { origin: 'http://localhost:3000', 'x-client-app': 'employee', cookie: `swath_admin=${token}` },
        )
      ).status,
    ).toBe(401)
  })

  it('expired, signed out and replayed ones are 401', async () => {
    const old = await mine()
    const out = await mine()
    await stranger.call(
      accountsApi.logout,
      {},
      { origin: 'http://localhost:3000', 'x-client-app': 'admin', cookie: `swath_admin=${out}` },
    )
    expect((await ask(out)).error.code).toBe('session_ended')
    const used = await mine()
    const next = (await refreshSession(used, device)).refreshToken
    later(11)
    expect((await ask(used)).error.code).toBe('session_reused')
    expect((await ask(next)).status).toBe(401)
    later(30 * 24 * 3600)
    expect((await ask(old)).error.code).toBe('session_ended')
  })
})

describe('mailed links', () => {
  type Use = {
    purpose: LinkPurpose
    call: (token: string) => Promise<{ status: number; error: { code: string; message: string } }>
  }
  const post = (url: string, body: object = {}) => fromAddress()(url, body)
  const uses: Use[] = [
    { purpose: 'resetPassword', call: (t) => post(`/api/auth/reset-password/${t}`, { password: 'a good one 99' }) },
    { purpose: 'verifyEmail', call: (t) => post(`/api/auth/email-link/${t}`) },
    { purpose: 'changeEmail', call: (t) => post(`/api/auth/email-link/${t}`) },
    { purpose: 'signIn', call: (t) => post(`/api/auth/email-link/${t}`) },
  ]
  const make = (purpose: LinkPurpose, email = business.owner.email) =>
    business.db(async (db) => {
      const { url } = await makeLink(db, { userId: business.owner.userId, purpose, email })
      return url.split('token=')[1] ?? ''
    })
  const foreign = (purpose: LinkPurpose): LinkPurpose => (purpose === 'resetPassword' ? 'signIn' : 'resetPassword')

  describe.each(uses)('$purpose', ({ purpose, call }) => {
    const refused = async (token: string) => {
      await unchanged(async () => {
        const { status, error } = await call(token)
        expect([status, error.code]).toEqual([404, 'not_found'])
        if (purpose === 'resetPassword') expect(error.message).toBe('Invalid or expired password reset token.')
      })
    }

    it('malformed, unknown and tampered ones are 404', async () => {
      const good = await make(purpose)
      for (const token of [
        'x',
        'x'.repeat(43),
        '%00',
        '..%2F..',
        `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
        good.toUpperCase(),
      ])
        await refused(token)
    })

    it('an expired one is 404', async () => {
      const token = await make(purpose)
      later(8 * 24 * 3600)
      await refused(token)
    })

    it('one for something else is 404, and stays good for what it is for', async () => {
      await refused(await make(foreign(purpose)))
      const invoice = await business.db((db) => linkToken(db, 'invoice', business.owner.userId))
      await refused(invoice)
    })

    it('a replayed one does nothing', async () => {
      const email = purpose === 'changeEmail' ? `next-${business.owner.email}` : business.owner.email
      const token = await make(purpose, email)
      expect((await call(token)).status).toBe(200)
      if (purpose === 'resetPassword' || purpose === 'signIn') return refused(token)
      // What is confirmed is still confirmed at the second click, until the address is another one.
      await unchanged(async () => expect((await call(token)).status).toBe(200))
      await business.db((db) =>
        db.updateTable('users').set({ email: 'later@swath.test' }).where('id', '=', business.owner.userId).execute(),
      )
      await refused(token)
    })

    it('one of a person who may not sign in any more is 404', async () => {
      const token = await make(purpose)
      await business.db((db) =>
        db.updateTable('users').set({ status: 'disabled' }).where('businessId', '=', business.id).execute(),
      )
      await refused(token)
    })
  })

  it.each(['resetPassword', 'verifyEmail', 'signIn'] as const)(
    '%s to an address that was given up is 404',
    async (purpose) => {
      const token = await make(purpose, 'given-up@swath.test')
      const use = uses.find((u) => u.purpose === purpose)
      expect((await use?.call(token))?.status).toBe(404)
    },
  )
})
