import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { database } from '../../../../platform/db/database.ts'
import { apiWith, runTasks, stranger, testServer } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { employeesApi } from '../../../employees/contract.ts'
import { accountsApi } from '../../contract.ts'
import { hashPassword } from '../../server/commands.ts'
import { identityApi } from '../contract.ts'
import { askProviderBy } from './provider.ts'

// A certified provider on a port of its own, asked over the network; people are whoever the test says.
type Somebody = { sub: string; email: string; email_verified: boolean; name: string }
let provider: Server
let issuer = ''
let next: Somebody = { sub: '', email: '', email_verified: true, name: '' }
let nonceInstead: string | null = null
const codes: string[] = []

const startProvider = async (): Promise<void> => {
  provider = createServer()
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: 'swath-test',
        client_secret: 'a secret of the test',
        redirect_uris: [`http://localhost:80/api/auth/google/callback`, 'http://localhost/api/auth/google/callback'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/pick/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...next, sub }) }),
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId ?? '',
        accountId: context.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.on('request', async (request, response) => {
    if (!request.url?.startsWith('/pick/')) return oidc.callback()(request, response)
    await oidc.interactionFinished(
      request,
      response,
      next.sub === 'cancels' ? { error: 'access_denied' } : { login: { accountId: next.sub } },
    )
  })
}

beforeAll(async () => {
  await testServer()
  await startProvider()
  Object.assign(config, {
    googleClientId: 'swath-test',
    googleClientSecret: 'a secret of the test',
    oidcIssuer: issuer,
  })
})
afterAll(async () => {
  Object.assign(config, { googleClientId: undefined, googleClientSecret: undefined, oidcIssuer: undefined })
  await new Promise((done) => provider.close(done))
})
afterEach(() => {
  resetClock()
  nonceInstead = null
})

/** A browser as far as redirects and cookies go. Calls to us go to the server directly, all others over the network. */
class Browser {
  readonly jar = new Map<string, Map<string, string>>()
  private cookies(host: string): string {
    return [...(this.jar.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }
  private keep(host: string, lines: string[]): void {
    const own = this.jar.get(host) ?? new Map<string, string>()
    this.jar.set(host, own)
    for (const line of lines) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const value = pair.slice(at + 1)
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) own.delete(pair.slice(0, at))
      else own.set(pair.slice(0, at), value)
    }
  }
  get own(): Map<string, string> {
    return this.jar.get('localhost') ?? new Map()
  }
  private async step(url: URL): Promise<string | null> {
    if (url.hostname === 'localhost') {
      const app = await testServer()
      const answer = await app.inject({
        method: 'GET',
        url: url.pathname + url.search,
        headers: { host: 'localhost', cookie: this.cookies('localhost') },
      })
      this.keep('localhost', [answer.headers['set-cookie'] ?? []].flat())
      return answer.headers.location ?? null
    }
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookies(url.host) } })
    this.keep(url.host, answer.headers.getSetCookie())
    return answer.headers.get('location')
  }
  /** Follows redirects until our landing page. `on` may change or stop an address on the way. */
  async go(path: string, on: (url: URL) => URL | null = (url) => url): Promise<URL> {
    let url: URL | null = new URL(path, 'http://localhost')
    for (let i = 0; i < 12; i++) {
      url = on(url)
      if (!url || url.pathname === '/oauth-success') break
      const location: string | null = await this.step(url)
      if (!location) return url
      url = new URL(location, url)
    }
    return url ?? new URL('http://stopped.test')
  }
  post<E extends Parameters<typeof stranger.call>[0]>(endpoint: E, body: object) {
    return stranger.call(endpoint, { body } as never, { cookie: this.cookies('localhost') }) as Promise<{
      status: number
      body: Record<string, never>
      error: { message: string; code: string }
      headers: Record<string, unknown>
    }>
  }
}

const somebody = (changes: Partial<Somebody> = {}): Somebody => {
  const id = crypto.randomUUID()
  return { sub: id, email: `${id}@g.swath.test`, email_verified: true, name: 'Gina Marsh', ...changes }
}
const as = (who: Somebody): Somebody => {
  next = who
  return who
}
const noteCodes = (url: URL): URL => {
  const code = url.pathname.endsWith('/callback') ? url.searchParams.get('code') : null
  if (code) codes.push(code)
  if (nonceInstead && url.searchParams.has('nonce')) url.searchParams.set('nonce', nonceInstead)
  return url
}
const signIn = async (browser: Browser, path = '/api/auth/google') => {
  const landing = await browser.go(path, noteCodes)
  return { landing, code: landing.searchParams.get('code') ?? '', problem: landing.searchParams.get('problem') }
}
const identities = (sub: string) =>
  database().selectFrom('accountIdentities').selectAll().where('subject', '=', sub).execute()

