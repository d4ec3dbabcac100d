import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { fromAddress, mailsTo, tokenIn } from '../../../../test/account.ts'
import { apiWith } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { accountsApi } from '../../contract.ts'
import { hashPassword } from '../../server/commands.ts'
import { meApi } from '../contract.ts'

let business: TestBusiness
let passwordHash: string
const password = 'correct horse 1'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1'

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
const signIn = async (userAgent: string, email = business.owner.email) => {
  const answer = await fromAddress()('/api/auth/login', { email, password }, { 'user-agent': userAgent })
  return apiWith((answer.body as unknown as { token: string }).token, 'Owner')
}
const audited = () =>
  business.db(async (db) =>
    (
      await db.selectFrom('auditLog').select('action').where('businessId', '=', business.id).orderBy('id').execute()
    ).map((r) => r.action),
  )
const openLink = (token: string) => fromAddress()(`/api/auth/email-link/${token}`, {})

describe('own details', () => {
  it('name, phone and language are the person’s own, for the office and for crew', async () => {
    const crew = await business.employee()
    for (const person of [business.owner, crew]) {
      const before = await person.api.ok(meApi.get, {})
      const { user, profile } = await person.api.ok(meApi.update, {
        body: { name: 'José Ångström', phone: '(912) 555-0147', language: 'es', version: before.version },
      })
      expect(user).toMatchObject({ name: 'José Ångström', language: 'es', email: person.email })
      expect(profile).toMatchObject({ phone: '+19125550147', version: before.version + 1 })
      const stale = await person.api.call(meApi.update, { body: { name: 'Old', version: before.version } })
      expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
      expect((await person.api.call(meApi.update, { body: { phone: '12' } })).error.errors).toEqual([
        { path: 'phone', message: 'A phone number needs ten digits' },
      ])
      expect((await person.api.ok(meApi.get, {})).name).toBe('José Ångström')
    }
  })
})

describe('another e-mail', () => {
  const next = () => `${newId()}@next.swath.test`
  const ask = (email: string, secret = password) =>
    business.api.call(meApi.changeEmail, { body: { email, password: secret } })

  it('tells the old address and takes effect with the link in the new one', async () => {
    const email = next()
    expect((await ask(email)).body).toMatchObject({ email: business.owner.email, pendingEmail: email })
    expect((await mailsTo(business.id, business.owner.email)).map((m) => m.subject)).toEqual([
      'Your e-mail address is about to change',
    ])
    const token = await tokenIn(business.id, email, 'Confirm your new e-mail address')
    expect((await fromAddress()('/api/auth/login', { email, password })).status).toBe(401)
    expect((await openLink(token)).body).toEqual({ purpose: 'changeEmail', email, session: null })
    expect(await business.api.ok(meApi.get, {})).toMatchObject({ email, pendingEmail: null, emailVerified: true })
    expect((await fromAddress()('/api/auth/login', { email, password })).status).toBe(200)
    expect((await fromAddress()('/api/auth/login', { email: business.owner.email, password })).status).toBe(401)
    expect((await mailsTo(business.id, business.owner.email)).at(-1)?.subject).toBe('Your e-mail address was changed')
    // A second click confirms what is so already, and changes nothing.
    expect((await openLink(token)).status).toBe(200)
    expect(await audited()).toEqual(['account.email.asked', 'account.changeEmail'])
  })

  it('needs the password, which cannot be tried for ever', async () => {
    const email = next()
    const wrong = await ask(email, 'not this one')
    expect([wrong.status, wrong.error.errors]).toEqual([
      422,
      [{ path: 'password', message: 'This is not your password.' }],
    ])
    await ask(email, 'not this one')
    await ask(email, 'not this one')
    expect((await ask(email)).status).toBe(429)
    expect(await mailsTo(business.id, email)).toEqual([])
  })

  it('an address with an account is told, the answer is the same, and nothing changes', async () => {
    const other = await aBusiness()
    const free = await ask(next())
    const taken = await ask(other.owner.email)
    expect([taken.status, Object.keys(taken.body)]).toEqual([200, Object.keys(free.body)])
    expect((await mailsTo(other.id, other.owner.email)).map((m) => m.subject)).toEqual([
      'This address already has an account',
    ])
    expect(await mailsTo(business.id, other.owner.email)).toEqual([])
  })

  it('loses against somebody who took the address meanwhile, and against "keep my address"', async () => {
    const email = next()
    await ask(email)
    const token = await tokenIn(business.id, email, 'Confirm your new e-mail address')
    const other = await aBusiness()
    await other.api.ok(meApi.cancelEmailChange, {})
    const opened = await fromAddress()('/api/auth/register', {
      name: 'Quick',
      email,
      password: 'quick and first',
      companySize: 'solo',
    })
    expect(opened.status).toBe(200)
    const late = await openLink(token)
    expect([late.status, late.error.code]).toEqual([409, 'state_conflict'])
    expect((await business.api.ok(meApi.get, {})).email).toBe(business.owner.email)

    const second = next()
    await ask(second)
    const kept = await tokenIn(business.id, second, 'Confirm your new e-mail address')
    expect((await business.api.ok(meApi.cancelEmailChange, {})).pendingEmail).toBeNull()
    expect((await openLink(kept)).status).toBe(404)
  })

  it('an older link dies with a newer wish, and every link after a day', async () => {
    const [first, second] = [next(), next()]
    await ask(first)
    const older = await tokenIn(business.id, first, 'Confirm your new e-mail address')
    await ask(second)
    expect((await openLink(older)).status).toBe(404)
    const newer = await tokenIn(business.id, second, 'Confirm your new e-mail address')
    later(24 * 3600 + 1)
    expect((await openLink(newer)).status).toBe(404)
  })
})

