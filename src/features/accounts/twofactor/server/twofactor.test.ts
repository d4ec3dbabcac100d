import { afterEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newRecoveryCodes, totpCode, totpStep } from '../../../../platform/totp.ts'
import { tokenIn } from '../../../../test/account.ts'
import { type Api, apiWith, runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { employeesApi } from '../../../employees/contract.ts'
import { accountsApi } from '../../contract.ts'
import { hashPassword } from '../../server/commands.ts'
import { twoFactorApi } from '../contract.ts'

const password = 'correct horse 1'
afterEach(resetClock)

const withPassword = async (business: TestBusiness, person: Person): Promise<void> => {
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db
      .updateTable('users')
      .set({ passwordHash })
      .where('businessId', '=', business.id)
      .where('id', '=', person.userId)
      .execute(),
  )
}
/** Later, so that a code that was taken is over and slow-downs have passed. */
const wait = (seconds: number) => {
  const at = clock.nowMs() + seconds * 1000
  setClock(() => new Date(at))
}
const login = (person: Person) => stranger.call(accountsApi.login, { body: { email: person.email, password } })
const challengeOf = async (person: Person): Promise<string> => String((await login(person)).error.details?.challenge)
const second = (challenge: string, code: string) =>
  stranger.call(twoFactorApi.secondStep, { body: { challenge, code } })

const switchOn = async (api: Api): Promise<{ key: string; codes: string[] }> => {
  const { key } = await api.ok(twoFactorApi.begin, { body: { password } })
  const { recoveryCodes } = await api.ok(twoFactorApi.confirm, { body: { code: totpCode(key, clock.nowMs()) } })
  return { key, codes: recoveryCodes }
}
const aSecuredOwner = async () => {
  const business = await aBusiness()
  await withPassword(business, business.owner)
  return { business, owner: business.owner, ...(await switchOn(business.api)) }
}

describe('a code', () => {
  it('counts in its half minute and the ones beside it, and stands for that half minute', () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const now = Date.parse('2026-06-01T12:00:15Z')
    const step = Math.floor(now / 30_000)
    expect([-30, 0, 30].map((s) => totpStep(secret, totpCode(secret, now + s * 1000), now))).toEqual([
      step - 1,
      step,
      step + 1,
    ])
    expect(totpStep(secret, totpCode(secret, now - 60_000), now)).toBeNull()
    for (const junk of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      expect(totpStep(secret, junk, now)).toBeNull()
  })
  it('to recover with is hard to mistake and never twice the same', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
  })
})

describe('switching it on', () => {
  it('needs the password and a code of the new key; until then nothing changes', async () => {
    const business = await aBusiness()
    await withPassword(business, business.owner)
    const wrong = await business.api.call(twoFactorApi.begin, { body: { password: 'nope' } })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'password'])
    const { key, uri } = await business.api.ok(twoFactorApi.begin, { body: { password } })
    expect(uri).toContain(`secret=${key}`)
    expect(uri).toMatch(/^otpauth:\/\/totp\/Swath/)
    expect((await business.api.call(twoFactorApi.confirm, { body: { code: '000000' } })).status).toBe(422)
    expect((await login(business.owner)).status).toBe(200)
    const rows = await business.db((db) =>
      db.selectFrom('twoFactors').selectAll().where('businessId', '=', business.id).execute(),
    )
    expect(JSON.stringify(rows)).not.toContain(key)
    const { recoveryCodes } = await business.api.ok(twoFactorApi.confirm, {
      body: { code: totpCode(key, clock.nowMs()) },
    })
    expect(recoveryCodes).toHaveLength(10)
    expect(await business.api.ok(twoFactorApi.status, {})).toMatchObject({ enabled: true, recoveryCodesLeft: 10 })
    expect((await business.api.call(twoFactorApi.begin, { body: { password } })).status).toBe(409)
    const stored = await business.db((db) =>
      db.selectFrom('recoveryCodes').selectAll().where('businessId', '=', business.id).execute(),
    )
    expect(JSON.stringify(stored)).not.toContain(recoveryCodes[0])
    const { items } = await business.api.ok(employeesApi.list, {})
    expect(items.find((p) => p.id === business.owner.userId)?.signIn.twoFactor).toBe(true)
  })
})

