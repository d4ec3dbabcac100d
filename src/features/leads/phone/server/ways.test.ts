import twilio from 'twilio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localPhoneApi } from '../../../../local/phone/contract.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { newId } from '../../../../platform/ids.ts'
import { leadAddress, voiceToken } from '../../../../platform/mail/addresses.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { customersApi } from '../../../customers/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { suppress } from '../../../messages/server/commands.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { providersApi } from '../../../providers/contract.ts'
import { tasksApi } from '../../../tasks/contract.ts'
import { timelineApi } from '../../../timeline/contract.ts'
import { businessLeadsApi as leadsApi } from '../../contract.ts'
import { leadWaysApi, voiceApi } from '../contract.ts'
import { mostTextsBack } from '../rules.ts'
import { missCall } from './commands.ts'

let business: TestBusiness
const before = { ...config }

const save = async (change: object) => {
  const { version } = await business.api.ok(leadWaysApi.get, {})
  return business.api.call(leadWaysApi.save, { body: { version, ...change } })
}
const leads = async () => (await business.api.ok(leadsApi.list, { query: {} })).items
const texts = async () => (await business.api.ok(messagesApi.list, { query: { channel: 'sms' } })).items
const quiet = (values: { quietStartMinute: number; quietEndMinute: number }) =>
  business.db((db) => db.updateTable('businesses').set(values).where('businessId', '=', business.id).execute())

beforeEach(async () => {
  business = await aBusiness({ name: 'Marsh Side Lawns' })
  await quiet({ quietEndMinute: 0, quietStartMinute: 1440 })
})
afterEach(() => {
  resetClock()
  Object.assign(config, before)
})

