import { beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, instantAt } from '../../../../shared/dates.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { receiveMail, receivePortalTx, receiveText } from '../../../messages/server/inbound/commands.ts'
import { servicesApi } from '../../../services/contract.ts'
import { tasksApi } from '../../../tasks/contract.ts'
import { quoteAnalyticsApi } from '../../analytics/contract.ts'
import { quotesApi } from '../../contract.ts'
import { quoteTemplatesApi } from '../../templates/contract.ts'
import { expireQuotes, followUp } from './commands.ts'

let business: TestBusiness
let customerId: string
let propertyId: string
let serviceId: string

const sent = async (more: object = {}) => {
  const content = { lines: [{ id: newId(), serviceId, name: 'Mulch', unitPriceCents: 30_000 }], terms: 'Net 30' }
  const draft = await business.api.ok(quotesApi.create, { body: { propertyId, content, ...more } })
  return business.api.ok(quotesApi.send, {
    params: { id: draft.id },
    body: { mail: true, text: false, version: draft.version },
  })
}
const get = (id: string) => business.api.ok(quotesApi.get, { params: { id } })
/** As if it had been sent so many days ago. */
const ago = (id: string, days: number, step: number) =>
  business.db((db) =>
    db
      .updateTable('quotes')
      .set({
        sentAt: new Date(clock.nowMs() - days * 86_400_000).toISOString(),
        followStep: step,
        followOn: addDays(today(), -1),
      })
      .where('businessId', '=', business.id)
      .where('id', '=', id)
      .execute(),
  )
const run = () => followUp(systemActor(business.id))
const asked = async () =>
  (
    await business.db((db) =>
      db
        .selectFrom('messages')
        .select('subject')
        .where('businessId', '=', business.id)
        .where('dedupeKey', 'like', '%:follow:%')
        .orderBy('createdAt')
        .execute(),
    )
  ).map(({ subject }) => subject)

/** What was asked after a quote, and whether it still leaves. */
const asking = () =>
  business.db((db) =>
    db
      .selectFrom('messages')
      .select(['status', 'reason'])
      .where('businessId', '=', business.id)
      .where('dedupeKey', 'like', '%:follow:%')
      .execute(),
  )
/** The clock goes on from that minute of today where the business is. */
const clockAt = (minute: number, day = today()) => {
  const ahead = new Date(instantAt(day, minute, 'America/New_York')).getTime() - Date.now()
  setClock(() => new Date(Date.now() + ahead))
}

beforeEach(async () => {
  resetClock()
  clockAt(12 * 60)
  business = await aBusiness()
  ;({ customerId, propertyId } = await aLawn(business))
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test', source: 'Yard sign' })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  serviceId = items.find(({ category }) => category === 'install')?.id ?? ''
  return () => resetClock()
})

