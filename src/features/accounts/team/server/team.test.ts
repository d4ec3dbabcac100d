import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { database } from '../../../../platform/db/database.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { employeesApi } from '../../../employees/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { accountsApi } from '../../contract.ts'
import { teamApi } from '../contract.ts'

let business: TestBusiness
beforeAll(async () => {
  business = await aBusiness({ name: 'Marsh Side Lawns' })
})
afterEach(resetClock)

const add = (name: string, more: object) => business.api.ok(employeesApi.create, { body: { name, ...more } })
const unique = () => `${crypto.randomUUID()}@team.swath.test`
let lastPhone = 5550100
const aPhone = () => `+1912${++lastPhone}`

const messagesTo = (address: string) =>
  business.db((db) =>
    db
      .selectFrom('messages')
      .select(['bodyText', 'purpose', 'channel', 'status'])
      .where('businessId', '=', business.id)
      .where('address', '=', address)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  )
const tokenTo = async (address: string): Promise<string> => {
  const [message] = await messagesTo(address)
  return /employee-invite\/([\w-]{43})/.exec(message?.bodyText ?? '')?.[1] ?? 'none'
}
const cookiesOf = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    [headers['set-cookie']]
      .flat()
      .filter(Boolean)
      .map((line) => {
        const [pair = ''] = String(line).split(';')
        return [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      }),
  )
const take = (token: string, body: object, cookie?: string) =>
  stranger.call(
    teamApi.acceptInvite,
    { params: { token }, body: { name: 'Ana Ruiz', ...body } },
    cookie ? { cookie } : {},
  )
const show = (token: string) => stranger.ok(teamApi.showInvite, { params: { token } })
const statusOf = async (id: string) =>
  (await business.api.ok(employeesApi.list, { query: { status: 'all' } })).items.find((p) => p.id === id)
const later = (days: number) => {
  const at = clock.nowMs() + days * 86_400_000
  setClock(() => new Date(at))
}

