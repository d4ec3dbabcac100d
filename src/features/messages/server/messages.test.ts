import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { localPhoneApi } from '../../../local/phone/contract.ts'
import { signLocalSms } from '../../../local/webhooks.ts'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { linkToken } from '../../../platform/links.ts'
import { paths } from '../../../shared/paths.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { messagesApi } from '../contract.ts'
import { queueMessage, recordConsent, suppress } from './commands.ts'

let business: TestBusiness
const phone = '+19125550123'

const aCustomer = async (
  own: TestBusiness,
  changes: { email?: string | null; phone?: string | null; language?: 'en' | 'es' } = {},
) => {
  const id = newId()
  await own.db((db) =>
    db
      .insertInto('customers')
      .values({
        businessId: own.id,
        id,
        name: 'R. Odom',
        email: changes.email === undefined ? 'odom@test.swath.test' : changes.email,
        phone: changes.phone === undefined ? phone : changes.phone,
        language: changes.language ?? 'en',
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .execute(),
  )
  return id
}
const at = (iso: string) => setClock(() => new Date(iso))
const noon = () => at('2026-06-12T16:00:00Z')
const list = async (own: TestBusiness, query = {}) => (await own.api.ok(messagesApi.list, { query })).items
const post = (own: TestBusiness, body: Parameters<typeof own.api.ok<typeof localPhoneApi.act>>[1]['body']) =>
  own.api.ok(localPhoneApi.act, { body })

beforeAll(async () => {
  business = await aBusiness()
})
afterEach(resetClock)

describe('sending', () => {
  it('leaves once, however often the same effect is asked for and the task runs', async () => {
    const own = await aBusiness()
    const input = {
      channel: 'email' as const,
      purpose: 'transactional' as const,
      address: 'Odom@test.swath.test',
      dedupeKey: 'invoice:1:sent',
      subject: 'Hello',
      text: 'Hi',
    }
    const [a, b] = await Promise.all([own.db((db) => queueMessage(db, input)), own.db((db) => queueMessage(db, input))])
    expect(a).toBe(b)
    await runTasks()
    await runTasks()
    const items = await list(own)
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ status: 'sent', address: 'odom@test.swath.test' })
  })

  it('a rolled-back wish never leaves', async () => {
    const own = await aBusiness()
    await own
      .db(async (db) => {
        await queueMessage(db, {
          channel: 'email',
          purpose: 'transactional',
          address: 'x@test.swath.test',
          dedupeKey: 'k',
          text: 'x',
        })
        throw new Error('no')
      })
      .catch(() => undefined)
    await runTasks()
    expect(await list(own)).toEqual([])
  })

  it('marks what was leaving when the process died as unknown and does not send it again', async () => {
    const own = await aBusiness()
    const id = await own.db((db) =>
      queueMessage(db, {
        channel: 'email',
        purpose: 'transactional',
        address: 'x@test.swath.test',
        dedupeKey: 'k',
        text: 'x',
      }),
    )
    await own.db((db) =>
      db
        .updateTable('messages')
        .set({ status: 'sending' })
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .execute(),
    )
    await runTasks()
    expect((await list(own))[0]?.status).toBe('unknown')
    const again = await own.api.ok(messagesApi.resend, { params: { id } })
    await runTasks()
    expect((await own.api.ok(messagesApi.get, { params: { id: again.id } })).status).toBe('sent')
  })

  it('holds a text in quiet hours and lets it leave in the morning', async () => {
    const own = await aBusiness()
    const customer = await aCustomer(own)
    at('2026-06-13T02:00:00Z')
    const message = await own.api.ok(messagesApi.sendText, {
      params: { id: customer },
      body: { text: 'We come tomorrow.' },
    })
    await runTasks()
    expect((await list(own))[0]).toMatchObject({
      status: 'held',
      runAfter: '2026-06-13T12:00:00.000Z',
      reason: 'Quiet hours at the recipient',
    })
    expect(message.segments).toBe(1)
  })

  it('refuses a text above the plan with the reason, and marketing without consent', async () => {
    noon()
    const own = await aBusiness({ tier: 'basic' })
    const customer = await aCustomer(own)
    await own.db((db) =>
      db
        .insertInto('textMonths')
        .values({ businessId: own.id, month: clock.iso().slice(0, 7), segments: 150 })
        .execute(),
    )
    const refused = await own.api.call(messagesApi.sendText, { params: { id: customer }, body: { text: 'One more' } })
    expect([refused.status, refused.error.code]).toEqual([402, 'message_limit_reached'])
    await own.db((db) =>
      queueMessage(db, {
        channel: 'email',
        purpose: 'marketing',
        address: 'odom@test.swath.test',
        dedupeKey: 'm',
        text: 'Buy',
      }),
    )
    await runTasks()
    expect((await list(own, { channel: 'email' }))[0]).toMatchObject({
      status: 'suppressed',
      reason: 'No consent to marketing on record',
    })
  })
})