const password = 'correct horse 1'
const withPassword = async (business: TestBusiness, userId: string, verified = true): Promise<void> => {
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db
      .updateTable('users')
      .set({ passwordHash, emailVerifiedAt: verified ? clock.iso() : null })
      .where('businessId', '=', business.id)
      .where('id', '=', userId)
      .execute(),
  )
}
/** A person with a password whose Google is connected. */
const connected = async (business: TestBusiness) => {
  const person = await aPerson(business.id, 'Admin')
  await withPassword(business, person.userId)
  const who = as(somebody({ email: person.email }))
  const browser = new Browser()
  const { code } = await signIn(browser)
  const answer = await browser.post(identityApi.proveByPassword, { code, password })
  expect(answer.status).toBe(200)
  return { person, who }
}

describe('somebody new', () => {
  const questions = { name: 'Gina Marsh', businessName: 'Marsh & Sons', companySize: 'small', customerCount: 11 }

  it('opens a business of their own, signed in, with a verified e-mail and no password', async () => {
    const who = as(somebody())
    const browser = new Browser()
    const { landing, code } = await signIn(browser, '/api/auth/google?next=/jobs?tab=invoices')
    expect(landing.href).not.toMatch(/token|eyJ/)
    expect((await browser.post(identityApi.finish, { code })).body).toEqual({
      kind: 'register',
      email: who.email,
      name: 'Gina Marsh',
    })
    const answer = await browser.post(identityApi.register, { code, ...questions })
    expect(answer.body).toMatchObject({
      next: '/jobs?tab=invoices',
      user: { email: who.email, emailVerified: true, role: 'Owner', companySize: 'small', customerCount: 11 },
    })
    // Twice, from a doubled click or a copied address: refused, and one business.
    expect((await browser.post(identityApi.register, { code, ...questions })).status).toBe(409)
    expect(await identities(who.sub)).toHaveLength(1)

    const again = new Browser()
    const back = await signIn(again, '/api/auth/google?next=//evil.test')
    const finished = await again.post(identityApi.finish, { code: back.code })
    expect(finished.body).toMatchObject({ kind: 'signedIn', next: null, user: { email: who.email } })
    const me = apiWith((finished.body as unknown as { token: string }).token, 'Owner')
    expect((await me.call(accountsApi.verify, {})).status).toBe(200)
    const status = await me.ok(identityApi.status, {})
    expect(status).toEqual({ connected: true, hasPassword: false, available: true })
    const refused = await me.call(identityApi.disconnect, {})
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringMatching(/only way/)])
    expect(await identities(who.sub)).toHaveLength(1)
  })

  it('is turned away with an e-mail that the provider did not verify', async () => {
    const who = as(somebody({ email_verified: false }))
    expect((await signIn(new Browser())).problem).toBe('email_not_verified')
    expect(await identities(who.sub)).toEqual([])
  })
})

