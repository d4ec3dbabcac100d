import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { addDays, instantAt } from '../../../../shared/dates.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../../test/field.ts'
import { calendarEventsApi } from '../../events/contract.ts'
import { calendarFeedsApi } from '../contract.ts'
import { icsOf } from './file.ts'

const eventsIn = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))

const read = async (url: string) => {
  const answer = await stranger.raw({ method: 'GET', url: new URL(url).pathname })
  return { ...answer, events: answer.status === 200 ? eventsIn(answer.text) : [] }
}

const aFeed = async () => {
  const business = await aBusiness({ workDays: everyDay })
  const ann = await business.employee({ name: 'Ann Lee' })
  const crewId = await aCrew(business, { name: 'North', members: [ann], workDays: everyDay })
  const day = addDays(today(), 1)
  const feed = (body: object) => business.api.ok(calendarFeedsApi.create, { body })
  return { business, ann, crewId, day, feed }
}

describe('the feed of a crew', () => {
  it('is read by another program: its stops with times in the right zone, and nothing that is nobody else’s business', async () => {
    const { business, crewId, day, feed } = await aFeed()
    const street = '132 Laurel; Green, Ct with a name so long that the line of the file has to be folded for it'
    await aVisit(business, {
      day,
      crewId,
      startMinute: 435,
      street,
      gateCode: '4711#',
      priceCents: 471_100,
      budgetMinutes: 45,
    })
    await aVisit(business, { day, crewId, street: '2 Oak St' })
    await aVisit(business, { day, street: '3 of no crew' })
    await aVisit(business, { day, crewId, street: '4 canceled', status: 'canceled' })
    const { status, headers, text, events } = await read((await feed({ crewId })).url)
    expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(events.map((event) => event.location)).toEqual([
      `${street}, Savannah, GA 31419`,
      '2 Oak St, Savannah, GA 31419',
    ])
    const [timed, whole] = events
    expect(timed?.startDate.toJSDate().toISOString()).toBe(instantAt(day, 435, 'America/New_York'))
    expect(timed?.duration.toSeconds()).toBe(45 * 60)
    expect([whole?.startDate.isDate, whole?.startDate.toString(), whole?.endDate.toString()]).toEqual([
      true,
      day,
      addDays(day, 1),
    ])
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    expect(text).not.toMatch(/4711|\$|gate/i)
  })

  it('has the events of the crew and of everybody, and the time off of nobody', async () => {
    const { business, ann, crewId, day, feed } = await aFeed()
    const other = await aCrew(business, { name: 'South' })
    const event = (title: string, more: object) =>
      business.api.ok(calendarEventsApi.create, {
        body: { kind: 'shop', title, firstDay: day, lastDay: addDays(day, 1), ...more } as never,
      })
    await event('All in the shop', {})
    await event('North in the shop', { crewId, startMinute: 480, endMinute: 540 })
    await event('South in the shop', { crewId: other })
    await event('Ann off', { kind: 'time_off', userId: ann.userId })
    const names = (list: { summary: string }[]) => list.map((one) => one.summary).sort()
    expect(names((await read((await feed({ crewId })).url)).events)).toEqual([
      'All in the shop',
      'North in the shop',
      'North in the shop',
    ])
    const own = await read((await feed({ userId: ann.userId })).url)
    expect(names(own.events)).toEqual(['All in the shop', 'Ann off', 'North in the shop', 'North in the shop'])
  })
})