describe('the phone', () => {
  it('STOP shuts the address at once, also for what waits; START opens it again; the office cannot', async () => {
    noon()
    const own = await aBusiness()
    const customer = await aCustomer(own)
    const waiting = await own.db((db) =>
      queueMessage(db, {
        channel: 'sms',
        purpose: 'transactional',
        address: phone,
        dedupeKey: 'later',
        text: 'x',
        customerId: customer,
        runAfter: '2026-06-12T20:00:00Z',
      }),
    )
    await own.db((db) => suppress(db, 'sms', phone, 'marketing', 'They unsubscribed'))
    await post(own, { kind: 'reply', from: phone, text: 'Please don’t text me' })
    await runTasks()
    // What was on record stays there, and nothing confirms the STOP but the provider.
    const kept = await own.db((db) =>
      db.selectFrom('suppressions').select('purpose').where('businessId', '=', own.id).orderBy('purpose').execute(),
    )
    expect(kept.map((row) => row.purpose)).toEqual(['all', 'marketing'])
    expect((await list(own)).filter((m) => m.status === 'sent')).toEqual([])
    expect((await own.api.ok(messagesApi.get, { params: { id: waiting } })).status).toBe('suppressed')
    const refused = await own.api.call(messagesApi.sendText, { params: { id: customer }, body: { text: 'Hello?' } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('replying START')])
    await post(own, { kind: 'reply', from: phone, text: 'START' })
    await runTasks()
    await own.api.ok(messagesApi.sendText, { params: { id: customer }, body: { text: 'Welcome back' } })
    await runTasks()
    expect((await list(own)).filter((m) => m.status === 'sent').map((m) => m.text)).toEqual([
      'Welcome back',
      expect.stringContaining('texts are on again'),
    ])
  })

  it('reports delivery once and never backwards; HELP answers with contact; other words go to the conversation', async () => {
    noon()
    const own = await aBusiness({ name: 'Oak Lawns' })
    const customer = await aCustomer(own)
    const message = await own.api.ok(messagesApi.sendText, { params: { id: customer }, body: { text: 'On my way' } })
    await runTasks()
    await post(own, { kind: 'status', messageId: message.id, status: 'delivered' })
    await post(own, { kind: 'status', messageId: message.id, status: 'failed' })
    await post(own, { kind: 'reply', from: phone, text: 'help' })
    await post(own, { kind: 'reply', from: phone, text: 'Can you also edge the back beds?' })
    await runTasks()
    expect((await own.api.ok(messagesApi.get, { params: { id: message.id } })).status).toBe('delivered')
    const items = await list(own, { customerId: customer })
    expect(items.some((m) => m.direction === 'outbound' && m.text.startsWith('Oak Lawns: messages about'))).toBe(true)
    expect(items.some((m) => m.direction === 'inbound' && m.text.startsWith('Can you also edge'))).toBe(true)
  })

  it('takes no webhook without our signature, and the same one once', async () => {
    const own = await aBusiness()
    const raw = JSON.stringify({ kind: 'reply', id: newId(), businessId: own.id, from: phone, text: 'Hi' })
    const send = (signature: string, payload = raw) =>
      stranger.raw({
        method: 'POST',
        url: '/api/webhooks/local-sms',
        headers: { 'content-type': 'application/json', 'x-swath-signature': signature },
        payload,
      })
    expect((await send('junk')).status).toBe(403)
    expect((await send(signLocalSms(raw), `${raw} `)).status).toBe(403)
    for (let i = 0; i < 5; i++) expect((await send(signLocalSms(raw))).status).toBe(200)
    await runTasks()
    expect(await list(own)).toHaveLength(1)
  })
})

