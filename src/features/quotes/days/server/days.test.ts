import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { addDays, weekdayOf } from '../../../../shared/dates.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aLawn, aVisit, everyDay, today } from '../../../../test/field.ts'
import { servicesApi } from '../../../services/contract.ts'
import { quotesApi } from '../../contract.ts'
import { quoteDaysApi } from '../contract.ts'

let business: TestBusiness
let propertyId: string
let mowing: string
let crewId: string

beforeEach(async () => {
  business = await aBusiness({ workDays: everyDay })
  const lawn = await aLawn(business, { latitude: 32.06, longitude: -81.09 })
  propertyId = lawn.propertyId
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test' })
      .where('businessId', '=', business.id)
      .where('id', '=', lawn.customerId)
      .execute(),
  )
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  mowing = items.find(({ category }) => category === 'mow')?.id ?? ''
  crewId = await aCrew(business, { name: 'Green', workDays: everyDay })
})

const near = () => addDays(today(), 3)
/** On that weekday the crew is next door, on the next one it is far away, in both of the two weeks. */
const routes = async () => {
  for (const week of [0, 7]) {
    await aVisit(business, { crewId, day: addDays(near(), week), latitude: 32.0601, longitude: -81.0901 } as never)
    await aVisit(business, { crewId, day: addDays(near(), week + 1), latitude: 32.5, longitude: -81.6 } as never)
  }
}
const draft = () =>
  business.api.ok(quotesApi.create, {
    body: {
      propertyId,
      content: {
        lines: [
          {
            id: newId(),
            serviceId: mowing,
            name: 'Mowing',
            frequency: 'weekly',
            visits: 30,
            unitPriceCents: 5000,
            minutes: 40,
          },
        ],
      },
    } as never,
  })
const rule = (more: object = {}) =>
  business.api.ok(quoteDaysApi.setRules, {
    body: { densityPercent: 500, densityMinutes: 10, offersDay: true, version: 0, ...more },
  })

it('ranks the weekdays by the driving that the place adds, the neighbor’s day first', async () => {
  await routes()
  const quote = await draft()
  const { offers, problem } = await business.api.ok(quoteDaysApi.best, { params: { id: quote.id } })
  expect(problem).toBeNull()
  expect(offers[0]).toMatchObject({ weekday: weekdayOf(near()), crewName: 'Green', stops: 1, densityPercent: 0 })
  expect(offers[0]?.addedSeconds).toBeLessThan(120)
  const empty = offers.find(({ weekday }) => weekday === weekdayOf(addDays(near(), 3)))
  expect(empty?.addedSeconds).toBeGreaterThan(offers[0]?.addedSeconds ?? 0)
})

it('what is off for it is the server’s, its own line, and what was sent keeps it', async () => {
  await routes()
  await rule()
  const quote = await draft()
  const { offers } = await business.api.ok(quoteDaysApi.best, { params: { id: quote.id } })
  // a day without a stop is near nobody, however little it adds
  expect(offers.filter(({ stops }) => stops === 0).map(({ densityPercent }) => densityPercent)).not.toContain(500)
  const weekday = weekdayOf(near())
  const update = (day: object | null, version: number) =>
    business.api.ok(quotesApi.update, {
      params: { id: quote.id },
      body: { content: { ...quote.content, day } as never, version },
    })
  // a browser that asks for half off
  const saved = await update({ weekday, densityPercent: 5000, addedSeconds: 0, crewName: 'Mine' }, quote.version)
  expect(saved.content.day).toMatchObject({ weekday, densityPercent: 500, crewId, crewName: 'Green', shown: true })
  expect(saved.totalCents).toBe(30 * 4750)
  const sent = await business.api.ok(quotesApi.send, {
    params: { id: quote.id },
    body: { mail: true, text: false, version: saved.version },
  })
  await rule({ densityPercent: 0, version: 1 })
  const page = (await stranger.raw({ method: 'GET', url: sent.publicPath ?? '' })).text
  expect(page).toContain('Our crew is near you')
  expect(page).toContain('when our crew is in your neighborhood')
  expect(page).toContain('$1,425.00')
})

it('a day that adds much has nothing off, one without room is none, and without a pin it is said', async () => {
  await routes()
  await rule({ densityMinutes: 0 })
  const quote = await draft()
  const { offers } = await business.api.ok(quoteDaysApi.best, { params: { id: quote.id } })
  expect(offers.at(-1)?.densityPercent).toBe(0)
  const { propertyId: unpinned } = await aLawn(business, { latitude: null, longitude: null })
  const other = await business.api.ok(quotesApi.create, { body: { propertyId: unpinned } as never })
  const answer = await business.api.ok(quoteDaysApi.best, { params: { id: other.id } })
  expect(answer).toMatchObject({ offers: [], problem: expect.stringContaining('no pin') })
})

it('the rule is changed by who changes settings, over nothing that was not seen', async () => {
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['money'] })
  const body = { densityPercent: 500, densityMinutes: 10, offersDay: true, version: 0 }
  expect((await clerk.api.call(quoteDaysApi.setRules, { body })).status).toBe(403)
  expect((await clerk.api.ok(quoteDaysApi.rules, {})).densityPercent).toBe(0)
  await rule()
  expect((await business.api.call(quoteDaysApi.setRules, { body })).status).toBe(409)
  const other = await aBusiness()
  const quote = await draft()
  expect((await other.api.call(quoteDaysApi.best, { params: { id: quote.id } })).status).toBe(404)
})
