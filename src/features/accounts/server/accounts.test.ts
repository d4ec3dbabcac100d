import { beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { stranger, testServer } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { accountsApi } from '../contract.ts'
import { hashPassword } from './commands.ts'

let business: TestBusiness
const password = 'correct horse 1'

beforeAll(async () => {
  business = await aBusiness()
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db
      .updateTable('users')
      .set({ passwordHash })
      .where('businessId', '=', business.id)
      .where('id', '=', business.owner.userId)
      .execute(),
  )
})

const origin = { origin: 'http://localhost:3000', 'x-client-app': 'admin' }
const signIn = async () => stranger.call(accountsApi.login, { body: { email: business.owner.email, password } })
const cookieOf = (headers: Record<string, unknown>): string => {
  const all = [headers['set-cookie']].flat().map(String)
  return all.find((c) => c.startsWith('swath_admin='))?.split(';')[0] ?? ''
}
const refresh = (cookie: string) => stranger.call(accountsApi.refresh, {}, { ...origin, cookie })

describe('sign in', () => {
  it('answers a token, the user and an httpOnly refresh cookie', async () => {
    const answer = await signIn()
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({
      email: business.owner.email,
      role: 'Owner',
      subscriptionActive: true,
      subscriptionTier: 'enterprise',
    })
    const cookie = [answer.headers['set-cookie']]
      .flat()
      .map(String)
      .find((c) => c.startsWith('swath_admin='))
    expect(cookie).toMatch(/HttpOnly/)
    const verified = await stranger.call(accountsApi.verify, {}, { authorization: `Bearer ${answer.body.token}` })
    expect(verified.body.user._id).toBe(business.owner.userId)
  })

  it('goes on behind a proxy that asks for a name and password of its own', async () => {
    const body = { email: business.owner.email, password: 'nope nope' }
    const answer = await stranger.call(accountsApi.login, { body }, { authorization: 'Basic dXNlcjpwYXNz' })
    expect(answer.error.message).toBe('Invalid credentials. Please try again.')
  })

  it('says the same to a wrong password and an unknown e-mail, and changes nothing', async () => {
    const wrong = await stranger.call(accountsApi.login, {
      body: { email: business.owner.email, password: 'nope nope' },
    })
    const unknown = await stranger.call(accountsApi.login, {
      body: { email: 'nobody@nowhere.test', password: 'nope nope' },
    })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.error.message).toBe('Invalid credentials. Please try again.')
    expect(unknown.error.message).toBe(wrong.error.message)
  })

  it('slows down repeated failures of one account and address pair', async () => {
    const email = 'slow@nowhere.test'
    const statuses: number[] = []
    for (let i = 0; i < 5; i++)
      statuses.push((await stranger.call(accountsApi.login, { body: { email, password: 'x' } })).status)
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401])
    expect(statuses).toContain(429)
    expect((await signIn()).status).toBe(200)
  })
})

describe('refresh', () => {
  it('rotates, repeats the same successor to a racing tab, and ends the family on reuse', async () => {
    const first = cookieOf((await signIn()).headers)
    const second = cookieOf((await refresh(first)).headers)
    expect(second).not.toBe(first)
    const racing = await refresh(first)
    expect(racing.status).toBe(200)
    expect(cookieOf(racing.headers)).toBe(second)
    const third = cookieOf((await refresh(second)).headers)
    const thief = await refresh(first)
    expect([thief.status, thief.error.code]).toEqual([401, 'session_reused'])
    expect((await refresh(third)).status).toBe(401)
  })

  it('refuses a used token after the grace even when the successor was never used', async () => {
    const first = cookieOf((await signIn()).headers)
    await refresh(first)
    const later = clock.nowMs() + 11_000
    setClock(() => new Date(later))
    try {
      expect((await refresh(first)).error.code).toBe('session_reused')
    } finally {
      resetClock()
    }
  })

  it('needs our own Origin, and a cookie that is ours', async () => {
    const cookie = cookieOf((await signIn()).headers)
    expect((await stranger.call(accountsApi.refresh, {}, { cookie, 'x-client-app': 'admin' })).status).toBe(403)
    expect((await stranger.call(accountsApi.refresh, {}, { cookie, origin: 'https://evil.test' })).status).toBe(403)
    expect((await refresh('swath_admin=junk')).status).toBe(401)
    expect((await refresh(`${cookie}x`)).status).toBe(401)
  })

  it('is over after signing out, for the access token too', async () => {
    const signed = await signIn()
    const cookie = cookieOf(signed.headers)
    expect((await stranger.call(accountsApi.logout, {}, { ...origin, cookie })).status).toBe(200)
    expect((await refresh(cookie)).status).toBe(401)
    expect((await stranger.call(accountsApi.verify, {}, { authorization: `Bearer ${signed.body.token}` })).status).toBe(
      401,
    )
  })
})

describe('the gate', () => {
  it('turns away no token, junk and the other kind of client', async () => {
    expect((await stranger.call(accountsApi.verify, {})).status).toBe(401)
    expect((await stranger.call(accountsApi.verify, {}, { authorization: 'Bearer junk' })).status).toBe(401)
    expect((await business.owner.api.call(accountsApi.verify, {}, { 'x-client-app': 'employee' })).status).toBe(403)
  })

  it('shuts at once when the person is disabled', async () => {
    const employee = await business.employee()
    expect((await employee.api.call(accountsApi.verify, {})).status).toBe(200)
    await business.db((db) =>
      db
        .updateTable('users')
        .set({ status: 'disabled' })
        .where('businessId', '=', business.id)
        .where('id', '=', employee.userId)
        .execute(),
    )
    expect((await employee.api.call(accountsApi.verify, {})).error.code).toBe('session_ended')
  })

  it('describes itself', async () => {
    const app = await testServer()
    const document = (await app.inject('/api/openapi.json')).json()
    expect(document.paths['/api/auth/login'].post.operationId).toBe('accounts.login')
  })
})
