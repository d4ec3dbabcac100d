import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { configurePatience } from '../../../platform/geo/ask-service.ts'
import { configureWeather } from '../../../platform/geo/weather.ts'
import { addDays, type Day, dayOf, instantAt } from '../../../shared/dates.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay } from '../../../test/field.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { calendarEventsApi } from '../../calendar/events/contract.ts'
import { employeesApi } from '../../employees/contract.ts'
import { type Weather, weatherApi } from '../contract.ts'
import { readForecasts } from './commands.ts'

const zone = 'America/New_York'
/** A winter Thursday, so that the day after has 24 hours. */
const today: Day = '2026-02-12'
const tomorrow = addDays(today, 1)

let business: TestBusiness
let server: Server
let answer: (request: IncomingMessage, response: ServerResponse) => void
let asked: URL[]

let api: Api

/** It is that time now, and somebody has signed in at it. */
const at = async (day: Day, minute: number) => {
  const offset = Date.parse(instantAt(day, minute, zone)) - Date.now()
  setClock(() => new Date(Date.now() + offset))
  api = (await aPerson(business.id, 'Admin')).api
}

type Values = Partial<
  Record<'precipitation' | 'precipitation_probability' | 'wind_speed_10m' | 'temperature_2m', number>
>

/** A forecast as the service writes it, dry and mild but in these hours; rain belongs to the hour that ends. */
const forecast = (wet: Record<number, Values> = {}, changes: object = {}, first = addDays(today, -1)) => {
  const start = Date.parse(`${first}T00:00:00Z`) / 1000
  const time = Array.from({ length: 240 }, (_, i) => start + i * 3600)
  const local = (second: number, ended: number) => {
    const hour = new Date((second - ended * 3600) * 1000)
    return dayOf(hour, zone) === tomorrow
      ? wet[
          Number(new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(hour))
        ]
      : undefined
  }
  const list = (key: keyof Values, usual: number, ended = 0) => time.map((s) => local(s, ended)?.[key] ?? usual)
  return {
    latitude: 32.1,
    longitude: -81.1,
    utc_offset_seconds: 0,
    hourly_units: { time: 'unixtime', precipitation: 'inch', wind_speed_10m: 'mp/h', temperature_2m: '°F' },
    hourly: {
      time,
      precipitation: list('precipitation', 0, 1),
      precipitation_probability: list('precipitation_probability', 3, 1),
      wind_speed_10m: list('wind_speed_10m', 5.2),
      temperature_2m: list('temperature_2m', 61),
      relative_humidity_2m: time.map(() => 55),
    },
    ...changes,
  }
}

