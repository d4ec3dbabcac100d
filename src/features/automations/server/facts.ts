import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, dayOf } from '../../../shared/dates.ts'
import type { SkipReason } from '../../businesses/reasons/rules.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { kinds } from '../kinds/rules.ts'
import { goneWords } from '../rules.ts'
import type { AutomationRow } from './rows.ts'

/** What begins an automation: one selection for what leaves, for the last look before it leaves, and for the dry run. */

export type Begun = {
  subjectId: string
  customerId: string
  propertyId: string | null
  occurrence: string
  dueAt: string
  /** How often the same was begun before: it is told of a day once more where another day was told since. */
  round: number
}

/** A span of instants in which something is due, the first left out and the last in it. */
export type Span = { from: string; to: string }

type Within = {
  /** Instants between which it happened or happens, somewhat wider than asked. */
  from: string
  to: string
  fromDay: string
  toDay: string
  timeZone: string
  /** What was due in the past may have come to pass since: a visit that was scheduled then is done. */
  past: boolean
}

type Facts = (db: TenantDb, automation: AutomationRow, within: Within) => RawBuilder<unknown>

const dayMs = 86_400_000
/** A phone without a signal may say days later that a visit was done; and a crew may do it days before its day. */
const lateDays = 14
const earlyDays = 7

