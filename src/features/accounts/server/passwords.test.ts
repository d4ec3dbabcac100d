import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { newId } from '../../../platform/ids.ts'
import { accountState, fromAddress, mailsTo, tokenIn } from '../../../test/account.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { messagesApi } from '../../messages/contract.ts'
import { accountsApi } from '../contract.ts'
import { hashPassword } from './commands.ts'

let business: TestBusiness
let passwordHash: string
const password = 'correct horse 1'
beforeAll(async () => {
  passwordHash = await hashPassword(password)
})
beforeEach(async () => {
  business = await aBusiness()
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
})
afterEach(resetClock)

const later = (seconds: number) => {
  const at = clock.nowMs() + seconds * 1000
  setClock(() => new Date(at))
}
const forgot = (email = business.owner.email, from = fromAddress()) => from('/api/auth/forgot-password', { email })
const resetToken = async () => {
  expect((await forgot()).status).toBe(200)
  return tokenIn(business.id, business.owner.email, 'Reset your password')
}
const reset = (token: string, next = 'brand new grass 2') =>
  fromAddress()(`/api/auth/reset-password/${token}`, { password: next })
const signIn = (secret: string) => fromAddress()('/api/auth/login', { email: business.owner.email, password: secret })

describe('forgot and reset', () => {
  it('mails a plain link that sets a new password once and ends every session', async () => {
    const before = await signIn(password)
    const token = await resetToken()
    const mail = (await mailsTo(business.id, business.owner.email)).at(-1)
    expect(mail).toMatchObject({
      purpose: 'account',
      fromName: 'Swath',
      customerId: null,
      userId: business.owner.userId,
    })
    // Nothing between the mail and us counts or rewrites this link.
    expect(mail?.bodyText).toContain(`${config.publicUrl}/reset-password?token=${token}`)
    expect(mail?.bodyHtml).toContain(`href="${config.publicUrl}/reset-password?token=${token}"`)
    expect(mail?.bodyHtml).not.toContain('<img')

    expect(await stranger.ok(accountsApi.checkReset, { params: { token } })).toEqual({
      valid: true,
      email: business.owner.email,
    })
    expect((await reset(token)).body).toEqual({ reset: true, email: business.owner.email })
    const bearer = `Bearer ${(before.body as unknown as { token: string }).token}`
    expect((await stranger.call(accountsApi.verify, {}, { authorization: bearer })).error.code).toBe('session_ended')
    expect((await business.api.call(accountsApi.verify, {})).status).toBe(401)
    expect((await signIn(password)).status).toBe(401)
    expect((await signIn('brand new grass 2')).status).toBe(200)
    expect((await mailsTo(business.id, business.owner.email)).at(-1)?.subject).toBe('Your password was reset')

    const replay = await reset(token, 'the thief was here')
    expect([replay.status, replay.error.message]).toEqual([404, 'Invalid or expired password reset token.'])
    expect((await stranger.call(accountsApi.checkReset, { params: { token } })).error.message).toBe(
      'Invalid or expired password reset token.',
    )
    expect((await signIn('brand new grass 2')).status).toBe(200)
  })

  it('of two at the same moment one resets', async () => {
    const token = await resetToken()
    const both = await Promise.all([reset(token, 'first of both 1'), reset(token, 'second of both 2')])
    expect(both.map((a) => a.status).sort()).toEqual([200, 404])
  })

  it('is over after an hour, and when a newer password was set', async () => {
    const [older, newer] = [await resetToken(), await resetToken()]
    expect((await reset(newer)).status).toBe(200)
    expect((await reset(older)).status).toBe(404)
    const late = await resetToken()
    const untouched = await accountState(business, business.owner.userId)
    later(3601)
    expect((await reset(late)).status).toBe(404)
    expect(await accountState(business, business.owner.userId)).toEqual(untouched)
  })

  it('a short password is refused in words and the link stays good', async () => {
    const token = await resetToken()
    const answer = await reset(token, 'short')
    expect([answer.status, answer.error.errors?.[0]?.message]).toEqual([
      422,
      'Password must be at least 8 characters long',
    ])
    expect((await reset(token)).status).toBe(200)
  })

  it('says the same, as slowly, to an unknown address, a disabled person and a known one', async () => {
    const gone = await business.employee()
    await business.db((db) =>
      db
        .updateTable('users')
        .set({ status: 'disabled' })
        .where('businessId', '=', business.id)
        .where('id', '=', gone.userId)
        .execute(),
    )
    const answers = []
    for (const email of [business.owner.email, `${newId()}@nowhere.test`, gone.email]) {
      const started = performance.now()
      const { status, body } = await forgot(email)
      answers.push({ status, body })
      expect(performance.now() - started).toBeGreaterThanOrEqual(298)
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(await mailsTo(business.id, gone.email)).toEqual([])
  })

  it('goes to an address three times an hour, whoever asks, whether or not it exists', async () => {
    for (const email of [business.owner.email, `${newId()}@nowhere.test`]) {
      const statuses: number[] = []
      for (let i = 0; i < 4; i++) statuses.push((await forgot(email)).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    }
    expect((await mailsTo(business.id, business.owner.email)).length).toBe(3)
    later(3601)
    expect((await forgot()).status).toBe(200)
  })

  it('a reset link cannot be read by somebody of the office', async () => {
    const admin = await business.admin()
    await resetToken()
    const id = (await mailsTo(business.id, business.owner.email)).at(-1)?.id ?? ''
    const seenBy = async (api: typeof admin.api) => [
      (await api.call(messagesApi.get, { params: { id } })).status,
      (await api.ok(messagesApi.list, { query: { account: 'true' } })).items.length,
    ]
    expect(await seenBy(admin.api)).toEqual([404, 0])
    expect(await seenBy(business.owner.api)).toEqual([200, 1])
    Object.assign(config, { production: true })
    try {
      expect(await seenBy(admin.api)).toEqual([404, 0])
      expect(await seenBy(business.owner.api)).toEqual([404, 0])
    } finally {
      Object.assign(config, { production: false })
    }
  })
})

describe('sign-in link', () => {
  it('signs in once within 15 minutes and confirms the address', async () => {
    const ask = () => fromAddress()('/api/auth/sign-in-link', { email: business.owner.email })
    expect((await ask()).status).toBe(200)
    const token = await tokenIn(business.id, business.owner.email, 'Your sign-in link')
    const used = await fromAddress()(`/api/auth/email-link/${token}`, {})
    const session = (used.body as unknown as { session: { token: string; user: { emailVerified: boolean } } }).session
    expect([used.status, session.user.emailVerified]).toEqual([200, true])
    expect(String(used.headers['set-cookie'])).toMatch(/swath_admin=/)
    expect((await fromAddress()(`/api/auth/email-link/${token}`, {})).status).toBe(404)
    await ask()
    const late = await tokenIn(business.id, business.owner.email, 'Your sign-in link')
    later(901)
    expect((await fromAddress()(`/api/auth/email-link/${late}`, {})).status).toBe(404)
  })
})