describe('the e-mail of somebody who has a sign-in', () => {
  it('opens nothing by itself: the password proves it, once', async () => {
    const business = await aBusiness()
    await withPassword(business, business.owner.userId)
    const who = as(somebody({ email: business.owner.email }))
    const browser = new Browser()
    const { code } = await signIn(browser)
    const asked = await browser.post(identityApi.finish, { code })
    expect(asked.body).toEqual({ kind: 'prove', email: who.email, hasPassword: true })
    expect(asked.headers['set-cookie']).toBeUndefined()
    const wrong = await browser.post(identityApi.proveByPassword, { code, password: 'nope' })
    expect(wrong.status).toBe(422)
    expect(await identities(who.sub)).toEqual([])
    // The code without its cookie, as a thief of the address would have it.
    expect((await new Browser().post(identityApi.proveByPassword, { code, password })).status).toBe(409)
    const right = await browser.post(identityApi.proveByPassword, { code, password })
    expect(right.body).toMatchObject({ user: { _id: business.owner.userId } })
    expect((await browser.post(identityApi.proveByPassword, { code, password })).status).toBe(409)
    const later = new Browser()
    const signed = await later.post(identityApi.finish, { code: (await signIn(later)).code })
    expect(signed.body).toMatchObject({ kind: 'signedIn', user: { _id: business.owner.userId } })
  })

  it('is proven by a mailed link, which works once and ends a password set before anybody confirmed the address', async () => {
    const business = await aBusiness()
    // A stranger registered with the address of somebody else and waits.
    await withPassword(business, business.owner.userId, false)
    const who = as(somebody({ email: business.owner.email }))
    const browser = new Browser()
    const { code } = await signIn(browser)
    expect((await browser.post(identityApi.proveByMail, { code })).body).toEqual({ sentTo: who.email })
    await runTasks()
    const mail = await business.db((db) =>
      db
        .selectFrom('messages')
        .select(['bodyText', 'status', 'purpose'])
        .where('businessId', '=', business.id)
        .where('address', '=', who.email)
        .executeTakeFirstOrThrow(),
    )
    expect(mail).toMatchObject({ status: 'sent', purpose: 'account' })
    const token = /#connect=(\S+)/.exec(mail.bodyText)?.[1] ?? ''
    expect(
      (await stranger.call(identityApi.connectByLink, { body: { token: token.replace(/.{8}$/, 'AAAAAAAA') } })).status,
    ).toBe(409)
    const used = await stranger.call(identityApi.connectByLink, { body: { token } })
    expect(used.body.user._id).toBe(business.owner.userId)
    expect((await stranger.call(identityApi.connectByLink, { body: { token } })).status).toBe(409)
    expect((await business.api.call(accountsApi.verify, {})).status).toBe(401)
    expect((await stranger.call(accountsApi.login, { body: { email: who.email, password } })).status).toBe(401)
  })

  it('a mailed link is over after an hour', async () => {
    const business = await aBusiness()
    const who = as(somebody({ email: business.owner.email }))
    const browser = new Browser()
    const { code } = await signIn(browser)
    expect((await browser.post(identityApi.finish, { code })).body).toMatchObject({ kind: 'prove', hasPassword: false })
    await browser.post(identityApi.proveByMail, { code })
    const { bodyText } = await business.db((db) =>
      db
        .selectFrom('messages')
        .select('bodyText')
        .where('businessId', '=', business.id)
        .where('address', '=', who.email)
        .executeTakeFirstOrThrow(),
    )
    const at = clock.nowMs() + 3_601_000
    setClock(() => new Date(at))
    const token = /#connect=(\S+)/.exec(bodyText)?.[1] ?? ''
    expect((await stranger.call(identityApi.connectByLink, { body: { token } })).status).toBe(409)
    expect(await identities(who.sub)).toEqual([])
  })

  it('of somebody deactivated or only invited lets nobody in', async () => {
    const business = await aBusiness()
    const person = await aPerson(business.id, 'Admin')
    const set = (status: 'active' | 'disabled' | 'invited') =>
      business.db((db) =>
        db
          .updateTable('users')
          .set({ status })
          .where('businessId', '=', business.id)
          .where('id', '=', person.userId)
          .execute(),
      )
    as(somebody({ email: person.email }))
    await set('disabled')
    expect((await signIn(new Browser())).problem).toBe('disabled')
    await set('invited')
    expect((await signIn(new Browser())).problem).toBe('invited')
  })
})

describe('an invitation', () => {
  const invited = async (business: TestBusiness, email: string) => {
    const person = await business.api.ok(employeesApi.create, { body: { name: 'Ana', email, invite: 'email' } })
    const { bodyText } = await business.db((db) =>
      db
        .selectFrom('messages')
        .select('bodyText')
        .where('businessId', '=', business.id)
        .where('address', '=', email)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    )
    return { person, token: /employee-invite\/([\w-]{43})/.exec(bodyText)?.[1] ?? '' }
  }

  it('decides business and role, and wants the same e-mail', async () => {
    const business = await aBusiness()
    const { person, token } = await invited(business, `${crypto.randomUUID()}@g.swath.test`)
    as(somebody())
    expect((await signIn(new Browser(), `/api/auth/google?invite=${token}`)).problem).toBe('invite_email')
    as(somebody({ email: person.email ?? '', email_verified: false }))
    expect((await signIn(new Browser(), `/api/auth/google?invite=${token}`)).problem).toBe('email_not_verified')
    as(somebody({ email: person.email ?? '' }))
    const browser = new Browser()
    const { code } = await signIn(browser, `/api/auth/google?invite=${token}`)
    const finished = await browser.post(identityApi.finish, { code })
    expect(finished.body).toMatchObject({
      kind: 'signedIn',
      user: { _id: person.id, role: 'Employee', business: { _id: business.id } },
    })
    as(somebody({ email: person.email ?? '' }))
    expect((await signIn(new Browser(), `/api/auth/google?invite=${token}`)).problem).toBe('invite_over')
    expect((await signIn(new Browser(), `/api/auth/google?invite=${'x'.repeat(43)}`)).problem).toBe('invite_over')
  })

  it('is not taken by an identity that belongs to somebody else', async () => {
    const business = await aBusiness()
    const { who } = await connected(business)
    const other = await aBusiness()
    const { person, token } = await invited(other, `${crypto.randomUUID()}@g.swath.test`)
    as({ ...who, email: person.email ?? '' })
    expect((await signIn(new Browser(), `/api/auth/google?invite=${token}`)).problem).toBe('taken')
    const row = await other.db((db) =>
      db
        .selectFrom('users')
        .select('status')
        .where('businessId', '=', other.id)
        .where('id', '=', person.id)
        .executeTakeFirstOrThrow(),
    )
    expect(row.status).toBe('invited')
  })
})

