import { describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { anOwner } from '../../../../test/prospects.ts'
import { subscriptionsApi } from '../../../subscriptions/contract.ts'
import { accountsApi } from '../../contract.ts'
import { portalApi } from '../contract.ts'

const form = (changes: object = {}) => ({
  name: 'Dana Whitfield',
  email: `${newId()}@oak.test`,
  password: 'sixsix',
  customerCount: 11,
  companySize: 'small' as const,
  ...changes,
})

describe('the registration portal', () => {
  it('opens an account with six characters, signs nobody in, and makes its checkout', async () => {
    const owner = await anOwner()
    const body = form()
    const made = await owner.call(portalApi.createAccount, { body })
    expect(made.body).toMatchObject({ name: 'Dana Whitfield', email: body.email })
    expect(made.headers['set-cookie']).toBeUndefined()
    expect((await stranger.ok(accountsApi.login, { body })).user).toMatchObject({ role: 'Owner', customerCount: 11 })
    const checkout = { priceId: 'price_pro_year', userId: made.body.userId }
    const link = await owner.ok(subscriptionsApi.createCheckout, { body: checkout })
    expect(link).toMatchObject({ sessionId: expect.any(String), url: expect.any(String) })
    expect((await stranger.call(subscriptionsApi.createCheckout, { body: checkout })).status).toBe(401)
    const other = await aBusiness()
    const foreign = { priceId: 'price_pro_year', userId: other.owner.userId }
    expect((await owner.call(subscriptionsApi.createCheckout, { body: foreign })).status).toBe(404)
  })

  it('refuses what is missing, too short or taken, and strangers', async () => {
    const owner = await anOwner()
    const short = await owner.call(portalApi.createAccount, { body: form({ password: 'five5' }) })
    expect([short.status, short.error.message, short.error.errors?.[0]?.message]).toEqual([
      422,
      'Validation error',
      'Password must be at least 6 characters long',
    ])
    expect((await owner.call(portalApi.createAccount, { body: form({ name: '' }) })).status).toBe(422)
    const body = form()
    await owner.ok(portalApi.createAccount, { body })
    const again = await owner.call(portalApi.createAccount, { body: { ...body, name: 'Somebody Else' } })
    expect([again.status, again.error.message]).toEqual([
      409,
      `${body.email} has an account already, so none was opened. They can sign in or reset their password; a mail to that address says so.`,
    ])
    expect((await stranger.call(portalApi.createAccount, { body: form() })).status).toBe(401)
  })
})
