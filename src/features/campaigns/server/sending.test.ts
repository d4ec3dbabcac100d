import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { clock, resetClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import {
  anAudience,
  apiNow,
  begin,
  isOver,
  later,
  mail,
  outbox,
  runUntil,
  sentTo,
  text,
  work,
} from '../../../test/campaigns.ts'
import { receiveComplaint } from '../../messages/returns/server/commands.ts'
import { recordConsent, suppress } from '../../messages/server/commands.ts'
import { receiveText } from '../../messages/server/inbound/commands.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { campaignsApi } from '../contract.ts'
import { campaignResultsApi } from '../results/contract.ts'
import { campaignStepTx } from './sending.ts'

afterEach(resetClock)

describe('a campaign that is sent', () => {
  it('reaches everybody once, at its rate, with who writes and a link to get no more', async () => {
    const business = await anAudience(23)
    const { id } = await begin(business)
    await runTasks()
    // 600 an hour are ten a minute
    expect(await outbox(business, id)).toHaveLength(10)
    await runTasks()
    expect(await outbox(business, id)).toHaveLength(10)
    later(1)
    await work(business, id)
    expect(await outbox(business, id)).toHaveLength(20)
    const over = await runUntil(business, id, isOver)
    expect(over).toMatchObject({ chosen: 23, queued: 23, leftOut: 0, heldOut: 0 })
    const left = await outbox(business, id)
    expect(new Set(left.map(({ address }) => address)).size).toBe(23)
    expect(new Set(left.map(({ purpose }) => purpose))).toEqual(new Set(['marketing']))
    expect(left[0]?.subject).toBe('Fall aeration for Customer')
    expect(left[0]?.bodyText).toContain('Oak Lawn, 4 Mill Ln, Savannah, GA 31401')
    expect(left[0]?.bodyText).toMatch(/Get no more offers: https?:\/\/\S+\/u\//)
    expect(left[0]?.bodyHtml).toContain('Ask for a price')
  })

  it('is never sent twice by two workers at once, by a step that was cut off, nor by one that runs again', async () => {
    const business = await anAudience(30)
    const { id } = await begin(business)
    const step = () => business.db((db) => campaignStepTx(db, id))
    // killed in the middle: the transaction is gone, and nothing of it happened
    await expect(
      business.db(async (db) => {
        while (await campaignStepTx(db, id));
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect(await outbox(business, id)).toEqual([])
    for (let turn = 0; turn < 6; turn++) {
      await Promise.all([step(), step(), step(), step()])
      await Promise.all([runTasks(), runTasks()])
      expect((await outbox(business, id)).length).toBeLessThanOrEqual(10 * (turn + 1))
      later(1)
    }
    await runUntil(business, id, isOver)
    const left = await outbox(business, id)
    expect(left).toHaveLength(30)
    expect(new Set(left.map(({ customerId }) => customerId)).size).toBe(30)
    expect(new Set(await sentTo(business, id)).size).toBe(30)
  })

  it('stands still while it is paused and goes on without a repeat, also what waited in the outbox', async () => {
    const business = await anAudience(25)
    const { id } = await begin(business)
    // the first ten stand in the outbox and have not left
    await business.db(async (db) => {
      while (await campaignStepTx(db, id));
    })
    const [first] = await outbox(business, id)
    await business.db((db) =>
      db
        .updateTable('messages')
        .set({ status: 'sent', sentAt: clock.iso() })
        .where('businessId', '=', business.id)
        .where('id', '=', first?.id ?? '')
        .execute(),
    )
    const paused = await (await apiNow(business)).ok(campaignsApi.pause, { params: { id } })
    expect(paused).toMatchObject({ status: 'paused', queued: 1, can: { pause: false, resume: true } })
    later(30)
    await work(business, id)
    expect(await sentTo(business, id)).toEqual([first?.address])
    // nobody sends by hand what was taken back
    const kept = (await outbox(business, id)).find(({ status }) => status === 'suppressed')
    expect(kept?.reason).toBe('The campaign was paused before it left')
    // twice is the same
    expect((await (await apiNow(business)).ok(campaignsApi.pause, { params: { id } })).version).toBe(paused.version)
    await (await apiNow(business)).ok(campaignsApi.resume, { params: { id } })
    await runUntil(business, id, isOver)
    const all = await sentTo(business, id)
    expect([all.length, new Set(all).size]).toEqual([25, 25])
  })

  it('is canceled for good: what waits does not leave and nobody is written to any more', async () => {
    const business = await anAudience(25)
    const { id } = await begin(business)
    await business.db(async (db) => {
      while (await campaignStepTx(db, id));
    })
    const canceled = await (await apiNow(business)).ok(campaignsApi.cancel, { params: { id } })
    expect(canceled).toMatchObject({ status: 'canceled', can: { resume: false, cancel: false } })
    later(60)
    await work(business, id)
    expect(await sentTo(business, id)).toEqual([])
    const refused = await (await apiNow(business)).call(campaignsApi.resume, { params: { id } })
    expect(refused.status).toBe(409)
  })

  it('lets nothing leave after a STOP, and looks at consent as each one leaves', async () => {
    const business = await anAudience(20)
    const { id } = await begin(business, { channel: 'sms', content: text })
    await business.db(async (db) => {
      while (await campaignStepTx(db, id));
    })
    const queued = await outbox(business, id)
    expect(queued[0]?.bodyText).toMatch(/Oak Lawn Reply STOP to opt out\.$/)
    // one of those in the outbox, and one whose turn comes later
    const inOutbox = queued[0]?.address ?? ''
    const [waiting, withdrawn] = await business.db((db) =>
      db
        .selectFrom('campaignRecipients')
        .select('address')
        .where('businessId', '=', business.id)
        .where('campaignId', '=', id)
        .where('state', '=', 'waiting')
        .orderBy('place')
        .execute(),
    )
    for (const from of [inOutbox, waiting?.address ?? ''])
      await receiveText(business.id, { from, body: 'STOP', providerId: newId(), provider: 'local' })
    await business.db((db) =>
      recordConsent(db, {
        channel: 'sms',
        address: withdrawn?.address ?? '',
        purpose: 'marketing',
        action: 'revoke',
        source: 'test',
      }),
    )
    await runUntil(business, id, isOver)
    const all = await sentTo(business, id)
    expect(all).toHaveLength(17)
    for (const gone of [inOutbox, waiting?.address, withdrawn?.address]) expect(all).not.toContain(gone)
    const { notSent } = await (await apiNow(business)).ok(campaignResultsApi.results, { params: { id } })
    expect(notSent).toEqual([
      { reason: 'They replied STOP', count: 2 },
      { reason: 'Never agreed to offers', count: 1 },
    ])
  })

  it('waits for the morning of each with a text, and keeps its rate then', async () => {
    const business = await anAudience(14)
    later(10 * 60)
    const { id } = await begin(business, { channel: 'sms', content: text })
    await runTasks()
    expect(await outbox(business, id)).toEqual([])
    const waits = await (await apiNow(business)).ok(campaignsApi.get, { params: { id } })
    expect(Date.parse(waits.nextAt ?? '')).toBeGreaterThan(clock.nowMs() + 9 * 3_600_000)
    later((Date.parse(waits.nextAt ?? '') - clock.nowMs()) / 60_000)
    await work(business, id)
    expect(await outbox(business, id)).toHaveLength(10)
    await runUntil(business, id, isOver)
    expect(await sentTo(business, id)).toHaveLength(14)
  })

  it('keeps an audience that stands still: who comes later is not in it, who is archived gets nothing', async () => {
    const business = await anAudience(15)
    const { id, chosen } = await begin(business)
    expect(chosen).toBe(15)
    const email = 'late@oak.test'
    await business.db(async (db) => {
      await db.insertInto('customers').values({ businessId: business.id, id: newId(), name: 'Late', email }).execute()
      await recordConsent(db, {
        channel: 'email',
        address: email,
        purpose: 'marketing',
        action: 'grant',
        source: 'test',
      })
      await db
        .updateTable('customers')
        .set({ archivedAt: clock.iso() })
        .where('businessId', '=', business.id)
        .where('id', '=', business.ids[3] ?? '')
        .execute()
    })
    const over = await runUntil(business, id, isOver)
    expect(over).toMatchObject({ chosen: 15, queued: 14, leftOut: 1 })
    expect(await sentTo(business, id)).not.toContain(email)
  })

  it('reaches an address once, whoever has it, and leaves out who had a campaign lately where that is wanted', async () => {
    const business = await anAudience(4)
    const email = await business.db(async (db) => {
      const { email } = await db
        .selectFrom('customers')
        .select('email')
        .where('businessId', '=', business.id)
        .where('id', '=', business.ids[0] ?? '')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('customers')
        .values({ businessId: business.id, id: newId(), name: 'Their son', email })
        .execute()
      return email
    })
    const first = await begin(business)
    const over = await runUntil(business, first.id, isOver)
    expect(over).toMatchObject({ chosen: 5, queued: 4, leftOut: 1 })
    expect((await sentTo(business, first.id)).filter((one) => one === email)).toHaveLength(1)
    const second = await begin(business, { leaveOutRecent: true })
    const none = await runUntil(business, second.id, isOver)
    expect(none).toMatchObject({ chosen: 5, queued: 0, leftOut: 5 })
  })
})

describe('who is held out', () => {
  it('is the same share of those who can be reached, chosen by nothing but the ids, and gets nothing', async () => {
    const business = await anAudience(40)
    await business.db((db) => suppress(db, 'email', 'x@oak.test', 'all', 'gone'))
    const { id } = await begin(business, { holdoutPercent: 10, perHour: 5000 })
    const held = () =>
      business.db(async (db) =>
        (
          await db
            .selectFrom('campaignRecipients')
            .select('customerId')
            .where('businessId', '=', business.id)
            .where('campaignId', '=', id)
            .where('state', '=', 'held_out')
            .orderBy('customerId')
            .execute()
        ).map(({ customerId }) => customerId),
      )
    const over = await runUntil(business, id, isOver)
    expect(over).toMatchObject({ heldOut: 4, queued: 36 })
    const first = await held()
    const rankOf = (customerId: string) =>
      createHash('md5')
        .update(id + customerId)
        .digest('hex')
        .slice(0, 12)
    expect(first).toEqual(
      business.ids
        .toSorted((a, b) => rankOf(a).localeCompare(rankOf(b)))
        .slice(0, 4)
        .sort(),
    )
    // parted once more from the same ids it is the same people
    await business.db(async (db) => {
      await db
        .updateTable('campaignRecipients')
        .set({ state: 'chosen', place: null, messageId: null })
        .where('businessId', '=', business.id)
        .where('campaignId', '=', id)
        .execute()
      await db
        .updateTable('campaigns')
        .set({ status: 'running', sortedAt: null, toPlace: null, placed: 0, stepAt: null })
        .where('businessId', '=', business.id)
        .where('id', '=', id)
        .execute()
      await campaignStepTx(db, id)
      await campaignStepTx(db, id)
    })
    expect(await held()).toEqual(first)
  })
})

describe('two subjects', () => {
  it('are tried out on a share, and the rest gets the one that more people clicked', async () => {
    const business = await anAudience(40)
    const { id } = await begin(business, {
      content: mail({ subjectB: 'B: your lawn wants air' }),
      test: { percent: 50, hours: 4, by: 'clicks' },
      perHour: 5000,
    })
    const waits = await runUntil(business, id, ({ decideAt }) => decideAt !== null)
    const tested = await outbox(business, id)
    expect(tested).toHaveLength(20)
    expect(tested.filter(({ subject }) => subject.startsWith('B:'))).toHaveLength(10)
    later(2)
    // three who got B follow its link, one who got A
    const links = (subject: (one: string) => boolean, count: number) =>
      tested
        .filter((one) => subject(one.subject))
        .slice(0, count)
        .map(({ bodyHtml }) => /href="[^"]*(\/c\/[^"]+)"/.exec(bodyHtml ?? '')?.[1] ?? '')
    for (const url of [...links((one) => one.startsWith('B:'), 3), ...links((one) => one.startsWith('Fall'), 1)]) {
      const answer = await (await apiNow(business)).raw({
        method: 'GET',
        url,
        headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari' },
      })
      expect([answer.status, answer.headers.location]).toEqual([302, 'https://oak.test/aeration'])
    }
    await runTasks()
    expect(await outbox(business, id)).toHaveLength(20)
    later((Date.parse(waits.decideAt ?? '') - clock.nowMs()) / 60_000)
    const over = await runUntil(business, id, isOver)
    expect(over.winner).toBe('b')
    const all = await outbox(business, id)
    expect(all).toHaveLength(40)
    expect(all.filter(({ subject }) => subject.startsWith('B:'))).toHaveLength(30)
    const { test, clicked } = await (await apiNow(business)).ok(campaignResultsApi.results, { params: { id } })
    expect([clicked, test?.a.clicked, test?.b.clicked, test?.winner]).toEqual([4, 1, 3, 'b'])
  })
})

describe('a campaign that comes back', () => {
  it('pauses by itself above 5 % bounces, tells who made it, and goes on when somebody says so', async () => {
    const business = await anAudience(120)
    const { id } = await begin(business, { perHour: 3600 })
    await runUntil(business, id, ({ queued }) => queued >= 50, 1)
    await business.db(async (db) => {
      const some = (await outbox(business, id)).slice(0, 4).map((one) => one.id)
      await db
        .updateTable('messages')
        .set({ status: 'failed', attempts: 1, reason: '550 5.1.1 unknown user' })
        .where('businessId', '=', business.id)
        .where('id', 'in', some)
        .execute()
    })
    later(2)
    await work(business, id)
    const paused = await (await apiNow(business)).ok(campaignsApi.get, { params: { id } })
    expect(paused.status).toBe('paused')
    expect(paused.pauseReason).toMatch(/4 of \d+ sent came back: that is more than 5%/)
    const bell = await (await apiNow(business)).ok(notificationsApi.list, { query: {} })
    expect(JSON.stringify(bell)).toContain('Aeration was paused')
    const before = (await outbox(business, id)).length
    later(60)
    await work(business, id)
    expect(await outbox(business, id)).toHaveLength(before)
    await (await apiNow(business)).ok(campaignsApi.resume, { params: { id } })
    const over = await runUntil(business, id, isOver)
    expect(over.queued).toBe(120)
  })

  it('pauses by itself when it is called spam, and counts who ended offers', async () => {
    const business = await anAudience(120)
    const { id } = await begin(business, { perHour: 3600 })
    await runUntil(business, id, ({ queued }) => queued >= 50)
    const [first, second] = await outbox(business, id)
    await receiveComplaint(business.id, first?.id ?? '')
    const url = /(\/u\/[\w-]+)/.exec(second?.bodyText ?? '')?.[1] ?? ''
    expect((await (await apiNow(business)).raw({ method: 'POST', url, payload: {} })).status).toBe(200)
    await runTasks()
    later(2)
    await work(business, id)
    const paused = await (await apiNow(business)).ok(campaignsApi.get, { params: { id } })
    expect([paused.status, paused.pauseReason]).toEqual(['paused', expect.stringContaining('marked it as spam')])
    const results = await (await apiNow(business)).ok(campaignResultsApi.results, { params: { id } })
    expect([results.complained, results.unsubscribed]).toEqual([1, 1])
  })
})
