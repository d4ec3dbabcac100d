import { sql } from 'kysely'
import type { z } from 'zod'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type ForecastHour, hasWeatherService } from '../../../platform/geo/weather.ts'
import { addDays, type Day, dayOf, instantAt, minuteOfDay, weekdayOf } from '../../../shared/dates.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { crewSize } from '../../employees/rules.ts'
import { listCrews } from '../../employees/server/queries.ts'
import { shiftOn } from '../../employees/staffing/rules.ts'
import { onSiteMinutes } from '../../visits/rules.ts'
import type { Weather, WeatherDay, weatherApi } from '../contract.ts'
import {
  dayWeather,
  type Hour,
  heatIndexF,
  iconOf,
  isHot,
  isWet,
  isWindy,
  type Limits,
  type Span,
  sharedMinutes,
} from '../rules.ts'

export type Place = { latitude: number; longitude: number }

/** A forecast that is older than this says nothing any more. */
const oldestMs = 24 * 3_600_000

const tenths = (degrees: number): number => Math.round(degrees * 10)
/** Places within a tenth of a degree share their weather. */
export const placeKey = ({ latitude, longitude }: Place): string => `${tenths(latitude)},${tenths(longitude)}`

const business = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select([
      'timeZone',
      'latitude',
      'longitude',
      'workDays',
      'rainHundredthsInch',
      'rainChancePercent',
      'sprayWindMph',
      'treatHeatIndexF',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

type BusinessRow = Awaited<ReturnType<typeof business>>
type Crew = Awaited<ReturnType<typeof listCrews>>[number]

/** The crews as they are today. Whoever asks for the weather and for where it is read reads them once. */
export const listWeatherCrews = async (db: TenantDb): Promise<Crew[]> =>
  listCrews(db, await todayOf(db), { seesWages: false })

const depotOf = (crew: Crew | undefined, own: BusinessRow): Place | null =>
  crew && crew.depotLatitude !== null && crew.depotLongitude !== null
    ? { latitude: crew.depotLatitude, longitude: crew.depotLongitude }
    : own.latitude !== null && own.longitude !== null
      ? { latitude: own.latitude, longitude: own.longitude }
      : null

/** More places than these are not asked for. */
const mostPlaces = 8

/** Where crews start, rounded, each once. */
export const listPlaces = async (
  db: TenantDb,
  crews: readonly Crew[],
): Promise<{ latitudeTenths: number; longitudeTenths: number }[]> => {
  const own = await business(db)
  const places = [undefined, ...crews].flatMap((crew) => depotOf(crew, own) ?? [])
  return [...new Map(places.map((place) => [placeKey(place), place])).values()]
    .slice(0, mostPlaces)
    .map((place) => ({ latitudeTenths: tenths(place.latitude), longitudeTenths: tenths(place.longitude) }))
}

/** Between two readings of a place; one that failed is tried again sooner. */
export const readEveryMs = { usual: 3 * 3_600_000, failed: 30 * 60_000 }

/** Whether a place was never asked for, or not for a while. */
export const isDue = (row: { askedAt: string; failed: boolean } | undefined): boolean =>
  !row || clock.nowMs() - Date.parse(row.askedAt) >= (row.failed ? readEveryMs.failed : readEveryMs.usual)

const worst = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.max(a, b))

const worse = (a: Hour, b: Hour): Hour => ({
  hour: a.hour,
  rainHundredths: worst(a.rainHundredths, b.rainHundredths),
  chancePercent: worst(a.chancePercent, b.chancePercent),
  windMph: worst(a.windMph, b.windMph),
  heatIndexF: worst(a.heatIndexF, b.heatIndexF),
  marked: a.marked,
})

const asHour = (hour: number, one: ForecastHour): Hour => ({
  hour,
  rainHundredths: one.rainHundredths,
  chancePercent: one.chancePercent,
  windMph: one.windMph,
  heatIndexF:
    one.temperatureF === null || one.humidityPercent === null
      ? null
      : heatIndexF(one.temperatureF, one.humidityPercent),
  marked: null,
})

const byHour = (hours: Iterable<Hour>): Hour[] => {
  const found = new Map<number, Hour>()
  // The night on which clocks go back has an hour twice: the worse of both counts.
  for (const hour of hours) {
    const other = found.get(hour.hour)
    found.set(hour.hour, other ? worse(other, hour) : hour)
  }
  return [...found.values()].sort((a, b) => a.hour - b.hour)
}

export type WeatherBook = {
  limits: Limits
  timeZone: string
  /** The hours of a day where a crew starts; everywhere, the worst, without a place. What was marked by hand counts. */
  hoursOf: (day: Day, place?: Place | null) => Hour[]
  markOf: (day: Day) => { hours: number[] | null; version: number }
  readAt: string | null
  failed: boolean
}

/** What is known of the weather from one day to another. Asks nobody. */
export const readWeather = async (db: TenantDb, from: Day, to: Day): Promise<WeatherBook> => {
  const own = await business(db)
  const places = hasWeatherService()
    ? await db.selectFrom('weatherPlaces').selectAll().where('businessId', '=', db.businessId).execute()
    : []
  const marks = await db
    .selectFrom('weatherMarks')
    .select(['day', 'hours', 'version'])
    .where('businessId', '=', db.businessId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  const fresh = places.filter((p) => p.readAt !== null && clock.nowMs() - Date.parse(p.readAt) < oldestMs)
  const days = new Map<string, Map<Day, Hour[]>>()
  for (const place of fresh) {
    const byDay = new Map<Day, Hour[]>()
    for (const one of place.hours as ForecastHour[]) {
      const day = dayOf(one.at, own.timeZone)
      if (day < from || day > to) continue
      byDay.set(day, [...(byDay.get(day) ?? []), asHour(Math.floor(minuteOfDay(one.at, own.timeZone) / 60), one)])
    }
    days.set(`${place.latitudeTenths},${place.longitudeTenths}`, byDay)
  }
  const markOf = (day: Day) => {
    const mark = marks.find((m) => m.day === day)
    return { hours: mark?.hours ?? null, version: mark?.version ?? 0 }
  }
  const hoursOf: WeatherBook['hoursOf'] = (day, place) => {
    const near = place ? days.get(placeKey(place)) : undefined
    const hours = byHour((near ? [near] : [...days.values()]).flatMap((one) => one.get(day) ?? []))
    const { hours: wet } = markOf(day)
    if (wet === null) return hours
    const none = { rainHundredths: null, chancePercent: null, windMph: null, heatIndexF: null }
    return Array.from({ length: 24 }, (_, hour) => ({
      ...(hours.find((h) => h.hour === hour) ?? none),
      hour,
      marked: wet.includes(hour),
    }))
  }
  const reads = fresh.flatMap((p) => p.readAt ?? [])
  return {
    limits: own,
    timeZone: own.timeZone,
    hoursOf,
    markOf,
    readAt: reads.sort()[0] ?? null,
    failed: places.some((p) => p.failed),
  }
}

type VisitRow = {
  day: Day
  crewId: string | null
  startMinute: number | null
  budgetMinutes: number
  treats: boolean
  /** On the plan of a crew that works that day: what a push can move. */
  planned: boolean
}

const openVisits = async (db: TenantDb, days: readonly Day[]): Promise<VisitRow[]> => {
  const { rows } = await sql<VisitRow>`
    select v.day, v.crew_id as "crewId", v.crew_id is not null and not exists (select 1 from crew_days_off o
        where o.business_id = v.business_id and o.crew_id = v.crew_id and o.day = v.day) as planned, v.planned_start_minute as "startMinute", v.budget_minutes as "budgetMinutes",
      exists (select 1 from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id and s.category = 'treat') as treats
    from visits v where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.day = any(${days}::date[])`.execute(
    db,
  )
  return rows
}

const soonMs = 48 * 3_600_000

const most = (list: readonly (number | null)[]): number | null => list.reduce(worst, null)

/** Weather of some days with what it costs: where crews start in several places, the worst of them. */
export const getWeather = async (
  db: TenantDb,
  query: z.output<typeof weatherApi.get.query>,
  crews: readonly Crew[],
): Promise<Weather> => {
  const own = await business(db)
  const now = clock.now()
  const today = dayOf(now, own.timeZone)
  const from = query.from ?? today
  const last = addDays(from, query.days - 1)
  const book = await readWeather(db, from, last)
  const soonUntil = dayOf(new Date(now.getTime() + soonMs), own.timeZone)
  const soonDays = [0, 1, 2]
    .map((n) => addDays(today, n))
    .filter((day) => day <= soonUntil && day >= from && day <= last)
  const visits = soonDays.length > 0 ? await openVisits(db, soonDays) : []
  const peopleOn = new Map<string, number>()
  for (const day of new Set(visits.map((visit) => visit.day)))
    for (const { id, onDay } of day === today ? crews : await listCrews(db, day, { seesWages: false }))
      peopleOn.set(`${id} ${day}`, onDay.people)
  const dayOn = (day: Day): WeatherDay => {
    const working = crews.filter((crew) => crew.workDays.includes(weekdayOf(day)))
    const shifts = (working.length > 0 ? working : crews).map((crew) => shiftOn(crew, day))
    const shift: Span = {
      fromMinute: shifts.length ? Math.min(...shifts.map((c) => c.shiftStartMinute)) : 480,
      toMinute: shifts.length ? Math.max(...shifts.map((c) => c.shiftEndMinute)) : 1020,
    }
    const soon = soonDays.includes(day)
    // Hours that are over are lost or not, and those beyond 48 hours are told tomorrow.
    const until = Math.ceil((now.getTime() + soonMs - Date.parse(instantAt(day, 0, own.timeZone))) / 60_000)
    const ahead: Span = {
      fromMinute: day === today ? Math.max(shift.fromMinute, minuteOfDay(now, own.timeZone)) : shift.fromMinute,
      toMinute: soon ? Math.max(shift.fromMinute, Math.min(shift.toMinute, until)) : shift.toMinute,
    }
    const hours = book.hoursOf(day)
    const weather = dayWeather(hours, book.limits, ahead)
    const mine = visits.filter((visit) => visit.day === day)
    const hits = (is: typeof isWet, visit: VisitRow): boolean => {
      const crew = crews.find((c) => c.id === visit.crewId)
      if (visit.startMinute === null) return false
      const time = {
        fromMinute: Math.max(ahead.fromMinute, visit.startMinute),
        toMinute:
          visit.startMinute + onSiteMinutes(visit.budgetMinutes, crewSize(peopleOn.get(`${crew?.id} ${day}`) ?? 0)),
      }
      return book
        .hoursOf(day, crew && depotOf(crew, own))
        .some(
          (h) =>
            is(h, book.limits) && sharedMinutes([time], { fromMinute: h.hour * 60, toMinute: h.hour * 60 + 60 }) > 0,
        )
    }
    // What has no time yet is spread over the day.
    const untimed = mine.filter((visit) => visit.startMinute === null)
    const share = (list: readonly VisitRow[], spans: readonly Span[]): number =>
      ahead.toMinute > ahead.fromMinute
        ? Math.round((list.length * sharedMinutes(spans, ahead)) / (ahead.toMinute - ahead.fromMinute))
        : 0
    const count = (list: readonly VisitRow[], is: typeof isWet, spans: readonly Span[]): number =>
      list.filter((visit) => hits(is, visit)).length +
      share(
        list.filter((visit) => untimed.includes(visit)),
        spans,
      )
    const treated = mine.filter((visit) => visit.treats)
    const planned = mine.filter((visit) => visit.planned)
    return {
      day,
      icon: hours.length > 0 && day >= today ? iconOf(weather) : null,
      hours,
      mark: book.markOf(day),
      work: shift,
      wet: weather.wet,
      windy: weather.windy,
      hot: weather.hot,
      lostMinutes: weather.lostMinutes,
      workMinutes: shift.toMinute - shift.fromMinute,
      rainHundredths: hours.some((h) => h.rainHundredths !== null)
        ? hours.reduce((sum, h) => sum + (h.rainHundredths ?? 0), 0)
        : null,
      chancePercent: most(hours.map((h) => h.chancePercent)),
      suggests: weather.suggests,
      soon,
      openVisits: planned.length,
      visits: count(planned, isWet, weather.wet),
      windyTreatments: count(treated, isWindy, weather.windy),
      hotTreatments: count(treated, isHot, weather.hot),
    }
  }
  return {
    today,
    source: hasWeatherService() ? 'service' : 'hand',
    readAt: book.readAt,
    failed: book.failed,
    days: Array.from({ length: query.days }, (_, i) => dayOn(addDays(from, i))),
  }
}

export type Conditions = {
  /** The hour that it is about. */
  at: string
  windMph: number | null
  windDegrees: number | null
  temperatureF: number | null
  cloudPercent: number | null
  rainHundredths: number | null
}

/** A forecast of another place than this many degrees away says nothing of a lawn. */
const nearDegrees = 0.6

/** Hour by hour what is known of a lawn's weather from one instant to another, from the nearest place that is read; nothing where none is near. Asks nobody. */
export const listConditions = async (db: TenantDb, lawn: Place, from: string, until: string): Promise<Conditions[]> => {
  if (!hasWeatherService()) return []
  const places = await db.selectFrom('weatherPlaces').selectAll().where('businessId', '=', db.businessId).execute()
  const away = (place: (typeof places)[number]): number =>
    Math.hypot(place.latitudeTenths / 10 - lawn.latitude, place.longitudeTenths / 10 - lawn.longitude)
  const [near] = places
    .filter((place) => place.readAt !== null && away(place) <= nearDegrees)
    .sort((a, b) => away(a) - away(b))
  const begin = Math.floor(Date.parse(from) / 3_600_000) * 3_600_000
  return ((near?.hours ?? []) as ForecastHour[])
    .filter(({ at }) => Date.parse(at) >= begin && Date.parse(at) <= Date.parse(until))
    .map((one) => ({
      at: one.at,
      windMph: one.windMph,
      windDegrees: one.windDegrees ?? null,
      temperatureF: one.temperatureF,
      cloudPercent: one.cloudPercent ?? null,
      rainHundredths: one.rainHundredths,
    }))
}