describe('signing in with it', () => {
  it('opens nothing at the first step, and a session at the second', async () => {
    const { owner, key } = await aSecuredOwner()
    const first = await login(owner)
    expect([first.status, first.error.code]).toEqual([403, 'two_factor_required'])
    expect(first.headers['set-cookie']).toBeUndefined()
    expect(first.body).not.toHaveProperty('token')
    wait(31)
    const done = await second(await challengeOf(owner), totpCode(key, clock.nowMs()))
    expect(done.status).toBe(200)
    expect(done.body.user._id).toBe(owner.userId)
    expect((await apiWith(done.body.token, 'Owner').call(accountsApi.verify, {})).status).toBe(200)
  })

  it('takes a code once, also of two at once, and a challenge once', async () => {
    const { owner, key } = await aSecuredOwner()
    wait(31)
    const code = totpCode(key, clock.nowMs())
    const [a, b] = [await challengeOf(owner), await challengeOf(owner)]
    const answers = await Promise.all([second(a, code), second(b, code)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422])
    const used = answers[0]?.status === 200 ? a : b
    wait(31)
    const replay = await second(used, totpCode(key, clock.nowMs()))
    expect([replay.status, replay.error.message]).toEqual([409, expect.stringMatching(/sign in again/)])
  })

  it.each([
    ['made up', 409, async () => 'x'.repeat(60)],
    ['tampered with', 409, async (owner: Person) => (await challengeOf(owner)).replace(/.{10}$/, 'AAAAAAAAAA')],
    ['too short', 422, async () => 'x'],
    [
      'six minutes old',
      409,
      async (owner: Person) => {
        const challenge = await challengeOf(owner)
        wait(360)
        return challenge
      },
    ],
  ])('refuses a challenge that is %s', async (_, status, make) => {
    const { owner, key } = await aSecuredOwner()
    wait(31)
    const challenge = await make(owner)
    const answer = await second(challenge, totpCode(key, clock.nowMs()))
    expect(answer.status).toBe(status)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('slows down wrong codes, whatever challenge they come with', async () => {
    const { owner, key } = await aSecuredOwner()
    wait(31)
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await second(await challengeOf(owner), '000000')).status)
    expect(statuses.slice(0, 3)).toEqual([422, 422, 422])
    expect(statuses).toContain(429)
    wait(31)
    expect((await second(await challengeOf(owner), totpCode(key, clock.nowMs()))).status).toBe(200)
  })

  it('is not skipped by a mailed link: a sign-in link stops before it, a new password opens nothing', async () => {
    const { business, owner, key } = await aSecuredOwner()
    const sessions = () =>
      business.db((db) => db.selectFrom('sessions').select('id').where('businessId', '=', business.id).execute())
    const before = (await sessions()).length
    await stranger.ok(accountsApi.sendSignInLink, { body: { email: owner.email } })
    await runTasks()
    const token = await tokenIn(business.id, owner.email, 'Your sign-in link')
    const used = await stranger.call(accountsApi.useEmailLink, { params: { token } })
    expect([used.status, used.error.code, used.headers['set-cookie']]).toEqual([403, 'two_factor_required', undefined])
    expect((await stranger.call(accountsApi.useEmailLink, { params: { token } })).status).toBe(404)
    expect(await sessions()).toHaveLength(before)
    wait(31)
    const done = await second(String(used.error.details?.challenge), totpCode(key, clock.nowMs()))
    expect([done.status, done.body.user._id]).toEqual([200, owner.userId])

    await stranger.ok(accountsApi.forgotPassword, { body: { email: owner.email } })
    await runTasks()
    const reset = await stranger.call(accountsApi.resetPassword, {
      params: { token: await tokenIn(business.id, owner.email, 'Reset your password') },
      body: { password: 'entirely new 3' },
    })
    expect([reset.status, reset.headers['set-cookie']]).toEqual([200, undefined])
    expect(reset.text).not.toContain('token')
    const next = await stranger.call(accountsApi.login, { body: { email: owner.email, password: 'entirely new 3' } })
    expect([next.status, next.error.code]).toEqual([403, 'two_factor_required'])
  })

  it('takes each recovery code once', async () => {
    const { business, owner, codes } = await aSecuredOwner()
    const [code = ''] = codes
    expect((await second(await challengeOf(owner), code.toUpperCase().replace('-', ' '))).status).toBe(200)
    expect((await second(await challengeOf(owner), code)).status).toBe(422)
    expect((await business.api.ok(twoFactorApi.status, {})).recoveryCodesLeft).toBe(9)
    const other = await aSecuredOwner()
    expect((await second(await challengeOf(other.owner), codes[1] ?? '')).status).toBe(422)
  })
})

