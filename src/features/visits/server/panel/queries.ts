import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, instantAt } from '../../../../shared/dates.ts'
import { timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import type { Visit } from '../../contract.ts'
import { comes, leastGap, sameWorkBetween } from '../../days/server/queries.ts'
import { type Deed, deedLabel, tapLabel } from '../../history/rules.ts'
import { elsewhere, rebookedAs } from '../family/queries.ts'

/** What stands around a visit: bounded however much happened to it. */

/** The newest so many of each. */
const most = 30
const mostMessages = 10

export const invoiceOf = async (db: TenantDb, invoiceId: string | null): Promise<Visit['invoice']> =>
  invoiceId === null
    ? null
    : ((await db
        .selectFrom('invoices')
        .select(['id', 'number', 'status'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', invoiceId)
        .executeTakeFirst()) ?? null)

type Facts = Pick<
  Visit,
  'place' | 'job' | 'needs' | 'crew' | 'sent' | 'plannedStartMinute' | 'rebookedDay' | 'rebookedFrom'
> & {
  phone: string | null
  email: string | null
  jobEnded: boolean
  elsewhere: boolean
}

/** Place, job, crew and route of a visit in one statement. */
export const factsOf = async (db: TenantDb, visitId: string): Promise<Facts> => {
  const today = await todayOf(db)
  const { rows } = await sql<Facts>`
    select jsonb_build_object('unit', p.unit, 'state', p.state, 'zip', p.zip, 'dog', p.dog, 'parking', p.parking, 'noGo', p.no_go,
        'notes', p.notes, 'hasGateCode', p.gate_code_cipher is not null, 'hasPin', p.latitude is not null) as place,
      jsonb_build_object('status', j.status, 'instructions', j.instructions,
        'recurring', exists (select 1 from job_lines l where l.business_id = j.business_id and l.job_id = j.id
          and l.archived_at is null and l.recurrence is not null),
        'nextDay', (select min(n.day) from visits n where n.business_id = v.business_id and n.job_id = v.job_id
          and n.status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused') and n.id <> v.id
          and n.day > coalesce(v.day, v.occurrence_on))) as job,
      jsonb_build_object('skills', coalesce(wants.skills, '{}'), 'minGapDays', coalesce(wants.gap, 0),
        'previousDay', (select max(o.day) from visits o where o.business_id = v.business_id and o.job_id = v.job_id and o.id <> v.id
          and (v.day is null or o.day < v.day) and ${comes(today)}),
        'nextDay', (select min(o.day) from visits o where o.business_id = v.business_id and o.job_id = v.job_id and o.id <> v.id
          and o.day > v.day and ${comes(today)}),
        'sameWork', ${sameWorkBetween(today, addDays(today, -60), addDays(today, 180))}) as needs,
      case when w.id is null then null else jsonb_build_object('id', w.id, 'name', w.name, 'color', w.color, 'people', greatest(1,
        (select count(*) from ${crewPresent(db, sql.ref('w.id'), sql`coalesce(v.day, v.occurrence_on)`)} t))) end as crew,
      case when r.id is null then 'no' when r.dirty then 'changed' else 'yes' end as sent,
      v.planned_start_minute as "plannedStartMinute", c.phone, c.email, nv.day as "rebookedDay",
      case when o.id is null then null else jsonb_build_object('id', o.id, 'day', o.day) end as "rebookedFrom",
      (j.status in ('completed', 'canceled') or j.archived_at is not null) as "jobEnded", ${elsewhere('v')} as elsewhere
    from visits v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    left join crews w on w.business_id = v.business_id and w.id = v.crew_id
    left join routes r on r.business_id = v.business_id and r.day = v.day and r.crew_id = v.crew_id and r.status <> 'planned'
    left join visits nv on nv.business_id = v.business_id and nv.id = ${rebookedAs('v')}
    left join visits o on o.business_id = v.business_id and o.id = v.rebooked_from
    left join lateral (
      select array_agg(distinct tag) filter (where tag is not null) as skills,
        ${leastGap} as gap
      from visit_lines l
      join services s on s.business_id = l.business_id and s.id = l.service_id
      left join job_lines jl on jl.business_id = l.business_id and jl.id = l.job_line_id
      left join lateral unnest(s.skills) as tag on true
      where l.business_id = v.business_id and l.visit_id = v.id) wants on true
    where v.business_id = ${db.businessId} and v.id = ${visitId}`.execute(db)
  return rows[0] as Facts
}

type Around = Pick<Visit, 'id' | 'customerId' | 'day' | 'occurrenceOn' | 'invoiceId'>

/** What was written with the customer about the visit: its own messages, its invoice's, and those of the days around it. */
export const messagesOf = async (db: TenantDb, actor: Actor, visit: Around): Promise<Visit['messages']> => {
  if (!hasPermission(actor, 'customers')) return null
  const zone = await timeZoneOf(db)
  const day = visit.day ?? visit.occurrenceOn
  const { rows } = await sql<NonNullable<Visit['messages']>[number]>`
    select m.id, m.channel, m.direction, coalesce(nullif(m.subject, ''), left(m.body_text, 240)) as text, m.status, m.reason,
      m.run_after as "runAfter", m.created_at as at
    from (
      (select * from messages where business_id = ${db.businessId} and entity_type = 'visit' and entity_id = ${visit.id}
        order by created_at desc limit ${mostMessages})
      union
      (select * from messages where business_id = ${db.businessId} and entity_type = 'invoice' and entity_id = ${visit.invoiceId}
        order by created_at desc limit ${mostMessages})
      union
      (select * from messages where business_id = ${db.businessId} and customer_id = ${visit.customerId}
        and created_at >= ${instantAt(addDays(day, -1), 0, zone)} and created_at < ${instantAt(addDays(day, 2), 0, zone)}
        order by created_at desc limit ${mostMessages})) m
    order by m.created_at desc, m.id desc limit ${mostMessages}`.execute(db)
  return rows
}

type Line = Deed & { id: string; at: string; by: string | null; fromPhone: boolean }

/** Who did what when, the newest first: the office, and the crew by phone. */
export const historyOf = async (db: TenantDb, visitId: string): Promise<Visit['history']> => {
  const { rows } = await sql<Line>`
    select h.*, u.name as by, f.name as "fromCrew", t.name as "toCrew", o.day as "otherDay" from (
      (select a.id, a.at, a.actor_id as "userId", false as "fromPhone", a.action, a.before->>'day' as "fromDay", a.after->>'day' as "toDay",
        a.before->>'crewId' as "fromCrewId", a.after->>'crewId' as "toCrewId", nullif(a.after->>'reason', '') as reason,
        a.after->>'undone' as undone, a.after->>'visitId' as "otherId"
      from audit_log a where a.business_id = ${db.businessId} and a.entity_type = 'visit' and a.entity_id = ${visitId}
      order by a.at desc, a.id desc limit ${most})
      union all
      (select k.id, k.happened_at, k.user_id, true, k.type, null, null, null, null,
        case when k.type = 'sell' then (select s.name from services s where s.business_id = k.business_id and s.id::text = k.payload->>'serviceId')
          else k.payload->>'reason' end, null, null
      from crew_commands k where k.business_id = ${db.businessId} and k.visit_id = ${visitId} and k.result = 'applied'
        and k.reason is null and k.type <> 'check'
      order by k.happened_at desc, k.id desc limit ${most})) h
    left join users u on u.business_id = ${db.businessId} and u.id = h."userId"
    left join crews f on f.business_id = ${db.businessId} and f.id = h."fromCrewId"::uuid
    left join crews t on t.business_id = ${db.businessId} and t.id = h."toCrewId"::uuid
    left join visits o on o.business_id = ${db.businessId} and o.id = h."otherId"::uuid
    order by h.at desc, h.id desc limit ${most}`.execute(db)
  return rows.map(({ id, at, by, fromPhone, ...deed }) => ({
    id,
    at,
    by,
    fromPhone,
    text: fromPhone ? tapLabel(deed.action, deed.reason) : deedLabel(deed),
  }))
}
