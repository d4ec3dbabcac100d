import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import twilio from 'twilio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localProspectsApi } from '../../../local/prospects/contract.ts'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { withProspects } from '../../../platform/db/prospects.ts'
import { newId } from '../../../platform/ids.ts'
import { returnAddress } from '../../../platform/mail/addresses.ts'
import { type Api, runTasks, stranger } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { anOwner, aProspect } from '../../../test/prospects.ts'
import { deskApi } from '../../desk/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { findSuppression } from '../../messages/server/queries.ts'
import { providersApi } from '../contract.ts'

let owner: Api
const before = { ...config }

/** The provider as far as we use it: it takes texts, and says no to one number. */
const taken: Record<string, string>[] = []
const provider = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const form = Object.fromEntries(new URLSearchParams(body))
  const known =
    request.method === 'POST' && /^\/2010-04-01\/Accounts\/AC\w{32}\/Messages\.json$/.test(request.url ?? '')
  const no = known && form.To?.endsWith('0199')
  if (known && !no) taken.push(form)
  response.writeHead(known ? (no ? 400 : 201) : 404, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify(no ? { code: 21610, message: 'unsubscribed' } : { sid: `SM${taken.length}`, status: 'queued' }),
  )
})

const mails: { from: string; raw: string }[] = []
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: async (stream, session, done) => {
    let raw = ''
    for await (const chunk of stream) raw += chunk
    mails.push({ from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '', raw })
    done()
  },
})

beforeAll(async () => {
  owner = await anOwner()
  await new Promise<void>((ready) => provider.listen(0, '127.0.0.1', ready))
  await new Promise<void>((ready) => mailServer.listen(0, '127.0.0.1', ready))
  const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port
  // Noon in New York: texts may leave.
  setClock(() => new Date('2026-06-12T16:00:00Z'))
  await withProspects((db) => db.updateTable('settings').set({ postalAddress: '1 Mill Rd' }).execute())
  Object.assign(config, {
    production: true,
    publicUrl: 'https://app.oak.test',
    ownerName: 'owner',
    twilioAccountSid: `AC${'a'.repeat(32)}`,
    twilioAuthToken: 'the-token-of-the-account',
    twilioMessagingServiceSid: `MG${'b'.repeat(32)}`,
    twilioApiUrl: `http://127.0.0.1:${port(provider)}`,
    smtpUrl: `smtp://127.0.0.1:${port(mailServer.server)}`,
    mailInboundDomain: 'in.oak.test',
    mailInboundSecret: 'a-secret-of-the-mail-server',
  })
  owner = await anOwner()
})
afterAll(() => {
  Object.assign(config, before)
  resetClock()
  provider.close()
  mailServer.close()
})

const hook = (path: string, form: Record<string, string>, sign: { token?: string; host?: string } = {}) =>
  stranger.raw({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-twilio-signature': twilio.getExpectedTwilioSignature(
        sign.token ?? 'the-token-of-the-account',
        `${sign.host ?? 'https://app.oak.test'}${path}`,
        form,
      ),
    },
    payload: new URLSearchParams(form).toString(),
  })
const inbound = (from: string, body: string, id = `SM${newId()}`) =>
  hook(providersApi.twilioInbound.path, {
    MessageSid: id,
    MessagingServiceSid: config.twilioMessagingServiceSid ?? '',
    From: from,
    To: '+18005550100',
    Body: body,
    NumMedia: '0',
  })
const statusPath = () =>
  new URL(taken.at(-1)?.StatusCallback ?? '').pathname + new URL(taken.at(-1)?.StatusCallback ?? '').search
const status = (word: string, more: Record<string, string> = {}) =>
  hook(statusPath(), { MessageSid: 'SM-x', MessageStatus: word, MessagingServiceSid: 'MG', ...more })
