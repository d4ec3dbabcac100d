import { sql } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import { countDays, countJobs, measured } from './counting.ts'

/** A transaction counts so many days: its work stays below a second with 500 visits a day. */
const mostDays = 14

/** Counts marked days again, the newest first. @returns whether more may be left */
export const countMarked = (actor: SystemActor): Promise<boolean> =>
  withTenant(actor, async (db) => {
    // two counts of one day at once could end with the older one
    await sql`select pg_advisory_xact_lock(hashtextextended(${`analytics:${db.businessId}`}, 0))`.execute(db)
    const { rows } = await sql<{
      day: Day
    }>`select distinct day from analytics_marks where business_id = ${db.businessId}
      order by day desc limit ${mostDays}`.execute(db)
    if (rows.length === 0) return false
    const days = rows.map(({ day }) => day)
    const these = sql`select unnest(${days}::date[])`
    // before the count, which then sees what every mark that goes here stood for
    await sql`delete from analytics_marks where business_id = ${db.businessId} and day = any(${days}::date[])`.execute(
      db,
    )
    await sql`delete from analytics_days where business_id = ${db.businessId} and day = any(${days}::date[])`.execute(
      db,
    )
    await sql`delete from analytics_jobs where business_id = ${db.businessId} and day = any(${days}::date[])`.execute(
      db,
    )
    await sql`insert into analytics_days (business_id, kind, day, key, ${measured})
      select ${db.businessId}::uuid, c.* from (${countDays(db, these)}) c`.execute(db)
    await sql`insert into analytics_jobs (business_id, day, job_id, customer_id, completions, worth_cents, captured_cents)
      select ${db.businessId}::uuid, c.* from (${countJobs(db, these)}) c`.execute(db)
    return rows.length === mostDays
  })

/** Marks days, so that they are counted again. */
export const markDaysTx = async (db: TenantDb, days: readonly Day[]): Promise<void> => {
  if (days.length === 0) return
  const rows = days.map((day) => ({ id: newId(), day }))
  await sql`insert into analytics_marks (business_id, id, day, by_transaction)
    select ${db.businessId}::uuid, r.id, r.day, pg_current_xact_id() from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id uuid, day date)`.execute(db)
}
