import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, daysBetween, formatDay, minuteOfDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { type DocumentKind, documentLabel, documentWarningDays } from '../../../employees/documents/rules.ts'
import { licenseWarningDays } from '../../../employees/staffing/rules.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import { licenseRefusal } from '../../../visits/days/rules.ts'
import { getWorkCalendar } from '../../../visits/server/queries.ts'
import type { Need } from '../../contract.ts'

/** What the days ahead lack: people, licenses, an open day, a plan that was sent. */

const visitsLabel = (count: number): string => (count === 1 ? '1 visit' : `${count} visits`)

const whenLabel = (day: Day, today: Day): string =>
  day === today ? 'today' : day === addDays(today, 1) ? 'tomorrow' : formatDay(day)

const open = (label: string, path: string) => ({
  amountCents: null,
  path,
  action: { kind: 'open', label, path } as const,
})

/** Crews with stops on a day on which all their people are away, or on other crews. */
const nobodyAtWork = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const { rows } = await sql<{ day: Day; crewId: string; name: string; stops: number }>`
    select v.day, v.crew_id as "crewId", c.name, count(*)::int as stops
    from visits v join crews c on c.business_id = v.business_id and c.id = v.crew_id
    where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.day between ${today} and ${addDays(today, 3)}
      and exists (select 1 from crew_members m where m.business_id = v.business_id and m.crew_id = v.crew_id)
      and not exists (select 1 from ${crewPresent(db, sql.ref('v.crew_id'), sql.ref('v.day'))} p)
    group by v.day, v.crew_id, c.name order by v.day, c.name limit 20`.execute(db)
  return rows.map(({ day, crewId, name, stops }) => ({
    id: `nobody:${crewId}:${day}`,
    kind: 'nobody',
    badge: 'Nobody there',
    tone: 'late',
    title: `Nobody of ${name} is at work`,
    detail: `${whenLabel(day, today)}, ${visitsLabel(stops)}`,
    ...open('Find a stand-in', linkTo.calendarDay(day, { standIn: crewId })),
  }))
}

/** Documents of people that end soon or ended lately, as long as no later one of the same person is of the same kind and name. */
const endingDocuments = async (db: TenantDb, actor: Actor, today: Day): Promise<Need[]> => {
  if (!hasPermission(actor, 'team')) return []
  type Row = { id: string; userId: string; person: string; kind: DocumentKind; name: string; expiresOn: Day }
  const { rows } = await sql<Row>`
    select d.id, d.user_id as "userId", u.name as person, d.kind, d.name, d.expires_on as "expiresOn"
    from person_documents d join users u on u.business_id = d.business_id and u.id = d.user_id
    where d.business_id = ${db.businessId} and d.removed_at is null and u.status <> 'disabled'
      and d.expires_on between ${addDays(today, -documentWarningDays)} and ${addDays(today, documentWarningDays)}
      and not exists (select 1 from person_documents n where n.business_id = d.business_id and n.user_id = d.user_id and n.removed_at is null
        and n.kind = d.kind and lower(btrim(n.name)) = lower(btrim(d.name)) and n.expires_on > d.expires_on)
    order by d.expires_on, d.id limit 20`.execute(db)
  return rows.map(({ id, userId, person, kind, name, expiresOn }) => ({
    id: `document:${id}`,
    kind: 'license',
    badge: 'Document',
    tone: expiresOn < today ? 'late' : 'wait',
    title: `${person}: ${name || documentLabel[kind]} ${expiresOn < today ? 'has expired' : 'expires'}`,
    detail: expiresOn === today ? 'today is its last day' : `on ${formatDay(expiresOn)}`,
    ...open('Renew it', linkTo.person(userId)),
  }))
}

/** Licenses that end soon or ended lately, as long as no later one of the same person stands for the same skill. */
const endingLicenses = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const { rows } = await sql<{ id: string; userId: string; name: string; skill: string; expiresOn: Day }>`
    select l.id, l.user_id as "userId", u.name, l.skill, l.expires_on as "expiresOn"
    from licenses l join users u on u.business_id = l.business_id and u.id = l.user_id
    where l.business_id = ${db.businessId} and l.deleted_at is null and u.status <> 'disabled'
      and l.expires_on between ${addDays(today, -licenseWarningDays)} and ${addDays(today, licenseWarningDays)}
      and not exists (select 1 from licenses n where n.business_id = l.business_id and n.user_id = l.user_id and n.deleted_at is null
        and lower(btrim(n.skill)) = lower(btrim(l.skill)) and n.expires_on > l.expires_on)
    order by l.expires_on, l.id limit 20`.execute(db)
  return rows.map(({ id, userId, name, skill, expiresOn }) => {
    const left = daysBetween(today, expiresOn)
    return {
      id: `license:${id}`,
      kind: 'license',
      badge: 'License',
      tone: left < 0 ? 'late' : 'wait',
      title: `${name}: license for “${skill}” ${left < 0 ? 'has expired' : 'expires'}`,
      detail:
        left < 0
          ? `on ${formatDay(expiresOn)}`
          : left === 0
            ? 'today is its last day'
            : `${formatDay(expiresOn)}, in ${left === 1 ? '1 day' : `${left} days`}`,
      ...open('Renew it', linkTo.person(userId)),
    }
  })
}

