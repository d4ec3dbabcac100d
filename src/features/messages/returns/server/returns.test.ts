import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { newId } from '../../../../platform/ids.ts'
import { returnAddress } from '../../../../platform/mail/addresses.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { bounceReport, mailSecret, mailTo } from '../../../../test/mail.ts'
import { customersApi } from '../../../customers/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { consentsApi } from '../../consents/contract.ts'
import { messagesApi } from '../../contract.ts'
import type { Purpose } from '../../rules.ts'
import { queueMessage, recordConsent } from '../../server/commands.ts'
import { sweepMessages } from '../../server/tasks.ts'

const before = { ...config }
beforeAll(() => {
  Object.assign(config, { mailInboundDomain: 'in.oak.test', mailInboundSecret: mailSecret })
})
afterAll(() => Object.assign(config, before))
afterEach(resetClock)

const aCustomer = async () => {
  const business = await aBusiness()
  const email = `${newId()}@oak.test`
  const { id } = await business.api.ok(customersApi.create, { body: { name: 'Ann Lee', email } })
  await business.db((db) =>
    recordConsent(db, {
      channel: 'email',
      address: email,
      purpose: 'marketing',
      action: 'grant',
      source: 'website form',
    }),
  )
  return { ...business, customerId: id, email }
}
type Ann = Awaited<ReturnType<typeof aCustomer>>

const aMail = async (ann: Ann, purpose: Purpose): Promise<{ id: string; status: string; reason: string | null }> => {
  const id = await ann.db((db) =>
    queueMessage(db, {
      channel: 'email',
      purpose,
      address: ann.email,
      dedupeKey: newId(),
      subject: 'Mulch',
      text: 'Mulch is here',
      customerId: ann.customerId,
    }),
  )
  await runTasks()
  // what signs somebody in is nobody's to read
  if (purpose === 'account') return { id, status: '', reason: null }
  const { status, reason } = await ann.api.ok(messagesApi.get, { params: { id } })
  return { id, status, reason }
}
const post = async (lines: string[], to: string): Promise<{ received: boolean }> => {
  const { body } = await mailTo(to, lines)
  await runTasks()
  return body as { received: boolean }
}
const feedback = (about: string, kind = 'abuse') => [
  'From: feedback@mailbox.test',
  `Message-ID: <${newId()}@mailbox>`,
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=feedback-report; boundary="x"',
  '',
  '--x',
  'Content-Type: text/plain',
  '',
  'This is an abuse report.',
  '--x',
  'Content-Type: message/feedback-report',
  '',
  `Feedback-Type: ${kind}`,
  'User-Agent: Mailbox/1.0',
  'Version: 1',
  '--x',
  'Content-Type: message/rfc822',
  '',
  `Reply-To: ${about}`,
  'Subject: Mulch',
  '',
  'Mulch is here',
  '--x--',
]
const replyOf = ({ id }: TestBusiness, messageId: string) => returnAddress('reply', messageId, id) ?? ''
const bounceOf = ({ id }: TestBusiness, messageId: string) => returnAddress('bounce', messageId, id) ?? ''
const complaints = 'complaints@in.oak.test'
const bell = async ({ api }: TestBusiness) =>
  (await api.ok(notificationsApi.list, { query: {} })).notifications
    .map(({ title }) => title)
    .filter((title) => title.includes('spam'))
const shut = async ({ api, customerId }: Ann) =>
  (await api.ok(messagesApi.contact, { params: { id: customerId } })).emailSuppressed

