import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addMonths } from '../../../shared/dates.ts'
import { invalid } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { analyticsApi, WorkRow } from '../contract.ts'
import { longestMonths, spansOf } from '../rules.ts'
import { finishedWork } from '../worth/server/queries.ts'

type Query = z.output<(typeof analyticsApi)['visits']['query']>

const ofKind = (db: TenantDb, kind: NonNullable<Query['kind']>, key: string): RawBuilder<SqlBool> =>
  ({
    crew: key === '' ? sql<SqlBool>`o.crew_id is null` : sql<SqlBool>`o.crew_id::text = ${key}`,
    service: sql<SqlBool>`exists (select from visit_lines l where l.business_id = ${db.businessId} and l.visit_id = o.id and l.service_id::text = ${key})`,
    city: sql<SqlBool>`exists (select from properties p where p.business_id = ${db.businessId} and p.id = o.property_id and coalesce(p.city, '') = ${key})`,
    source: sql<SqlBool>`exists (select from customers c where c.business_id = ${db.businessId} and c.id = o.customer_id and c.source = ${key})`,
  })[kind]

/** The visits that a figure is made of, the newest first; of each what it is worth and what of that is paid. */
export const listWork = async (db: TenantDb, { period, show, kind, key, crewId, cursor, limit, ...chosen }: Query) => {
  const usual = spansOf(period, await todayOf(db)).current
  const { from, to } = { from: chosen.from ?? usual.from, to: chosen.to ?? usual.to }
  if (addMonths(from, longestMonths) <= to)
    throw invalid([{ path: 'to', message: `Choose ${longestMonths} months at most.` }])
  const keys = keyset(
    [
      { of: sql`o.day`, type: 'day' },
      { of: sql`o.id`, type: 'uuid' },
    ],
    { order: 'desc', cursor, limit },
  )
  // a year of paid work is passed over by what is kept of its jobs; of marked days that is old
  const maybeUnpaid = sql`(exists (select from analytics_jobs j where j.business_id = ${db.businessId} and j.day = o.day and j.job_id = o.job_id
      and j.worth_cents > j.captured_cents)
    or o.day in (select day from analytics_marks where business_id = ${db.businessId} and day between ${from}::date and ${to}::date))`
  const unpaid = sql`${maybeUnpaid} and exists (select from (${finishedWork(db, sql`v.id = o.id`)}) w where w.worth_cents > w.captured_cents)`
  const { rows } = await sql<WorkRow & { cursorKeys: string[] }>`
    select o.id, o.day, o.cursor_keys, c.name as customer, p.street as place, w.worth_cents, w.captured_cents
    from (select o.id, o.day, o.customer_id, o.property_id, ${keys.values} as cursor_keys from visits o
      where o.business_id = ${db.businessId} and o.day between ${from}::date and ${to}::date
        and o.status = ${show === 'skipped' ? 'skipped' : 'completed'} and ${show === 'unpaid' ? unpaid : sql`true`}
        and ${kind === undefined ? sql`true` : ofKind(db, kind, key ?? '')}
        and ${crewId === 'none' ? sql`o.crew_id is null` : crewId ? sql`o.crew_id = ${crewId}::uuid` : sql`true`} and ${keys.beyond}
      order by ${keys.order} limit ${keys.limit}) o
    join customers c on c.business_id = ${db.businessId} and c.id = o.customer_id
    join properties p on p.business_id = ${db.businessId} and p.id = o.property_id
    cross join lateral (${finishedWork(db, sql`v.id = o.id`)}) w
    order by ${keys.order}`.execute(db)
  return keys.page(rows)
}
