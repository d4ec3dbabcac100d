import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, type Day, dayOf, instantAt } from '../../../shared/dates.ts'
import { apiFor } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay } from '../../../test/field.ts'
import { aReviewingBusiness, hours, noon, phoneOf, reviewing } from '../../../test/reviews.ts'
import { recordConsent, suppress } from '../../messages/server/commands.ts'
import { noticesApi } from '../../notices/contract.ts'
import { remindCustomers } from '../../notices/server/commands.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { automationsApi } from '../contract.ts'

/** Dry runs of what other parts send: they say what really leaves, and why the rest does not. */

let business: TestBusiness
afterEach(resetClock)

const dry = async (of: 'reminder' | 'review') =>
  (await apiFor(business.owner)).ok(automationsApi.othersDryRun, { query: { of } })
type Dry = Awaited<ReturnType<typeof dry>>
const reasonsOf = ({ notSent }: Dry) => notSent.map(({ customer, reason }) => [customer.id, reason])
const whom = ({ sent }: Dry) => sent.map(({ customer, channel }) => `${customer.id} ${channel}`).toSorted()
const setCustomer = (customerId: string, values: object) =>
  business.db((db) =>
    db
      .updateTable('customers')
      .set(values)
      .where('businessId', '=', business.id)
      .where('id', '=', customerId)
      .execute(),
  )
const setVisit = (visitId: string, values: object) =>
  business.db((db) =>
    db.updateTable('visits').set(values).where('businessId', '=', business.id).where('id', '=', visitId).execute(),
  )

describe('review requests', () => {
  const { settle, done, ask, sent } = reviewing(() => business)
  beforeEach(async () => {
    ;({ business } = await aReviewingBusiness())
  })

  it('names whom the live run then asks, by the same way, and why the others are not asked', async () => {
    const mailed = await done(30)
    const texted = await done(31, { phone: phoneOf(1) })
    const nobody = await done(32, { email: null })
    const stopped = await done(33, { email: null, phone: phoneOf(2) })
    const refused = await done(34)
    const archived = await done(35, { archivedAt: clock.iso() })
    const called = await done(36)
    const wrote = await done(37, { phone: phoneOf(3) })
    await business.db(async (db) => {
      await suppress(db, 'sms', phoneOf(2), 'all', 'Replied STOP')
      await recordConsent(db, {
        channel: 'email',
        address: `rosa-${refused.customerId.slice(-6)}@test.swath.test`,
        purpose: 'marketing',
        action: 'revoke',
        source: 'test',
      })
      await db
        .insertInto('messages')
        .values({
          businessId: business.id,
          id: newId(),
          channel: 'sms',
          direction: 'inbound',
          purpose: 'transactional',
          address: phoneOf(3),
          fromName: 'Rosa',
          bodyText: 'Where are you?',
          customerId: wrote.customerId,
          dedupeKey: newId(),
          status: 'received',
        } as never)
        .execute()
    })
    await business.api.ok(tasksApi.create, {
      body: { title: 'Call back', dueOn: '2026-06-12', customerId: called.customerId },
    })
    const before = await dry('review')
    expect(whom(before)).toEqual([`${mailed.customerId} email`, `${texted.customerId} sms`].toSorted())
    expect([before.texts, before.mails, before.assumes, before.notSentCount]).toEqual([1, 1, null, 6])
    expect(before.segments).toBeGreaterThan(0)
    const [text, mail] = ['sms', 'email'].map((way) => before.sent.find(({ channel }) => channel === way))
    expect(text?.text).toContain('how was our visit on')
    expect(text?.text).toContain('(their link) Reply STOP to opt out.')
    expect(text?.subject).toBeNull()
    expect(mail?.subject).toBe('Marsh Side Lawns: how was our visit?')
    expect(new Map(reasonsOf(before) as [string, string][])).toEqual(
      new Map([
        [nobody.customerId, 'No mobile number on file, and no e-mail'],
        [stopped.customerId, 'Replied STOP, and no e-mail'],
        [refused.customerId, 'Said no to offers and questions'],
        [archived.customerId, 'The customer is archived'],
        [called.customerId, 'A task of the office about them is open'],
        [wrote.customerId, 'Wrote something that nobody has read yet'],
      ]),
    )
    expect(await sent()).toEqual([])
    await ask()
    const live = await sent()
    expect(live.map(({ customerId, channel }) => `${customerId} ${channel}`).toSorted()).toEqual(whom(before))
    // the same words, but for the link, and so the same segments
    const real = live.find(({ channel }) => channel === 'sms')
    expect(real?.bodyText.replace(/https?:\S+/, '(their link)')).toBe(text?.text)
    const { segments } = await business.db((db) =>
      db
        .selectFrom('messages')
        .select('segments')
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'review_ask')
        .where('channel', '=', 'sms')
        .executeTakeFirstOrThrow(),
    )
    expect(before.segments).toBe(segments)
    // afterwards it says the same: what was really asked in this time is asked again here
    expect(whom(await dry('review'))).toEqual(whom(before))
  })

  it('asks a customer once in the days that are set, counts who was asked before, and waits for hours of offers', async () => {
    const doneOn = async (hoursAgo: number) => {
      const made = await done(hoursAgo)
      await setVisit(made.visitId, { day: dayOf(noon - hours(hoursAgo), 'America/New_York') })
      return made
    }
    const first = await doneOn(24 * 10)
    const again = await doneOn(24 * 3)
    await setVisit(again.visitId, { customerId: first.customerId, propertyId: first.propertyId })
    const spared = await doneOn(24 * 5)
    await business.db((db) =>
      db
        .insertInto('reviewAsks')
        .values({
          businessId: business.id,
          id: newId(),
          customerId: spared.customerId,
          visitId: null,
          expiresAt: clock.iso(),
          createdAt: new Date(noon - hours(24 * 60)).toISOString(),
        })
        .execute(),
    )
    // done at 11 PM on a Thursday: asked on Saturday at 9, or later where Saturdays begin later
    const late = await doneOn(24 * 7 + 13)
    await doneOn(24 * 40)
    await settle({ enabled: false })
    const found = await dry('review')
    expect(whom(found)).toEqual([`${first.customerId} email`, `${late.customerId} email`].toSorted())
    expect(found.assumes).toMatch(
      /^Review requests are off\. .* 24 hours after a visit, each customer once in 90 days\.$/,
    )
    expect(found.reasons).toEqual([{ reason: 'They were asked less than 90 days before', count: 2 }])
    const waited = found.sent.find(({ customer }) => customer.id === late.customerId)
    expect(Date.parse(waited?.leavesAt ?? '')).toBeGreaterThan(noon - hours(24 * 6 + 13))
    expect(new Date(waited?.leavesAt ?? '').getUTCHours()).toBeGreaterThanOrEqual(13)
  })
})