const says = (body: unknown) => {
  answer = (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

const look = (query: { from?: Day; days?: number } = {}): Promise<Weather> =>
  api.ok(weatherApi.get, { query: query as never })
/** A look that wants the forecast, the work behind it, and the next look. */
const seen = async (query: { from?: Day; days?: number } = {}): Promise<Weather> => {
  await look(query)
  await runTasks()
  return look(query)
}
const dayIn = (weather: Weather, day: Day) => weather.days.find((d) => d.day === day)!

beforeEach(async () => {
  configurePatience(1)
  asked = []
  server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://weather'))
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  configureWeather({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, timeoutMs: 400 })
  setClock(() => new Date(instantAt(today, 540, zone)))
  business = await aBusiness({ workDays: everyDay })
  await at(today, 600)
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  configureWeather()
  configurePatience()
  resetClock()
})

describe('a forecast', () => {
  it('is read by a task, kept for three hours, and says what is lost', async () => {
    const crewId = await aCrew(business, { members: [await business.employee()], workDays: everyDay })
    for (const [i, minute] of [780, 840, 1000, 500].entries()) {
      const { visitId } = await aVisit(business, { day: tomorrow, crewId, budgetMinutes: 30, street: `${i} Elm St` })
      await business.db((db) =>
        db
          .updateTable('visits')
          .set({ plannedStartMinute: minute })
          .where('businessId', '=', business.id)
          .where('id', '=', visitId)
          .execute(),
      )
    }
    says(
      forecast({
        13: { precipitation: 0.08, precipitation_probability: 75 },
        14: { precipitation: 0.05 },
        15: { precipitation_probability: 61 },
      }),
    )
    expect(await look()).toMatchObject({ source: 'service', readAt: null, failed: false })
    expect(asked).toHaveLength(0)
    await runTasks()
    const weather = await look()
    expect(weather.readAt).not.toBeNull()
    expect(
      asked.map((url) => [url.pathname, url.searchParams.get('latitude'), url.searchParams.get('precipitation_unit')]),
    ).toEqual([['/v1/forecast', expect.stringMatching(/^32(\.1|\.05|)$/), 'inch']])
    const next = dayIn(weather, tomorrow)
    expect(next).toMatchObject({
      icon: 'rain',
      suggests: true,
      soon: true,
      wet: [{ fromMinute: 780, toMinute: 960 }],
      lostMinutes: 180,
      openVisits: 4,
      visits: 2,
      rainHundredths: 13,
      chancePercent: 75,
    })
    expect(dayIn(weather, today)).toMatchObject({ icon: 'dry', suggests: false, wet: [] })

    await at(today, 600 + 179)
    await seen()
    expect(asked).toHaveLength(1)
    await at(today, 600 + 181)
    await seen()
    expect(asked).toHaveLength(2)
    // two workers at once
    await at(today, 600 + 400)
    await Promise.all([readForecasts({ businessId: business.id }), readForecasts({ businessId: business.id })])
    expect(asked).toHaveLength(3)
  })

  it('counts by the crew as it is on the day: its shift of that weekday, and who is on it then', async () => {
    const [ana, bob] = [await business.employee(), await business.employee()]
    const crewId = await aCrew(business, { members: [ana, bob], workDays: everyDay })
    const { visitId } = await aVisit(business, { day: tomorrow, crewId, budgetMinutes: 60 })
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ plannedStartMinute: 660 })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute(),
    )
    const rain = { precipitation: 0.08, precipitation_probability: 75 }
    says(forecast({ 11: {}, 14: rain, 15: rain }))
    expect(dayIn(await seen(), tomorrow)).toMatchObject({ lostMinutes: 120, visits: 0 })
    const crew = (await api.ok(employeesApi.crews, {})).items.find((one) => one.id === crewId)
    const weekdayShifts = [{ weekday: 5, startMinute: 480, endMinute: 780, breakMinutes: 0 }]
    await api.ok(employeesApi.updateCrew, {
      params: { id: crewId },
      body: { version: crew?.version ?? 0, weekdayShifts },
    })
    expect(dayIn(await look(), tomorrow)).toMatchObject({
      work: { fromMinute: 480, toMinute: 780 },
      workMinutes: 300,
      lostMinutes: 0,
      suggests: false,
    })
    expect(dayIn(await look(), today).workMinutes).toBeGreaterThan(300)
    await at(today, 600 + 200)
    says(forecast({ 12: rain }))
    expect(dayIn(await seen(), tomorrow).visits).toBe(0)
    await api.ok(calendarEventsApi.create, {
      body: { kind: 'time_off', title: 'Off', firstDay: tomorrow, lastDay: tomorrow, userId: bob.userId },
    })
    expect(dayIn(await look(), tomorrow).visits).toBe(0)
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ budgetMinutes: 90 })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute(),
    )
    expect(dayIn(await look(), tomorrow).visits).toBe(1)
  })

  it('flags treatments in wind and heat by the limits of the business', async () => {
    const crewId = await aCrew(business, { members: [await business.employee()], workDays: everyDay })
    const { visitId } = await aVisit(business, { day: tomorrow, crewId, budgetMinutes: 30 })
    await business.db(async (db) => {
      await db
        .updateTable('visits')
        .set({ plannedStartMinute: 630 })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute()
      await db.updateTable('services').set({ category: 'treat' }).where('businessId', '=', business.id).execute()
    })
    says(forecast({ 10: { wind_speed_10m: 12 }, 14: { temperature_2m: 96 } }))
    const next = dayIn(await seen(), tomorrow)
    expect(next).toMatchObject({
      icon: 'heat',
      windyTreatments: 1,
      hotTreatments: 0,
      windy: [{ fromMinute: 600, toMinute: 660 }],
    })
    expect(next.hot).toEqual([{ fromMinute: 840, toMinute: 900 }])
    const { version } = await api.ok(businessesApi.get, {})
    await api.ok(businessesApi.update, { body: { version, sprayWindMph: 12, treatHeatIndexF: 120 } })
    expect(dayIn(await look(), tomorrow)).toMatchObject({ icon: 'dry', windyTreatments: 0, hot: [] })
    const wrong = await api.call(businessesApi.update, {
      body: { version: version + 1, rainChancePercent: 0 },
    })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'rainChancePercent'])
  })

  it.each([
    ['HTML', () => says('<html>Bad gateway</html>')],
    [
      'another unit',
      () => says(forecast({}, { hourly_units: { precipitation: 'mm', wind_speed_10m: 'mp/h', temperature_2m: '°F' } })),
    ],
    ['lists of other lengths', () => says({ ...forecast(), hourly: { ...forecast().hourly, precipitation: [0] } })],
    [
      'rain of a flood',
      () =>
        says({ ...forecast(), hourly: { ...forecast().hourly, precipitation: forecast().hourly.time.map(() => 400) } }),
    ],
    [
      'hours that jump',
      () =>
        says({
          ...forecast(),
          hourly: { ...forecast().hourly, time: forecast().hourly.time.map((s, i) => s + (i > 5 ? 1800 : 0)) },
        }),
    ],
    ['500', () => (answer = (_, response) => response.writeHead(500).end('no'))],
    ['nothing for a long time', () => (answer = () => undefined)],
    ['a closed door', () => (answer = (request) => request.socket.destroy())],
  ])('that comes as %s breaks nothing and leaves what was known', async (_, breaks) => {
    await aCrew(business, { workDays: everyDay })
    says(forecast({ 13: { precipitation_probability: 90 } }))
    const before = await seen()
    await at(today, 600 + 200)
    breaks()
    const after = await seen()
    expect(after).toMatchObject({ failed: true, readAt: before.readAt })
    expect(dayIn(after, tomorrow).wet).toEqual(dayIn(before, tomorrow).wet)
    // it rests for half an hour, then comes back
    says(forecast())
    const calls = asked.length
    await seen()
    expect(asked).toHaveLength(calls)
    await at(today, 600 + 231)
    expect(await seen()).toMatchObject({ failed: false })
  })

  it('that is a day old says nothing any more', async () => {
    await aCrew(business, { workDays: everyDay })
    says(forecast({ 13: { precipitation_probability: 90 } }))
    await seen()
    await at(tomorrow, 700)
    answer = (_, response) => response.writeHead(503).end()
    const later = await seen()
    expect(later).toMatchObject({ failed: true, readAt: null })
    expect(dayIn(later, tomorrow).icon).toBeNull()
  })

  it('on the nights when clocks change has hours that fit', async () => {
    await aCrew(business, { workDays: everyDay })
    for (const [day, hours] of [
      ['2026-03-08', 23],
      ['2026-11-01', 24],
      ['2028-02-29', 24],
    ] as const) {
      await at(day, 300)
      says(forecast({}, {}, addDays(day, -1)))
      const found = dayIn(await seen(), day)
      expect(found.hours.map((h) => h.hour)).toHaveLength(hours)
    }
  })
})

