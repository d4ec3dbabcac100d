import { type RawBuilder, sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { admits } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { routesApi } from '../../routes/contract.ts'
import { stopRefusals } from '../../routes/rules.ts'
import { comes, leastGap, sameWorkBetween } from '../../visits/days/server/queries.ts'
import { shortName } from '../../visits/rules.ts'
import type { CalendarVisit } from '../contract.ts'

type Row = Omit<CalendarVisit, 'can' | 'customer' | 'day'> & { day: Day | null; name: string; company: string | null }

/** So far from a day the same work of other jobs is looked for: no service wants more days between. */
const nearDays = 60

/**
 * Visits as cards of the calendar, in the order of their routes: what has begun first, as on the route map.
 * @param shown the day that is looked at, where cards are put
 */
export const listCards = async (
  db: TenantDb,
  which: RawBuilder<unknown>,
  { today, shown }: { today: Day; shown: Day },
  limit = 5000,
): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select v.id, v.job_id as "jobId", v.day, v.crew_id as "crewId", p.street, p.city, c.name, c.company, j.title,
      coalesce(needs.services, '{}') as "serviceIds", v.status, v.budget_minutes as "budgetMinutes",
      v.planned_start_minute as "startMinute", v.planned_drive_seconds as "driveSeconds",
      v.window_start_minute as "windowStartMinute", v.window_end_minute as "windowEndMinute", v.pinned, p.latitude, p.longitude,
      coalesce(needs.skills, '{}') as skills, coalesce(needs.gap, 0) as "minGapDays",
      case when needs.gap > 0 then (select max(o.day) from visits o where o.business_id = v.business_id and o.job_id = v.job_id
        and (v.day is null or o.day < v.day) and ${comes(today)}) end as "previousDay",
      case when needs.gap > 0 then (select min(o.day) from visits o where o.business_id = v.business_id and o.job_id = v.job_id
        and o.day > v.day and ${comes(today)}) end as "nextDay",
      ${sameWorkBetween(today, addDays(shown, -nearDays), addDays(shown, nearDays))} as "sameWork",
      v.price_cents as "priceCents", v.version
    from visits v
    left join lateral (
      select array_agg(distinct l.service_id) as services, array_agg(distinct tag) filter (where tag is not null) as skills,
        ${leastGap} as gap
      from visit_lines l
      join services s on s.business_id = l.business_id and s.id = l.service_id
      left join job_lines jl on jl.business_id = l.business_id and jl.id = l.job_line_id
      left join lateral unnest(s.skills) as tag on true
      where l.business_id = v.business_id and l.visit_id = v.id) needs on true
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    where v.business_id = ${db.businessId} and ${which}
    order by v.day, (v.status in ('scheduled', 'unscheduled')), coalesce(v.started_at, v.en_route_at, v.finished_at), v.position, j.number, v.id
    limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** A card for who asks: prices hidden, and whether it can be moved now. */
export const cardFor = (actor: Actor) => {
  const [seesMoney, mayMove] = [hasPermission(actor, 'money'), admits(actor, routesApi.move)]
  return ({ name, company, ...row }: Row) => ({
    ...row,
    customer: shortName(name, company),
    priceCents: seesMoney ? row.priceCents : null,
    can: { move: mayMove && stopRefusals.move(row) === null },
  })
}
