import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays } from '../../../shared/dates.ts'
import { crowMeters } from '../../../solver/matrix.ts'
import type { TravelFit } from '../contract.ts'
import { type Clocked, enoughDrives, plausible, suggestTravelModel } from '../fit/rules.ts'

const lookBackDays = 120
const mostTravelTimes = 5_000

type Row = { lat: number; lng: number; lat0: number; lng0: number; seconds: number; percent: number }

/**
 * Drives between stops that a crew finished and began one after the other on one day: from the tap "on my way" where there is one, else from the end of the stop
 * before, to the start of work. Pins in the middle of a ZIP code say nothing of a distance.
 */
const listClocked = async (db: TenantDb): Promise<Clocked[]> => {
  const since = new Date(clock.nowMs() - lookBackDays * 86_400_000).toISOString()
  // the days are what the index knows; work begun a month after its day says little of a route
  const sinceDay = addDays(since.slice(0, 10), -30)
  const { rows } = await sql<Row>`
    with worked as (
      select coalesce(v.published_crew_id, v.crew_id) as crew_id, coalesce(v.published_day, v.day) as day, v.en_route_at, v.started_at, v.finished_at,
        p.latitude as lat, p.longitude as lng
      from visits v join properties p on p.business_id = v.business_id and p.id = v.property_id
      where v.business_id = ${db.businessId} and v.status = 'completed' and v.started_at >= ${since} and v.day >= ${sinceDay} and v.finished_at is not null
        and p.latitude is not null and p.geocode_quality not in ('zip', 'county')
    ), driven as (
      select crew_id, lat, lng, started_at, en_route_at,
        lag(lat) over one_day as lat0, lag(lng) over one_day as lng0, lag(finished_at) over one_day as left_at
      from worked window one_day as (partition by crew_id, day order by started_at)
    )
    select d.lat, d.lng, d.lat0, d.lng0, c.drive_factor_percent as percent,
      extract(epoch from d.started_at - greatest(d.left_at, coalesce(d.en_route_at, d.left_at)))::double precision as seconds
    from driven d join crews c on c.business_id = ${db.businessId} and c.id = d.crew_id
    where d.left_at is not null and d.started_at > d.left_at
    order by d.started_at desc limit ${mostTravelTimes}`.execute(db)
  return rows.map((row) => ({
    km: crowMeters({ lat: row.lat0, lng: row.lng0 }, { lat: row.lat, lng: row.lng }) / 1000,
    seconds: row.seconds / (row.percent / 100),
  }))
}

/** How the estimate compares with the clocks, and what would fit better. */
export const getTravelFit = async (db: TenantDb): Promise<TravelFit> => {
  const business = await db
    .selectFrom('businesses')
    .select(['driveFactorSeconds', 'driveExponent'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const now = { factorSeconds: business.driveFactorSeconds, exponent: business.driveExponent }
  const drives = plausible(await listClocked(db))
  return { drives: drives.length, needed: enoughDrives, now, suggestion: suggestTravelModel(drives, now) }
}
