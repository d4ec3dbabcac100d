import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf, instantAt, startOfWeek } from '../../../shared/dates.ts'
import { shiftOn } from '../../employees/staffing/rules.ts'
import type { Clock, TimeEntry, timeclockApi } from '../contract.ts'
import { mealRuleOf } from '../meals/rules.ts'
import {
  clockedInSince,
  clockStateOf,
  forgottenAfterHours,
  forgottenEnd,
  isOnePair,
  offClockTaps,
  weekOf,
} from '../rules.ts'
import { listSettled } from './held.ts'

const entriesBetween = async (db: TenantDb, userId: string, from: string, to: string): Promise<TimeEntry[]> => {
  const entries = db
    .selectFrom('timeEntries')
    .select(['id', 'kind', 'startedAt', 'endedAt', 'flagged'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
  // two index ranges: as one condition with "or" it walks every entry before `to`
  const rows = await entries
    .where('startedAt', '>=', from)
    .where('startedAt', '<', to)
    .unionAll(entries.where('endedAt', 'is', null).where('startedAt', '<', from))
    .orderBy('startedAt')
    .orderBy('id')
    .execute()
  return rows
}

export const findOpenEntry = async (db: TenantDb, userId: string) => {
  const row = await db
    .selectFrom('timeEntries')
    .select(['id', 'kind', 'startedAt', 'crewId', 'userId'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** What a person was at on the clock at a moment: what had begun last, unless that is longer ago than anybody works. */
export const findSpellAt = async (db: TenantDb, userId: string, at: string) => {
  const row = await db
    .selectFrom('timeEntries')
    .select(['startedAt', 'crewId'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('startedAt', '<=', at)
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && isOnePair(row.startedAt, at) ? row : null
}

export type OpenEntry = NonNullable<Awaited<ReturnType<typeof findOpenEntry>>>

export const isForgotten = (entry: Pick<OpenEntry, 'startedAt'>, nowMs: number): boolean =>
  nowMs - Date.parse(entry.startedAt) > forgottenAfterHours * 3600_000

/** Whose clock has run for longer than anybody works. */
export const listForgotten = async (db: TenantDb): Promise<string[]> => {
  const rows = await db
    .selectFrom('timeEntries')
    .select('userId')
    .where('businessId', '=', db.businessId)
    .where('endedAt', 'is', null)
    .where('startedAt', '<', new Date(clock.nowMs() - forgottenAfterHours * 3600_000).toISOString())
    .execute()
  return rows.map(({ userId }) => userId)
}

const defaultShiftEnd = 17 * 60

type CrewShift = Parameters<typeof shiftOn>[0]

/**
 * When an entry that nobody ended probably did: the end of its crew's shift on that weekday, or the last work that its person did on the phone, also
 * after midnight.
 */
export const suggestedEnd = async (
  db: TenantDb,
  entry: Pick<OpenEntry, 'userId' | 'startedAt' | 'crewId'>,
  timeZone: string,
): Promise<string> => {
  const day = dayOf(entry.startedAt, timeZone)
  const longest = new Date(Date.parse(entry.startedAt) + forgottenAfterHours * 3600_000).toISOString()
  const { rows } = await sql<{ crew: CrewShift | null; last: string | null }>`
    select
      (select jsonb_build_object('shiftStartMinute', shift_start_minute, 'shiftEndMinute', shift_end_minute, 'breakMinutes', break_minutes,
          'weekdayShifts', weekday_shifts)
        from crews where business_id = ${db.businessId} and id = ${entry.crewId}) as crew,
      (select max(happened_at) from crew_commands where business_id = ${db.businessId} and user_id = ${entry.userId}
        and not (type = any(${sql.val([...offClockTaps])}::text[]))
        and received_at >= ${entry.startedAt} and happened_at > ${entry.startedAt} and happened_at <= ${longest}) as last`.execute(
    db,
  )
  const crew = rows[0]?.crew
  return forgottenEnd({
    startedAt: entry.startedAt,
    shiftEnd: instantAt(day, crew ? shiftOn(crew, day).shiftEndMinute : defaultShiftEnd, timeZone),
    lastCommandAt: rows[0]?.last ?? null,
    now: clock.iso(),
  })
}

const askedForDays = 7

/** What a person is asked about: a clock that still runs from another day, or one that was ended by a guess in a week that nobody has approved. */
const findForgotten = async (db: TenantDb, userId: string, open: OpenEntry | null, timeZone: string) => {
  if (open && isForgotten(open, clock.nowMs()))
    return { id: open.id, startedAt: open.startedAt, suggestedEnd: await suggestedEnd(db, open, timeZone) }
  const guessed = await db
    .selectFrom('timeEntries')
    .select(['id', 'startedAt', 'endedAt'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('flagged', '=', 'forgotten')
    .where('startedAt', '>=', new Date(clock.nowMs() - askedForDays * 86_400_000).toISOString())
    .orderBy('startedAt', 'desc')
    .executeTakeFirst()
  if (!guessed?.endedAt) return null
  const week = startOfWeek(dayOf(guessed.startedAt, timeZone))
  const { rows } = await sql<{ decided: boolean }>`
    select exists (select 1 from timesheets where business_id = ${db.businessId} and user_id = ${userId} and week = ${week} and status = 'approved')
      or exists (select 1 from payroll_weeks where business_id = ${db.businessId} and week = ${week}) as decided`.execute(
    db,
  )
  if (rows[0]?.decided) return null
  return { id: guessed.id, startedAt: guessed.startedAt, suggestedEnd: guessed.endedAt }
}

/** One person's clock: now, today and the week that a day is in. */
/** The state of the business where its law owes a meal: the phone knows the rule itself. */
const mealStateOf = async (db: TenantDb): Promise<string | null> => {
  const { state } = await db
    .selectFrom('businesses')
    .select('state')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return mealRuleOf(state) ? state : null
}

export const getClock = async (db: TenantDb, actor: Actor, week?: Day): Promise<Clock> => {
  const { timeZone } = actor
  const today = dayOf(clock.now(), timeZone)
  const from = startOfWeek(week ?? today)
  const span = (day: Day, days: number) =>
    entriesBetween(db, actor.userId, instantAt(day, 0, timeZone), instantAt(addDays(day, days), 0, timeZone))
  const [inWeek, entries, open] = [await span(from, 7), await span(today, 1), await findOpenEntry(db, actor.userId)]
  return {
    ...clockStateOf(open ? [{ ...open, endedAt: null, flagged: null }] : []),
    clockedInAt: clockedInSince(entries, today, timeZone),
    today,
    timeZone,
    serverTime: clock.iso(),
    entries: entries.filter((e) => dayOf(e.startedAt, timeZone) === today || e.endedAt === null),
    week: weekOf(inWeek, from, timeZone, clock.nowMs()),
    forgotten: await findForgotten(db, actor.userId, open, timeZone),
    settled: await listSettled(db, actor.userId),
    mealState: await mealStateOf(db),
  }
}

type Filter = z.output<typeof timeclockApi.entries.query>

/** Entries of a span of days; without the payroll permission only one's own. */
export const listTimeEntries = async (db: TenantDb, actor: Actor, f: Filter) => {
  const seesAll = actor.role !== 'Employee' && hasPermission(actor, 'payroll')
  const userId = seesAll ? f.userId : actor.userId
  let query = db
    .selectFrom('timeEntries as t')
    .innerJoin('users as u', (j) => j.onRef('u.businessId', '=', 't.businessId').onRef('u.id', '=', 't.userId'))
    .leftJoin('crews as w', (j) => j.onRef('w.businessId', '=', 't.businessId').onRef('w.id', '=', 't.crewId'))
    .where('t.businessId', '=', db.businessId)
    .where('t.startedAt', '>=', instantAt(f.from, 0, actor.timeZone))
    .where('t.startedAt', '<', instantAt(addDays(f.to, 1), 0, actor.timeZone))
  if (userId) query = query.where('t.userId', '=', userId)
  if (f.flagged) query = query.where('t.flagged', 'is not', null)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sql`t.started_at`, type: 'instant' },
      { of: sql`t.id`, type: 'uuid' },
    ],
    { ...f, order: 'asc' },
  )
  const found = await query
    .where(beyond)
    .select(values.as('cursorKeys'))
    .select([
      't.id',
      't.userId',
      'u.name',
      't.crewId',
      'w.name as crewName',
      't.kind',
      't.startedAt',
      't.endedAt',
      't.source',
      't.skewSeconds',
      't.flagged',
      't.note',
    ])
    .orderBy(order)
    .limit(limit)
    .execute()
  const { items, nextCursor } = page(found)
  return {
    items: items.map((row) => ({
      ...row,
      kind: row.kind,
      source: row.source,
    })),
    total: Number(total),
    nextCursor,
  }
}

/**
 * Spells of days with the crews that they count for: the crew of the clock, and for who is not on it that day, because the office has put them
 * elsewhere or nobody said, the crew that they are on. Who was put elsewhere while the clock ran counts for the one before that and for the other
 * after it, so that no moment counts for both; what was put down when the spell was over changes nothing of it.
 */
export const spellsWithCrews = (db: TenantDb, { from, to }: { from: Day; to: Day }, timeZone: string) => sql`
  select t.user_id, t.kind, c.started_at, c.ended_at, c.crew_id
  from time_entries t
  cross join lateral (
    select (t.started_at at time zone ${timeZone})::date as day, coalesce(t.ended_at, ${clock.iso()}::timestamptz) as over_at) d
  cross join lateral (
    select coalesce(bool_or(m.crew_id = t.crew_id), false) as stays, min(m.created_at) as moved_at
    from crew_members m
    where m.business_id = t.business_id and m.user_id = t.user_id
      and d.day between m.valid_from and coalesce(m.valid_to, 'infinity')) o
  cross join lateral (
    select t.crew_id, t.started_at,
      case when o.stays or o.moved_at is null or o.moved_at >= d.over_at then d.over_at else greatest(t.started_at, o.moved_at) end as ended_at
    union
    select m.crew_id, case when t.crew_id is null then t.started_at else greatest(t.started_at, m.created_at) end, d.over_at
    from crew_members m
    where not o.stays and m.business_id = t.business_id and m.user_id = t.user_id
      and d.day between m.valid_from and coalesce(m.valid_to, 'infinity')) c
  where t.business_id = ${db.businessId} and t.started_at >= ${instantAt(addDays(from, -1), 0, timeZone)}
    and t.started_at < ${instantAt(addDays(to, 2), 0, timeZone)} and c.crew_id is not null and c.ended_at > c.started_at`

/** A person's spells on the clock that reach into what came after an instant, the latest two hundred. */
export const listSpells = (db: TenantDb, userId: string, from: string) =>
  db
    .selectFrom('timeEntries')
    .select(['kind', 'startedAt', 'endedAt'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    // nobody's spell is longer: the task that ends a forgotten one sees to it
    .where('startedAt', '>', new Date(Date.parse(from) - 2 * forgottenAfterHours * 3600_000).toISOString())
    .orderBy('startedAt', 'desc')
    .limit(200)
    .execute()