describe('a call to the number of the business', () => {
  const from = '+19125550163'
  const provided = () =>
    Object.assign(config, {
      production: true,
      publicUrl: 'https://app.oak.test',
      twilioAccountSid: `AC${'a'.repeat(32)}`,
      twilioAuthToken: 'the-token-of-the-account',
      twilioMessagingServiceSid: `MG${'b'.repeat(32)}`,
    })
  const hook = (path: string, form: Record<string, string>, token = 'the-token-of-the-account') =>
    stranger.raw({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': twilio.getExpectedTwilioSignature(token, `https://app.oak.test${path}`, form),
      },
      payload: new URLSearchParams(form).toString(),
    })
  const at = (path: string, id: string = business.id) => `${path}?k=${voiceToken(id)}`
  const call = (status: string, more: Record<string, string> = {}) =>
    hook(at(voiceApi.ended.path), { CallSid: `CA${newId()}`, From: from, DialCallStatus: status, ...more })
  /** Tasks run without a provider, so that nothing leaves the computer. */
  const settled = async () => {
    Object.assign(config, before)
    await runTasks()
  }

  it('rings the phone of the owner, and only the provider may say so', async () => {
    await save({ forwardTo: '(912) 555-0100', callNumber: '(912) 555-0199', ringSeconds: 15, pressKey: true })
    expect((await hook(at(voiceApi.dialed.path), { From: from })).status).toBe(403)
    provided()
    const rings = await hook(at(voiceApi.dialed.path), { From: from })
    expect([rings.status, rings.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8'])
    expect(rings.text).toContain('<Number url=')
    expect(rings.text).toContain('+19125550100</Number>')
    expect(rings.text).toContain('timeout="15"')
    expect((await hook(at(voiceApi.dialed.path), { From: from }, 'another-token')).status).toBe(403)
    const asked = await hook(at(voiceApi.taken.path), { CallSid: 'CA1' })
    expect(asked.text).toContain('Press any key')
    expect((await hook(at(voiceApi.taken.path), { CallSid: 'CA1', Digits: '5' })).text).not.toContain('Gather')
    // An address that nobody of ours made rings nowhere.
    const forged = `${voiceApi.dialed.path}?k=${voiceToken(business.id).slice(0, -1)}x`
    expect((await hook(forged, { From: from })).text).not.toContain('<Dial')
  })

  it('never rings itself, and is no lead when the owner tries it out', async () => {
    await save({ forwardTo: '(912) 555-0100', textOn: true })
    provided()
    const ways: Record<string, string>[] = [
      { To: '+19125550100' },
      { To: '+19125550199', ForwardedFrom: '+19125550100' },
    ]
    for (const way of ways)
      expect((await hook(at(voiceApi.dialed.path), { From: from, ...way })).text).not.toContain('<Dial')
    await call('busy', { From: '+19125550100' })
    await settled()
    expect([await leads(), await texts()]).toEqual([[], []])
  })

  it('of a machine that was thrown out as spam stays thrown out', async () => {
    await save({ forwardTo: '(912) 555-0100', textOn: true })
    provided()
    await call('no-answer')
    await settled()
    const [lead] = await leads()
    await business.api.ok(leadsApi.move, {
      params: { id: lead?.id ?? '' },
      body: { stage: 'lost', lost: { reason: 'spam', note: '' }, version: lead?.version ?? 0 },
    })
    const before = (await texts()).length
    provided()
    await call('no-answer')
    await settled()
    const after = await business.api.ok(leadsApi.get, { params: { id: lead?.id ?? '' } })
    expect([after.stage, (await texts()).length]).toEqual(['lost', before])
  })

  it('that nobody takes is a lead with one text a day; one that was taken is nothing', async () => {
    await save({ forwardTo: '(912) 555-0100', textOn: true, textEn: 'Missed you! Text us.' })
    provided()
    expect((await call('completed')).text).not.toContain('Say')
    const sid = `CA${newId()}`
    expect((await call('no-answer', { CallSid: sid })).text).toContain('We will get back to you')
    await call('no-answer', { CallSid: sid })
    await call('busy')
    await settled()
    const [lead, ...others] = await leads()
    expect(others).toEqual([])
    expect(lead).toMatchObject({
      name: '(912) 555-0163',
      phone: from,
      wants: 'Missed call',
      source: 'call',
      stage: 'new',
      repliedAt: null,
    })
    const { items } = await business.api.ok(leadsApi.timeline, { params: { id: lead?.id ?? '' }, query: {} })
    expect(items.filter(({ kind }) => kind === 'call')).toHaveLength(2)
    expect((await texts()).map(({ text, address }) => [address, text])).toEqual([
      [from, 'Marsh Side Lawns: Missed you! Text us. Reply STOP to opt out.'],
    ])
    // A text is no answer of a person.
    expect((await leads())[0]?.repliedAt).toBeNull()
    // A second mailbox that pressed no key.
    provided()
    await hook(at(voiceApi.ended.path), {
      CallSid: 'CA-mailbox',
      From: '+19125550164',
      DialCallStatus: 'completed',
      DialBridged: 'false',
    })
    await settled()
    expect(await leads()).toHaveLength(2)
  })

  it('of a customer stands in their timeline and under Needs you, once, in their language', async () => {
    await save({ forwardTo: '(912) 555-0100', textOn: true, textEs: 'Perdon. Escribanos.' })
    const { id } = await business.api.ok(customersApi.create, {
      body: { name: 'Nora Blythe', phone: from, language: 'es' },
    })
    provided()
    await call('no-answer')
    await call('no-answer')
    await settled()
    expect(await leads()).toEqual([])
    const { items } = await business.api.ok(timelineApi.list, { params: { id }, query: { kind: 'call' } })
    expect(items.map(({ title }) => title)).toEqual(['Missed call', 'Missed call'])
    const needs = (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'task')
    expect(needs.map(({ title }) => title)).toEqual(['Call Nora Blythe back'])
    expect((await texts()).map(({ text }) => text)).toEqual([
      'Marsh Side Lawns: Perdon. Escribanos. Responda STOP para no recibir mas.',
    ])
  })

  it('texts nobody who wants none, nor while it is off; in quiet hours it waits and is recalled by a call back', async () => {
    await save({ forwardTo: '(912) 555-0100' })
    provided()
    await call('no-answer')
    await settled()
    expect(await texts()).toEqual([])
    await save({ textOn: true })
    await business.db((db) => suppress(db, 'sms', from, 'all', 'They replied STOP'))
    provided()
    await call('no-answer')
    await settled()
    expect(await texts()).toEqual([])
    await quiet({ quietStartMinute: 0, quietEndMinute: 1440 })
    provided()
    await call('no-answer', { From: '+19125550165' })
    await settled()
    expect((await texts()).map(({ status }) => status)).toEqual(['held'])
    const lead = (await leads()).find(({ phone }) => phone === '+19125550165')
    await business.api.ok(leadsApi.note, { params: { id: lead?.id ?? '' }, body: { call: 'talked' } })
    expect((await texts()).map(({ status }) => status)).toEqual(['suppressed'])
    // Who was answered and calls again is to be called back today.
    provided()
    await call('no-answer', { From: '+19125550165' })
    await settled()
    expect((await leads()).find(({ id }) => id === lead?.id)).toMatchObject({ nextAction: 'Call back' })
  })

  describe('whose text waits for the morning', () => {
    const night = () => quiet({ quietStartMinute: 0, quietEndMinute: 1440 })
    const waits = async () =>
      (await texts()).filter(({ text }) => text.includes('missed your call')).map(({ status }) => status)
    const missed = async () => {
      provided()
      await call('no-answer')
      await settled()
    }
    beforeEach(async () => {
      await save({ forwardTo: '(912) 555-0100', textOn: true })
      await night()
    })

    type Answers = [string, (id: string) => Promise<unknown>, string][]
    it.each<Answers[number]>([
      ['called', (id) => business.api.ok(tasksApi.logCall, { params: { id }, body: {} }), 'suppressed'],
      [
        'called and did not pick up',
        (id) => business.api.ok(tasksApi.logCall, { params: { id }, body: { outcome: 'no_answer' } }),
        'held',
      ],
      ['texted', (id) => business.api.ok(messagesApi.sendText, { params: { id }, body: { text: 'Hi' } }), 'suppressed'],
      [
        'written to',
        (id) => business.api.ok(messagesApi.sendEmail, { params: { id }, body: { subject: 'Hi', text: 'Hi' } }),
        'suppressed',
      ],
      [
        'answered when they called again',
        async () => {
          provided()
          await call('completed')
          Object.assign(config, before)
        },
        'suppressed',
      ],
    ])('a customer who was %s meanwhile', async (_, answer, expected) => {
      const { id } = await business.api.ok(customersApi.create, {
        body: { name: 'Nora Blythe', phone: from, email: 'nora@home.test' },
      })
      await missed()
      expect(await waits()).toEqual(['held'])
      await answer(id)
      expect(await waits()).toEqual([expected])
    })

    it('a lead who was answered before, called again and was called back or picked up', async () => {
      await missed()
      const id = (await leads())[0]?.id ?? ''
      await business.api.ok(leadsApi.note, { params: { id }, body: { call: 'talked' } })
      const again = async () => {
        const before = new Date(clock.nowMs() - 25 * 3_600_000).toISOString()
        await business.db((db) =>
          db.updateTable('messages').set({ createdAt: before }).where('businessId', '=', business.id).execute(),
        )
        await missed()
      }
      await again()
      expect(await waits()).toEqual(['held', 'suppressed'])
      await business.api.ok(leadsApi.note, { params: { id }, body: { call: 'voicemail' } })
      expect(await waits()).toEqual(['suppressed', 'suppressed'])
      await again()
      provided()
      await call('completed')
      Object.assign(config, before)
      expect(await waits()).toEqual(['suppressed', 'suppressed', 'suppressed'])
    })
  })

  it('told again after a crash is the same call: of a customer, and of a lead', async () => {
    await save({ forwardTo: '(912) 555-0100', textOn: true })
    const { id } = await business.api.ok(customersApi.create, { body: { name: 'Nora Blythe', phone: from } })
    const stranger = '+19125550164'
    for (const one of [from, stranger])
      await Promise.all([1, 2, 3].map(() => missCall(business.id, { id: `CA-${one}`, from: one })))
    await runTasks()
    const { items } = await business.api.ok(timelineApi.list, { params: { id }, query: { kind: 'call' } })
    expect(items).toHaveLength(1)
    const [lead] = await leads()
    const past = await business.api.ok(leadsApi.timeline, { params: { id: lead?.id ?? '' }, query: {} })
    expect(past.items.filter(({ kind }) => kind === 'call')).toHaveLength(1)
    expect(await texts()).toHaveLength(2)
  })

  it('has its text once in 24 hours, also over midnight, and says how to stop the first time alone', async () => {
    await save({ forwardTo: '(912) 555-0100', textOn: true })
    const at = (iso: string) => setClock(() => new Date(iso))
    for (const [n, iso] of ['2030-06-12T03:00:00Z', '2030-06-12T05:00:00Z', '2030-06-13T04:00:00Z'].entries()) {
      at(iso)
      await missCall(business.id, { id: `CA-${n}`, from })
    }
    resetClock()
    const words =
      'Marsh Side Lawns: Sorry we missed your call! Text us what you need and we will get right back to you.'
    expect((await texts()).map(({ text }) => text)).toEqual([words, `${words} Reply STOP to opt out.`])
  })

  it('is texted back so many times in a day and business, and the office hears why no more leave', async () => {
    await save({ forwardTo: '(912) 555-0100', textOn: true })
    await business.db((db) =>
      db
        .insertInto('missedCalls')
        .values(
          Array.from({ length: mostTextsBack - 1 }, (_, n) => ({
            businessId: business.id,
            callId: `CA-before-${n}`,
            texted: true,
            at: clock.iso(),
          })),
        )
        .execute(),
    )
    for (const n of [1, 2, 3]) await missCall(business.id, { id: `CA-${n}`, from: `+1912555020${n}` })
    expect((await texts()).map(({ address }) => address)).toEqual(['+19125550201'])
    expect(await leads()).toHaveLength(3)
    const { notifications } = await business.api.ok(notificationsApi.list, {})
    expect(notifications.filter(({ title }) => title.includes('were texted in a day'))).toHaveLength(1)
    // The next day is another one.
    const tomorrow = clock.nowMs() + 25 * 3_600_000
    setClock(() => new Date(tomorrow))
    await missCall(business.id, { id: 'CA-4', from: '+19125550204' })
    resetClock()
    expect(await texts()).toHaveLength(2)
  })

  it.each([
    ['of another country', '+4722123456', 1],
    ['of an island whose numbers look like ours', '+18765550163', 1],
    ['of a free number', '+18005550163', 1],
    ['of a number that costs', '+19005550163', 1],
    ['of a short code', '72345', 0],
    ['of who hides it', '+266696687', 0],
  ])('%s is kept and gets no text', async (_, caller, made) => {
    await save({ forwardTo: '(912) 555-0100', textOn: true })
    await missCall(business.id, { id: 'CA-1', from: caller })
    await runTasks()
    expect((await leads()).map(({ phone }) => phone)).toEqual(made ? [caller] : [])
    expect(await texts()).toEqual([])
    const { notifications } = await business.api.ok(notificationsApi.list, {})
    expect(notifications).toHaveLength(1)
    const { id } = await business.api.ok(customersApi.create, {
      body: { name: 'Known', ...(made ? { phone: caller } : {}), allowDuplicate: true } as never,
    })
    await missCall(business.id, { id: 'CA-2', from: caller })
    const { items } = await business.api.ok(timelineApi.list, { params: { id }, query: { kind: 'call' } })
    expect([items.length, (await texts()).length]).toEqual([made, 0])
  })

  it('without a number is told to the office and makes no lead', async () => {
    await save({ forwardTo: '(912) 555-0100', textOn: true })
    provided()
    await call('no-answer', { From: 'anonymous' })
    await settled()
    expect(await leads()).toEqual([])
    const { notifications } = await business.api.ok(notificationsApi.list, {})
    expect(notifications.map(({ title }) => title)).toContain('A call without a number was missed')
  })

  it('is played by the local phone, signed as a provider would', async () => {
    await business.api.ok(localPhoneApi.act, { body: { kind: 'call', from, status: 'completed' } })
    await business.api.ok(localPhoneApi.act, { body: { kind: 'call', from, status: 'no-answer' } })
    await runTasks()
    expect(await leads()).toMatchObject([{ phone: from, source: 'call' }])
    const unsigned = await stranger.raw({
      method: 'POST',
      url: localPhoneApi.webhook.path,
      payload: { kind: 'call', businessId: business.id, from, status: 'no-answer', id: newId() },
    })
    expect(unsigned.status).toBe(403)
  })

  it('is set up by who may change settings, with numbers that can ring', async () => {
    expect((await save({ textOn: true })).error.errors?.[0]?.path).toBe('forwardTo')
    expect((await save({ forwardTo: '12' })).status).toBe(422)
    expect((await save({ forwardTo: '(912) 555-0100', callNumber: '912-555-0100' })).status).toBe(422)
    expect((await save({ textEn: '' })).status).toBe(422)
    const manager = await aPerson(business.id, 'Admin', { permissions: ['customers', 'schedule', 'money'] })
    const seen = await manager.api.ok(leadWaysApi.get, {})
    expect(seen).toMatchObject({ textOn: false, mailAddress: null, voiceUrl: null, version: 0 })
    expect((await manager.api.call(leadWaysApi.save, { body: { version: 0, mailOn: false } })).status).toBe(403)
  })
})

describe('a mail to the address of the business', () => {
  const secret = 'a-secret-of-the-mail-server'
  const post = (raw: string[], to = leadAddress(business.id) ?? '') =>
    stranger.raw({
      method: 'POST',
      url: `${providersApi.mail.path}?to=${encodeURIComponent(to)}`,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'message/rfc822' },
      payload: raw.join('\r\n'),
    })
  const mail = (headers: string[], ...text: string[]) =>
    post([`Message-ID: <${newId()}@home.test>`, ...headers, '', ...text])
  const maya = ['From: "Maya Brooks" <Maya@Home.test>', 'Subject: Lawn in Pooler']

  beforeEach(() => {
    Object.assign(config, { mailInboundDomain: 'in.oak.test', mailInboundSecret: secret })
  })

  it('makes a lead of somebody new, with the name of the mail and all its words, told to the office', async () => {
    const words = ['<script>alert(1)</script> Half an acre.', '', '> what my neighbor pays']
    expect((await mail(maya, ...words)).body).toEqual({ received: true })
    await runTasks()
    const [lead] = await leads()
    expect(lead).toMatchObject({ name: 'Maya Brooks', email: 'maya@home.test', source: 'email', stage: 'new' })
    expect(lead?.wants).toBe(`Lawn in Pooler\n${words.join('\n')}`)
    const { items } = await business.api.ok(leadsApi.timeline, { params: { id: lead?.id ?? '' }, query: {} })
    expect(items.find(({ kind }) => kind === 'message')).toMatchObject({
      words: words.join('\n'),
      message: { subject: 'Lawn in Pooler', direction: 'inbound', channel: 'email' },
    })
    const { notifications } = await business.api.ok(notificationsApi.list, {})
    expect(notifications.map(({ title }) => title)).toContain('New lead: Maya Brooks')
  })

  it('is one however often it comes and they write, and a customer is none', async () => {
    const raw = ['Message-ID: <one@home.test>', ...maya, '', 'Half an acre']
    await post(raw)
    await post(raw)
    await mail(maya, 'Any news?')
    await runTasks()
    expect(await leads()).toHaveLength(1)
    expect((await business.api.ok(messagesApi.list, { query: { address: 'maya@home.test' } })).items).toHaveLength(2)
    const { id } = await business.api.ok(customersApi.create, { body: { name: 'Known', email: 'known@home.test' } })
    await mail(['From: known@home.test', 'Subject: Friday'], 'Please skip Friday')
    await runTasks()
    expect(await leads()).toHaveLength(1)
    expect((await business.api.ok(messagesApi.list, { query: { customerId: id } })).items).toMatchObject([
      { text: 'Please skip Friday', direction: 'inbound' },
    ])
  })

  it.each([
    ['an automatic answer', ['Auto-Submitted: auto-replied']],
    ['a list', ['List-Id: <gardens.lists.test>']],
    ['a newsletter', ['List-Unsubscribe: <mailto:out@news.test>']],
    ['bulk', ['Precedence: bulk']],
    ['what a filter took for spam', ['X-Spam-Flag: YES']],
    ['a report', ['Content-Type: multipart/report; report-type=delivery-status; boundary="x"']],
  ])('leaves %s out', async (_, more) => {
    expect((await mail([...maya, ...more], 'Hello')).body).toEqual({ received: false })
    await runTasks()
    expect(await leads()).toEqual([])
  })

  it.each([
    'MAILER-DAEMON@mx.test',
    'no-reply@shop.test',
    'noreply+1@shop.test',
    config.mailFrom,
    'not an address',
    '',
  ])('leaves out what %s wrote', async (from) => {
    expect((await mail([`From: ${from}`, 'Subject: Hi'], 'Hello')).body).toEqual({ received: false })
    await runTasks()
    expect(await leads()).toEqual([])
  })

  it('takes a name in one line, no flood, nothing at a forged address, and nothing while it is off', async () => {
    await mail(['From: "=?utf-8?q?Maya=0D=0ABcc=3A_all?=" <maya@home.test>', 'Subject: Hi'], 'Hello')
    await runTasks()
    expect((await leads())[0]?.name).toBe('Maya Bcc: all')
    const answers: boolean[] = []
    for (let n = 0; n < 12; n++)
      answers.push(
        ((await mail(['From: flood@home.test', 'Subject: Hi'], `Try ${n}`)).body as { received: boolean }).received,
      )
    expect([answers[0], answers.at(-1)]).toEqual([true, false])
    const forged = (leadAddress(business.id) ?? '').replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'))
    expect((await post([...maya, '', 'Hello'], forged)).body).toEqual({ received: false })
    await save({ mailOn: false })
    expect((await mail(['From: later@home.test', 'Subject: Hi'], 'Hello')).body).toEqual({ received: false })
  })

  it('of a form or a portal is of whom an answer goes to, each a lead of their own, with through whom it came', async () => {
    const form = (who: string, ...more: string[]) =>
      mail(
        ['From: "Wix Forms" <no-reply@wix.test>', `Reply-To: ${who}`, 'Subject: New request', ...more],
        'Half an acre',
      )
    await form('"Maya Brooks" <Maya@Home.test>', 'Auto-Submitted: auto-generated')
    await form('Tom <tom@home.test>')
    await runTasks()
    const made = await leads()
    expect(made.map(({ name, email }) => [name, email]).sort()).toEqual([
      ['Maya Brooks', 'maya@home.test'],
      ['Tom', 'tom@home.test'],
    ])
    const record = await business.api.ok(leadsApi.get, { params: { id: made[0]?.id ?? '' } })
    expect([record.source, record.sourceDetail]).toEqual(['email', 'through wix.test'])
    // A customer who uses the form stands in their thread; an answer that would go to the business itself is nobody's.
    const { id } = await business.api.ok(customersApi.create, { body: { name: 'Known', email: 'known@home.test' } })
    await form('known@home.test')
    const { email } = await business.db((db) =>
      db.selectFrom('users').select('email').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
    )
    expect((await form(email ?? '')).body).toEqual({ received: false })
    await runTasks()
    expect(await leads()).toHaveLength(2)
    expect((await business.api.ok(messagesApi.list, { query: { customerId: id } })).items).toHaveLength(1)
  })

  it('with a NUL, half an emoji or five megabytes of words is cleaned, clipped and kept', async () => {
    const long = `${'x'.repeat(1982)}🌳${'y'.repeat(5_000_000)}`
    expect(
      (await mail(['From: "M\u0000aya" <maya@home.test>', 'Subject: La\u0000wn'], `Ha\u0000lf \ud83c ${long}`)).body,
    ).toEqual({
      received: true,
    })
    await runTasks()
    const [lead] = await leads()
    expect(lead).toMatchObject({ email: 'maya@home.test', source: 'email' })
    expect(lead?.wants).toContain('Half')
    expect([lead?.wants.isWellFormed(), lead?.wants.includes('\ufffd\ufffd')]).toEqual([true, false])
    const { notifications } = await business.api.ok(notificationsApi.list, {})
    expect(notifications.some(({ title }) => title.startsWith('New lead'))).toBe(true)
  })

  it('that the office forwards is of whom they forward', async () => {
    const { email } = await business.db((db) =>
      db.selectFrom('users').select('email').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
    )
    await mail(
      [`From: ${email}`, 'Subject: Fwd: Lawn'],
      '---------- Forwarded message ---------',
      'From: Peter Quill <peter@quill.test>',
      'Date: Fri, Jun 12, 2026',
      '',
      'Do you mow in Pooler?',
    )
    await runTasks()
    expect(await leads()).toMatchObject([{ name: 'Peter Quill', email: 'peter@quill.test', source: 'email' }])
  })
})
