import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { spanOfMonth } from '../../rules.ts'
import type { MileageDay } from '../contract.ts'
import { irsRateOn, mileageCents, tenthMilesOf } from '../rules.ts'

type Row = {
  day: Day
  crewId: string
  name: string
  vehicle: string
  driveMeters: number | null
  startMiles: number | null
  endMiles: number | null
}

const toDay = (row: Row): MileageDay => {
  const odometer =
    row.startMiles === null || row.endMiles === null ? null : { startMiles: row.startMiles, endMiles: row.endMiles }
  const routeTenthMiles = row.driveMeters === null ? null : tenthMilesOf(row.driveMeters)
  const tenthMiles = odometer ? (odometer.endMiles - odometer.startMiles) * 10 : (routeTenthMiles ?? 0)
  const rate = irsRateOn(row.day)
  return {
    day: row.day,
    crew: { id: row.crewId, name: row.name, vehicle: row.vehicle },
    routeTenthMiles,
    odometer,
    tenthMiles,
    deductionCents: rate ? mileageCents(tenthMiles, rate.tenthCents) : null,
  }
}

/** Crew-days that are read at once: 130 crews in a year. */
const mostDays = 50_000

/**
 * Miles by crew and day up to today: of the routes that crews were sent, and of odometers. Today's route counts once the crew has closed it: a plan
 * is no mile that was driven.
 * @throws AppError state_conflict for a span with more of them than are read at once: a sum without the rest would be wrong
 */
export const listMileage = async (db: TenantDb, from: Day, to: Day, crewId?: string): Promise<MileageDay[]> => {
  const today = await todayOf(db)
  const last = to > today ? today : to
  const { rows } = await sql<Row>`
    select d.day, w.id as "crewId", w.name, w.vehicle_name as vehicle, d."driveMeters", d."startMiles", d."endMiles"
    from (
      select coalesce(r.day, o.day) as day, coalesce(r.crew_id, o.crew_id) as crew_id, (r.planned->>'driveMeters')::float8 as "driveMeters",
        o.start_miles as "startMiles", o.end_miles as "endMiles"
      from (select * from routes where business_id = ${db.businessId} and day between ${from}::date and ${last}::date
        and (status = 'closed' or (status <> 'planned' and day < ${today}::date)) and (planned->>'driveMeters')::float8 > 0) r
      full join (select * from odometer_readings where business_id = ${db.businessId} and day between ${from}::date and ${to}::date) o
        on o.day = r.day and o.crew_id = r.crew_id) d
    join crews w on w.business_id = ${db.businessId} and w.id = d.crew_id
    where ${crewId ? sql`w.id = ${crewId}` : sql`true`}
    order by d.day desc, w.position, w.name limit ${mostDays + 1}`.execute(db)
  if (rows.length > mostDays)
    throw conflict(
      `There are more than ${mostDays.toLocaleString('en-US')} crew days in this period. Choose a shorter one.`,
    )
  return rows.map(toDay)
}

const sumOf = (cents: readonly (number | null)[]): number | null =>
  cents.every((one) => one === null) ? null : cents.reduce<number>((sum, one) => sum + (one ?? 0), 0)

/** The month's miles by truck. A crew without a named truck counts under its own name. */
export const readMileageMonth = async (db: TenantDb, asked: string | undefined) => {
  const month = asked ?? (await todayOf(db)).slice(0, 7)
  const { from, to } = spanOfMonth(`${month}-01`)
  const days = await listMileage(db, from, to)
  const byTruck = Map.groupBy(days, ({ crew }) => crew.vehicle || crew.name)
  const rate = irsRateOn(to)
  return {
    month,
    rateTenthCents: rate?.tenthCents ?? null,
    rateKnown: rate?.known ?? true,
    days,
    trucks: [...byTruck]
      .map(([name, own]) => ({
        name,
        dayCount: own.length,
        odometerDays: own.filter(({ odometer }) => odometer !== null).length,
        tenthMiles: own.reduce((sum, one) => sum + one.tenthMiles, 0),
        deductionCents: sumOf(own.map((one) => one.deductionCents)),
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    tenthMiles: days.reduce((sum, one) => sum + one.tenthMiles, 0),
    deductionCents: days.length === 0 ? (rate ? 0 : null) : sumOf(days.map((one) => one.deductionCents)),
  }
}