describe('switching it off and renewing', () => {
  it('needs password and code', async () => {
    const { business, owner, key, codes } = await aSecuredOwner()
    wait(31)
    const now = () => totpCode(key, clock.nowMs())
    expect((await business.api.call(twoFactorApi.disable, { body: { password: 'nope', code: now() } })).status).toBe(
      422,
    )
    expect((await business.api.call(twoFactorApi.disable, { body: { password, code: '000000' } })).status).toBe(422)
    const renewed = await business.api.ok(twoFactorApi.renew, { body: { code: now() } })
    expect(renewed.recoveryCodes).not.toContain(codes[0])
    expect((await second(await challengeOf(owner), codes[0] ?? '')).status).toBe(422)
    wait(31)
    const off = await business.api.ok(twoFactorApi.disable, { body: { password, code: now() } })
    expect(off).toMatchObject({ enabled: false, recoveryCodesLeft: 0 })
    expect((await login(owner)).status).toBe(200)
    const log = await business.db((db) =>
      db
        .selectFrom('auditLog')
        .select('action')
        .where('businessId', '=', business.id)
        .where('action', 'like', 'account.%')
        .execute(),
    )
    expect(log.map((row) => row.action).sort()).toEqual([
      'account.recovery_codes',
      'account.two_factor_off',
      'account.two_factor_on',
    ])
  })
})

describe('when the owner asks it of the office', () => {
  it('an admin can do nothing else before, and cannot switch it off after', async () => {
    const { business } = await aSecuredOwner()
    const admin = await aPerson(business.id, 'Admin')
    await withPassword(business, admin)
    const employee = await business.employee()
    expect((await admin.api.call(twoFactorApi.require, { body: { required: true } })).status).toBe(403)
    await business.api.ok(twoFactorApi.require, { body: { required: true } })
    const refused = await admin.api.call(employeesApi.list, {})
    expect([refused.status, refused.error.code]).toEqual([403, 'two_factor_setup_required'])
    expect((await admin.api.ok(accountsApi.verify, {})).user.mustSetUpTwoFactor).toBe(true)
    expect((await employee.api.ok(accountsApi.verify, {})).user.mustSetUpTwoFactor).toBe(false)
    const { key } = await switchOn(admin.api)
    expect((await admin.api.call(employeesApi.list, {})).status).toBe(200)
    wait(31)
    const off = await admin.api.call(twoFactorApi.disable, { body: { password, code: totpCode(key, clock.nowMs()) } })
    expect([off.status, off.error.message]).toEqual([409, expect.stringMatching(/Only the owner/)])
  })

  it('the owner has it first', async () => {
    const business = await aBusiness()
    expect((await business.api.call(twoFactorApi.require, { body: { required: true } })).status).toBe(409)
  })
})