describe('the feed of a person', () => {
  it('follows the person from crew to crew', async () => {
    const { business, ann, crewId, day, feed } = await aFeed()
    await aVisit(business, { day, crewId, street: '1 Oak St' })
    const other = await aCrew(business, { name: 'South' })
    await aVisit(business, { day, crewId: other, street: '2 Oak St' })
    const { url } = await feed({ userId: ann.userId })
    expect((await read(url)).events.map((one) => one.summary)).toEqual(['1 Oak St: Weekly mowing'])
    await business.db((db) =>
      db.updateTable('crewMembers').set({ crewId: other }).where('userId', '=', ann.userId).execute(),
    )
    expect((await read(url)).events.map((one) => one.summary)).toEqual(['2 Oak St: Weekly mowing'])
  })

  it('has no stops of a day off, and those of the day again when it is not off any more', async () => {
    const { business, ann, crewId, day, feed } = await aFeed()
    await aVisit(business, { day, crewId, street: '1 Oak St' })
    await aVisit(business, { day: addDays(day, 1), crewId, street: '2 Oak St' })
    const { url } = await feed({ userId: ann.userId })
    const names = async () => (await read(url)).events.map((one) => one.summary).sort()
    const off = await business.api.ok(calendarEventsApi.create, {
      body: { kind: 'time_off', title: 'Ann off', firstDay: day, lastDay: day, userId: ann.userId },
    })
    expect(await names()).toEqual(['2 Oak St: Weekly mowing', 'Ann off'])
    await business.api.ok(calendarEventsApi.remove, { params: { id: off.id }, body: { version: off.version } })
    expect(await names()).toEqual(['1 Oak St: Weekly mowing', '2 Oak St: Weekly mowing'])
  })
})

describe('an address', () => {
  it('is the same when it is asked for again, and shows nothing once it is revoked; the next one is another', async () => {
    const { business, crewId, feed } = await aFeed()
    const first = await feed({ crewId })
    expect(await feed({ crewId })).toEqual(first)
    expect(new URL(first.url).pathname).toMatch(/^\/api\/ics\/[\w-]{43}$/)
    expect((await read(`${first.url}.ics`)).status).toBe(200)
    await business.api.ok(calendarFeedsApi.revoke, { params: { id: first.id } })
    expect((await read(first.url)).status).toBe(404)
    expect((await business.api.call(calendarFeedsApi.revoke, { params: { id: first.id } })).status).toBe(409)
    const second = await feed({ crewId })
    expect(second.url).not.toBe(first.url)
    expect((await business.api.ok(calendarFeedsApi.list, {})).items).toEqual([second])
  })

  it('ends with its crew or person, and is made for none of another business', async () => {
    const [{ business, ann, crewId, feed }, other] = [await aFeed(), await aFeed()]
    const [ofCrew, ofAnn] = [await feed({ crewId }), await feed({ userId: ann.userId })]
    await business.db(async (db) => {
      await db.updateTable('crews').set({ archivedAt: new Date().toISOString() }).where('id', '=', crewId).execute()
      await db.updateTable('users').set({ status: 'disabled' }).where('id', '=', ann.userId).execute()
    })
    expect([(await read(ofCrew.url)).status, (await read(ofAnn.url)).status]).toEqual([404, 404])
    for (const body of [{ crewId: other.crewId }, { userId: other.ann.userId }])
      expect((await business.api.call(calendarFeedsApi.create, { body })).status).toBe(404)
    expect((await business.api.call(calendarFeedsApi.create, { body: {} })).status).toBe(422)
  })
})

it('times are right on the days on which clocks change', () => {
  const visit = (day: string) => ({
    id: day,
    day,
    startMinute: 420,
    budgetMinutes: 60,
    people: 1,
    title: 'Mow',
    services: [],
    street: 'A',
    city: 'B',
    state: 'GA',
    zip: '1',
    customer: 'C',
    version: 1,
    updatedAt: '2026-01-01T00:00:00Z',
  })
  const text = icsOf({
    name: 'North',
    timeZone: 'America/New_York',
    visits: ['2026-03-07', '2026-03-08', '2026-11-01'].map(visit),
    events: [],
  })
  expect(eventsIn(text).map((event) => event.startDate.toJSDate().toISOString())).toEqual([
    '2026-03-07T12:00:00.000Z',
    '2026-03-08T11:00:00.000Z',
    '2026-11-01T12:00:00.000Z',
  ])
})
