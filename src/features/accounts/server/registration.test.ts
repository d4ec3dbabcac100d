import { describe, expect, it } from 'vitest'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { newId } from '../../../platform/ids.ts'
import { fromAddress, mailsTo, tokenIn } from '../../../test/account.ts'
import { apiWith, runTasks, testServer } from '../../../test/api.ts'
import { accountsApi, type SessionUser } from '../contract.ts'
import { openAccount } from './registration.ts'

const password = 'green grass 7'
const anEmail = () => `${newId()}@new.swath.test`
const form = (changes: Record<string, unknown> = {}) => ({
  name: 'Dana Whitfield',
  email: anEmail(),
  password,
  customerCount: 11,
  companySize: 'small',
  ...changes,
})
type Opened = { token: string; user: SessionUser }

const register = async (body: Record<string, unknown>, from = fromAddress()) => {
  const answer = await from('/api/auth/register', body)
  return { ...answer, opened: answer.body as unknown as Opened }
}

describe('register', () => {
  it.each(['UTC', 'Etc/GMT+5', 'Mars/Base'])(
    'a browser whose zone is %s opens a business in Eastern Time',
    async (timeZone) => {
      const { status, opened } = await register(form({ timeZone }))
      expect([status, opened.user.business.timeZone]).toEqual([200, 'America/New_York'])
    },
  )

  it('makes a business with a slug and its Owner, signs in, and mails a link to confirm the address', async () => {
    const body = form({ businessName: 'Whitfield & Sons', timeZone: 'America/Denver' })
    const { status, opened, headers } = await register(body)
    expect(status).toBe(200)
    expect(String(headers['set-cookie'])).toMatch(/swath_admin=[^;]+;.*HttpOnly/)
    expect(opened.user).toMatchObject({
      name: 'Dana Whitfield',
      email: body.email,
      emailVerified: false,
      role: 'Owner',
      subscriptionActive: false,
      subscriptionTier: null,
      customerCount: 11,
      companySize: 'small',
      business: { name: 'Whitfield & Sons', timeZone: 'America/Denver' },
    })
    expect(opened.user.business.slug).toMatch(/^whitfield-sons/)
    const api = apiWith(opened.token, 'Owner')
    expect((await api.ok(accountsApi.verify, {})).user._id).toBe(opened.user._id)

    const [mail, ...others] = await mailsTo(opened.user.business._id, body.email)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      subject: 'Confirm your e-mail address',
      purpose: 'account',
      fromName: 'Swath',
      userId: opened.user._id,
    })
    const token = await tokenIn(opened.user.business._id, body.email, 'Confirm your e-mail address')
    const used = await fromAddress()(`/api/auth/email-link/${token}`, {})
    expect([used.status, used.body]).toEqual([200, { purpose: 'verifyEmail', email: body.email, session: null }])
    expect((await api.ok(accountsApi.verify, {})).user.emailVerified).toBe(true)
    const again = await fromAddress()(`/api/auth/email-link/${token}`, {})
    expect([again.status, again.body]).toEqual([200, used.body])
  })

  it('gives two businesses of one name two slugs', async () => {
    const name = `Twin ${newId().slice(-8)}`
    const [one, two] = [await register(form({ businessName: name })), await register(form({ businessName: name }))]
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.opened.user.business.slug).toBe(`${one.opened.user.business.slug}-2`)
  })

  it('gives businesses of one name at the same moment a slug each', async () => {
    const name = `Same ${newId().slice(-8)}`
    const all = await Promise.all([1, 2, 3].map(() => register(form({ businessName: name }))))
    expect(all.map((a) => a.status)).toEqual([200, 200, 200])
    expect(new Set(all.map((a) => a.opened.user.business.slug)).size).toBe(3)
  })

  it('takes a name of 60 characters and none for the business', async () => {
    const name = 'Maximiliana Constantinopolitana-Featherstonehaugh of Savannah'
    const { opened } = await register(form({ name }))
    expect(opened.user.business).toMatchObject({ name })
  })

  it.each([
    ['a short password', { password: 'seven77' }, 'password', 'Password must be at least 8 characters long'],
    ['an address that is none', { email: 'dana@' }, 'email', 'Please enter a valid email address'],
    ['no name', { name: '  ' }, 'name', 'Enter your name'],
    ['an unknown size', { companySize: 'huge' }, 'companySize', undefined],
  ])('refuses %s with the list and makes nothing', async (_name, change, path, message) => {
    const body = form(change)
    const { status, error } = await register(body)
    expect([status, error.message]).toEqual([422, 'Validation error'])
    expect(error.errors?.[0]?.path).toBe(path)
    if (message) expect(error.errors?.[0]?.message).toBe(message)
    expect(
      await database().selectFrom('accountEmails').selectAll().where('email', '=', String(body.email)).execute(),
    ).toEqual([])
  })

  it('an address has one account over all businesses; who owns it hears of the second try, once a day', async () => {
    const body = form()
    const { opened } = await register(body)
    for (const email of [body.email, body.email.toUpperCase()]) {
      const { status, error } = await register(form({ email, password: 'another one 9' }))
      expect([status, error.code]).toEqual([409, 'conflict'])
      expect(error.message).toContain('sign in or reset your password')
    }
    const subjects = (await mailsTo(opened.user.business._id, body.email)).map((m) => m.subject)
    expect(subjects).toEqual(['Confirm your e-mail address', 'You already have an account'])
    const signedIn = await fromAddress()('/api/auth/login', { email: body.email, password })
    expect(signedIn.status).toBe(200)
  })

  it('of two at the same moment one gets the address', async () => {
    const body = form()
    const both = await Promise.all([register(body), register(body)])
    expect(both.map((a) => a.status).sort()).toEqual([200, 409])
  })

  it('known addresses tried one after the other are limited, who registers behind the same address is not', async () => {
    const from = fromAddress()
    const known = form()
    await register(known)
    for (let i = 0; i < 19; i++) await countUse(`register-known:${from.ip}`, 20, 3600)
    expect((await register(known, from)).status).toBe(409)
    expect((await register(known, from)).status).toBe(429)
    for (let i = 0; i < 30; i++) await countUse(`register:${from.ip}`, 200, 3600)
    expect((await register(form(), from)).status).toBe(200)
  })

  it('is limited for each address it comes from', async () => {
    const from = fromAddress()
    for (let i = 0; i < 200; i++) await countUse(`register:${from.ip}`, 200, 3600)
    const body = form()
    expect((await register(body, from)).status).toBe(429)
    // What is refused by its form costs nothing and does not count.
    expect((await register(form({ name: '' }), from)).status).toBe(422)
    expect((await register(body)).status).toBe(200)
  })

  it('the product owner may open one with 6 characters, without signing it in', async () => {
    await testServer()
    await expect(
      openAccount({ ...form({ password: 'five5' }), companySize: 'solo' }, { passwordMinimum: 6 }),
    ).rejects.toMatchObject({
      errors: [{ path: 'password', message: 'Password must be at least 6 characters long' }],
    })
    const made = await openAccount({ ...form({ password: 'sixsix' }), companySize: 'solo' }, { passwordMinimum: 6 })
    const sessions = await withTenant({ businessId: asBusinessId(made.businessId) }, (db) =>
      db.selectFrom('sessions').selectAll().where('businessId', '=', made.businessId).execute(),
    )
    expect(sessions).toEqual([])
  })

  it('lets its mail leave past quiet hours and limits', async () => {
    const { opened } = await register(form())
    await runTasks()
    expect((await mailsTo(opened.user.business._id, opened.user.email ?? '')).map((m) => m.status)).toEqual(['sent'])
  })
})
