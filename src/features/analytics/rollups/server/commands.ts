import { type Insertable, sql } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { inPieces } from '../../../../platform/db/rows.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { AnalyticsDays, AnalyticsJobs } from '../../../../platform/db/types.generated.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import { countDays, countJobs } from './counting.ts'

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
    return rows.length === mostDays
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
