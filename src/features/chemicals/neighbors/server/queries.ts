import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { federalHoliday } from '../../../../shared/holidays.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getTreatment } from '../../records/server/queries.ts'
import { businessDayBefore } from '../../rules.ts'
import type { Neighbor } from '../contract.ts'

/** More neighbors than these are not listed for one lawn. */
export const mostNeighbors = 50

type Row = Omit<Neighbor, 'told'> & { toldAt: string | null; toldBy: string | null; how: string | null }

const rowsOf = async (
  db: TenantDb,
  visit: { id: string; day: Day | null } | null,
  which: RawBuilder<SqlBool>,
): Promise<Neighbor[]> => {
  const { rows } = await sql<Row>`
    select n.id, n.property_id as "propertyId", n.name, n.contact, n.note, n.asked_on as "askedOn", n.removed_at is not null as removed, n.version,
      t.told_at as "toldAt", u.name as "toldBy", t.how
    from chemical_neighbors n
    left join chemical_neighbor_notices t on t.business_id = n.business_id and t.neighbor_id = n.id
      and t.visit_id = ${visit?.id ?? null}::uuid and t.for_day = ${visit?.day ?? null}::date
    left join users u on u.business_id = t.business_id and u.id = t.told_by
    where n.business_id = ${db.businessId} and ${which}
    order by n.asked_on, n.id limit ${mostNeighbors}`.execute(db)
  return rows.map(({ toldAt, toldBy, how, ...row }) => ({
    ...row,
    told: toldAt ? { at: toldAt, by: toldBy, how: how ?? '' } : null,
  }))
}

export const getNeighbor = async (db: TenantDb, id: string, visit: { id: string; day: Day | null } | null = null) => {
  const [neighbor] = await rowsOf(db, visit, sql<SqlBool>`n.id = ${id}`)
  if (!neighbor) throw notFound('neighbor')
  return neighbor
}

/** Who was told of a visit and of which day, how and when, the latest day for each; for the record, which outlives the list of neighbors. */
export const listTold = async (db: TenantDb, visitId: string): Promise<{ name: string; how: string; at: string }[]> => {
  const { rows } = await sql<{ name: string; how: string; at: string }>`
    select distinct on (n.asked_on, n.id) n.name, t.how, t.told_at as at
    from chemical_neighbor_notices t
    join chemical_neighbors n on n.business_id = t.business_id and n.id = t.neighbor_id
    where t.business_id = ${db.businessId} and t.visit_id = ${visitId}
    order by n.asked_on, n.id, t.for_day desc limit ${mostNeighbors}`.execute(db)
  return rows
}

const isHoliday = (day: Day): boolean => federalHoliday(day) !== null

export const listOfVisit = async (db: TenantDb, visitId: string) => {
  const visit = await getTreatment(db, visitId)
  return {
    propertyId: visit.propertyId,
    treats: visit.treats,
    items: await rowsOf(db, visit, sql<SqlBool>`n.property_id = ${visit.propertyId} and n.removed_at is null`),
    tellBy: visit.day ? businessDayBefore(visit.day, isHoliday) : null,
    today: await todayOf(db),
  }
}

/** So many days ahead the office is reminded: a weekend and a holiday lie within. */
const aheadDays = 5

export type NeighborsToTell = { visitId: string; jobId: string; day: Day; street: string; names: string[]; tellBy: Day }

/** Treatments of the next days whose neighbors asked to be told, and were not told of this day. */
export const listNeighborsToTell = async (db: TenantDb, today: Day): Promise<NeighborsToTell[]> => {
  const { rows } = await sql<Omit<NeighborsToTell, 'tellBy'>>`
    select v.id as "visitId", v.job_id as "jobId", v.day, p.street, array_agg(n.name order by n.asked_on, n.id) as names
    from visits v
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join chemical_neighbors n on n.business_id = v.business_id and n.property_id = v.property_id and n.removed_at is null
    where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.day >= ${today} and v.day <= ${addDays(today, aheadDays)}
      and exists (select 1 from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id and s.category = 'treat')
      and not exists (select 1 from chemical_neighbor_notices t where t.business_id = n.business_id and t.neighbor_id = n.id
        and t.visit_id = v.id and t.for_day = v.day)
    group by v.id, v.job_id, v.day, p.street order by v.day, v.id limit 20`.execute(db)
  return rows.map((row) => ({ ...row, tellBy: businessDayBefore(row.day, isHoliday) }))
}