describe('reminders of the day before', () => {
  const zone = 'America/New_York'
  const start: Day = '2026-06-08'
  const clockAt = (day: Day, minute: number) => setClock(() => new Date(instantAt(day, minute, zone)))
  let crewId: string
  let n = 0
  beforeEach(async () => {
    clockAt(start, 600)
    business = await aBusiness({ name: 'Marsh Side Lawns', workDays: everyDay })
    await business.db((db) =>
      db.updateTable('businesses').set({ reminders: 'all' }).where('businessId', '=', business.id).execute(),
    )
    crewId = await aCrew(business, { name: 'North', workDays: everyDay })
  })
  const visit = async (day: Day, customer: object = {}, changes: object = {}) => {
    const made = await aVisit(business, { day, crewId, startMinute: 600 })
    n++
    const reached = { email: `c${n}@test.swath.test`, phone: null, updatedAt: clock.iso() }
    await setCustomer(made.customerId, { ...reached, ...customer })
    await setVisit(made.visitId, { createdAt: instantAt(addDays(start, -7), 600, zone), ...changes })
    return made
  }
  const remindersOf = () =>
    business.db((db) =>
      db
        .selectFrom('messages')
        .select(['customerId', 'channel', 'bodyText'])
        .where('businessId', '=', business.id)
        .where('dedupeKey', 'like', 'reminder:%')
        .execute(),
    )

  it('names whom the live run reminded, in its words, and why the others were not', async () => {
    const [one, two] = [addDays(start, 1), addDays(start, 2)]
    const mailed = await visit(one)
    const texted = await visit(one, { phone: phoneOf(1), language: 'es' })
    const both = await visit(two)
    const second = await visit(two)
    await setVisit(second.visitId, { customerId: both.customerId, propertyId: both.propertyId })
    const noCrew = await visit(one, {}, { crewId: null })
    const muted = await visit(one)
    await (await apiFor(business.owner)).ok(noticesApi.update, {
      params: { id: muted.customerId },
      body: { kind: 'reminder', wanted: false },
    })
    const unreached = await visit(one, { email: null })
    const rainy = await aCrew(business, { name: 'South', workDays: everyDay })
    const off = await visit(two, {}, { crewId: rainy })
    await business.db((db) =>
      db
        .insertInto('crewDaysOff')
        .values({ businessId: business.id, id: newId(), crewId: rainy, day: two, reason: 'rain' })
        .execute(),
    )
    const skipped = await visit(one, {}, { status: 'skipped', finishedAt: instantAt(start, 700, zone) })
    for (const day of [start, one, two]) {
      clockAt(day, 17 * 60 + 5)
      await remindCustomers(systemActor(business.id))
    }
    // who was put there in the morning of the day was told by nobody
    clockAt(one, 600)
    const late = await visit(one, {}, { createdAt: instantAt(one, 500, zone) })
    // the days went on, and the work was done
    await setVisit(mailed.visitId, { status: 'completed', finishedAt: instantAt(one, 660, zone) })
    clockAt(addDays(start, 5), 600)
    const found = await dry('reminder')
    const live = await remindersOf()
    expect(live).toHaveLength(3)
    expect(whom(found)).toEqual(live.map(({ customerId, channel }) => `${customerId} ${channel}`).toSorted())
    expect([found.texts, found.mails, found.assumes]).toEqual([1, 2, null])
    const text = found.sent.find(({ channel }) => channel === 'sms')
    // their first text says how to get no more, which is said once
    const real = live.find(({ channel }) => channel === 'sms')?.bodyText ?? ''
    expect(text?.text).toBe(real.replace(/https?:\/\/\S+/, '(su enlace)').replace(/ Responda STOP .*$/, ''))
    expect(text?.leavesAt).toBe(instantAt(start, 17 * 60, zone))
    expect(new Map(reasonsOf(found) as [string, string][])).toEqual(
      new Map([
        [noCrew.customerId, 'No crew had it'],
        [muted.customerId, 'Wants no reminders'],
        [unreached.customerId, 'No mobile number on file, and no e-mail'],
        [off.customerId, 'Its crew had the day off'],
        [skipped.customerId, 'Skipped or canceled before the reminder'],
        [late.customerId, 'Put on the plan after the reminders of that day had left'],
      ]),
    )
    const reminded = live.map(({ customerId }) => customerId)
    expect(reminded).toEqual(expect.arrayContaining([texted.customerId, both.customerId]))
  })

  it('leaves out visits that only mow by a rule where the business does, and says what holds while reminders are off', async () => {
    const { customerId } = await visit(addDays(start, 1))
    clockAt(addDays(start, 3), 600)
    const with_ = (reminders: 'off' | 'some' | 'all') =>
      business.db((db) =>
        db.updateTable('businesses').set({ reminders }).where('businessId', '=', business.id).execute(),
      )
    await business.db(async (db) => {
      await db.updateTable('services').set({ category: 'mow' }).where('businessId', '=', business.id).execute()
      await db
        .updateTable('jobLines')
        .set({ onceOn: null, recurrence: JSON.stringify({ freq: 'week' }) })
        .where('businessId', '=', business.id)
        .execute()
    })
    await with_('some')
    expect(reasonsOf(await dry('reminder'))).toEqual([
      [customerId, 'It only mows by a rule, and you do not remind of that'],
    ])
    await with_('off')
    const off = await dry('reminder')
    expect(whom(off)).toEqual([`${customerId} email`])
    expect(off.assumes).toBe('Reminders are off. This is how it would be with them on for all visits.')
    expect(await remindersOf()).toEqual([])
  })
})

it('is of no other part, for nobody without customers, and of one business', async () => {
  ;({ business } = await aReviewingBusiness())
  const { done } = reviewing(() => business)
  await done(30)
  const other = await aBusiness()
  expect((await other.api.ok(automationsApi.othersDryRun, { query: { of: 'review' } })).texts).toBe(0)
  const wrong = await business.api.call(automationsApi.othersDryRun, { query: { of: 'invoice' as never } })
  expect(wrong.status).toBe(422)
  const clerk = await aPerson(business.id, 'Admin', { permissions: [] })
  expect((await clerk.api.call(automationsApi.othersDryRun, { query: { of: 'review' } })).status).toBe(403)
})