describe('what can go wrong on the way', () => {
  it('the person cancels', async () => {
    as(somebody({ sub: 'cancels' }))
    expect((await signIn(new Browser())).problem).toBe('canceled')
  })

  it('the cookie is missing, is of another browser, or is ten minutes old', async () => {
    as(somebody())
    const browser = new Browser()
    let callback: URL | null = null
    await browser.go('/api/auth/google', (url) => {
      if (!url.pathname.endsWith('/callback')) return url
      callback = url
      return null
    })
    const address = callback as unknown as URL
    expect((await new Browser().go(address.href)).searchParams.get('problem')).toBe('lost')
    const at = clock.nowMs() + 601_000
    setClock(() => new Date(at))
    expect((await browser.go(address.href)).searchParams.get('problem')).toBe('lost')
  })

  it('the state is another, the code was used, the nonce is another', async () => {
    as(somebody())
    const browser = new Browser()
    const tampered = await browser.go('/api/auth/google', (url) => {
      if (url.pathname.endsWith('/callback')) {
        const state = url.searchParams.get('state') ?? ''
        // The cookie is found by the state's beginning; its end is what was changed.
        url.searchParams.set('state', `${state.slice(0, 20)}${'x'.repeat(state.length - 20)}`)
      }
      return url
    })
    expect(tampered.searchParams.get('problem')).toBe('failed')

    const first = new Browser()
    await signIn(first)
    const used = codes.at(-1) ?? ''
    const replayed = await new Browser().go('/api/auth/google', (url) => {
      if (url.pathname.endsWith('/callback')) url.searchParams.set('code', used)
      return url
    })
    expect(replayed.searchParams.get('problem')).toBe('failed')

    nonceInstead = 'another-nonce'
    expect((await signIn(new Browser())).problem).toBe('failed')
  })

  it('the provider does not answer: said in words, nothing lost', async () => {
    askProviderBy(async () => {
      throw new TypeError('fetch failed')
    })
    const answer = await stranger.call(identityApi.start, {})
    askProviderBy(undefined)
    expect([answer.status, answer.error.code]).toEqual([503, 'unavailable'])
    expect(answer.error.message).toMatch(/Google does not answer/)
  })

  it('the one-time code is tried twice, late, or made up', async () => {
    const business = await aBusiness()
    const { who } = await connected(business)
    as(who)
    const browser = new Browser()
    const { code } = await signIn(browser)
    const made = await browser.post(identityApi.finish, { code: 'x'.repeat(43) })
    expect([made.status, made.error.code]).toEqual([409, 'state_conflict'])
    const cookie = new Map(browser.own)
    expect((await browser.post(identityApi.finish, { code })).status).toBe(200)
    browser.jar.set('localhost', cookie)
    expect((await browser.post(identityApi.finish, { code })).status).toBe(409)

    const late = new Browser()
    const second = await signIn(late)
    const at = clock.nowMs() + 121_000
    setClock(() => new Date(at))
    expect((await late.post(identityApi.finish, { code: second.code })).status).toBe(409)
  })

  it('a deactivated person stays out, also with a known identity', async () => {
    const business = await aBusiness()
    const { who, person } = await connected(business)
    await business.api.ok(employeesApi.deactivate, { params: { id: person.userId } })
    as(who)
    expect((await signIn(new Browser())).problem).toBe('disabled')
  })
})

describe('connecting from the profile', () => {
  it('asks for the password, connects, and is undone where a password remains', async () => {
    const business = await aBusiness()
    await withPassword(business, business.owner.userId)
    const wrong = await business.api.call(identityApi.connect, { body: { password: 'nope' } })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'password'])
    const begun = await business.api.call(identityApi.connect, { body: { password } }, { host: 'localhost' })
    const who = as(somebody())
    const browser = new Browser()
    const [line = ''] = [begun.headers['set-cookie'] ?? []].flat().map(String)
    browser.jar.set(
      'localhost',
      new Map([[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1, line.indexOf(';'))]]),
    )
    expect(line).toMatch(/HttpOnly/)
    expect(line).toMatch(/SameSite=Lax/)
    expect(line).toMatch(/Max-Age=600/)
    const landing = await browser.go(begun.body.url)
    expect(landing.searchParams.get('connected')).toBe('google')
    expect((await business.api.ok(identityApi.status, {})).connected).toBe(true)
    await business.api.ok(identityApi.disconnect, {})
    await business.api.ok(identityApi.disconnect, {})
    expect(await identities(who.sub)).toEqual([])
  })
})
