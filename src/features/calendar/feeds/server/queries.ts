import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { absoluteUrl, findLink, linkTokenOf } from '../../../../platform/links.ts'
import { canOf } from '../../../../shared/can.ts'
import { addDays, dayOf } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import { shortName } from '../../../visits/rules.ts'
import { type CalendarFeed, calendarFeedsApi } from '../contract.ts'
import { feedDays, feedRefusals } from '../rules.ts'
import { type FeedEvent, type FeedVisit, icsOf } from './file.ts'

const rows = (db: TenantDb) =>
  db
    .selectFrom('calendarFeeds as f')
    .leftJoin('crews as w', (x) => x.onRef('w.businessId', '=', 'f.businessId').onRef('w.id', '=', 'f.crewId'))
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'f.businessId').onRef('u.id', '=', 'f.userId'))
    .where('f.businessId', '=', db.businessId)
    .select(['f.id', 'f.crewId', 'f.userId', 'f.createdAt', 'f.revokedAt', 'w.name as crewName', 'u.name as userName'])

/** The addresses that are in use, each made again from the key: only its hash is stored. */
export const listFeeds = async (db: TenantDb, actor: Actor, id?: string): Promise<CalendarFeed[]> => {
  const all = rows(db).where('f.revokedAt', 'is', null)
  const found = await (id ? all.where('f.id', '=', id) : all)
    .orderBy('f.createdAt')
    .orderBy('f.id')
    .limit(500)
    .execute()
  return found.map(({ crewName, userName, revokedAt, ...row }) => ({
    ...row,
    name: crewName ?? userName ?? '',
    url: absoluteUrl(`/api/ics/${linkTokenOf(db, 'calendar', row.id)}`),
    can: canOf(actor, { revoke: calendarFeedsApi.revoke }, feedRefusals, { revokedAt }),
  }))
}

/** One feed that is in use. @throws AppError not_found */
export const getFeed = async (db: TenantDb, actor: Actor, id: string): Promise<CalendarFeed> => {
  const [feed] = await listFeeds(db, actor, id)
  if (!feed) throw notFound('feed')
  return feed
}

const visitsOf = async (
  db: TenantDb,
  of: { crewId: string | null; userId: string | null },
  from: string,
  to: string,
) => {
  const mine = of.crewId
    ? sql`v.crew_id = ${of.crewId}`
    : // Who is off that day is not on the crew then.
      sql`exists (select 1 from crew_members m where m.business_id = v.business_id and m.crew_id = v.crew_id and m.user_id = ${of.userId}
        and m.valid_from <= v.day and (m.valid_to is null or m.valid_to >= v.day))
        and exists (select 1 from ${crewPresent(db, sql.ref('v.crew_id'), sql.ref('v.day'))} t where t.user_id = ${of.userId})`
  const { rows: found } = await sql<Omit<FeedVisit, 'customer'> & { name: string; company: string | null }>`
    select v.id, v.day, v.planned_start_minute as "startMinute", v.budget_minutes as "budgetMinutes", j.title, p.street, p.city, p.state, p.zip,
      c.name, c.company, v.version, v.updated_at as "updatedAt",
      greatest(1, (select count(*) from ${crewPresent(db, sql.ref('v.crew_id'), sql.ref('v.day'))} t))::int as people,
      coalesce((select array_agg(s.name order by l.position, l.id) from visit_lines l
        join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id), '{}') as services
    from visits v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    where v.business_id = ${db.businessId} and v.day between ${from} and ${to}
      and v.status not in ('canceled', 'skipped', 'missed', 'unscheduled') and ${mine}
    order by v.day, v.position, v.id limit 5000`.execute(db)
  return found.map(({ name, company, ...visit }) => ({ ...visit, customer: shortName(name, company) }))
}

const eventsOf = async (
  db: TenantDb,
  of: { crewId: string | null; userId: string | null },
  from: string,
  to: string,
) => {
  // A person's time off is in the person's own feed alone; what is for everybody, or for the crew, is in all of theirs.
  const mine = of.crewId
    ? sql`e.user_id is null and (e.crew_id is null or e.crew_id = ${of.crewId})`
    : sql`(e.user_id = ${of.userId} or e.user_id is null and (e.crew_id is null or exists (select 1 from crew_members m
        where m.business_id = e.business_id and m.crew_id = e.crew_id and m.user_id = ${of.userId}
          and m.valid_from <= e.last_day and (m.valid_to is null or m.valid_to >= e.first_day))))`
  const { rows: found } = await sql<FeedEvent>`
    select e.id, e.title, e.first_day as "firstDay", e.last_day as "lastDay", e.start_minute as "startMinute", e.end_minute as "endMinute",
      e.version, e.updated_at as "updatedAt"
    from calendar_events e
    where e.business_id = ${db.businessId} and e.deleted_at is null and e.first_day between ${addDays(from, -92)} and ${to}
      and e.last_day >= ${from} and ${mine}
    order by e.first_day, e.id limit 2000`.execute(db)
  return found
}

/** The file behind a token. @throws AppError not_found when it is unknown, revoked, or its crew or person is gone */
export const readFeed = async (token: string): Promise<string> => {
  const link = await findLink('calendar', token.replace(/\.ics$/, ''))
  if (!link) throw notFound('calendar')
  return withTenant({ businessId: link.businessId }, async (db) => {
    const feed = await rows(db)
      .where('f.id', '=', link.entityId)
      .where('f.revokedAt', 'is', null)
      .where('w.archivedAt', 'is', null)
      .where((eb) => eb.or([eb('u.id', 'is', null), eb('u.status', '<>', 'disabled')]))
      .executeTakeFirst()
    if (!feed) throw notFound('calendar')
    const timeZone = await timeZoneOf(db)
    const today = dayOf(clock.now(), timeZone)
    const [from, to] = [addDays(today, -feedDays.back), addDays(today, feedDays.ahead)]
    return icsOf({
      name: `${feed.crewName ?? feed.userName ?? ''} (Swath)`,
      timeZone,
      visits: await visitsOf(db, feed, from, to),
      events: await eventsOf(db, feed, from, to),
    })
  })
}