describe('conversations', () => {
  it('one row a customer or unknown number, newest first, unread until somebody reads it', async () => {
    const own = await aBusiness()
    const customer = await aCustomer(own)
    await own.api.ok(messagesApi.sendEmail, {
      params: { id: customer },
      body: { subject: 'Aeration week', text: 'Hi' },
    })
    await post(own, { kind: 'reply', from: phone, text: 'Can you edge the beds?' })
    await post(own, { kind: 'reply', from: '+19125550999', text: 'Do you also rake?' })
    await runTasks()
    const talk = () => own.api.ok(messagesApi.conversations, {})
    const before = await talk()
    expect(before.items.map((c) => [c.customer?.name ?? c.key, c.last.text, c.unreadCount])).toEqual([
      ['+19125550999', 'Do you also rake?', 1],
      ['R. Odom', 'Can you edge the beds?', 1],
    ])
    expect(before.unreadCount).toBe(2)
    const first = await own.api.ok(messagesApi.conversations, { query: { limit: 1 } })
    const second = await own.api.ok(messagesApi.conversations, { query: { limit: 1, cursor: first.nextCursor ?? '' } })
    expect([...first.items, ...second.items].map((c) => c.key)).toEqual(['+19125550999', customer])
    expect(await own.api.ok(messagesApi.read, { body: { customerId: customer } })).toEqual({ readCount: 1 })
    expect(await own.api.ok(messagesApi.read, { body: { customerId: customer } })).toEqual({ readCount: 0 })
    await own.api.ok(messagesApi.read, { body: { address: '+19125550999' } })
    expect((await talk()).unreadCount).toBe(0)
    expect((await own.api.ok(messagesApi.conversations, { query: { unread: 'true' } })).items).toEqual([])
    expect((await own.api.ok(messagesApi.conversations, { query: { search: 'odom' } })).items).toHaveLength(1)
    const other = await aBusiness()
    expect((await other.api.call(messagesApi.read, { body: { customerId: customer } })).status).toBe(404)
    expect((await other.api.ok(messagesApi.conversations, {})).items).toEqual([])
  })

  it('says how somebody can be written to, and what stands against it', async () => {
    const own = await aBusiness()
    const customer = await aCustomer(own, { email: null })
    await post(own, { kind: 'reply', from: phone, text: 'STOP' })
    await runTasks()
    expect(await own.api.ok(messagesApi.contact, { params: { id: customer } })).toMatchObject({
      email: null,
      phone,
      smsSuppressed: 'They replied STOP',
      emailSuppressed: null,
    })
    expect((await own.api.ok(messagesApi.people, { query: { q: '555-0123' } })).items).toHaveLength(1)
    expect((await own.api.ok(messagesApi.people, { query: { q: 'nobody' } })).items).toEqual([])
    expect((await (await aBusiness()).api.call(messagesApi.contact, { params: { id: customer } })).status).toBe(404)
  })
})

