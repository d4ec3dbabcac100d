import { afterEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { totpCode } from '../../../platform/totp.ts'
import { apiWith, stranger } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { accountsApi } from '../../accounts/contract.ts'
import { ownerApi } from '../contract.ts'

const signIn = (username = 'owner', password = 'demo-swath-2026') =>
  stranger.call(ownerApi.login, { body: { username, password } })
afterEach(resetClock)

describe('the product owner', () => {
  it('signs in with a token of their own that opens nothing of a business', async () => {
    const { body } = await signIn()
    const owner = apiWith(body.token)
    expect((await owner.ok(ownerApi.session, {})).name).toBe('owner')
    expect((await owner.call(accountsApi.verify, {})).status).toBe(401)
    const later = clock.nowMs() + 8 * 3600 * 1000 + 1000
    setClock(() => new Date(later))
    expect((await owner.call(ownerApi.session, {})).error.code).toBe('token_expired')
  })

  it('is nobody of a business, and says the same to a wrong name and a wrong password', async () => {
    const business = await aBusiness()
    expect((await business.api.call(ownerApi.session, {})).status).toBe(401)
    expect((await stranger.call(ownerApi.session, {})).status).toBe(401)
    const wrong = [await signIn('owner', 'nope'), await signIn('someone')]
    expect(wrong.map((answer) => [answer.status, answer.error.message])).toEqual([
      [401, 'Invalid credentials'],
      [401, 'Invalid credentials'],
    ])
    expect((await signIn('owner', 'third')).status).toBe(401)
    expect((await signIn()).status).toBe(429)
    const later = clock.nowMs() + 20_000
    setClock(() => new Date(later))
    expect((await signIn()).status).toBe(200)
  })
})

describe('the second step', () => {
  it('is asked of the product owner too: a code once, a recovery code once', async () => {
    const wait = (seconds: number) => {
      const at = clock.nowMs() + seconds * 1000
      setClock(() => new Date(at))
    }
    const withCode = (code?: string) =>
      stranger.call(ownerApi.login, {
        body: { username: 'owner', password: 'demo-swath-2026', ...(code ? { code } : {}) },
      })
    wait(3600)
    const owner = apiWith((await withCode()).body.token)
    const wrong = await owner.call(ownerApi.beginTwoFactor, { body: { password: 'not mine' } })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'password'])
    const { key } = await owner.ok(ownerApi.beginTwoFactor, { body: { password: 'demo-swath-2026' } })
    expect((await withCode()).status).toBe(200)
    expect((await owner.call(ownerApi.confirmTwoFactor, { body: { code: '000000' } })).status).toBe(422)
    const code = totpCode(key, clock.nowMs())
    const { recoveryCodes } = await owner.ok(ownerApi.confirmTwoFactor, { body: { code } })
    const first = await withCode()
    expect([first.status, first.error.code]).toEqual([403, 'two_factor_required'])
    expect((await withCode(code)).status).toBe(422)
    wait(31)
    const next = totpCode(key, clock.nowMs())
    const answers = await Promise.all([withCode(next), withCode(next)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422])
    wait(60)
    expect((await withCode(recoveryCodes[0])).status).toBe(200)
    expect((await withCode(recoveryCodes[0])).status).toBe(422)
    wait(60)
    expect(await owner.ok(ownerApi.twoFactor, {})).toEqual({ enabled: true, recoveryCodesLeft: 9 })
    const off = await owner.ok(ownerApi.disableTwoFactor, { body: { code: totpCode(key, clock.nowMs()) } })
    expect(off.enabled).toBe(false)
    expect((await withCode()).status).toBe(200)
  })

  it('gives ten new recovery codes for a code; wrong codes slow down for the name', async () => {
    const wait = (seconds: number) => {
      const at = clock.nowMs() + seconds * 1000
      setClock(() => new Date(at))
    }
    wait(7200)
    const owner = apiWith((await signIn()).body.token)
    expect((await owner.call(ownerApi.renewRecoveryCodes, { body: { code: '123456' } })).status).toBe(409)
    const { key } = await owner.ok(ownerApi.beginTwoFactor, { body: { password: 'demo-swath-2026' } })
    const { recoveryCodes: old } = await owner.ok(ownerApi.confirmTwoFactor, {
      body: { code: totpCode(key, clock.nowMs()) },
    })
    const renew = (code = '') => owner.call(ownerApi.renewRecoveryCodes, { body: { code } })
    const fresh = (await renew(old[0])).body.recoveryCodes
    expect([fresh.length, old.some((code) => fresh.includes(code))]).toEqual([10, false])
    expect((await renew(old[1])).status).toBe(422)
    expect([(await renew('000000')).status, (await renew('000000')).status]).toEqual([422, 422])
    const slowed = await renew(fresh[0])
    expect([slowed.status, slowed.error.message]).toEqual([429, expect.stringContaining('Too many tries')])
    wait(40)
    expect((await renew(fresh[0])).status).toBe(200)
    wait(40)
    await owner.ok(ownerApi.disableTwoFactor, { body: { code: totpCode(key, clock.nowMs()) } })
  })
})