describe('a complaint', () => {
  it('about an offer ends offers, once, with a no in the ledger, and is told', async () => {
    const ann = await aCustomer()
    const offer = await aMail(ann, 'marketing')
    expect(offer.status).toBe('sent')
    for (const to of [complaints, complaints, bounceOf(ann, offer.id)])
      expect(await post(feedback(replyOf(ann, offer.id)), to)).toEqual({ received: true })
    expect(await aMail(ann, 'marketing')).toMatchObject({ status: 'suppressed', reason: 'They marked it as spam' })
    expect((await aMail(ann, 'transactional')).status).toBe('sent')
    expect(await bell(ann)).toEqual(['Ann Lee marked your mail as spam'])
    const { items } = await ann.api.ok(consentsApi.list, { params: { id: ann.customerId } })
    expect(items.filter(({ action }) => action === 'revoke').map(({ purpose, source }) => [purpose, source])).toEqual([
      ['marketing', 'complaint'],
    ])
  })

  it('about anything else ends all mail', async () => {
    const ann = await aCustomer()
    const { id } = await aMail(ann, 'transactional')
    await post(feedback(replyOf(ann, id)), complaints)
    expect(await shut(ann)).toBe('They marked it as spam')
    expect((await aMail(ann, 'transactional')).status).toBe('suppressed')
  })

  it('that nobody could have made, or that is none, changes nothing', async () => {
    const ann = await aCustomer()
    const { id } = await aMail(ann, 'transactional')
    const mine = replyOf(ann, id)
    const forged = mine.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@'))
    expect(await post(feedback(forged), complaints)).toEqual({ received: false })
    expect(await post(feedback(mine, 'not-spam'), complaints)).toEqual({ received: false })
    expect(await post(feedback('ann@in.oak.test'), complaints)).toEqual({ received: false })
    expect(await shut(ann)).toBeNull()
  })
})

describe('mail that comes back for now', () => {
  const backOn = async (ann: Ann, day: string, status = '5.2.2') => {
    setClock(() => new Date(`${day}T16:00:00Z`))
    const { id } = await aMail(ann, 'transactional')
    await post(bounceReport(status), bounceOf(ann, id))
  }

  it('on three days of two weeks shuts the address; an answer from it opens it again', async () => {
    const ann = await aCustomer()
    for (const day of ['2026-06-01', '2026-06-02', '2026-06-02']) await backOn(ann, day)
    expect(await shut(ann)).toBeNull()
    await backOn(ann, '2026-06-14')
    expect(await shut(ann)).toBe('Mail came back on 3 days')
    const { id } = (await ann.api.ok(messagesApi.list, { query: { customerId: ann.customerId } })).items.at(-1) ?? {
      id: '',
    }
    await post([`From: ${ann.email}`, 'Subject: Re: Mulch', `Message-ID: <${newId()}@x>`, '', 'Hi'], replyOf(ann, id))
    expect(await shut(ann)).toBeNull()
    await backOn(ann, '2026-06-15')
    expect(await shut(ann)).toBeNull()
  })

  it('on days further apart, or for what is about us, shuts nothing', async () => {
    const ann = await aCustomer()
    for (const day of ['2026-06-01', '2026-06-02', '2026-06-16']) await backOn(ann, day)
    for (const day of ['2026-07-01', '2026-07-02']) await backOn(ann, day, '5.7.1')
    await backOn(ann, '2026-07-03', '5.2.3')
    expect(await shut(ann)).toBeNull()
    expect(clock.iso().slice(0, 10)).toBe('2026-07-03')
  })

  it('a box that rested for a month is tried again', async () => {
    const ann = await aCustomer()
    for (const day of ['2026-06-01', '2026-06-02', '2026-06-03']) await backOn(ann, day)
    setClock(() => new Date('2026-07-02T16:00:00Z'))
    await sweepMessages.run({})
    expect(await shut(ann)).toBe('Mail came back on 3 days')
    setClock(() => new Date('2026-07-04T16:00:00Z'))
    await sweepMessages.run({})
    expect(await shut(ann)).toBeNull()
  })

  it('of the account shuts nothing, nor does a complaint about it', async () => {
    const ann = await aCustomer()
    const { id } = await aMail(ann, 'account')
    for (const day of ['2026-06-01', '2026-06-02', '2026-06-03']) {
      setClock(() => new Date(`${day}T16:00:00Z`))
      await post(bounceReport('5.2.2'), bounceOf(ann, id))
    }
    await post(feedback(bounceOf(ann, id)), complaints)
    expect(await shut(ann)).toBeNull()
  })
})