describe('follow-ups', () => {
  it('come after two, five and ten days, each once however often the hour runs, and then no more', async () => {
    const quote = await sent()
    expect(quote.followOn).toBe(addDays(today(), 2))
    await run()
    expect(await asked()).toEqual([])
    await ago(quote.id, 2, 0)
    await Promise.all([run(), run()])
    expect((await get(quote.id)).followOn).toBe(addDays(today(), 3))
    await ago(quote.id, 5, 1)
    await run()
    await ago(quote.id, 10, 2)
    await run()
    await run()
    const subjects = await asked()
    expect(subjects).toHaveLength(3)
    expect(subjects[2]).toContain('a last word')
    expect((await get(quote.id)).followOn).toBeNull()
  })

  it.each([
    ['a call in which they talked', 'call', { outcome: 'talked' }, 0],
    ['a call of theirs that was missed', 'call', { direction: 'in', outcome: 'no_answer' }, 0],
    ['a call that they did not take', 'call', { outcome: 'no_answer' }, 1],
    ['an out-of-office note', 'mail', { automatic: true }, 1],
    ['a mail', 'mail', { automatic: false }, 0],
    ['a text', 'text', { body: 'Sounds good, let me ask my wife' }, 0],
    ['a word to the machine', 'text', { body: 'HELP' }, 1],
  ])('after %s', async (_, kind, how, expected) => {
    const quote = await sent()
    await ago(quote.id, 2, 0)
    if (kind === 'call') await business.api.ok(tasksApi.logCall, { params: { id: customerId }, body: how as never })
    else if (kind === 'text') {
      await business.db((db) =>
        db.updateTable('customers').set({ phone: '+19125550147' }).where('businessId', '=', business.id).execute(),
      )
      await receiveText(business.id, { from: '+19125550147', providerId: newId(), provider: 'local', ...how } as never)
    } else {
      const mail = await business.db((db) =>
        db
          .selectFrom('messages')
          .select('id')
          .where('businessId', '=', business.id)
          .where('entityId', '=', quote.id)
          .where('channel', '=', 'email')
          .executeTakeFirstOrThrow(),
      )
      const from = { from: 'rebecca@test.swath.test', fromName: 'Rebecca', subject: 'Re: quote', text: 'Thanks' }
      await receiveMail(business.id, mail.id, { ...from, messageId: newId(), report: null, ...how } as never)
    }
    await run()
    expect(await asked()).toHaveLength(expected)
  })

  it('stop on any answer: a message, a signature, a no, a wish for changes, and for what is past its day', async () => {
    const wrote = await sent()
    await ago(wrote.id, 2, 0)
    await business.db((db) =>
      db
        .insertInto('messages')
        .values({
          businessId: business.id,
          id: newId(),
          direction: 'inbound',
          channel: 'email',
          purpose: 'transactional',
          address: 'rebecca@test.swath.test',
          fromName: 'Rebecca',
          subject: 'Re: quote',
          bodyText: 'How about Tuesday?',
          customerId,
          dedupeKey: newId(),
          status: 'received',
        } as never)
        .execute(),
    )
    const past = await sent()
    await ago(past.id, 2, 0)
    await business.db((db) =>
      db
        .updateTable('quotes')
        .set({ validUntil: addDays(today(), -1) })
        .where('businessId', '=', business.id)
        .where('id', '=', past.id)
        .execute(),
    )
    const no = await sent()
    await stranger.raw({
      method: 'POST',
      url: `${no.publicPath}/decline`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'reason=timing',
    })
    expect((await get(no.id)).followOn).toBeNull()
    await run()
    expect(await asked()).toEqual([])
    expect((await get(wrote.id)).followOn).toBeNull()
  })
})

describe('by daylight', () => {
  it.each([
    [35, 0],
    [8 * 60 + 35, 0],
    [9 * 60 + 35, 1],
    [17 * 60 + 35, 1],
    [18 * 60 + 35, 0],
  ])('at minute %i of the day %i are asked after', async (minute, expected) => {
    const quote = await sent()
    await ago(quote.id, 2, 0)
    clockAt(minute)
    await run()
    expect(await asked()).toHaveLength(expected)
    // what was not asked by night is asked the next day
    clockAt(9 * 60 + 35, addDays(today(), expected === 0 ? 1 : 0))
    await run()
    expect(await asked()).toHaveLength(1)
  })
})

