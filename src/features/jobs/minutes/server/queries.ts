import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { isClocked, isSameWork } from '../../../visits/clocked/server/queries.ts'
import { openFrom } from '../../../visits/server/queries.ts'
import { visitsPerMonth } from '../../prices/rules.ts'
import type { Recurrence } from '../../rules.ts'
import type { LearnedMinutes, MinutesProposal } from '../contract.ts'
import { type Dismissal, isDismissed, isProposed, learnedMinutes, lookBackDays, visitsLookedAt } from '../rules.ts'

const shown = 200

type Row = Omit<MinutesProposal, 'learnedMinutes' | 'took' | 'leftOut' | 'visitsAhead' | 'monthMinutes'> & {
  recurrence: Recurrence
  took: { day: Day; minutes: number }[]
  dismissed: Dismissal | null
}

/**
 * The recurring lines of jobs that go on, each with the labor minutes of its newest finished visits. Of a visit with several services each has its part
 * by the planned minutes, as costs have. What was finished without a clock, without people or with another quantity tells nothing.
 */
const readLines = async (db: TenantDb, today: Day, lineIds: readonly string[] | null): Promise<Row[]> => {
  const only = lineIds ? sql`and l.id = any(${[...lineIds]}::uuid[])` : sql``
  const { rows } = await sql<Row>`
    select l.id as "lineId", j.id as "jobId", j.number as "jobNumber", j.customer_id as "customerId", c.name as "customerName", p.street,
      s.name as "serviceName", l.budget_minutes as "budgetMinutes", l.recurrence, t.took,
      case when d.job_line_id is not null then jsonb_build_object('learnedMinutes', d.learned_minutes, 'budgetMinutes', d.budget_minutes) end as dismissed
    from jobs j
    join job_lines l on l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null and l.recurrence is not null ${only}
    join customers c on c.business_id = j.business_id and c.id = j.customer_id
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    join services s on s.business_id = l.business_id and s.id = l.service_id
    left join minutes_dismissals d on d.business_id = l.business_id and d.job_line_id = l.id
    cross join lateral (
      select jsonb_agg(jsonb_build_object('day', x.day, 'minutes', x.minutes) order by x.day desc, x.id desc) as took from (
        select v.id, v.day, v.worked_seconds * v.people / 60.0
          * case when a.lines = 1 then 1 else k.budget_minutes::numeric / a.minutes end as minutes
        from visits v
        join visit_lines k on k.business_id = v.business_id and k.visit_id = v.id and k.job_line_id = l.id
        cross join lateral (select count(*) as lines, sum(o.budget_minutes) as minutes from visit_lines o
          where o.business_id = v.business_id and o.visit_id = v.id) a
        where v.business_id = ${db.businessId} and v.job_id = j.id and v.status = 'completed' and v.day >= ${addDays(today, -lookBackDays)}::date
          and ${isClocked('v')} and ${isSameWork('k', 'l')}
          and (a.lines = 1 or k.budget_minutes > 0)
        order by v.day desc, v.id desc limit ${visitsLookedAt}) x) t
    where j.business_id = ${db.businessId} and j.status in ('active', 'paused') and j.archived_at is null and c.archived_at is null
      and (j.end_on is null or j.end_on >= ${today}::date) and t.took is not null`.execute(db)
  return rows
}

const countAhead = async (db: TenantDb, lineIds: readonly string[], today: Day): Promise<Map<string, number>> => {
  if (lineIds.length === 0) return new Map()
  const { rows } = await sql<{ lineId: string; visits: number }>`
    select k.job_line_id as "lineId", count(*)::int as visits from visit_lines k
    join job_lines l on l.business_id = k.business_id and l.id = k.job_line_id and l.budget_minutes = k.budget_minutes and l.service_id = k.service_id
    join visits v on v.business_id = k.business_id and v.id = k.visit_id and ${openFrom(today)}
    where k.business_id = ${db.businessId} and k.job_line_id = any(${[...lineIds]}::uuid[]) group by k.job_line_id`.execute(
    db,
  )
  return new Map(rows.map(({ lineId, visits }) => [lineId, visits]))
}

export type Known = Omit<MinutesProposal, 'visitsAhead'> & { dismissed: Dismissal | null }

/** Every line of which enough is known to say what it takes, or those of them that are meant. */
export const listKnown = async (db: TenantDb, today: Day, lineIds: readonly string[] | null = null): Promise<Known[]> =>
  (await readLines(db, today, lineIds)).flatMap(({ recurrence, took, ...row }): Known[] => {
    const learned = learnedMinutes(took.map(({ minutes }) => Number(minutes)))
    if (learned === null) return []
    return [
      {
        ...row,
        learnedMinutes: learned.minutes,
        leftOut: learned.leftOut,
        took: took.map(({ day, minutes }) => ({ day, minutes: Math.round(Number(minutes)) })),
        monthMinutes: Math.round(visitsPerMonth(recurrence) * (learned.minutes - row.budgetMinutes)),
      },
    ]
  })

const byWeight = (a: Known, b: Known): number =>
  Math.abs(b.monthMinutes) - Math.abs(a.monthMinutes) || (a.lineId < b.lineId ? -1 : 1)

/** What is proposed, and what was dismissed. */
export const listLearnedMinutes = async (db: TenantDb): Promise<LearnedMinutes> => {
  const today = await todayOf(db)
  const known = (await listKnown(db, today)).toSorted(byWeight)
  const is = (test: typeof isProposed) =>
    known.filter((one) => test(one.budgetMinutes, one.learnedMinutes, one.dismissed))
  const [proposed, dismissed] = [is(isProposed), is(isDismissed)]
  const [items, left] = [proposed.slice(0, shown), dismissed.slice(0, shown)]
  const ahead = await countAhead(
    db,
    [...items, ...left].map(({ lineId }) => lineId),
    today,
  )
  const told = ({ dismissed: _, ...one }: Known) => ({ ...one, visitsAhead: ahead.get(one.lineId) ?? 0 })
  return {
    items: items.map(told),
    longer: proposed.filter((one) => one.learnedMinutes > one.budgetMinutes).length,
    shorter: proposed.filter((one) => one.learnedMinutes < one.budgetMinutes).length,
    monthMinutes: proposed.reduce((sum, one) => sum + one.monthMinutes, 0),
    dismissed: left.map(told),
    dismissedCount: dismissed.length,
    known: known.length,
  }
}
