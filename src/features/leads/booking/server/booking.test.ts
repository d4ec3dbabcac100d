import { beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../../test/field.ts'
import { customersApi } from '../../../customers/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { defaultServices } from '../../../services/defaults/rules.ts'
import { businessLeadsApi as leadsApi } from '../../contract.ts'
import { leadSettingsApi } from '../../requests/contract.ts'
import { leadBookingApi, pageBookingApi } from '../contract.ts'

let business: TestBusiness
let slug: string
let serviceId: string
let crewId: string

const address = { street: '7 Bay St', city: 'Savannah', state: 'GA', zip: '31401' }
const person = { name: 'Maya Brooks', phone: '(912) 555-0147', email: 'maya@example.com' }

const set = async (change: object) => {
  const { version } = await business.api.ok(leadSettingsApi.get, {})
  return business.api.ok(leadSettingsApi.save, { body: { version, ...change } })
}
const wish = (change: object = {}) =>
  ({
    ...address,
    lawn: { squareFeet: 8000, way: 'drawn' },
    services: [{ id: serviceId, frequency: 'weekly' }],
    ...change,
  }) as never
const days = async (change: object = {}) => stranger.ok(pageBookingApi.days, { params: { slug }, body: wish(change) })
const hold = (key: string, day: Day, change: object = {}) =>
  stranger.call(pageBookingApi.hold, { params: { slug }, body: wish({ key, day, ...change }) })
const book = (key: string, change: object = {}) =>
  stranger.call(pageBookingApi.book, { params: { slug }, body: { ...person, key, ...change } as never })
const rows = () =>
  business.db((db) =>
    db
      .selectFrom('visits as v')
      .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'v.businessId').onRef('j.id', '=', 'v.jobId'))
      .where('v.businessId', '=', business.id)
      .where('j.title', '=', 'Mow, edge, blow')
      .select(['v.day', 'v.crewId', 'v.position', 'v.priceCents'])
      .orderBy('v.day')
      .execute(),
  )
const expire = (key: string) =>
  business.db((db) =>
    db
      .updateTable('pageBookings')
      .set({ heldUntil: new Date(clock.nowMs() - 3_600_000).toISOString() })
      .where('businessId', '=', business.id)
      .where('id', '=', key)
      .execute(),
  )
const lead = async () => (await business.api.ok(leadsApi.list, { query: {} })).items[0]

beforeEach(async () => {
  business = await aBusiness({ name: 'Marsh Side Lawns', workDays: everyDay })
  crewId = await aCrew(business, { name: 'Truck 1', workDays: everyDay })
  // A stop next door in five days, and one on the other side of the county in two.
  await aVisit(business, { crewId, day: addDays(today(), 5), latitude: 32.0785, longitude: -81.0888 })
  await aVisit(business, { crewId, day: addDays(today(), 2), latitude: 31.95, longitude: -81.3 })
  const [service] = defaultServices
  await business.db(async (db) => {
    await db
      .updateTable('services')
      .set({ priceRule: JSON.stringify(service?.priceRule), timeRule: JSON.stringify(service?.timeRule) })
      .where('businessId', '=', business.id)
      .execute()
    ;({ slug } = await db
      .updateTable('businesses')
      .set({ quietEndMinute: 0, quietStartMinute: 1440, publicPage: true })
      .where('businessId', '=', business.id)
      .returning('slug')
      .executeTakeFirstOrThrow())
  })
  serviceId = (await business.api.ok(leadSettingsApi.get, {})).services[0]?.id ?? ''
  await set({ bookOn: true, bookServiceIds: [serviceId], bookDaysAhead: 7, bookMostDaily: 1 })
})

describe('the days', () => {
  it('come by added driving, within the days ahead, with the price by the own rule', async () => {
    const offered = await days()
    expect(offered.days).toHaveLength(7)
    expect(offered.days[0]).toMatchObject({ day: addDays(today(), 5), close: true })
    expect(offered.days.at(-1)?.day).not.toBe(addDays(today(), 5))
    expect(offered.totalCents).toBeGreaterThan(0)
    expect(offered.items.map(({ name, cents }) => [name, cents])).toEqual([['Mow, edge, blow', offered.totalCents]])
  })

  it('are never days off, holidays, or days that are full', async () => {
    const [off, holiday, full] = [addDays(today(), 1), addDays(today(), 3), addDays(today(), 4)]
    await business.db(async (db) => {
      await db
        .insertInto('crewDaysOff')
        .values({ businessId: business.id, id: newId(), crewId, day: off, reason: 'out' })
        .execute()
      await db
        .updateTable('businesses')
        .set({ holidays: [holiday] })
        .where('businessId', '=', business.id)
        .execute()
    })
    for (let n = 0; n < 5; n++) await aVisit(business, { crewId, day: full, budgetMinutes: 120, position: n })
    const shown = (await days()).days.map(({ day }) => day)
    for (const day of [off, holiday, full]) expect(shown).not.toContain(day)
    expect(shown).toHaveLength(4)
    for (const day of [off, holiday, full]) expect((await hold(newId(), day)).status).toBe(409)
    expect((await hold(newId(), addDays(today(), 8))).status).toBe(409)
    expect((await hold(newId(), today())).status).toBe(409)
  })

  it('are refused in words outside of the area, far away, and for what cannot be booked', async () => {
    expect((await days({ city: 'Anchorage', state: 'AK', zip: '99501' })).days).toEqual([])
    await set({ areaKind: 'zips', areaZips: ['31401'] })
    const away = await stranger.call(pageBookingApi.days, {
      params: { slug },
      body: wish({ city: 'Anchorage', state: 'AK', zip: '99501' }),
    })
    expect([away.status, away.error.message]).toEqual([409, expect.stringContaining('does not work at this address')])
    await set({ bookServiceIds: [] })
    const none = await hold(newId(), addDays(today(), 2))
    expect([none.status, none.error.message]).toEqual([409, expect.stringContaining('Send a request instead')])
  })
})

