import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, type TenantScope, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { askForecast, hasWeatherService } from '../../../platform/geo/weather.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { conflict, invalid } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { Weather, weatherApi } from '../contract.ts'
import { getWeather, isDue, listPlaces, listWeatherCrews, readEveryMs } from './queries.ts'

/** Asks the weather service; the work stands in `tasks.ts`. Whoever looks next wants it again, so nothing is tried twice here. */
export const readTask = taskName({ name: 'weather.read', payload: z.object({}), attempts: 1 })

type WeatherCrews = Awaited<ReturnType<typeof listWeatherCrews>>

const wantWeatherTx = async (db: TenantDb, crews: WeatherCrews): Promise<void> => {
  const known = await db
    .selectFrom('weatherPlaces')
    .select(['latitudeTenths', 'longitudeTenths', 'askedAt', 'failed'])
    .where('businessId', '=', db.businessId)
    .execute()
  const places = await listPlaces(db, crews)
  const row = (place: (typeof places)[number]) =>
    known.find((k) => k.latitudeTenths === place.latitudeTenths && k.longitudeTenths === place.longitudeTenths)
  if (places.some((place) => isDue(row(place)))) await enqueue(db, readTask, {}, { key: 'read' })
}

/** The weather of some days; where the forecast is old it is asked for in the background. The look of support or of the tour asks for nothing. */
export const lookAtWeather = (actor: Actor, query: z.output<typeof weatherApi.get.query>): Promise<Weather> =>
  withTenant(actor, async (db) => {
    const crews = await listWeatherCrews(db)
    if (hasWeatherService() && !actor.readOnly) await wantWeatherTx(db, crews)
    return getWeather(db, query, crews)
  })

/** Takes the places whose forecast is old: who asks at the same time, or a moment later, gets none of them. */
const claimPlaces = async (db: TenantDb) => {
  const places = await listPlaces(db, await listWeatherCrews(db))
  const ago = (ms: number) => new Date(clock.nowMs() - ms).toISOString()
  const claimed = []
  for (const place of places) {
    const { rows } = await sql<{ id: string }>`
      insert into weather_places (business_id, id, latitude_tenths, longitude_tenths, asked_at)
      values (${db.businessId}, ${newId()}, ${place.latitudeTenths}, ${place.longitudeTenths}, ${clock.iso()})
      on conflict (business_id, latitude_tenths, longitude_tenths) do update set asked_at = excluded.asked_at
        where weather_places.asked_at <= case when weather_places.failed then ${ago(readEveryMs.failed)}::timestamptz
          else ${ago(readEveryMs.usual)}::timestamptz end
      returning id`.execute(db)
    if (rows[0]) claimed.push({ ...place, id: rows[0].id })
  }
  // A depot that moved leaves its old weather behind.
  const kept = places.map((p) => `${p.latitudeTenths},${p.longitudeTenths}`)
  await sql`delete from weather_places where business_id = ${db.businessId}
    and latitude_tenths || ',' || longitude_tenths <> all(${kept}::text[])`.execute(db)
  return claimed
}

/** Reads the forecast of every place where it is old. A service that is away or answers nonsense leaves what was known. */
export const readForecasts = async (scope: TenantScope): Promise<void> => {
  if (!hasWeatherService()) return
  const claimed = await withTenant(scope, claimPlaces)
  for (const place of claimed) {
    const hours = await askForecast({
      latitude: place.latitudeTenths / 10,
      longitude: place.longitudeTenths / 10,
    }).catch((error: unknown) => {
      log.warn({ err: error, businessId: scope.businessId }, 'the weather service did not answer')
      return null
    })
    await withTenant(scope, async (db) => {
      await db
        .updateTable('weatherPlaces')
        .set(hours ? { hours: JSON.stringify(hours), readAt: clock.iso(), failed: false } : { failed: true })
        .where('businessId', '=', db.businessId)
        .where('id', '=', place.id)
        .execute()
      await publishChange(db, 'weather')
    })
  }
}

/** So far ahead a day may be marked: plans go no further. */
const farthestDays = 60

/** Marks the wet hours of a day by hand; null lets the forecast count again. */
export const markDay = (
  actor: Actor,
  { day, hours, version }: { day: Day; hours: number[] | null; version: number },
): Promise<Weather> =>
  withTenant(actor, async (db) => {
    const today = await todayOf(db)
    if (day < today) throw conflict('This day is over. Its weather stays as it was.')
    if (day > addDays(today, farthestDays))
      throw invalid([{ path: 'day', message: `Mark a day within the next ${farthestDays} days.` }])
    // One that never was marked has no row to lock.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`weather ${db.businessId} ${day}`}, 0))`.execute(db)
    const row = await db
      .selectFrom('weatherMarks')
      .select('version')
      .where('businessId', '=', db.businessId)
      .where('day', '=', day)
      .executeTakeFirst()
    requireVersion(row ?? { version: 0 }, version, 'the weather of this day')
    const values = {
      hours: hours && [...new Set(hours)].sort((a, b) => a - b),
      markedBy: actor.userId,
      updatedAt: clock.iso(),
    }
    // A mark that is taken back keeps its row, and with it its version.
    await db
      .insertInto('weatherMarks')
      .values({ businessId: db.businessId, id: newId(), day, ...values })
      .onConflict((c) =>
        c
          .columns(['businessId', 'day'])
          .doUpdateSet((eb) => ({ ...values, version: eb('weatherMarks.version', '+', 1) })),
      )
      .execute()
    await audit(db, actor, 'weather.mark', { type: 'weather', id: null }, { after: { day, hours } })
    await publishChange(db, 'weather', [], { days: [day] })
    return getWeather(db, { from: day, days: 1 }, await listWeatherCrews(db))
  })

/** Forgets marks of days that are long over. */
export const tidyWeather = async (db: TenantDb): Promise<void> => {
  await db
    .deleteFrom('weatherMarks')
    .where('businessId', '=', db.businessId)
    .where('day', '<', addDays(await todayOf(db), -400))
    .execute()
}
