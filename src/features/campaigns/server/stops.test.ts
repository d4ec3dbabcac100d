import { afterEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { addDays, dayOf } from '../../../shared/dates.ts'
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
import type { TestBusiness } from '../../../test/factories.ts'
import { mergesApi } from '../../merges/contract.ts'
import { receiveComplaint } from '../../messages/returns/server/commands.ts'
import { campaignsApi } from '../contract.ts'
import { campaignResultsApi } from '../results/contract.ts'
import { segmentsApi } from '../segments/contract.ts'
import { campaignStepTx } from './sending.ts'

afterEach(resetClock)

/** Steps without letting the outbox leave: the provider is away. */
const stepOnly = (business: TestBusiness, id: string) =>
  business.db(async (db) => {
    while (await campaignStepTx(db, id));
  })

const setMessages = (business: TestBusiness, id: string, from: 'pending' | 'sending', to: 'pending' | 'sending') =>
  business.db((db) =>
    db
      .updateTable('messages')
      .set({ status: to })
      .where('businessId', '=', business.id)
      .where('entityId', '=', id)
      .where('status', '=', from)
      .execute(),
  )

const stateOf = (business: TestBusiness, id: string, customerId: string) =>
  business.db((db) =>
    db
      .selectFrom('campaignRecipients')
      .select(['state', 'place'])
      .where('businessId', '=', business.id)
      .where('campaignId', '=', id)
      .where('customerId', '=', customerId)
      .executeTakeFirst(),
  )

const read = async (business: TestBusiness, id: string) =>
  (await apiNow(business)).ok(campaignsApi.get, { params: { id } })

const merge = async (business: TestBusiness, keptId: string, goneId: string) => {
  const api = await apiNow(business)
  const seen = await api.ok(mergesApi.preview, { params: { id: keptId, goneId } })
  await api.ok(mergesApi.merge, {
    params: { id: keptId },
    body: { goneId, version: seen.kept.version, goneVersion: seen.gone.version },
  })
}

describe('two records of one customer in an audience', () => {
  const ofState = async (business: TestBusiness, id: string, state: 'queued' | 'waiting' | 'held_out') =>
    business.db(async (db) =>
      (
        await db
          .selectFrom('campaignRecipients')
          .select('customerId')
          .where('businessId', '=', business.id)
          .where('campaignId', '=', id)
          .where('state', '=', state)
          .orderBy('place')
          .execute()
      ).map(({ customerId }) => customerId),
    )

  it('are written to once, whichever of them was merged into the other', async () => {
    const business = await anAudience(20)
    const { id } = await begin(business)
    await work(business, id)
    const [[goneGot = '', keptGot = ''], [keptWaits = '', goneWaits = '', one = '', other = '']] = [
      await ofState(business, id, 'queued'),
      await ofState(business, id, 'waiting'),
    ]
    await merge(business, keptWaits, goneGot)
    await merge(business, keptGot, goneWaits)
    await merge(business, one, other)
    const over = await runUntil(business, id, isOver)
    expect(over).toMatchObject({ chosen: 20, queued: 17, leftOut: 3 })
    const written = (await outbox(business, id)).map(({ customerId }) => customerId)
    expect(written).toHaveLength(17)
    expect(new Set(written).size).toBe(17)
  })

  it('get nothing and count in no group where one was held out', async () => {
    const business = await anAudience(20)
    const { id } = await begin(business, { holdoutPercent: 10 })
    await work(business, id)
    const [[held = '', second = ''], [waits = ''], [got = '']] = [
      await ofState(business, id, 'held_out'),
      await ofState(business, id, 'waiting'),
      await ofState(business, id, 'queued'),
    ]
    await merge(business, waits, held)
    await merge(business, second, got)
    expect(await stateOf(business, id, waits)).toEqual({ state: 'left_out', place: null })
    const over = await runUntil(business, id, isOver)
    expect(over).toMatchObject({ heldOut: 0, leftOut: 3, queued: 17 })
    const { billed } = await (await apiNow(business)).ok(campaignResultsApi.billed, { params: { id } })
    expect([billed?.sent.customers, billed?.heldOut.customers]).toEqual([16, 0])
  })
})

describe('a campaign that is stopped', () => {
  it('lets nothing leave during a pause that was leaving as it began, and writes to them afterwards', async () => {
    const business = await anAudience(3)
    const { id } = await begin(business)
    await stepOnly(business, id)
    await setMessages(business, id, 'pending', 'sending')
    await (await apiNow(business)).ok(campaignsApi.pause, { params: { id } })
    // the provider was away: they wait for their next try
    await setMessages(business, id, 'sending', 'pending')
    await runTasks()
    expect(await sentTo(business, id)).toEqual([])
    await (await apiNow(business)).ok(campaignsApi.resume, { params: { id } })
    const over = await runUntil(business, id, isOver)
    expect(over.queued).toBe(3)
    expect((await sentTo(business, id)).toSorted()).toEqual([...new Set(await sentTo(business, id))].toSorted())
    expect(await sentTo(business, id)).toHaveLength(3)
  })

  it('can be paused and canceled until its last message has left', async () => {
    const business = await anAudience(5)
    const { id } = await begin(business)
    await stepOnly(business, id)
    later(3)
    await stepOnly(business, id)
    expect((await read(business, id)).status).toBe('running')
    const paused = await (await apiNow(business)).ok(campaignsApi.pause, { params: { id } })
    expect(paused).toMatchObject({ status: 'paused', queued: 0 })
    await runTasks()
    expect(await sentTo(business, id)).toEqual([])
    await (await apiNow(business)).ok(campaignsApi.resume, { params: { id } })
    await stepOnly(business, id)
    const canceled = await (await apiNow(business)).ok(campaignsApi.cancel, { params: { id } })
    expect(canceled).toMatchObject({ status: 'canceled', queued: 0, leftOut: 5 })
    // nobody had it, so nobody had a campaign lately
    const { recent } = await (await apiNow(business)).ok(segmentsApi.count, { body: { conditions: [] } })
    expect(recent).toBe(0)
    await runTasks()
    expect(await sentTo(business, id)).toEqual([])
  })

  it('queues no more than its rate while the provider is away, and decides on no subject that nobody got', async () => {
    const business = await anAudience(60)
    const { id } = await begin(business, {
      content: mail({ subjectB: 'B: your lawn wants air' }),
      test: { percent: 50, hours: 1, by: 'opens' },
    })
    for (let turn = 0; turn < 30; turn++) {
      await stepOnly(business, id)
      later(3)
    }
    expect((await outbox(business, id)).length).toBeLessThanOrEqual(20)
    expect(await read(business, id)).toMatchObject({ status: 'running', decideAt: null, winner: null })
  })

  it('pauses with why when the texts of the plan are used up, and goes on with who is left', async () => {
    const business = await anAudience(5)
    const used = (segments: number) =>
      business.db((db) =>
        db
          .insertInto('textMonths')
          .values({ businessId: business.id, month: dayOf(clock.now(), 'America/New_York').slice(0, 7), segments })
          .onConflict((c) => c.columns(['businessId', 'month']).doUpdateSet({ segments }))
          .execute(),
      )
    await business.db((db) =>
      db.updateTable('businesses').set({ planTier: 'basic' }).where('businessId', '=', business.id).execute(),
    )
    await used(148)
    const { id } = await begin(business, { channel: 'sms', content: text })
    const paused = await runUntil(business, id, ({ status }) => status === 'paused')
    expect(paused.pauseReason).toContain('used up')
    expect(await sentTo(business, id)).toHaveLength(2)
    expect(paused).toMatchObject({ queued: 2, leftOut: 0 })
    await used(0)
    await (await apiNow(business)).ok(campaignsApi.resume, { params: { id } })
    await runUntil(business, id, isOver)
    expect(new Set(await sentTo(business, id)).size).toBe(5)
  })

  it('pauses when it may not leave any more, and does not go on until it may', async () => {
    const business = await anAudience(20)
    const { id } = await begin(business)
    await work(business, id)
    const setZip = (zip: string | null) =>
      business.db((db) => db.updateTable('businesses').set({ zip }).where('businessId', '=', business.id).execute())
    await setZip(null)
    later(2)
    await work(business, id)
    const paused = await read(business, id)
    expect([paused.status, paused.pauseReason]).toEqual(['paused', expect.stringContaining('postal address')])
    const refused = await (await apiNow(business)).call(campaignsApi.resume, { params: { id } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('postal address')])
    await setZip('31401')
    await (await apiNow(business)).ok(campaignsApi.resume, { params: { id } })
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ subscriptionStatus: 'canceled' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    later(2)
    await work(business, id)
    expect(await read(business, id)).toMatchObject({ status: 'paused', pauseReason: expect.stringContaining('plan') })
  })

  it('does not begin days after its time', async () => {
    const business = await anAudience(3)
    const api = await apiNow(business)
    const made = await api.ok(campaignsApi.create, {
      body: { name: 'Late', channel: 'email', content: mail() } as never,
    })
    const day = addDays(dayOf(clock.now(), 'America/New_York'), 1)
    const set = await api.ok(campaignsApi.schedule, {
      params: { id: made.id },
      body: { version: made.version, day, minute: 600 },
    })
    const at = Date.parse(set.startsAt ?? '') + 7 * 3_600_000
    setClock(() => new Date(at))
    await work(business, made.id)
    expect(await read(business, made.id)).toMatchObject({ status: 'draft', chosen: 0 })
  })
})

describe('what comes back', () => {
  it('counts a complaint of who has unsubscribed before', async () => {
    const business = await anAudience(3)
    const { id } = await begin(business)
    await work(business, id)
    const [first] = await outbox(business, id)
    const url = /(\/u\/[\w-]+)/.exec(first?.bodyText ?? '')?.[1] ?? ''
    expect((await (await apiNow(business)).raw({ method: 'POST', url, payload: {} })).status).toBe(200)
    await receiveComplaint(business.id, first?.id ?? '')
    await runTasks()
    const found = await (await apiNow(business)).ok(campaignResultsApi.results, { params: { id } })
    expect([found.complained, found.unsubscribed]).toEqual([1, 1])
  })

  it('counts of what was queued since somebody let it go on, also who was taken back by the pause', async () => {
    const business = await anAudience(120)
    const { id } = await begin(business, { perHour: 3600 })
    await stepOnly(business, id)
    await (await apiNow(business)).ok(campaignsApi.pause, { params: { id } })
    await (await apiNow(business)).ok(campaignsApi.resume, { params: { id } })
    await runUntil(business, id, ({ queued }) => queued >= 100)
    await business.db(async (db) => {
      const some = (await outbox(business, id)).filter(({ status }) => status === 'sent').slice(0, 9)
      await db
        .updateTable('messages')
        .set({ status: 'failed', attempts: 1, reason: '550 5.1.1 unknown user' })
        .where('businessId', '=', business.id)
        .where(
          'id',
          'in',
          some.map((one) => one.id),
        )
        .execute()
    })
    later(2)
    await work(business, id)
    expect((await read(business, id)).pauseReason).toMatch(/came back/)
  })

  it('leads to where the page is now, by links that mean the same for ever', async () => {
    const business = await anAudience(1)
    const blocks = [
      { kind: 'text' as const, text: 'See https://oak.test/why' },
      { kind: 'button' as const, label: 'Page', to: 'page' as const, url: '' },
      { kind: 'button' as const, label: 'Go', to: 'url' as const, url: 'https://oak.test/go' },
    ]
    const setBusiness = (change: { publicPage?: boolean; slug?: string }) =>
      business.db((db) => db.updateTable('businesses').set(change).where('businessId', '=', business.id).execute())
    await setBusiness({ publicPage: true })
    const { id } = await begin(business, { content: mail({ blocks }) })
    await work(business, id)
    const [sent] = await outbox(business, id)
    const links = [...(sent?.bodyHtml ?? '').matchAll(/href="[^"]*?(\/c\/[\w-]+\/[^"]+)"/g)].map(([, url]) => url ?? '')
    // the business calls its page what the address was: nothing shifts
    await setBusiness({ slug: 'oak-lawn-of-savannah' })
    const api = await apiNow(business)
    const goals = []
    for (const url of links)
      goals.push(
        (await api.raw({ method: 'GET', url, headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari' } })).headers
          .location,
      )
    expect(goals).toEqual([
      'https://oak.test/why',
      expect.stringContaining('oak-lawn-of-savannah'),
      'https://oak.test/go',
    ])
  })
})
