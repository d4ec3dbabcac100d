import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { buildServer } from '../../../../app-server.ts'
import { config } from '../../../../platform/config.ts'
import { stranger, testServer } from '../../../../test/api.ts'
import { identityApi } from '../contract.ts'
import { askProviderBy } from './provider.ts'

const plain = { googleClientId: undefined, googleClientSecret: undefined, oidcIssuer: undefined, production: false }
afterEach(() => {
  Object.assign(config, plain)
  askProviderBy(undefined)
})

type Jar = Map<string, string>
const visit = async (path: string, jar: Jar, form?: Record<string, string>) => {
  const app = await testServer()
  const url = new URL(path, 'http://localhost')
  const answer = await app.inject({
    method: form ? 'POST' : 'GET',
    url: url.pathname + url.search,
    headers: {
      host: 'localhost',
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
  })
  for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
    const [pair = ''] = line.split(';')
    jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  return { status: answer.statusCode, location: answer.headers.location, text: answer.body }
}
/** Follows redirects until a page or our landing. */
const follow = async (path: string, jar: Jar): Promise<{ path: string; text: string }> => {
  let at = path
  for (let i = 0; i < 10; i++) {
    if (at.includes('/oauth-success')) return { path: at, text: '' }
    const answer = await visit(at, jar)
    if (!answer.location) return { path: at, text: answer.text }
    at = new URL(answer.location, 'http://localhost').pathname + new URL(answer.location, 'http://localhost').search
  }
  throw new Error('Too many redirects')
}
const finish = (path: string, jar: Jar) =>
  stranger.call(
    identityApi.finish,
    { body: { code: new URL(path, 'http://localhost').searchParams.get('code') ?? 'none'.repeat(8) } },
    { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
  )

describe('the identity provider of this computer', () => {
  it('asks who one wants to be and vouches for it', async () => {
    const jar: Jar = new Map()
    const page = await follow('/api/auth/google', jar)
    expect(page.path).toMatch(/^\/local\/identity\/pick\//)
    expect(page.text).toContain('Who do you want to be?')
    const empty = await visit(page.path, jar, { email: 'not an address', choice: 'go' })
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('Enter an e-mail address.')])
    const chosen = await visit(page.path, jar, {
      email: 'New@Local.test',
      name: 'New Person',
      verified: 'yes',
      choice: 'go',
    })
    const landing = await follow(new URL(chosen.location ?? '', 'http://localhost').pathname, jar)
    expect((await finish(landing.path, jar)).body).toEqual({
      kind: 'register',
      email: 'new@local.test',
      name: 'New Person',
    })
    const twice = await visit(page.path, jar, { email: 'other@local.test', choice: 'go' })
    expect(twice.status).toBe(400)
    expect(twice.text).toContain('This sign-in is over')
  })

  it('goes on when another server of this process has ended', async () => {
    await testServer()
    const other = await buildServer()
    await other.close()
    expect((await follow('/api/auth/google', new Map())).path).toMatch(/^\/local\/identity\/pick\//)
  })

  it('passes on that an e-mail is not verified, and that somebody canceled', async () => {
    for (const [form, problem] of [
      [{ email: 'unverified@local.test', choice: 'go' }, 'email_not_verified'],
      [{ choice: 'cancel' }, 'canceled'],
    ] as const) {
      const jar: Jar = new Map()
      const page = await follow('/api/auth/google', jar)
      const chosen = await visit(page.path, jar, form)
      const landing = await follow(new URL(chosen.location ?? '', 'http://localhost').pathname, jar)
      expect(landing.path).toBe(`/oauth-success?problem=${problem}`)
    }
  })

  it('answers this computer only, and is not there when a real one or half of one is configured', async () => {
    const app = await testServer()
    const get = (url: string, host = 'localhost') => app.inject({ url, headers: { host } })
    const discovery = '/local/identity/.well-known/openid-configuration'
    expect((await get(discovery)).json().issuer).toBe('http://localhost/local/identity')
    expect((await get(discovery, 'evil.test')).statusCode).toBe(404)
    Object.assign(config, { googleClientId: 'half' })
    expect((await get(discovery)).statusCode).toBe(404)
    expect((await stranger.call(identityApi.start, {})).status).toBe(503)
    Object.assign(config, { googleClientSecret: 'and half' })
    expect((await get(discovery)).statusCode).toBe(404)
  })

  it('does not exist in production: its addresses are like any that mean nothing', async () => {
    Object.assign(config, { production: true })
    const app = await buildServer()
    for (const url of [
      '/local/identity/auth',
      '/local/identity/pick/x',
      '/local/identity/.well-known/openid-configuration',
      '/local/identity/token',
    ])
      for (const [method, status, location] of [
        ['GET', 302, '/'],
        ['POST', 404, undefined],
      ] as const) {
        const answer = await app.inject({ method, url, headers: { host: 'localhost' } })
        expect([answer.statusCode, answer.headers.location], url).toEqual([status, location])
      }
    expect((await app.inject('/api/auth/google')).statusCode).toBe(503)
    await app.close()
  })
})

describe('Google', () => {
  /** Google as far as this flow asks it; a call that it does not know fails the test. */
  const aGoogle = async (iss: string, times: { iat: number; exp: number }) => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const given = { nonce: '', calls: [] as string[] }
    const json = (body: object) =>
      new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
    askProviderBy(async (address) => {
      const url = String(address)
      given.calls.push(url)
      if (url === 'https://accounts.google.com/.well-known/openid-configuration')
        return json({
          issuer: 'https://accounts.google.com',
          authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
          token_endpoint: 'https://oauth2.googleapis.com/token',
          jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
          id_token_signing_alg_values_supported: ['RS256'],
        })
      if (url === 'https://www.googleapis.com/oauth2/v3/certs')
        return json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'g', alg: 'RS256', use: 'sig' }] })
      if (url === 'https://oauth2.googleapis.com/token')
        return json({
          access_token: 'a',
          token_type: 'Bearer',
          expires_in: 3600,
          id_token: await new SignJWT({ nonce: given.nonce, email: 'g@gmail.test', email_verified: true, name: 'G' })
            .setProtectedHeader({ alg: 'RS256', kid: 'g' })
            .setIssuer(iss)
            .setSubject('google-subject')
            .setAudience('google-id')
            .setIssuedAt(times.iat)
            .setExpirationTime(times.exp)
            .sign(privateKey),
        })
      throw new Error(`Nobody expected a call of ${url}`)
    })
    Object.assign(config, { googleClientId: 'google-id', googleClientSecret: 'google-secret' })
    return given
  }
  const now = () => Math.floor(Date.now() / 1000)

  it.each([
    ['https://accounts.google.com', 0, 3600, 'register'],
    ['accounts.google.com', 0, 3600, 'register'],
    ['https://accounts.google.com.evil.test', 0, 3600, 'failed'],
    ['https://evil.test', 0, 3600, 'failed'],
    // A clock that differs by 20 s is no failure, one by a minute is.
    ['https://accounts.google.com', 20, 3600, 'register'],
    ['accounts.google.com', -3620, -20, 'register'],
    ['https://accounts.google.com', -3700, -60, 'failed'],
  ])('signed by %s, %i s off: %s s to live: %s', async (iss, iat, exp, outcome) => {
    const google = await aGoogle(iss, { iat: now() + iat, exp: now() + exp })
    const jar: Jar = new Map()
    const away = await visit('/api/auth/google', jar)
    const asked = new URL(away.location ?? '')
    expect(asked.origin).toBe('https://accounts.google.com')
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      response_type: 'code',
      prompt: 'select_account',
      client_id: 'google-id',
    })
    expect(away.location).not.toContain('google-secret')
    google.nonce = asked.searchParams.get('nonce') ?? ''
    const landing = await follow(`/api/auth/google/callback?code=c&state=${asked.searchParams.get('state')}`, jar)
    if (outcome === 'failed') expect(landing.path).toBe('/oauth-success?problem=failed')
    else expect((await finish(landing.path, jar)).body).toMatchObject({ kind: outcome, email: 'g@gmail.test' })
    // However its name is spelled, the code is traded once.
    expect(google.calls.filter((url) => url.endsWith('/token'))).toHaveLength(1)
  })
})