describe('confirming the address', () => {
  it('can be sent again three times an hour and not after it is done', async () => {
    await business.db((db) =>
      db.updateTable('users').set({ emailVerifiedAt: null }).where('businessId', '=', business.id).execute(),
    )
    for (let i = 0; i < 3; i++)
      expect((await business.api.ok(meApi.resendVerification, {})).sentTo).toBe(business.owner.email)
    expect((await business.api.call(meApi.resendVerification, {})).status).toBe(429)
    await openLink(await tokenIn(business.id, business.owner.email, 'Confirm your e-mail address'))
    expect((await business.api.call(meApi.resendVerification, {})).status).toBe(409)
  })
})

describe('password and devices', () => {
  it('a new password signs every other device out and tells the person', async () => {
    const [desk, phone] = [await signIn(windows), await signIn(iphone)]
    const wrong = await desk.call(meApi.changePassword, { body: { currentPassword: 'nope', password: 'a new one 22' } })
    expect(wrong.error.errors).toEqual([{ path: 'currentPassword', message: 'This is not your password.' }])
    const short = await desk.call(meApi.changePassword, { body: { currentPassword: password, password: 'short' } })
    expect([short.status, (await phone.call(accountsApi.verify, {})).status]).toEqual([422, 200])
    await desk.ok(meApi.changePassword, { body: { currentPassword: password, password: 'a new one 22' } })
    expect((await desk.call(accountsApi.verify, {})).status).toBe(200)
    expect((await phone.call(accountsApi.verify, {})).status).toBe(401)
    expect((await business.api.call(accountsApi.verify, {})).status).toBe(401)
    expect((await mailsTo(business.id, business.owner.email)).at(-1)?.subject).toBe('Your password was changed')
    expect(await audited()).toContain('account.password.change')
  })

  it('shows each device by name with when it was last used, and ends one or all', async () => {
    await business.db((db) => db.deleteFrom('sessions').where('businessId', '=', business.id).execute())
    const [desk, phone] = [await signIn(windows), await signIn(iphone)]
    const first = await desk.ok(meApi.devices, {})
    expect(first.items.map((d) => [d.name, d.current])).toEqual([
      ['Chrome on Windows', true],
      ['Safari on iPhone', false],
    ])
    later(360)
    await phone.ok(meApi.devices, {})
    const seen = (await desk.ok(meApi.devices, {})).items.find((d) => !d.current)
    expect(Date.parse(seen?.lastUsedAt ?? '') - Date.parse(seen?.signedInAt ?? '')).toBeGreaterThan(359_000)

    const left = await desk.ok(meApi.endDevice, { params: { id: seen?.id ?? '' } })
    expect(left.items.length).toBe(1)
    expect((await phone.call(accountsApi.verify, {})).error.code).toBe('session_ended')
    expect((await desk.call(meApi.endDevice, { params: { id: seen?.id ?? '' } })).status).toBe(404)
    const colleague = await business.admin()
    const theirs = (await colleague.api.ok(meApi.devices, {})).items[0]
    expect((await desk.call(meApi.endDevice, { params: { id: theirs?.id ?? '' } })).status).toBe(404)

    const again = await signIn(iphone)
    expect(await desk.ok(meApi.signOutEverywhere, { body: { exceptThisDevice: true } })).toEqual({ ended: 1 })
    expect([
      (await again.call(accountsApi.verify, {})).status,
      (await desk.call(accountsApi.verify, {})).status,
    ]).toEqual([401, 200])
    await desk.ok(meApi.signOutEverywhere, { body: { exceptThisDevice: false } })
    expect((await desk.call(accountsApi.verify, {})).status).toBe(401)
    expect((await colleague.api.call(accountsApi.verify, {})).status).toBe(200)
  })
})