describe('an answer between queueing and leaving recalls what waits', () => {
  const form = (path: string, payload: string) =>
    stranger.raw({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mozilla/5.0 (iPhone) Safari' },
      payload,
    })
  type Sent = Awaited<ReturnType<typeof sent>>
  const call = (how: object) => business.api.ok(tasksApi.logCall, { params: { id: customerId }, body: how as never })
  const mail = async (quote: Sent, automatic: boolean) => {
    const { id } = await business.db((db) =>
      db
        .selectFrom('messages')
        .select('id')
        .where('businessId', '=', business.id)
        .where('entityId', '=', quote.id)
        .limit(1)
        .executeTakeFirstOrThrow(),
    )
    const from = { from: 'rebecca@test.swath.test', fromName: 'Rebecca', subject: 'Re: quote', text: 'Thanks' }
    await receiveMail(business.id, id, { ...from, messageId: newId(), report: null, automatic } as never)
  }
  const text = async (body: string) => {
    await business.db((db) =>
      db.updateTable('customers').set({ phone: '+19125550147' }).where('businessId', '=', business.id).execute(),
    )
    await receiveText(business.id, { from: '+19125550147', providerId: newId(), provider: 'local', body })
  }
  const answers: [string, (quote: Sent) => Promise<unknown>, boolean][] = [
    ['a mail', (quote) => mail(quote, false), true],
    ['a text', () => text('Sounds good'), true],
    [
      'a message in the portal',
      () =>
        business.db((db) =>
          receivePortalTx(db, { customerId, address: 'r@test.swath.test', fromName: 'R', text: 'Yes', key: newId() }),
        ),
      true,
    ],
    ['a call in which they talked', () => call({ outcome: 'talked' }), true],
    ['a call of theirs', () => call({ direction: 'in', outcome: 'no_answer' }), true],
    [
      'a signature',
      (quote) => form(`${quote.publicPath}/sign`, `signer=Rebecca&agree=1&expected=${quote.totalCents}`),
      true,
    ],
    ['a no', (quote) => form(`${quote.publicPath}/decline`, 'reason=timing'), true],
    ['a wish for changes', (quote) => form(`${quote.publicPath}/changes`, 'words=Less+mulch+please'), true],
    [
      'its last day',
      async (quote) => {
        await business.db((db) =>
          db
            .updateTable('quotes')
            .set({ validUntil: addDays(today(), -1) })
            .where('businessId', '=', business.id)
            .where('id', '=', quote.id)
            .execute(),
        )
        await expireQuotes(systemActor(business.id))
      },
      true,
    ],
    ['an out-of-office note', (quote) => mail(quote, true), false],
    ['a word to the machine', () => text('HELP'), false],
    ['a call that they did not take', () => call({ outcome: 'no_answer' }), false],
  ]
  it.each(answers)('%s', async (_, answer, recalls) => {
    const quote = await sent()
    await ago(quote.id, 2, 0)
    await run()
    expect(await asking()).toMatchObject([{ status: 'pending' }])
    await answer(quote)
    const [left] = await asking()
    expect(left?.status).toBe(recalls ? 'suppressed' : 'pending')
    if (recalls) expect(left?.reason).toBeTruthy()
  })
})

it('a quote past its day is not signed, whoever still has its page open, and nothing changes', async () => {
  const quote = await sent()
  const before = await get(quote.id)
  clockAt(12 * 60, addDays(before.validUntil ?? today(), 1))
  const signed = await stranger.raw({
    method: 'POST',
    url: `${quote.publicPath}/sign`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mozilla/5.0 (iPhone) Safari' },
    payload: `signer=Rebecca&agree=1&expected=${quote.totalCents}`,
  })
  expect([signed.status, /cannot be signed as it was shown any more/.test(signed.text)]).toEqual([409, true])
  resetClock()
  clockAt(12 * 60)
  const after = await get(quote.id)
  expect([after.status, after.version, after.signature, after.events.length]).toEqual([
    before.status,
    before.version,
    null,
    before.events.length,
  ])
})

it('the time to answer is the middle one, of those that were answered', async () => {
  const hours = [1, 4.5, 30]
  for (const each of [...hours, null]) {
    const { id } = await sent()
    await business.db((db) =>
      db
        .updateTable('quotes')
        .set({
          firstSentAt: new Date(clock.nowMs() - 40 * 3_600_000).toISOString(),
          answeredAt: each === null ? null : new Date(clock.nowMs() - (40 - each) * 3_600_000).toISOString(),
        })
        .where('businessId', '=', business.id)
        .where('id', '=', id)
        .execute(),
    )
  }
  const figures = () => business.api.ok(quoteAnalyticsApi.get, { query: { days: 90 } })
  expect((await figures()).medianHours).toBe(4.5)
  const fresh = await aBusiness()
  expect((await fresh.api.ok(quoteAnalyticsApi.get, { query: { days: 90 } })).medianHours).toBeNull()
})