describe('wet hours by hand', () => {
  const mark = (body: { hours: number[] | null; version: number }, day = tomorrow) =>
    api.call(weatherApi.mark, { body: { day, ...body } })

  it('need no service, count at once, and are taken back', async () => {
    configureWeather({ url: null })
    const before = await look()
    expect(before).toMatchObject({ source: 'hand', readAt: null, failed: false })
    expect(before.days.map((d) => [d.icon, d.suggests])).toEqual([
      [null, false],
      [null, false],
      [null, false],
    ])
    const marked = await mark({ hours: [14, 13, 13], version: 0 })
    expect(marked.body.days[0]).toMatchObject({ suggests: true, icon: 'rain', mark: { hours: [13, 14], version: 1 } })
    const stale = await mark({ hours: [], version: 0 })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    expect((await mark({ hours: [], version: 1 })).body.days[0]).toMatchObject({
      suggests: false,
      icon: 'dry',
      mark: { hours: [], version: 2 },
    })
    expect((await mark({ hours: null, version: 2 })).body.days[0]).toMatchObject({
      icon: null,
      mark: { hours: null, version: 3 },
    })
    // A screen from before the first mark does not overwrite what came after it.
    expect((await mark({ hours: [9], version: 0 })).status).toBe(409)
    expect((await mark({ hours: [9], version: 3 })).body.days[0]?.mark).toEqual({ hours: [9], version: 4 })
    expect(asked).toHaveLength(0)
  })

  it('count instead of the forecast of rain, whose wind and heat stay', async () => {
    await aCrew(business, { workDays: everyDay })
    says(forecast({ 13: { precipitation_probability: 90 }, 15: { wind_speed_10m: 20 } }))
    await seen()
    await mark({ hours: [9], version: 0 })
    expect(dayIn(await look(), tomorrow)).toMatchObject({
      wet: [{ fromMinute: 540, toMinute: 600 }],
      windy: [{ fromMinute: 900, toMinute: 960 }],
    })
  })

  it('are refused for a day that is over, for hours that are none, and for who may not plan', async () => {
    expect((await mark({ hours: [9], version: 0 }, addDays(today, -1))).status).toBe(409)
    expect((await mark({ hours: [9], version: 0 }, addDays(today, 90))).status).toBe(422)
    expect((await mark({ hours: [24], version: 0 })).status).toBe(422)
    expect((await mark({ hours: [9], version: 0 }, '2026-02-30')).status).toBe(422)
    const clerk = await aPerson(business.id, 'Admin', { permissions: ['money'] })
    expect((await clerk.api.call(weatherApi.mark, { body: { day: tomorrow, hours: [9], version: 0 } })).status).toBe(
      403,
    )
    expect((await clerk.api.call(weatherApi.get, { query: {} })).status).toBe(403)
    const other = await aBusiness()
    await mark({ hours: [9], version: 0 })
    expect((await other.api.ok(weatherApi.get, { query: {} })).days.every((d) => d.mark.hours === null)).toBe(true)
  })
})
