import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, daysBetween } from '../../../../shared/dates.ts'
import { comes, leastGap } from '../../../visits/days/server/queries.ts'
import { isBegun, type PlanningContext } from '../../server/day/planning-context.ts'
import { readPlanningContexts } from '../../server/day/read-day.ts'
import { weatherFor, weatherNotes } from '../../server/rain/preview.ts'
import type { FillPreview } from '../contract.ts'
import type { DueFacts } from '../rules.ts'
import { type Filled, fillOrders } from './places.ts'

/** Visits without a day that are listed, what closes first before the others; the rest wait in the list of jobs. */
const listed = 60

type WaitingRow<Words> = { id: string; undated: Words | null; lateOn: Day | null }

/** What has no day, by the end of its window; `undated` is what its line says of when it is due. */
export const listWaiting = async <Words>(db: TenantDb): Promise<WaitingRow<Words>[]> => {
  const { rows } = await sql<WaitingRow<Words>>`
    select v.id, u.undated, coalesce(u.undated->>'closesOn', u.undated->>'warnOn') as late_on
    from visits v
    left join lateral (
      select jl.undated from visit_lines l join job_lines jl on jl.business_id = l.business_id and jl.id = l.job_line_id
      where l.business_id = v.business_id and l.visit_id = v.id and jl.undated is not null limit 1) u on true
    where v.business_id = ${db.businessId} and v.day is null and v.status = 'unscheduled'
    order by late_on nulls last, v.occurrence_on, v.id limit ${listed}`.execute(db)
  return rows
}

type FactsRow = Omit<DueFacts, 'daysLate'>

/** What decides whether visits may go on a day; days on which nobody came do not count as visits before. */
export const readFacts = async (db: TenantDb, day: Day, today: Day, ids: readonly string[]): Promise<DueFacts[]> => {
  if (ids.length === 0) return []
  const near = sql`from visits o where o.business_id = v.business_id and o.job_id = v.job_id and o.id <> v.id
    and ${comes(today)}`
  const { rows } = await sql<FactsRow>`
    select v.id as "visitId", v.job_id as "jobId", v.version, v.day as "fromDay", v.budget_minutes as "budgetMinutes", v.price_cents as "priceCents",
      coalesce(u.undated->>'opensOn', u.undated->>'fromOn') as "opensOn", coalesce(u.undated->>'closesOn', u.undated->>'warnOn') as "closesOn",
      coalesce(u.undated->>'kind' = 'step', false) as "isRound", coalesce(n.gap, 0) as "minGapDays",
      (select max(o.day) ${near} and o.day <= ${day}) as "previousDay", (select min(o.day) ${near} and o.day >= ${day}) as "nextDay",
      coalesce((select array_agg(distinct v.property_id || ':' || l.service_id) from visit_lines l
        where l.business_id = v.business_id and l.visit_id = v.id), '{}') as works,
      (select jsonb_build_object('day', o.day, 'jobNumber', j.number) from visits o
        join jobs j on j.business_id = o.business_id and j.id = o.job_id
        where o.business_id = v.business_id and o.property_id = v.property_id and o.job_id <> v.job_id and o.day is not null
          and ${comes(today)}
          and not (o.day = ${day}::date and o.crew_id is null)
          and exists (select 1 from visit_lines a join visit_lines b on b.business_id = a.business_id and b.service_id = a.service_id
            where a.business_id = o.business_id and a.visit_id = o.id and b.visit_id = v.id)
        order by abs(o.day - ${day}::date), o.id limit 1) as "sameWork"
    from visits v
    left join lateral (
      select ${leastGap} as gap
      from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
      left join job_lines jl on jl.business_id = l.business_id and jl.id = l.job_line_id
      where l.business_id = v.business_id and l.visit_id = v.id) n on true
    left join lateral (
      select jl.undated from visit_lines l join job_lines jl on jl.business_id = l.business_id and jl.id = l.job_line_id
      where l.business_id = v.business_id and l.visit_id = v.id and jl.undated is not null limit 1) u on true
    where v.business_id = ${db.businessId} and v.id = any(${[...ids]}::uuid[])
    order by v.id`.execute(db)
  return rows.map((row) => {
    const late = row.fromDay ?? row.closesOn
    return { ...row, daysLate: late === null ? 0 : Math.max(0, daysBetween(late, today)) }
  })
}

/** What is due on a day: its own visits and late ones without a crew, and what has no day. */
const dueOf = ({ data }: PlanningContext): string[] =>
  data.visits.filter((visit) => visit.crewId === null && !isBegun(visit)).map((visit) => visit.id)

const changeOf = (context: PlanningContext, { percents, placed }: Filled): FillPreview['crews'] =>
  context.data.crews.flatMap(({ id: crewId, name, color }) => {
    const percent = percents.get(crewId)
    return percent
      ? [
          {
            crewId,
            name,
            color,
            placed: placed.filter((one) => one.crewId === crewId).length,
            percentBefore: percent.before,
            percentAfter: percent.after,
            laterStops: percent.laterStops,
            laterMinutes: percent.laterMinutes,
          },
        ]
      : []
  })

/** What a day would take of the due work but what somebody left out. Nothing is written. */
export const previewFill = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
  without: readonly string[] = [],
): Promise<FillPreview> => {
  const waiting = await listWaiting<unknown>(db)
  const [context] = await readPlanningContexts(
    db,
    [day],
    waiting.map((row) => row.id),
  )
  if (!context) return { day, places: [], left: [], crews: [], addedDriveSeconds: 0 }
  const wished = dueOf(context).filter((id) => !without.includes(id))
  const facts = await readFacts(db, day, context.data.today, wished)
  const notes = weatherNotes(await weatherFor(db, [context]))
  const filled = await fillOrders(context, facts, { notes })
  const seesMoney = hasPermission(actor, 'money')
  const named = (visitId: string) => {
    const visit = context.byId.get(visitId)
    return { visitId, street: visit?.street ?? '', customerName: visit?.customerName ?? '' }
  }
  return {
    day,
    places: filled.placed.map(({ facts: one, ...place }) => ({
      ...named(one.visitId),
      ...place,
      version: one.version,
      title: context.byId.get(one.visitId)?.title ?? '',
      budgetMinutes: one.budgetMinutes,
      priceCents: seesMoney ? one.priceCents : null,
      fromDay: one.fromDay,
      closesOn: one.closesOn,
      daysLate: one.daysLate,
    })),
    left: filled.left.map(({ visitId, reason }) => ({ ...named(visitId), reason })),
    crews: changeOf(context, filled),
    addedDriveSeconds: filled.addedDriveSeconds,
  }
}