const ofVisits = (
  db: TenantDb,
  automation: AutomationRow,
  { from, to, fromDay, toDay }: Within,
  which: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`
    select v.id as subject_id, v.customer_id, v.property_id, ''::text as occurrence, v.finished_at as fact_at
    from visits v
    where v.business_id = ${db.businessId} and ${which}
      and v.day between ${addDays(fromDay, -lateDays)} and ${addDays(toDay, earlyDays)}
      and v.finished_at > ${from} and v.finished_at <= ${to} ${withServices(automation)}`

/** Reasons with which nobody has to be told that it could not be done: they asked for it, or there was nothing to do. */
const noNews: readonly SkipReason[] = ['customer_asked', 'not_needed']

/**
 * Of a visit `v` that was skipped: that its customer does not know, and it is so. Somebody of the business skipped it, on its own day; not by a
 * rain push, which tells of it; and no other day was booked for it until this would leave.
 */
const isSurprise = (db: TenantDb, { delay }: AutomationRow, { past, timeZone }: Within) => sql`
  v.status = 'skipped' and v.finished_by is not null and v.day = (v.finished_at at time zone ${timeZone})::date
    and coalesce(v.skip_reason, '') <> all(${[...noNews]}::text[])
    and not exists (select 1 from route_changes r where r.business_id = ${db.businessId} and r.undone_at is null
      and r.day between v.day - ${farthestPush}::int and v.day + ${farthestPush}::int and r.effects->'skipped' @> to_jsonb(v.id::text))
    and not exists (select 1 from visits o where o.business_id = v.business_id and o.rebooked_from = v.id
      and o.status not in ('skipped', 'missed', 'canceled')
      ${past ? sql`and o.created_at <= v.finished_at + make_interval(hours => ${delay}::int)` : sql``})`
/** Days around a visit on which the push that skipped it was made. */
const farthestPush = 14

/** Of a visit `v`: what it is of. */
const withServices = ({ conditions: { serviceIds } }: AutomationRow) =>
  serviceIds.length === 0
    ? sql``
    : sql`and exists (select 1 from visit_lines l
        where l.business_id = v.business_id and l.visit_id = v.id and l.service_id = any(${serviceIds}::uuid[]))`

/** Of a job `j`: what it is of. */
const withJobServices = ({ conditions: { serviceIds } }: AutomationRow) =>
  serviceIds.length === 0
    ? sql``
    : sql`and exists (select 1 from job_lines l
        where l.business_id = j.business_id and l.job_id = j.id and l.service_id = any(${serviceIds}::uuid[]))`

/**
 * New work with a first visit ahead, of which nothing was done yet; what goes on from a season before, was made for many at once, came with an
 * import, or was booked on the page, which says so itself, is no news.
 */
const bookedAt = (
  db: TenantDb,
  automation: AutomationRow,
  { from, to, past, timeZone }: Within,
  when: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  // a sum of its own: a zone that is asked of it holds for all of it, not for the hours alone
  const due = sql`(${when} + make_interval(hours => ${automation.delay}::int))`
  return sql`
    select j.id as subject_id, j.customer_id, j.property_id, ''::text as occurrence, ${when} as fact_at
    from jobs j
    where j.business_id = ${db.businessId} and j.import_id is null and ${when} > ${from} and ${when} <= ${to} ${which}
      and j.status in ('active', 'paused') and j.archived_at is null and j.batch_id is null ${withJobServices(automation)}
      and not exists (select 1 from jobs o where o.business_id = j.business_id and o.renewed_as = j.id)
      and not exists (select 1 from page_bookings b where b.business_id = j.business_id and b.job_id = j.id)
      and exists (select 1 from visits v where v.business_id = j.business_id and v.job_id = j.id and ${
        past
          ? sql`v.day >= (${due} at time zone ${timeZone})::date and v.status in ('scheduled', 'en_route', 'in_progress', 'paused', 'completed')`
          : sql`v.day >= ${dayOf(clock.now(), timeZone)} and v.status = 'scheduled'`
      })
      and not exists (select 1 from visits v where v.business_id = j.business_id and v.job_id = j.id and ${
        past
          ? sql`v.status = 'completed' and v.finished_at <= ${due}`
          : sql`v.status in ('en_route', 'in_progress', 'paused', 'completed')`
      })`
}

const facts: Record<AutomationRow['kind'], Facts> = {
  visit_done: (db, automation, within) => ofVisits(db, automation, within, sql`v.status = 'completed'`),
  visit_skipped: (db, automation, within) => ofVisits(db, automation, within, isSurprise(db, automation, within)),
  // made as work, or a draft until then
  visit_booked: (db, automation, within) => sql`
    ${bookedAt(db, automation, within, sql`j.created_at`, sql`and j.activated_at is null`)}
    union all ${bookedAt(db, automation, within, sql`j.activated_at`, sql``)}`,
  treatment_coming: (db, automation, { fromDay, toDay, past, timeZone }) => sql`
    select v.id as subject_id, v.customer_id, v.property_id, v.day::text as occurrence,
      v.day::timestamp at time zone ${timeZone} as fact_at
    from visits v join jobs j on j.business_id = v.business_id and j.id = v.job_id
    where v.business_id = ${db.businessId} and v.day between ${fromDay} and ${toDay} and j.program_id is not null
      and v.status in (${past ? sql`'scheduled', 'en_route', 'in_progress', 'paused', 'completed'` : sql`'scheduled'`})
      and v.day > ${past ? '2000-01-01' : dayOf(clock.now(), timeZone)} ${withServices(automation)}`,
  quote_viewed: (db, { delay }, { from, to, past, timeZone }) => {
    const due = sql`q.viewed_at + make_interval(hours => ${delay}::int)`
    // a follow-up of the quote says much the same: not a day before the next one, and not after one since
    const nextFollowUp = past
      ? sql`true`
      : sql`(q.follow_on is null or q.follow_on > ${addDays(dayOf(clock.now(), timeZone), 1)})`
    return sql`
    select q.id as subject_id, q.customer_id, q.property_id, ''::text as occurrence, q.viewed_at as fact_at
    from quotes q
    where q.business_id = ${db.businessId} and q.viewed_at > ${from} and q.viewed_at <= ${to} and ${nextFollowUp}
      and ${past ? sql`(q.answered_at is null or q.answered_at > ${due})` : sql`q.status = 'viewed'`}
      and not exists (select 1 from renewals w where w.business_id = q.business_id and w.quote_id = q.id)
      and not exists (select 1 from messages m where m.business_id = q.business_id and m.customer_id = q.customer_id
        and m.created_at > q.sent_at and ${past ? sql`m.created_at <= ${due}` : sql`true`}
        and ((m.direction = 'inbound' and m.reason is null) or
          (m.created_at > q.viewed_at and m.entity_type = 'quote' and m.entity_id = q.id and m.dedupe_key like 'quote:%:follow:%')))
      and not exists (select 1 from customer_calls k where k.business_id = q.business_id and k.customer_id = q.customer_id
        and k.at > q.sent_at and ${past ? sql`k.at <= ${due}` : sql`true`} and (k.outcome = 'talked' or k.direction = 'in'))`
  },
  quote_approved: (db, _, { from, to }) => sql`
    select q.id as subject_id, q.customer_id, q.property_id, ''::text as occurrence, q.approved_at as fact_at
    from quotes q
    where q.business_id = ${db.businessId} and q.approved_at > ${from} and q.approved_at <= ${to}
      and q.status in ('approved', 'converted')
      and not exists (select 1 from renewals w where w.business_id = q.business_id and w.quote_id = q.id)`,
  win_back: (db, automation, { from, to }) => sql`
    select j.id as subject_id, j.customer_id, j.property_id, ''::text as occurrence, j.canceled_at as fact_at
    from jobs j
    where j.business_id = ${db.businessId} and j.canceled_at > ${from} and j.canceled_at <= ${to}
      and j.status = 'canceled' ${withJobServices(automation)}
      and exists (select 1 from visits v
        where v.business_id = j.business_id and v.customer_id = j.customer_id and v.status = 'completed')
      and not exists (select 1 from jobs o where o.business_id = j.business_id and o.customer_id = j.customer_id
        and o.status in ('active', 'paused') and o.archived_at is null)`,
  dormant: (db, automation, { from, to, fromDay, toDay }) => sql`
    select v.id as subject_id, v.customer_id, v.property_id, ''::text as occurrence, v.finished_at as fact_at
    from visits v
    where v.business_id = ${db.businessId} and v.status = 'completed'
      and v.day between ${addDays(fromDay, -lateDays)} and ${addDays(toDay, earlyDays)}
      and v.finished_at > ${from} and v.finished_at <= ${to} ${withServices(automation)}
      and not exists (select 1 from visits o where o.business_id = v.business_id and o.customer_id = v.customer_id
        and (o.day is null or (o.day, o.id) > (v.day, v.id)) and o.status not in ('canceled', 'skipped', 'missed'))
      and not exists (select 1 from jobs o where o.business_id = v.business_id and o.customer_id = v.customer_id
        and o.status in ('active', 'paused') and o.archived_at is null
        and exists (select 1 from job_lines l where l.business_id = o.business_id and l.job_id = o.id
          and l.recurrence is not null and l.archived_at is null))`,
  upsell: (db, { startsOn, conditions }, { fromDay, toDay, timeZone }) => sql`
    select c.id as subject_id, c.id as customer_id, null::uuid as property_id, to_char(y.day, 'YYYY') as occurrence,
      y.day::timestamp at time zone ${timeZone} as fact_at
    from unnest(${yearlyDays(startsOn, fromDay, toDay)}::date[]) as y(day)
    join customers c on c.business_id = ${db.businessId} and c.archived_at is null and c.created_at < y.day + 1
    where not exists (select 1 from visits v
      join visit_lines l on l.business_id = v.business_id and l.visit_id = v.id
      where v.business_id = c.business_id and v.customer_id = c.id and v.status not in ('canceled', 'skipped', 'missed')
        and coalesce(v.day, v.occurrence_on) between date_trunc('year', y.day::timestamp)::date and (date_trunc('year', y.day::timestamp) + interval '1 year - 1 day')::date
        and l.service_id = any(${conditions.serviceIds}::uuid[]))`,
}

/** The days between two on which a yearly offer begins. */
const yearlyDays = (startsOn: string | null, fromDay: string, toDay: string): string[] =>
  startsOn === null
    ? []
    : Array.from(
        { length: Number(toDay.slice(0, 4)) - Number(fromDay.slice(0, 4)) + 1 },
        (_, n) => `${Number(fromDay.slice(0, 4)) + n}-${startsOn}`,
      ).filter((day) => day >= fromDay && day <= toDay)

/** When something is due that happened at `f.fact_at`. */
const dueAt = ({ kind, delay, atMinute }: AutomationRow, timeZone: string): RawBuilder<string> => {
  const { timing } = kinds[kind]
  if (timing === 'hours') return sql<string>`f.fact_at + make_interval(hours => ${delay}::int)`
  const days = timing === 'before' ? -delay : delay
  return sql<string>`((f.fact_at at time zone ${timeZone})::date + ${days}::int + make_interval(mins => ${atMinute ?? 0}::int)) at time zone ${timeZone}`
}

/** Whom it is for, of what began it `f` and its customer `c`. */
const conditionsOf = (db: TenantDb, { kind, conditions }: AutomationRow): RawBuilder<SqlBool> => {
  const { tags, cities, stages, balance, leastLawnSquareFeet } = conditions
  const there = sql`p.business_id = ${db.businessId} and p.customer_id = f.customer_id and p.archived_at is null
    and (f.property_id is null or p.id = f.property_id)`
  const owes = sql`coalesce((select b.balance_cents from customer_balances b
    where b.business_id = ${db.businessId} and b.customer_id = f.customer_id), 0)`
  const all = [
    sql`c.archived_at is null`,
    ...(tags.length > 0 ? [sql`c.tags && ${tags}::text[]`] : []),
    ...(stages.length > 0 ? [sql`c.stage = any(${stages}::text[])`] : []),
    ...(balance === 'owes' ? [sql`${owes} > 0`] : balance === 'none' ? [sql`${owes} <= 0`] : []),
    ...(cities.length > 0
      ? [
          sql`exists (select 1 from properties p where ${there} and lower(p.city) = any(${cities.map((city) => city.toLowerCase())}::text[]))`,
        ]
      : []),
    ...(kind === 'upsell' && leastLawnSquareFeet !== null
      ? [sql`exists (select 1 from properties p where ${there} and p.lawn_square_feet >= ${leastLawnSquareFeet})`]
      : []),
  ]
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}

const withinOf = ({ kind, delay }: AutomationRow, { from, to }: Span, timeZone: string, past: boolean): Within => {
  const { timing } = kinds[kind]
  const backMs = timing === 'hours' ? delay * 3_600_000 : timing === 'before' ? -delay * dayMs : delay * dayMs
  // days are counted on the calendar: a day more on both sides, and the exact instant decides
  const widerMs = timing === 'hours' ? 0 : dayMs
  const [first, last] = [Date.parse(from) - backMs - widerMs, Date.parse(to) - backMs + widerMs]
  return {
    from: new Date(first).toISOString(),
    to: new Date(last).toISOString(),
    fromDay: dayOf(first, timeZone),
    toDay: dayOf(last, timeZone),
    timeZone,
    past,
  }
}

type Ask = {
  /** Only what has no run yet. */
  fresh: boolean
  past: boolean
  limit: number
  subjectIds?: readonly string[]
  /** Only what comes after this one. */
  after?: Pick<Begun, 'dueAt' | 'subjectId'> | undefined
  /** Nothing that happened before counts: when the automation was switched on. */
  since?: string | null
  newestFirst?: boolean
}

/** Said once, until what it was about changed and is as it was again, or another day was told since. */
const saidOnce = (db: TenantDb, { id }: AutomationRow) => sql`and not exists (select 1 from automation_runs r
  where r.business_id = ${db.businessId} and r.automation_id = ${id} and r.subject_id = f.subject_id and r.occurrence = f.occurrence
    and not (r.status = 'canceled' and r.reason = ${goneWords})
    and not exists (select 1 from automation_runs n where n.business_id = r.business_id and n.automation_id = r.automation_id
      and n.subject_id = r.subject_id and n.occurrence <> r.occurrence and n.status = 'sent' and n.id > r.id))`

/** What is due of an automation in a span, the first first. */
export const listBegun = async (
  db: TenantDb,
  automation: AutomationRow,
  span: Span,
  { fresh, past, limit, subjectIds, after, since = null, newestFirst = false }: Ask,
): Promise<Begun[]> => {
  const timeZone = await timeZoneOf(db)
  const within = withinOf(automation, span, timeZone, past)
  // of what is on the calendar, what is due later than it was switched on is new
  const isAhead = ['before', 'yearly'].includes(kinds[automation.kind].timing)
  const { rows } = await sql<Begun>`
    select f.subject_id, f.customer_id, f.property_id, f.occurrence, d.due_at,
      (select count(*)::int from automation_runs r where r.business_id = ${db.businessId} and r.automation_id = ${automation.id}
        and r.subject_id = f.subject_id and r.occurrence = f.occurrence) as round
    from (${facts[automation.kind](db, automation, within)}) f
    cross join lateral (select date_trunc('milliseconds', ${dueAt(automation, timeZone)}) as due_at) d
    join customers c on c.business_id = ${db.businessId} and c.id = f.customer_id
    where d.due_at > ${span.from} and d.due_at <= ${span.to}
      ${since === null ? sql`` : isAhead ? sql`and d.due_at >= ${since}` : sql`and f.fact_at >= ${since}`}
      ${subjectIds === undefined ? sql`` : sql`and f.subject_id = any(${[...subjectIds]}::uuid[])`}
      ${after === undefined ? sql`` : sql`and (d.due_at, f.subject_id) > (${after.dueAt}::timestamptz, ${after.subjectId}::uuid)`}
      ${fresh ? saidOnce(db, automation) : sql``}
      ${
        automation.kind === 'treatment_coming' && !past
          ? // whoever was told of this day by a notice of the move, when this would have said it or later, knows
            sql`and not exists (select 1 from visit_tellings t where t.business_id = ${db.businessId} and t.visit_id = f.subject_id
              and t.told_day = f.occurrence::date and t.moved_at >= d.due_at)`
          : sql``
      }
      and ${conditionsOf(db, automation)}
    order by d.due_at ${newestFirst ? sql`desc` : sql`asc`}, f.subject_id
    limit ${limit}`.execute(db)
  return rows
}

type Beginning = { subjectId: string; occurrence: string; dueAt: string }
const keyOf = ({ subjectId, occurrence }: Pick<Beginning, 'subjectId' | 'occurrence'>): string =>
  `${subjectId} ${occurrence}`
/** A subject comes back in a span of two years at most so often. */
const mostTimes = 4

/** Which of the things that began runs still stand, as they would leave now. */
export const listStanding = async <T extends Beginning>(
  db: TenantDb,
  automation: AutomationRow,
  runs: readonly T[],
): Promise<T[]> => {
  if (runs.length === 0) return []
  const dues = runs.map(({ dueAt: at }) => Date.parse(at))
  // its delay may have been changed since: anything of the same subject and time of the year stands
  const span = {
    from: new Date(Math.min(...dues) - 400 * dayMs).toISOString(),
    to: new Date(Math.max(...dues) + 400 * dayMs).toISOString(),
  }
  const found = await listBegun(db, automation, span, {
    fresh: false,
    past: false,
    limit: runs.length * mostTimes,
    subjectIds: [...new Set(runs.map(({ subjectId }) => subjectId))],
  })
  const standing = new Set(found.map(keyOf))
  return runs.filter((run) => standing.has(keyOf(run)))
}

/** Whether what began a message still stands, as it would leave now. */
export const stillStands = async (db: TenantDb, automation: AutomationRow, run: Beginning): Promise<boolean> =>
  (await listStanding(db, automation, [run])).length > 0