const texts = async (leadId: string) => (await owner.ok(deskApi.texts, { params: { leadId } })).smsMessages
const emails = async (leadId: string) => (await owner.ok(deskApi.emails, { params: { leadId } })).emailMessages
const text = (leadId: string, message = 'Hello') =>
  owner.call(deskApi.sendText, { params: { leadId }, body: { message } })

describe('texts through the provider', () => {
  it('say what became of them, once each and never backwards', async () => {
    const leadId = await aProspect({ phone: '(912) 555-7001' })
    await text(leadId)
    await runTasks()
    expect(taken.at(-1)).toMatchObject({ To: '+19125557001', Body: 'Hello' })
    expect((await texts(leadId))[0]).toMatchObject({ state: 'sent', delivered: false })
    for (const word of ['queued', 'sent', 'delivered', 'delivered', 'sent', 'read']) {
      expect((await status(word)).text).toBe('<Response></Response>')
      await runTasks()
    }
    expect((await texts(leadId))[0]).toMatchObject({ delivered: true, read: true, failed: false })
  })

  it('that fail say why, and a number that is gone is shut', async () => {
    const leadId = await aProspect({ phone: '(912) 555-7002' })
    await text(leadId)
    await runTasks()
    await status('undelivered', { ErrorCode: '30005', MessageSid: 'SM-gone' })
    await runTasks()
    expect((await texts(leadId))[0]).toMatchObject({ failed: true, reason: 'This number is not in use' })
    expect((await text(leadId)).status).toBe(409)
    const refused = await aProspect({ phone: '(912) 555-0199' })
    await text(refused)
    await runTasks()
    expect((await texts(refused))[0]?.failed).toBe(true)
    expect((await text(refused)).error.message).toContain('They replied STOP')
  })

  it('are answered: the answer appears, STOP shuts at once, HELP and START are answered', async () => {
    const leadId = await aProspect({ phone: '(912) 555-7003' })
    const phone = '+19125557003'
    await text(leadId)
    await runTasks()
    await inbound(phone, '<b>Yes</b>, call me', 'SM-yes')
    await inbound(phone, '<b>Yes</b>, call me', 'SM-yes')
    await inbound(phone, 'HELP')
    await runTasks()
    const talk = await texts(leadId)
    expect(
      talk
        .filter((one) => one.direction === 'inbound')
        .map((one) => one.message)
        .sort(),
    ).toEqual(['<b>Yes</b>, call me', 'HELP'])
    expect(taken.at(-1)?.Body).toMatch(/Reply STOP to end texts/)
    await inbound(phone, 'Please stop texting me')
    await runTasks()
    expect((await text(leadId)).error.message).toContain('They replied STOP')
    await inbound(phone, 'START')
    await runTasks()
    expect(taken.at(-1)?.Body).toContain('texts are on again')
    expect((await text(leadId)).status).toBe(200)
  })

  /** A business that texted this number, at which it has a customer. */
  const businessThatTexted = async (phone: string) => {
    const business = await aBusiness({ timeZone: 'America/New_York' })
    await business.db((db) =>
      db
        .insertInto('customers')
        .values({
          businessId: business.id,
          id: newId(),
          name: 'R. Odom',
          phone,
          createdAt: '2026-06-12T00:00:00Z',
          updatedAt: '2026-06-12T00:00:00Z',
        })
        .execute(),
    )
    const { items } = await business.api.ok(messagesApi.people, { query: { q: 'Odom' } })
    await business.api.ok(messagesApi.sendText, { params: { id: items[0]?.id ?? '' }, body: { text: 'We come at 9.' } })
    await runTasks()
    return business
  }

  it('of a business go back to the business that wrote last', async () => {
    const phone = '+19125557004'
    const leadId = await aProspect({ phone })
    const business = await businessThatTexted(phone)
    await status('delivered', { MessageSid: 'SM-tenant' })
    await inbound(phone, 'Thank you')
    await runTasks()
    const { items: talk } = await business.api.ok(messagesApi.list, { query: {} })
    expect(talk.map((one) => [one.direction, one.status])).toEqual([
      ['inbound', 'received'],
      ['outbound', 'delivered'],
    ])
    expect(await texts(leadId)).toEqual([])
  })

  it('go to the business also when a later text of the product owner never left', async () => {
    const phone = '+19125557021'
    const leadId = await aProspect({ phone })
    const business = await businessThatTexted(phone)
    await text(leadId)
    await withProspects((db) =>
      db.updateTable('messages').set({ status: 'suppressed' }).where('leadId', '=', leadId).execute(),
    )
    await inbound(phone, 'STOP')
    await runTasks()
    expect(await business.db((db) => findSuppression(db, 'sms', phone))).toMatchObject({ purpose: 'all' })
    expect(await texts(leadId)).toHaveLength(1)
  })

  it('go to the business when the product owner wrote last to a lead that has another number now', async () => {
    const phone = '+19125557022'
    const leadId = await aProspect({ phone })
    const business = await businessThatTexted(phone)
    setClock(() => new Date('2026-06-12T16:00:01Z'))
    await text(leadId)
    await runTasks()
    await withProspects((db) => db.updateTable('leads').set({ phoneE164: null }).where('id', '=', leadId).execute())
    await inbound(phone, 'STOP')
    await runTasks()
    expect(await business.db((db) => findSuppression(db, 'sms', phone))).toMatchObject({ purpose: 'all' })
  })

  it('that invite somebody to the team fail visibly too, and the number is shut', async () => {
    const business = await aBusiness({ timeZone: 'America/New_York' })
    const id = await business.db((db) =>
      queueMessage(db, {
        channel: 'sms',
        purpose: 'account',
        address: '+19125557011',
        dedupeKey: 'invite',
        text: 'Join us',
        entity: { type: 'employee-invite', id: newId() },
      }),
    )
    await runTasks()
    await status('undelivered', { ErrorCode: '30005', MessageSid: 'SM-invite' })
    await runTasks()
    const row = await business.db((db) =>
      db
        .selectFrom('messages')
        .select(['status', 'reason'])
        .where('businessId', '=', business.id)
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    )
    expect(row).toEqual({ status: 'failed', reason: 'This number is not in use' })
    expect(await business.db((db) => findSuppression(db, 'sms', '+19125557011'))).toMatchObject({ purpose: 'all' })
  })

  it('are believed only with the signature over our public address', async () => {
    const form = { MessageSid: 'SM1', From: '+19125557003', Body: 'Hi' }
    const path = providersApi.twilioInbound.path
    expect((await hook(path, form, { token: 'another-token' })).status).toBe(403)
    expect((await hook(path, form, { host: 'https://evil.test' })).status).toBe(403)
    expect((await hook(path, form)).status).toBe(200)
    const token = config.twilioAuthToken
    config.twilioAuthToken = undefined
    expect((await hook(path, form)).status).toBe(403)
    config.twilioAuthToken = token
  })
})