it('a quote that nobody answered until its day expires once, and takes a new version', async () => {
  const quote = await sent()
  await expireQuotes(systemActor(business.id))
  expect((await get(quote.id)).status).toBe('sent')
  await business.db((db) =>
    db
      .updateTable('quotes')
      .set({ validUntil: addDays(today(), -1) })
      .where('businessId', '=', business.id)
      .execute(),
  )
  await expireQuotes(systemActor(business.id))
  await expireQuotes(systemActor(business.id))
  const after = await get(quote.id)
  expect([after.status, after.events.filter(({ kind }) => kind === 'expired').length]).toEqual(['expired', 1])
  const page = await stranger.raw({ method: 'GET', url: quote.publicPath ?? '' })
  expect(page.text).not.toContain('id="sign-button"')
  const next = await business.api.ok(quotesApi.revise, { params: { id: quote.id }, body: { version: after.version } })
  expect(next).toMatchObject({ status: 'draft', revision: 2, validUntil: addDays(today(), 30) })
})

it('a template keeps lines, words and terms, is offered once by its name, and photos stay with their quote', async () => {
  const quote = await sent()
  const make = () =>
    business.api.call(quoteTemplatesApi.create, { body: { name: 'Spring bed work', fromQuoteId: quote.id } })
  expect((await make()).body).toMatchObject({ content: { terms: 'Net 30', photoIds: [] }, quoteCount: 0 })
  expect((await make()).status).toBe(422)
  const [template] = (await business.api.ok(quoteTemplatesApi.list, {})).items
  if (!template) throw new Error('no template')
  await sent({ templateId: template.id })
  const other = await aBusiness()
  expect((await other.api.ok(quoteTemplatesApi.list, {})).items).toEqual([])
  const changed = await business.api.ok(quoteTemplatesApi.update, {
    params: { id: template.id },
    body: { terms: 'Net 15', version: template.version },
  })
  expect([changed.content.terms, changed.quoteCount]).toEqual(['Net 15', 1])
  await business.api.ok(quoteTemplatesApi.archive, { params: { id: template.id }, body: { version: changed.version } })
  expect((await business.api.ok(quoteTemplatesApi.list, {})).items).toEqual([])
})

it('analytics count what was sent in the span: seen, won, lost and why, by source and person', async () => {
  const [won, lost, open, old] = [await sent(), await sent(), await sent(), await sent()]
  await business.api.ok(quotesApi.approve, {
    params: { id: won.id },
    body: { signer: 'R', note: 'By phone', choice: { packageId: null, lineIds: [] }, version: won.version },
  })
  await business.api.ok(quotesApi.decline, {
    params: { id: lost.id },
    body: { reason: 'price', version: lost.version },
  })
  await business.db((db) =>
    db
      .updateTable('quotes')
      .set({ firstSentAt: new Date(Date.now() - 200 * 86_400_000).toISOString() })
      .where('businessId', '=', business.id)
      .where('id', '=', old.id)
      .execute(),
  )
  const figures = await business.api.ok(quoteAnalyticsApi.get, { query: { days: 90 } })
  expect(open.status).toBe('sent')
  expect(figures).toMatchObject({
    sent: 3,
    viewed: 2,
    won: 1,
    wonCents: 30_000,
    lost: 1,
    open: 1,
    reasons: [{ reason: 'price', count: 1, cents: 30_000 }],
    bySource: [{ name: 'Yard sign', sent: 3, won: 1, wonCents: 30_000 }],
    bySeller: [{ name: business.owner.name, sent: 3, won: 1, wonCents: 30_000 }],
  })
  expect((await business.api.ok(quoteAnalyticsApi.get, { query: { days: 365 } })).sent).toBe(4)
})