describe('unsubscribe', () => {
  it('changes nothing on GET, ends marketing on POST, and transactional mail still leaves', async () => {
    const customer = await aCustomer(business, { email: 'leaves@test.swath.test' })
    const token = await business.db((db) => linkToken(db, 'unsubscribe', customer))
    expect((await stranger.ok(messagesApi.unsubscribeInfo, { params: { token } })).unsubscribed).toBe(false)
    expect((await stranger.ok(messagesApi.unsubscribeInfo, { params: { token } })).unsubscribed).toBe(false)
    for (let i = 0; i < 2; i++) await stranger.ok(messagesApi.unsubscribe, { params: { token } })
    expect((await stranger.ok(messagesApi.unsubscribeInfo, { params: { token } })).unsubscribed).toBe(true)
    await business.db((db) =>
      queueMessage(db, {
        channel: 'email',
        purpose: 'transactional',
        address: 'leaves@test.swath.test',
        dedupeKey: 'receipt',
        text: 'x',
      }),
    )
    await runTasks()
    expect((await list(business, { search: 'leaves@' }))[0]?.status).toBe('sent')
    expect((await stranger.call(messagesApi.unsubscribe, { params: { token: 'nope' } })).status).toBe(404)
  })

  it('is taken back by the same link, with the words that were pressed, and only where the link ended it', async () => {
    const customer = await aCustomer(business, { email: 'regrets@test.swath.test', language: 'es' })
    const address = 'regrets@test.swath.test'
    const token = await business.db((db) => linkToken(db, 'unsubscribe', customer))
    const params = { token }
    const info = () => stranger.ok(messagesApi.unsubscribeInfo, { params })
    const ledger = () =>
      business.db((db) =>
        db
          .selectFrom('consentEvents')
          .select(['action', 'source', 'wording'])
          .where('businessId', '=', business.id)
          .where('address', '=', address)
          .orderBy('id')
          .execute(),
      )
    // nothing was ended: nothing is written
    await stranger.ok(messagesApi.keepOffers, { params })
    expect([await info(), await ledger()]).toEqual([expect.objectContaining({ language: 'es', mayKeep: false }), []])
    await stranger.ok(messagesApi.unsubscribe, { params })
    expect(await info()).toMatchObject({ unsubscribed: true, mayKeep: true })
    for (let i = 0; i < 2; i++) await stranger.ok(messagesApi.keepOffers, { params })
    expect(await info()).toMatchObject({ unsubscribed: false, mayKeep: false })
    // the no stays on record before the yes
    expect(await ledger()).toEqual([
      { action: 'revoke', source: 'unsubscribe link', wording: '' },
      { action: 'grant', source: 'unsubscribe link', wording: 'Fue un error: seguir recibiendo ofertas' },
    ])
    // a no that came otherwise, and an address that is shut, are no matter of the link
    await business.db(async (db) => {
      await recordConsent(db, {
        channel: 'email',
        address,
        purpose: 'marketing',
        action: 'revoke',
        source: 'complaint',
      })
      await suppress(db, 'email', address, 'marketing', 'They called it spam')
    })
    expect(await info()).toMatchObject({ unsubscribed: true, mayKeep: false })
    const refused = await stranger.call(messagesApi.keepOffers, { params })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('No se cambió nada')])
    expect(await ledger()).toHaveLength(3)
    expect((await stranger.call(messagesApi.keepOffers, { params: { token: 'nope' } })).status).toBe(404)
  })

  it('works by the one button of a mail program, at the address in the header, however often it is pressed', async () => {
    const customer = await aCustomer(business, { email: 'button@test.swath.test' })
    const url = paths.unsubscribe(await business.db((db) => linkToken(db, 'unsubscribe', customer)))
    const press = (type: string, payload: string, to = url) =>
      stranger.raw({ method: 'POST', url: to, headers: { 'content-type': type, origin: 'https://mail.test' }, payload })
    const consents = () =>
      business.db((db) =>
        db
          .selectFrom('consentEvents')
          .select('action')
          .where('businessId', '=', business.id)
          .where('address', '=', 'button@test.swath.test')
          .execute(),
      )
    const look = await stranger.raw({ method: 'GET', url })
    expect([look.headers['set-cookie'], await consents()]).toEqual([undefined, []])
    const form = 'application/x-www-form-urlencoded'
    const multipart = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
    for (const [type, payload] of [
      [form, 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=b', multipart],
      [form, 'List-Unsubscribe=One-Click'],
    ] as const) {
      const answer = await press(type, payload)
      expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    }
    expect(await consents()).toEqual([{ action: 'revoke' }])
    expect((await press(form, 'List-Unsubscribe=One-Click', '/u/nope')).status).toBe(404)
    expect((await press('multipart/form-data; boundary=b', multipart, '/api/auth/logout')).status).toBe(415)
  })
})

describe('who', () => {
  it('is 404 to another business and 403 to an employee', async () => {
    const customer = await aCustomer(business)
    const other = await aBusiness()
    expect(
      (await other.api.call(messagesApi.sendEmail, { params: { id: customer }, body: { subject: 's', text: 't' } }))
        .status,
    ).toBe(404)
    expect((await (await business.employee()).api.call(messagesApi.list, {})).status).toBe(403)
  })
})
