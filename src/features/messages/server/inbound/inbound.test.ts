import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { newId } from '../../../../platform/ids.ts'
import { returnAddress } from '../../../../platform/mail/addresses.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { bounceReport, mailSecret, mailTo } from '../../../../test/mail.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { messagesApi } from '../../contract.ts'
import { queueMessage } from '../commands.ts'

const before = { ...config }
const sent: { from: string; to: string; raw: string }[] = []
/** Other tests' mail may leave by the same run of tasks. */
const sentTo = (to: string) => sent.find((one) => one.to === to)
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: async (stream, session, done) => {
    let raw = ''
    for await (const chunk of stream) raw += chunk
    sent.push({
      to: session.envelope.rcptTo[0]?.address ?? '',
      from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
      raw: raw.replace(/=\r\n/g, ''),
    })
    done()
  },
})

beforeAll(async () => {
  await new Promise<void>((ready) => mailServer.listen(0, '127.0.0.1', ready))
  Object.assign(config, {
    smtpUrl: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
    mailInboundDomain: 'in.oak.test',
    mailInboundSecret: mailSecret,
  })
})
afterAll(() => {
  Object.assign(config, before)
  mailServer.close()
})

const aCustomer = async (own: TestBusiness, email: string) => {
  const id = newId()
  const now = clock.iso()
  await own.db((db) =>
    db
      .insertInto('customers')
      .values({ businessId: own.id, id, name: 'R. Odom', email, createdAt: now, updatedAt: now })
      .execute(),
  )
  return id
}
/** A mail that a business sent to a customer. */
const aMail = async (own: TestBusiness, email = `${newId()}@oak.test`) => {
  const customerId = await aCustomer(own, email)
  const { id } = await own.api.ok(messagesApi.sendEmail, {
    params: { id: customerId },
    body: { subject: 'Aeration', text: 'Shall we come on Friday?' },
  })
  await runTasks()
  return { customerId, id, email }
}
const reply = (own: TestBusiness, id: string, from: string, text: string, ...more: string[]) =>
  mailTo(returnAddress('reply', id, own.id) ?? '', [`From: ${from}`, 'Subject: Re: Aeration', ...more, '', text])
const thread = async (own: TestBusiness, customerId: string) =>
  (await own.api.ok(messagesApi.list, { query: { customerId } })).items
describe('a mail of a business', () => {
  it('names where its answer and its bounce go', async () => {
    const own = await aBusiness()
    const { id, email } = await aMail(own)
    const last = sentTo(email)
    expect(last?.from).toBe(returnAddress('bounce', id, own.id))
    expect(/^Reply-To:\s+(\S+)/m.exec(last?.raw ?? '')?.[1]).toBe(returnAddress('reply', id, own.id))
  })

  it('is answered to the business itself while no mail reaches us', async () => {
    const own = await aBusiness()
    await own.db((db) =>
      db.updateTable('businesses').set({ email: 'office@oak.test' }).where('businessId', '=', own.id).execute(),
    )
    Object.assign(config, { mailInboundDomain: undefined, production: true, publicUrl: 'https://app.oak.test' })
    const { email } = await aMail(own)
    Object.assign(config, { mailInboundDomain: 'in.oak.test', production: false, publicUrl: before.publicUrl })
    expect(/^Reply-To:\s+(\S+)/m.exec(sentTo(email)?.raw ?? '')?.[1]).toBe('office@oak.test')
    expect(sentTo(email)?.from).toBe(config.mailFrom)
  })

  it('of the account is answered by nobody', async () => {
    const own = await aBusiness()
    const address = `${newId()}@oak.test`
    await own.db((db) => queueMessage(db, { channel: 'email', purpose: 'account', address, dedupeKey: 'a', text: 'x' }))
    await runTasks()
    expect(sentTo(address)?.raw).not.toMatch(/^Reply-To:/m)
  })
})

describe('an answer by mail', () => {
  it('stands in the thread of its customer once, waits to be read and is of no other business', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const { customerId, id, email } = await aMail(own)
    const text = 'Friday is fine.\r\n\r\nOn Fri, Jun 12, 2026 Oak Lawns wrote:\r\n> Shall we come on Friday?'
    for (let times = 0; times < 2; times++) await reply(own, id, `Odom <${email}>`, text, 'Message-ID: <one@oak.test>')
    await runTasks()
    expect((await thread(own, customerId)).map((one) => [one.direction, one.channel, one.text])).toEqual([
      ['inbound', 'email', 'Friday is fine.'],
      ['outbound', 'email', 'Shall we come on Friday?'],
    ])
    const { items, unreadCount } = await own.api.ok(messagesApi.conversations, {})
    expect([items[0]?.key, items[0]?.unreadCount, unreadCount]).toEqual([customerId, 1, 1])
    expect((await own.api.ok(notificationsApi.navCounts, {})).customerMessages).toBe(1)
    expect((await other.api.ok(messagesApi.conversations, {})).items).toEqual([])
  })

  it('of a machine is in the thread and asks for nobody; another sender is shown as such', async () => {
    const own = await aBusiness()
    const { customerId, id, email } = await aMail(own)
    await reply(own, id, email, 'I am away', 'Message-ID: <a@x>', 'Auto-Submitted: auto-replied')
    await reply(own, id, 'wife@elm.test', 'Also me', 'Message-ID: <b@x>')
    await runTasks()
    const inbound = (await thread(own, customerId)).filter((one) => one.direction === 'inbound')
    expect(inbound.map((one) => [one.text, one.address, one.reason]).sort()).toEqual([
      ['Also me', 'wife@elm.test', null],
      ['I am away', email, 'An automatic answer'],
    ])
    expect((await own.api.ok(messagesApi.conversations, {})).unreadCount).toBe(1)
  })

  it('that says STOP ends marketing, and only from the address it went to', async () => {
    const own = await aBusiness()
    const { customerId, id, email } = await aMail(own)
    const refused = async () =>
      (
        await own.db((db) => db.selectFrom('suppressions').select('purpose').where('businessId', '=', own.id).execute())
      ).map((one) => one.purpose)
    await reply(own, id, 'joker@elm.test', 'STOP', 'Message-ID: <a@x>')
    await runTasks()
    expect(await refused()).toEqual([])
    await reply(own, id, email, 'STOP', 'Message-ID: <b@x>')
    await runTasks()
    expect(await refused()).toEqual(['marketing'])
    expect(await thread(own, customerId)).toHaveLength(3)
  })
})

describe('a mail that came back', () => {
  it('has failed, and nothing more goes there when the address is gone', async () => {
    const own = await aBusiness()
    const { customerId, id } = await aMail(own)
    const bounce = returnAddress('bounce', id, own.id) ?? ''
    expect((await mailTo(bounce.replace(/^b/, 'r'), bounceReport('5.1.1'))).body).toEqual({ received: false })
    await mailTo(bounce, bounceReport('5.1.1'))
    await runTasks()
    expect((await thread(own, customerId))[0]).toMatchObject({ status: 'failed', reason: '550 5.1.1 no' })
    expect(await own.api.ok(messagesApi.contact, { params: { id: customerId } })).toMatchObject({
      emailSuppressed: 'Mail to this address came back',
    })
    const full = await aMail(own)
    await mailTo(returnAddress('bounce', full.id, own.id) ?? '', bounceReport('5.2.2'))
    await runTasks()
    expect((await thread(own, full.customerId))[0]?.status).toBe('failed')
    expect((await own.api.ok(messagesApi.contact, { params: { id: full.customerId } })).emailSuppressed).toBeNull()
  })
})