describe('a place', () => {
  it('is held for one visitor: the last one is given once, and is free again when nobody came', async () => {
    const day = addDays(today(), 5)
    const both = await Promise.all([hold(newId(), day), hold(newId(), day)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.error.message).toContain('was just taken by somebody else')
    expect((await days()).days.map((one) => one.day)).not.toContain(day)
    const { id } = await business.db((db) =>
      db.selectFrom('pageBookings').select('id').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
    )
    expect((await hold(id, addDays(today(), 6))).status).toBe(200)
    expect((await hold(newId(), day)).status).toBe(200)
    await expire(id)
    expect((await hold(newId(), addDays(today(), 6))).status).toBe(200)
    const late = await book(id)
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('minutes are over')])
    expect(await lead()).toBeUndefined()
  })

  it('is booked as customer, property, job and visit in one, told to both sides, and once', async () => {
    const key = newId()
    const day = addDays(today(), 5)
    const held = await hold(key, day)
    expect(held.body.totalCents).toBe((await days()).totalCents)
    const sent = await book(key, { consent: true, priceCents: 1, totalCents: 1 })
    expect(sent.body).toMatchObject({ state: 'booked', day, totalCents: held.body.totalCents })
    expect((await book(key)).body).toMatchObject({ state: 'booked', day })
    const visits = await rows()
    expect(visits[0]).toMatchObject({ day, crewId, priceCents: held.body.totalCents, position: expect.any(Number) })
    expect(visits.length).toBeGreaterThan(1)
    const found = await lead()
    expect(found).toMatchObject({ stage: 'won', source: 'profile', customer: { name: 'Maya Brooks' } })
    const { properties } = await business.api.ok(customersApi.get, { params: { id: found?.customer?.id ?? '' } })
    expect(properties).toMatchObject([{ street: '7 Bay St', zip: '31401', lawnSquareFeet: 8000 }])
    expect((await business.api.ok(customersApi.list, { query: { q: 'Maya' } })).items).toHaveLength(1)
    await runTasks()
    const { items } = await business.api.ok(messagesApi.list, { query: {} })
    expect(items.map(({ channel, status }) => [channel, status]).sort()).toEqual([
      ['email', 'sent'],
      ['sms', 'sent'],
    ])
    const told = await business.db((db) =>
      db.selectFrom('notifications').select('title').where('businessId', '=', business.id).execute(),
    )
    expect(told.map(({ title }) => title).join()).toContain('Maya Brooks booked')
  })

  it('goes on when the minutes are over and the day still has room', async () => {
    const key = newId()
    await hold(key, addDays(today(), 5))
    await expire(key)
    expect((await book(key)).body).toMatchObject({ state: 'booked' })
  })

  it('leaves nothing of a machine, and nothing where the name is missing', async () => {
    const key = newId()
    await hold(key, addDays(today(), 5))
    expect((await book(key, { company: 'Cheap SEO' })).status).toBe(200)
    expect((await book(key, { name: '' })).status).toBe(422)
    expect(await rows()).toEqual([])
    expect(await lead()).toBeUndefined()
  })
})

describe('with a yes of the office first', () => {
  beforeEach(() => set({ bookAsks: true }))

  it('is asked for, holds its place, and is booked by one press', async () => {
    const key = newId()
    const day = addDays(today(), 5)
    await hold(key, day)
    expect((await book(key)).body).toMatchObject({ state: 'asked', day })
    expect(await rows()).toEqual([])
    expect((await days()).days.map((one) => one.day)).not.toContain(day)
    const { id = '' } = (await lead()) ?? {}
    const { booking } = await business.api.ok(leadBookingApi.get, { params: { id } })
    expect(booking).toMatchObject({ status: 'asked', day, crewName: 'Truck 1', can: { accept: true, refuse: true } })
    const done = await business.api.ok(leadBookingApi.accept, { params: { id }, body: {} })
    expect(done.booking).toMatchObject({ status: 'booked', can: { accept: false, refuse: false } })
    expect((await rows())[0]).toMatchObject({ day, crewId })
    expect((await business.api.call(leadBookingApi.accept, { params: { id }, body: {} })).status).toBe(409)
  })

  it('is refused with a word, and the place is free again', async () => {
    const key = newId()
    const day = addDays(today(), 5)
    await hold(key, day)
    await book(key)
    const { id = '' } = (await lead()) ?? {}
    expect((await business.api.ok(leadBookingApi.refuse, { params: { id } })).booking?.status).toBe('refused')
    expect((await days()).days.map((one) => one.day)).toContain(day)
    await runTasks()
    const { items } = await business.api.ok(messagesApi.list, { query: {} })
    expect(items.map(({ subject }) => subject).join()).toContain('does not work')
  })
})
