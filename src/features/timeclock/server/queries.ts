import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf, instantAt, startOfWeek } from '../../../shared/dates.ts'
import type { Clock, TimeEntry, timeclockApi } from '../contract.ts'
import { clockedInSince, clockStateOf, forgottenAfterHours, forgottenEnd, weekOf } from '../rules.ts'

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

export type OpenEntry = NonNullable<Awaited<ReturnType<typeof findOpenEntry>>>

export const isForgotten = (entry: Pick<OpenEntry, 'startedAt'>, nowMs: number): boolean =>
  nowMs - Date.parse(entry.startedAt) > forgottenAfterHours * 3600_000

const defaultShiftEnd = 17 * 60

/** When an entry that nobody ended probably did: the end of its crew's shift, or the last thing its person did on the phone. */
export const suggestedEnd = async (
  db: TenantDb,
  entry: Pick<OpenEntry, 'userId' | 'startedAt' | 'crewId'>,
  timeZone: string,
): Promise<string> => {
  const day = dayOf(entry.startedAt, timeZone)
  const { rows } = await sql<{ shift: number | null; last: string | null }>`
    select
      (select shift_end_minute from crews where business_id = ${db.businessId} and id = ${entry.crewId}) as shift,
      (select max(happened_at) from crew_commands where business_id = ${db.businessId} and user_id = ${entry.userId}
        and happened_at > ${entry.startedAt} and happened_at < ${instantAt(day, 24 * 60, timeZone)}) as last`.execute(
    db,
  )
  return forgottenEnd({
    startedAt: entry.startedAt,
    shiftEnd: instantAt(day, rows[0]?.shift ?? defaultShiftEnd, timeZone),
    lastCommandAt: rows[0]?.last ?? null,
    now: clock.iso(),
  })
}

/** One person's clock: now, today and the week that a day is in. */
export const getClock = async (db: TenantDb, actor: Actor, week?: Day): Promise<Clock> => {
  const { timeZone } = actor
  const today = dayOf(clock.now(), timeZone)
  const from = startOfWeek(week ?? today)
  const span = (day: Day, days: number) =>
    entriesBetween(db, actor.userId, instantAt(day, 0, timeZone), instantAt(addDays(day, days), 0, timeZone))
  const [inWeek, entries, open] = [await span(from, 7), await span(today, 1), await findOpenEntry(db, actor.userId)]
  const forgotten = open && isForgotten(open, clock.nowMs()) ? open : null
  return {
    ...clockStateOf(open ? [{ ...open, endedAt: null, flagged: null }] : []),
    clockedInAt: clockedInSince(entries, today, timeZone),
    today,
    timeZone,
    serverTime: clock.iso(),
    entries: entries.filter((e) => dayOf(e.startedAt, timeZone) === today || e.endedAt === null),
    week: weekOf(inWeek, from, timeZone, clock.nowMs()),
    forgotten: forgotten && {
      id: forgotten.id,
      startedAt: forgotten.startedAt,
      suggestedEnd: await suggestedEnd(db, forgotten, timeZone),
    },
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