const mailed = async (raw: string[], to: string, secret = 'a-secret-of-the-mail-server') =>
  stranger.raw({
    method: 'POST',
    url: `${providersApi.mail.path}?to=${encodeURIComponent(to)}`,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'message/rfc822' },
    payload: raw.join('\r\n'),
  })
const aMail = async (email: string) => {
  const leadId = await aProspect({ email })
  await owner.ok(deskApi.sendEmail, {
    params: { leadId },
    body: { subject: 'Hello', message: 'See https://oak.test/x' },
  })
  await runTasks()
  return { leadId, id: (await emails(leadId))[0]?._id ?? '', sent: mails.at(-1) }
}

describe('mail through a real server', () => {
  it('carries the addresses it comes back to, one-click unsubscribe and the postal address', async () => {
    const { id, sent } = await aMail('one@oak.test')
    expect(sent?.from).toBe(returnAddress('bounce', id))
    const flat = sent?.raw.replace(/=\r\n/g, '') ?? ''
    expect(flat).toContain(returnAddress('reply', id))
    expect(flat).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(flat).toMatch(/List-Unsubscribe:\s+<https:\/\/app\.oak\.test\/api\/leads\/unsubscribe\//)
    expect(flat).toContain('1 Mill Rd')
    expect(flat).toMatch(/https:\/\/app\.oak\.test\/c\/[0-9a-f]{32}\./)
  })

  it('is answered: the answer appears once, another sender and a machine are shown as such', async () => {
    const { leadId, id } = await aMail('two@oak.test')
    const to = returnAddress('reply', id) ?? ''
    const answer = (from: string, messageId: string, body: string, ...more: string[]) =>
      mailed([`From: ${from}`, 'Subject: Re: Hello', `Message-ID: <${messageId}>`, ...more, '', body], to)
    await answer('Two <two@oak.test>', 'a', 'Yes please\r\n\r\nOn Fri, Jun 12, 2026 Swath wrote:\r\n> Hello')
    await answer('Two <two@oak.test>', 'a', 'Yes please')
    await answer('office@elm.test', 'b', 'Also me')
    await answer('two@oak.test', 'c', 'I am away', 'Auto-Submitted: auto-replied')
    await runTasks()
    const talk = (await emails(leadId)).filter((one) => one.direction === 'inbound')
    expect(talk.map((one) => [one.message, one.otherAddress, one.reason]).sort()).toEqual([
      ['Also me', 'office@elm.test', null],
      ['I am away', null, 'An automatic answer'],
      ['Yes please', null, null],
    ])
  })

  it('that comes back failed; nothing more goes there when the address is gone, not when our sender was refused', async () => {
    const { leadId, id } = await aMail('three@oak.test')
    const report = (action: string, code: string, of = id) =>
      mailed(
        [
          'From: mailer-daemon@mx.test',
          `Message-ID: <${newId()}@mx>`,
          'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
          '',
          '--x',
          'Content-Type: message/delivery-status',
          '',
          'Final-Recipient: rfc822; three@oak.test',
          `Action: ${action}`,
          `Status: ${code}`,
          'Diagnostic-Code: smtp; 550 5.1.1 unknown user',
          '--x--',
        ],
        returnAddress('bounce', of) ?? '',
      )
    const ours = await aMail('five@oak.test')
    await report('failed', '5.1.8', ours.id)
    await report('delayed', '4.4.1')
    await runTasks()
    expect((await emails(leadId))[0]?.state).toBe('sent')
    await report('failed', '5.1.1')
    await runTasks()
    expect((await emails(leadId))[0]).toMatchObject({ failed: true, reason: '550 5.1.1 unknown user' })
    const again = await owner.call(deskApi.sendEmail, { params: { leadId }, body: { subject: 'x', message: 'y' } })
    expect(again.error.message).toBe('Mail to this address came back. Nothing was sent.')
    expect((await emails(ours.leadId))[0]?.failed).toBe(true)
    await owner.ok(deskApi.sendEmail, { params: { leadId: ours.leadId }, body: { subject: 'x', message: 'y' } })
  })

  it('is taken only from our own mail server, and only for addresses that we made', async () => {
    const { leadId, id } = await aMail('four@oak.test')
    const to = returnAddress('reply', id) ?? ''
    expect((await mailed(['From: x@y.z', '', 'Hi'], to, 'wrong')).status).toBe(403)
    expect((await mailed(['From: x@y.z', '', 'Hi'], to.replace(/\.[0-9a-f]{4}/, '.0000'))).body).toEqual({
      received: false,
    })
    await runTasks()
    expect(await emails(leadId)).toHaveLength(1)
  })
})

it('no simulator exists in production', async () => {
  expect((await owner.call(localProspectsApi.outbox, {})).status).toBe(404)
  expect((await owner.call(localProspectsApi.act, { body: { kind: 'bounce', messageId: newId() } })).status).toBe(404)
})
