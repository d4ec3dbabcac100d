import { type Insertable, sql } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { inPieces } from '../../../../platform/db/rows.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { AnalyticsDays, AnalyticsJobs } from '../../../../platform/db/types.generated.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { lookBackDays } from '../../rules.ts'
import { countDays, countJobs, sumMonths } from './counting.ts'

/** A transaction counts so many days: its work stays below a second with 500 visits a day. */
const mostDays = 14
/** And adds up so many months. */
const mostMonths = 4

/**
 * Adds up months that are over and whose days changed since, the newest first; only of days that any screen reads.
 * @returns whether more may be left
 */
const sumMonthsTx = async (db: TenantDb): Promise<boolean> => {
  const today = await todayOf(db)
  const { rows } = await sql<{ month: Day }>`
    select x.month::date as month from generate_series(date_trunc('month', ${addDays(today, -lookBackDays)}::timestamp),
      date_trunc('month', ${today}::timestamp) - interval '1 month', interval '1 month') as x(month)
    where x.month::date not in (select m.month from analytics_months m where m.business_id = ${db.businessId})
    order by 1 desc limit ${mostMonths}`.execute(db)
  if (rows.length === 0) return false
  const months = rows.map(({ month }) => month)
  await sql`delete from analytics_job_months where business_id = ${db.businessId} and month = any(${months}::date[])`.execute(
    db,
  )
  for (const month of months)
    await sql`insert into analytics_job_months (business_id, month, job_id, customer_id, completions, worth_cents, captured_cents)
      ${sumMonths(db, month)}`.execute(db)
  await db
    .insertInto('analyticsMonths')
    .values(months.map((month) => ({ businessId: db.businessId, month })))
    .execute()
  return rows.length === mostMonths
}

/** Counts marked days again, the newest first, and then months of which a day was counted. @returns whether more may be left */
export const countMarked = (actor: SystemActor): Promise<boolean> =>
  withTenant(actor, async (db) => {
    // two counts of one day at once could end with the older one
    await sql`select pg_advisory_xact_lock(hashtextextended(${`analytics:${db.businessId}`}, 0))`.execute(db)
    const { rows } = await sql<{
      day: Day
    }>`select distinct day from analytics_marks where business_id = ${db.businessId}
      order by day desc limit ${mostDays}`.execute(db)
    if (rows.length === 0) return await sumMonthsTx(db)
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
    // also where a day came to nothing before and after, so that no row of it says so
    await sql`delete from analytics_months where business_id = ${db.businessId}
      and month in (select date_trunc('month', x.day::timestamp)::date from (${these}) as x(day))`.execute(db)
    const counted = await sql<Insertable<AnalyticsDays>>`${countDays(db, these)}`.execute(db)
    for (const some of inPieces(counted.rows))
      await db
        .insertInto('analyticsDays')
        .values(some.map((row) => ({ ...row, businessId: db.businessId })))
        .execute()
    const jobs = await sql<Insertable<AnalyticsJobs>>`${countJobs(db, these)}`.execute(db)
    for (const some of inPieces(jobs.rows))
      await db
        .insertInto('analyticsJobs')
        .values(some.map((row) => ({ ...row, businessId: db.businessId })))
        .execute()
    return true
  })

/** Marks days, so that they are counted again. */
export const markDaysTx = async (db: TenantDb, days: readonly Day[]): Promise<void> => {
  if (days.length === 0) return
  for (const some of inPieces(days))
    await db
      .insertInto('analyticsMarks')
      .values(
        some.map((day) => ({
          businessId: db.businessId,
          id: newId(),
          day,
          byTransaction: sql<string>`pg_current_xact_id()`,
        })),
      )
      .execute()
}