describe('an invitation by mail', () => {
  it('leads to a name and a password, signs in, and is used up', async () => {
    const email = unique()
    const ana = await add('Ana', { email, invite: 'email' })
    expect(ana.signIn.invite).toMatchObject({ channel: 'email', address: email, state: 'open' })
    await runTasks()
    const [mail] = await messagesTo(email)
    expect(mail).toMatchObject({ purpose: 'account', status: 'sent' })
    const token = await tokenTo(email)
    const misplaced = await take(token, { name: '482913', password: 'a good password' })
    expect([misplaced.status, misplaced.error.errors?.[0]?.path]).toEqual([422, 'name'])
    expect(await show(token)).toMatchObject({
      state: 'open',
      businessName: 'Marsh Side Lawns',
      name: 'Ana',
      method: 'password',
    })

    const short = await take(token, { password: 'short' })
    expect([short.status, short.error.errors?.[0]?.path]).toEqual([422, 'password'])
    expect((await take(token, {})).error.errors?.[0]?.path).toBe('password')
    expect((await show(token)).state).toBe('open')

    const taken = await take(token, { password: 'a good password' })
    expect(taken.status).toBe(200)
    expect(taken.body.user).toMatchObject({ name: 'Ana Ruiz', role: 'Employee', emailVerified: true, email })
    expect(cookiesOf(taken.headers).swath_employee).toBeTruthy()
    const signedIn = await stranger.call(accountsApi.login, { body: { email, password: 'a good password' } })
    expect(signedIn.status).toBe(200)
    expect(await statusOf(ana.id)).toMatchObject({ status: 'active', signIn: { method: 'password', invite: null } })

    const again = await take(token, { password: 'somebody elses' })
    expect([again.status, again.error.code]).toEqual([409, 'state_conflict'])
    expect(again.error.message).toMatch(/taken already/)
    expect(await show(token)).toMatchObject({ state: 'used', name: null, email: null })
    expect((await stranger.call(accountsApi.login, { body: { email, password: 'somebody elses' } })).status).toBe(401)
  })

  it('stands in the database only as a hash', async () => {
    const email = unique()
    await add('Hashed', { email, invite: 'email' })
    const token = await tokenTo(email)
    const { rows } = await business.db(async (db) => ({
      rows: await db.selectFrom('employeeInvites').selectAll().where('businessId', '=', business.id).execute(),
    }))
    expect(JSON.stringify(rows)).not.toContain(token)
    const tokens = await database()
      .selectFrom('publicTokens')
      .selectAll()
      .where('businessId', '=', business.id)
      .execute()
    expect(JSON.stringify(tokens)).not.toContain(token)
  })

  it('is not among the messages that the office reads', async () => {
    const phone = aPhone()
    await add('Private', { phone, invite: 'sms' })
    const office = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
    const { items } = await office.api.ok(messagesApi.list, { query: { address: phone } })
    expect(items).toEqual([])
    const talks = await office.api.raw({ method: 'GET', url: '/api/messages/conversations' })
    expect(talks.text).not.toContain('employee-invite')
    const { id } = await business.db((db) =>
      db
        .selectFrom('messages')
        .select('id')
        .where('businessId', '=', business.id)
        .where('address', '=', phone)
        .executeTakeFirstOrThrow(),
    )
    Object.assign(config, { production: true })
    const read = await office.api.call(messagesApi.get, { params: { id } })
    Object.assign(config, { production: false })
    expect(read.status).toBe(404)
  })

  it('taken by two at once signs in one of them', async () => {
    const email = unique()
    await add('Twice', { email, invite: 'email' })
    const token = await tokenTo(email)
    const answers = await Promise.all(
      ['first password', 'second password'].map((password) => take(token, { password })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
  })

  it.each([
    ['unknown', () => 'x'.repeat(43), 404, /could not find/],
    ['short', () => 'x'.repeat(20), 404, /could not find/],
    [
      'tampered with',
      (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      404,
      /could not find/,
    ],
    ['much too long', () => 'x'.repeat(200), 422, /Validation error/],
  ])('%s is refused and changes nothing', async (_, change, status, words) => {
    const email = unique()
    const person = await add('Bad Token', { email, invite: 'email' })
    const answer = await take(change(await tokenTo(email)), { password: 'a good password' })
    expect(answer.status).toBe(status)
    expect(answer.error.message).toMatch(words)
    expect((await statusOf(person.id))?.status).toBe('invited')
  })

  it('expires after 7 days, and says so; sent again it works', async () => {
    const email = unique()
    const person = await add('Late', { email, invite: 'email' })
    const token = await tokenTo(email)
    later(7.01)
    expect((await show(token)).state).toBe('expired')
    const answer = await take(token, { password: 'a good password' })
    expect([answer.status, answer.error.message]).toEqual([409, expect.stringMatching(/older than 7 days/)])
    resetClock()
    later(0.01)
    await business.api.ok(teamApi.invite, { params: { id: person.id }, body: { channel: 'email' } })
    expect((await show(token)).state).toBe('revoked')
    const next = await tokenTo(email)
    expect(next).not.toBe(token)
    expect((await take(next, { password: 'a good password' })).status).toBe(200)
  })

  it('a second click sends no second one, and the first still works', async () => {
    const email = unique()
    const person = await add('Double', { email })
    const invite = () => business.api.ok(teamApi.invite, { params: { id: person.id }, body: { channel: 'email' } })
    await Promise.all([invite(), invite()])
    const token = await tokenTo(email)
    await invite()
    expect(await tokenTo(email)).toBe(token)
    expect((await take(token, { password: 'a good password' })).status).toBe(200)
  })

  it('can be withdrawn, ends with the address it went to, and with the person', async () => {
    const email = unique()
    const person = await add('Gone', { email, invite: 'email' })
    const first = await tokenTo(email)
    const after = await business.api.ok(teamApi.cancelInvite, { params: { id: person.id } })
    expect(after.invite).toBeNull()
    expect((await take(first, { password: 'a good password' })).error.message).toMatch(/withdrawn/)
    expect((await business.api.call(teamApi.cancelInvite, { params: { id: person.id } })).status).toBe(409)

    await business.api.ok(teamApi.invite, { params: { id: person.id }, body: { channel: 'email' } })
    const second = await tokenTo(email)
    const other = unique()
    const moved = await business.api.ok(employeesApi.update, {
      params: { id: person.id },
      body: { version: person.version, email: other },
    })
    expect(moved).toMatchObject({ email: other, signIn: { invite: null } })
    expect((await take(second, { password: 'a good password' })).status).toBe(409)

    await business.api.ok(teamApi.invite, { params: { id: person.id }, body: { channel: 'email' } })
    const third = await tokenTo(other)
    await business.api.ok(employeesApi.deactivate, { params: { id: person.id } })
    expect((await show(third)).state).toBe('revoked')
    expect((await take(third, { password: 'a good password' })).status).toBe(409)
    expect(
      (await business.api.call(teamApi.invite, { params: { id: person.id }, body: { channel: 'email' } })).status,
    ).toBe(409)
  })

  it('is refused in words where there is no address, and to who can sign in already', async () => {
    const person = await add('No Address', {})
    const email = await business.api.call(teamApi.invite, { params: { id: person.id }, body: { channel: 'email' } })
    expect([email.status, email.error.message]).toEqual([409, expect.stringMatching(/no e-mail/)])
    const sms = await business.api.call(teamApi.invite, { params: { id: person.id }, body: { channel: 'sms' } })
    expect([sms.status, sms.error.message]).toEqual([409, expect.stringMatching(/no mobile phone/)])
    const office = await business.api.call(employeesApi.create, {
      body: { name: 'Office', role: 'Admin', preset: 'dispatcher', phone: aPhone(), invite: 'sms' },
    })
    expect([office.status, office.error.message]).toEqual([409, expect.stringMatching(/signs in by e-mail/)])
    const listed = await business.api.ok(employeesApi.list, { query: { search: 'Office' } })
    expect(listed.items).toEqual([])
  })

  it('puts nobody into another business', async () => {
    const other = await aBusiness()
    const email = unique()
    const person = await add('Ours', { email, invite: 'email' })
    const token = await tokenTo(email)
    expect(
      (await other.api.call(teamApi.invite, { params: { id: person.id }, body: { channel: 'email' } })).status,
    ).toBe(404)
    expect((await other.api.call(teamApi.cancelInvite, { params: { id: person.id } })).status).toBe(404)
    // Asked with the session of another business: the token alone decides where the person belongs.
    const answer = await other.api.call(teamApi.acceptInvite, {
      params: { token },
      body: { name: 'Ours', password: 'a good password' },
    })
    expect(answer.body.user.business._id).toBe(business.id)
    expect(answer.body.user._id).toBe(person.id)
  })
})

describe('a phone and a PIN', () => {
  const join = async (name = 'Beto Cruz', pin = '482135', cookie?: string) => {
    const phone = aPhone()
    const person = await add(name, { phone, invite: 'sms', language: 'es' })
    const token = await tokenTo(phone)
    const taken = await take(token, { name, pin }, cookie)
    return { phone, person, token, taken, device: cookiesOf(taken.headers).swath_device ?? '' }
  }
  const byPin = (phone: string, pin: string, device?: string) =>
    stranger.call(teamApi.pinSignIn, { body: { phone, pin } }, device ? { cookie: `swath_device=${device}` } : {})

  it('come by text, work on the invited phone and nowhere else', async () => {
    const { phone, taken, device, person } = await join()
    expect(taken.status).toBe(200)
    const [text] = await messagesTo(phone)
    expect(text).toMatchObject({ channel: 'sms', purpose: 'account' })
    expect(text?.bodyText).toMatch(/^Marsh Side Lawns: crea tu acceso/)
    expect(taken.headers['set-cookie']).toContainEqual(expect.stringMatching(/^swath_device=.*HttpOnly.*SameSite=Lax/))
    expect(await statusOf(person.id)).toMatchObject({ status: 'active', signIn: { method: 'pin', deviceCount: 1 } })
    const ok = await byPin(`(912) 555-01${phone.slice(-2)}`, '482135', device)
    expect([ok.status, ok.body.user._id]).toEqual([200, person.id])
    const elsewhere = await byPin(phone, '482135')
    expect([elsewhere.status, elsewhere.error.message]).toEqual([401, expect.stringMatching(/does not know you yet/)])
    const forged = `${device.split('.').slice(0, 2).join('.')}.${'x'.repeat(43)}`
    expect((await byPin(phone, '482135', forged)).status).toBe(401)
    const otherPhone = await join('Somebody Else', '190284')
    expect((await byPin(phone, '482135', otherPhone.device)).status).toBe(401)
  })

  it('say the same to a wrong PIN and a wrong number, and slow down', async () => {
    const { phone, device } = await join()
    const wrong = await byPin(phone, '111119', device)
    const unknown = await byPin(aPhone(), '482135', device)
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.error.message).toBe(unknown.error.message)
    await byPin(phone, '111119', device)
    await byPin(phone, '111119', device)
    const stopped = await byPin(phone, '482135', device)
    expect([stopped.status, stopped.error.details?.retryAfterSeconds]).toEqual([429, expect.any(Number)])
    later(0.02)
    expect((await byPin(phone, '482135', device)).status).toBe(200)
  })

  it('refuse an easy PIN, a password instead of one, and a taken invitation', async () => {
    const phone = aPhone()
    await add('Easy', { phone, invite: 'sms' })
    const token = await tokenTo(phone)
    const easy = await take(token, { pin: '123456' })
    expect([easy.status, easy.error.errors?.[0]?.path]).toEqual([422, 'pin'])
    expect((await take(token, { password: 'a good password' })).error.errors?.[0]?.path).toBe('pin')
    expect((await take(token, { pin: '482135' })).status).toBe(200)
    expect((await take(token, { pin: '190284' })).status).toBe(409)
  })

  it('are shared by two on one tablet, each with the own PIN', async () => {
    const first = await join('First', '482135')
    const second = await join('Second', '190284', `swath_device=${first.device}`)
    expect(second.taken.status).toBe(200)
    expect(second.device).toBe('')
    expect((await byPin(first.phone, '482135', first.device)).body.user._id).toBe(first.person.id)
    expect((await byPin(second.phone, '190284', first.device)).body.user._id).toBe(second.person.id)
    expect((await byPin(second.phone, '482135', first.device)).status).toBe(401)
  })

  it('are reset by the office: session, phone and PIN end, a new text goes out', async () => {
    const { phone, person, taken, device, token } = await join()
    const bearer = { authorization: `Bearer ${taken.body.token}` }
    expect((await stranger.call(accountsApi.verify, {}, bearer)).status).toBe(200)
    const after = await business.api.ok(teamApi.resetPin, { params: { id: person.id } })
    expect(after).toMatchObject({ method: null, deviceCount: 0, invite: { channel: 'sms', state: 'open' } })
    expect((await stranger.call(accountsApi.verify, {}, bearer)).status).toBe(401)
    expect((await byPin(phone, '482135', device)).status).toBe(401)
    expect((await take(token, { pin: '482135' })).status).toBe(409)
    expect((await take(await tokenTo(phone), { pin: '190284' })).status).toBe(200)
    expect((await business.api.call(teamApi.resetPin, { params: { id: business.owner.userId } })).status).toBe(409)
  })

  it('end when the person is deactivated, also after being let in again', async () => {
    const { phone, person, device } = await join()
    await business.api.ok(employeesApi.deactivate, { params: { id: person.id } })
    expect((await byPin(phone, '482135', device)).status).toBe(401)
    const back = await business.api.ok(employeesApi.reactivate, { params: { id: person.id } })
    expect(back).toMatchObject({ status: 'invited', signIn: { method: null } })
    expect((await byPin(phone, '482135', device)).status).toBe(401)
  })
})

describe('who may touch whom', () => {
  it('an admin changes nobody who may do more, and never the owner', async () => {
    const admin = await aPerson(business.id, 'Admin', { permissions: ['team', 'schedule'] })
    const full = await business.admin()
    const target = async (id: string) => (await statusOf(id))?.version ?? 1
    const tries = (id: string, version: number) => [
      admin.api.call(employeesApi.update, { params: { id }, body: { version, phone: '(912) 555-0199' } }),
      admin.api.call(employeesApi.deactivate, { params: { id } }),
      admin.api.call(teamApi.invite, { params: { id }, body: { channel: 'email' } }),
      admin.api.call(teamApi.resetPin, { params: { id } }),
      admin.api.call(teamApi.cancelInvite, { params: { id } }),
    ]
    for (const id of [full.userId, business.owner.userId]) {
      const answers = await Promise.all(tries(id, await target(id)))
      expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403])
    }
    expect(
      (await business.api.call(employeesApi.deactivate, { params: { id: business.owner.userId } })).error.message,
    ).toMatch(/last owner/)
    expect((await full.api.call(employeesApi.deactivate, { params: { id: full.userId } })).error.message).toMatch(
      /yourself/,
    )
  })

  it('gives only what the giver has, and keeps what the person had', async () => {
    const admin = await aPerson(business.id, 'Admin', { permissions: ['team', 'schedule', 'customers'] })
    const made = await admin.api.ok(employeesApi.create, {
      body: { name: 'Planner', role: 'Admin', permissions: ['schedule'], email: unique() },
    })
    expect(made.permissions).toEqual(['schedule'])
    const set = (permissions: ('schedule' | 'customers' | 'money' | 'payroll')[]) =>
      admin.api.call(employeesApi.update, { params: { id: made.id }, body: { version: made.version, permissions } })
    expect((await set(['schedule', 'money'])).status).toBe(403)
    expect((await set(['payroll'])).status).toBe(403)
    expect((await set(['schedule', 'customers'])).body.permissions).toEqual(['schedule', 'customers'])
    const crew = await add('Crew', {})
    const wrong = await business.api.call(employeesApi.update, {
      params: { id: crew.id },
      body: { version: crew.version, permissions: ['money'] },
    })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'preset'])
    const self = await admin.api.call(employeesApi.update, {
      params: { id: admin.userId },
      body: { version: 1, permissions: ['team', 'schedule', 'customers', 'money'] },
    })
    expect(self.status).toBe(403)
  })
})