type Booked = { day: Day; crewId: string; name: string; skills: string[]; visits: number }

/** Work that needs a license, on a crew and day without a valid one; and work on a holiday or on a crew's day off. */
const misplaced = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const calendar = await getWorkCalendar(db)
  const last = addDays(today, 21)
  const { rows } = await sql<Booked>`
    select v.day, v.crew_id as "crewId", coalesce(c.name, '') as name, coalesce(needs.skills, '{}') as skills, count(*)::int as visits
    from visits v
    left join crews c on c.business_id = v.business_id and c.id = v.crew_id
    left join lateral (select array_agg(distinct tag order by tag) as skills from visit_lines l
      join services s on s.business_id = l.business_id and s.id = l.service_id cross join unnest(s.skills) as tag
      where l.business_id = v.business_id and l.visit_id = v.id) needs on true
    where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.day between ${today} and ${last}
      and (v.day = any(${sql.val([...calendar.holidays])}::date[])
        or exists (select 1 from crew_days_off o where o.business_id = v.business_id and o.crew_id = v.crew_id and o.day = v.day)
        or needs.skills is not null)
    group by v.day, v.crew_id, c.name, needs.skills order by v.day`.execute(db)
  const unlicensed = new Map<string, Booked>()
  const closed = new Map<Day, number>()
  for (const row of rows) {
    const crew = calendar.crews.find((one) => one.id === row.crewId)
    const off = calendar.holidays.includes(row.day) || crew?.daysOff.some((one) => one.day === row.day)
    if (off) closed.set(row.day, (closed.get(row.day) ?? 0) + row.visits)
    else if (licenseRefusal(calendar, row.skills, row.day, row.crewId)) {
      const before = unlicensed.get(row.crewId)
      unlicensed.set(row.crewId, before ? { ...before, visits: before.visits + row.visits } : row)
    }
  }
  return [
    ...[...unlicensed.values()].map(
      ({ crewId, name, day, visits }): Need => ({
        id: `unlicensed:${crewId}`,
        kind: 'license',
        badge: 'License',
        tone: 'late',
        title: `${name} has no valid license for ${visitsLabel(visits)}`,
        detail: `from ${whenLabel(day, today)}`,
        ...open('Look', linkTo.calendarDay(day, { standIn: crewId })),
      }),
    ),
    ...[...closed].map(
      ([day, visits]): Need => ({
        id: `closed:${day}`,
        kind: 'dayOff',
        badge: 'Day off',
        tone: 'wait',
        title: `${visitsLabel(visits)} on a day off`,
        detail: formatDay(day),
        ...open('Move', linkTo.calendarDay(day)),
      }),
    ),
  ]
}

/** From this minute of the day on tomorrow's plan should have been sent. */
const sentByMinute = 12 * 60

/** Crews that were not sent what they do tomorrow. */
const unsentPlan = async (db: TenantDb, actor: Actor, today: Day): Promise<Need[]> => {
  if (minuteOfDay(clock.now(), actor.timeZone) < sentByMinute) return []
  const day = addDays(today, 1)
  const { rows } = await sql<{ name: string; stops: number; sent: boolean }>`
    select c.name, count(*)::int as stops, coalesce(r.status, 'planned') <> 'planned' as sent
    from visits v
    join crews c on c.business_id = v.business_id and c.id = v.crew_id
    left join routes r on r.business_id = v.business_id and r.crew_id = v.crew_id and r.day = v.day
    where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.day = ${day}
      and exists (select 1 from ${crewPresent(db, sql.ref('v.crew_id'), sql.ref('v.day'))} p)
    group by c.id, c.name, c.position, r.status order by c.position, c.name`.execute(db)
  const waiting = rows.filter((row) => !row.sent)
  const stops = waiting.reduce((sum, row) => sum + row.stops, 0)
  return waiting.length > 0
    ? [
        {
          id: `unsentPlan:${day}`,
          kind: 'unsentPlan',
          badge: 'Not sent',
          tone: 'wait',
          title:
            waiting.length === rows.length
              ? 'Tomorrow’s plan was sent to nobody'
              : `Tomorrow’s plan was not sent to ${waiting.map((row) => row.name).join(', ')}`,
          detail: `${formatDay(day)}, ${visitsLabel(stops)}`,
          ...open('Publish', linkTo.routeDay(day)),
        },
      ]
    : []
}

/** What the days ahead lack, for who plans them. */
export const listStaffingNeeds = async (db: TenantDb, actor: Actor, today: Day): Promise<Need[]> => [
  ...(await nobodyAtWork(db, today)),
  ...(await misplaced(db, today)),
  ...(await endingLicenses(db, today)),
  ...(await endingDocuments(db, actor, today)),
  ...(await unsentPlan(db, actor, today)),
]
