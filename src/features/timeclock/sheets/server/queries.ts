import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf } from '../../../../shared/can.ts'
import { addDays, covers, type Day, dayOf, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { federalHoliday } from '../../../../shared/holidays.ts'
import { getUsualWage, listWages } from '../../../employees/wages/server/queries.ts'
import { mealAfterHours, ruleLabel, splitWeek, sumSplit } from '../../overtime/rules.ts'
import { termsOf, wageOfWeek } from '../../payroll/rules.ts'
import { getPayRules } from '../../payroll/server/settings.ts'
import { weekOf } from '../../rules.ts'
import { segmentsOf } from '../../segments/rules.ts'
import { countHeld, listHeld } from '../../server/held.ts'
import { type Sheet, type SheetChange, type SheetDetail, type SheetEntry, sheetsApi } from '../contract.ts'
import { exceptionsOf, type SheetFacts, sheetRefusals } from '../rules.ts'
import { isLocked } from './keep.ts'

const needs = {
  approve: sheetsApi.approve,
  sendBack: sheetsApi.sendBack,
  reopen: sheetsApi.reopen,
  correct: sheetsApi.correct,
  answer: sheetsApi.answer,
  count: sheetsApi.count,
  leaveOut: sheetsApi.leaveOut,
}

type Entry = SheetEntry & { userId: string; crewId: string | null }

/** The first and the last moment of a week in the zone of the business. */
const spanOfWeek = (week: Day, timeZone: string): [string, string] => [
  instantAt(week, 0, timeZone),
  instantAt(addDays(week, 7), 0, timeZone),
]

const entriesOf = async (db: TenantDb, week: Day, timeZone: string, userId: string | null): Promise<Entry[]> => {
  const [from, to] = spanOfWeek(week, timeZone)
  let query = db
    .selectFrom('timeEntries as t')
    .leftJoin('crews as w', (j) => j.onRef('w.businessId', '=', 't.businessId').onRef('w.id', '=', 't.crewId'))
    .where('t.businessId', '=', db.businessId)
    .where('t.startedAt', '>=', from)
    .where('t.startedAt', '<', to)
  if (userId) query = query.where('t.userId', '=', userId)
  return query
    .select([
      't.id',
      't.userId',
      't.crewId',
      'w.name as crewName',
      't.kind',
      't.startedAt',
      't.endedAt',
      't.flagged',
      't.source',
      't.note',
    ])
    .orderBy('t.startedAt')
    .orderBy('t.id')
    .execute()
}

type Person = { id: string; name: string }

/** Who has a sheet in a week: crews always, the office when it was on the clock. */
const peopleOf = async (
  db: TenantDb,
  { userId, worked }: { userId: string | null; worked: readonly string[] },
): Promise<Person[]> => {
  const { rows } = await sql<Person>`
    select u.id, u.name from users u
    where u.business_id = ${db.businessId} and (${userId}::uuid is null or u.id = ${userId})
      and (${userId}::uuid is not null or u.id = any(${sql.val([...worked])}::uuid[])
        or (u.role = 'Employee' and u.status <> 'disabled' and u.archived_at is null))
    order by u.name, u.id`.execute(db)
  return rows
}

const sheetRows = async (db: TenantDb, week: Day, userId: string | null) => {
  let query = db
    .selectFrom('timesheets as s')
    .leftJoin('users as d', (j) => j.onRef('d.businessId', '=', 's.businessId').onRef('d.id', '=', 's.decidedBy'))
    .where('s.businessId', '=', db.businessId)
    .where('s.week', '=', week)
  if (userId) query = query.where('s.userId', '=', userId)
  return query
    .select([
      's.userId',
      's.status',
      's.version',
      's.submittedAt',
      's.decidedAt',
      'd.name as decidedBy',
      's.reason',
      's.request',
    ])
    .execute()
}

type Off = { userId: string; firstDay: Day; lastDay: Day; title: string }

/** Whole days off in a week, as the calendar has them. */
const daysOffOf = async (db: TenantDb, week: Day, userId: string | null): Promise<Off[]> => {
  let query = db
    .selectFrom('calendarEvents')
    .where('businessId', '=', db.businessId)
    .where('deletedAt', 'is', null)
    .where('kind', '=', 'time_off')
    .where('startMinute', 'is', null)
    // no event is longer than that, so what is over is not read
    .where('firstDay', '>=', addDays(week, -92))
    .where('firstDay', '<=', addDays(week, 6))
    .where('lastDay', '>=', week)
  if (userId) query = query.where('userId', '=', userId)
  const rows = await query.select(['userId', 'firstDay', 'lastDay', 'title']).execute()
  return rows.flatMap((row) => (row.userId ? [{ ...row, userId: row.userId }] : []))
}

const holidaysOf = async (db: TenantDb): Promise<Day[]> =>
  (
    await db
      .selectFrom('businesses')
      .select('holidays')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
  ).holidays

/** Breaks in which their person began or finished a stop: nobody ended them. */
const workedBreaksOf = async (db: TenantDb, breaks: readonly Entry[]): Promise<Set<string>> => {
  if (breaks.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select t.id from time_entries t
    where t.business_id = ${db.businessId} and t.id = any(${sql.val(breaks.map(({ id }) => id))}::uuid[])
      and exists (select 1 from crew_commands k where k.business_id = t.business_id and k.user_id = t.user_id
        and k.type in ('start', 'resume', 'finish') and k.result = 'applied' and k.received_at >= t.started_at
        and k.happened_at > t.started_at and k.happened_at < coalesce(t.ended_at, ${clock.iso()}))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

type Asked = { week: Day; userId: string | null }

/** Weeks of people, with the spells that they were made of. */
const readWeek = async (db: TenantDb, actor: Actor, { week, userId }: Asked) => {
  const { timeZone } = actor
  const nowMs = clock.nowMs()
  const { state, ruleOf } = await getPayRules(db)
  const holidays = await holidaysOf(db)
  const entries = await entriesOf(db, week, timeZone, userId)
  const byPerson = Map.groupBy(entries, (entry) => entry.userId)
  const people = await peopleOf(db, { userId, worked: [...byPerson.keys()] })
  const wages = Map.groupBy(
    await listWages(
      db,
      people.map(({ id }) => id),
      addDays(week, 6),
    ),
    (one) => one.userId,
  )
  const usual = await getUsualWage(db)
  const rows = new Map((await sheetRows(db, week, userId)).map((row) => [row.userId, row]))
  const off = await daysOffOf(db, week, userId)
  const locked = await isLocked(db, week)
  const isAhead = week > dayOf(nowMs, timeZone)
  const mealAfter = mealAfterHours(state)
  const held = await countHeld(db, week)
  const workedBreaks = await workedBreaksOf(
    db,
    entries.filter(({ kind }) => kind === 'break'),
  )
  const sheets = people.map(({ id, name }): Sheet => {
    const own = byPerson.get(id) ?? []
    const row = rows.get(id)
    const termsOn = termsOf(wages.get(id) ?? [], usual)
    const sums = weekOf(own, week, timeZone, nowMs)
    const split = splitWeek(
      sums.days.map((day) => day.paidSeconds),
      ruleOf(wageOfWeek(sums.days.map((day) => ({ ...day, terms: termsOn(day.day) })))),
    )
    const total = sumSplit(split)
    const facts: SheetFacts = {
      name,
      status: row?.status ?? 'open',
      locked,
      isRunning: own.some((entry) => entry.endedAt === null),
      isAhead,
      hasTime: own.length > 0,
      request: row?.request ?? '',
      heldCount: held.get(id) ?? 0,
    }
    const awayOn = (day: Day) =>
      off.find((one) => one.userId === id && covers({ from: one.firstDay, to: one.lastDay }, day))?.title ??
      (holidays.includes(day) ? (federalHoliday(day) ?? 'Closed') : null)
    return {
      userId: id,
      name,
      week,
      status: facts.status,
      locked,
      version: row?.version ?? 0,
      submittedAt: row?.submittedAt ?? null,
      decidedAt: row?.decidedAt ?? null,
      decidedBy: row?.decidedBy ?? null,
      reason: row?.reason ?? '',
      request: facts.request,
      isRunning: facts.isRunning,
      days: sums.days.map((day, at) => ({
        ...day,
        regularSeconds: split[at]?.regular ?? 0,
        overtimeSeconds: split[at]?.overtime ?? 0,
        doubleSeconds: split[at]?.double ?? 0,
        off: awayOn(day.day),
      })),
      paidSeconds: sums.paidSeconds,
      regularSeconds: total.regular,
      overtimeSeconds: total.overtime,
      doubleSeconds: total.double,
      exceptions: exceptionsOf(own, { timeZone, nowMs, mealAfter, workedBreaks }),
      can: canOf(actor, needs, sheetRefusals, facts),
    }
  })
  return { sheets, byPerson, locked, rule: ruleLabel(ruleOf(null)) }
}

/** Everybody's week. What needs a look stands above. */
export const listSheets = async (db: TenantDb, actor: Actor, asked: Day | undefined) => {
  const today = dayOf(clock.now(), actor.timeZone)
  const week = asked ?? startOfWeek(today)
  const { sheets, locked, rule } = await readWeek(db, actor, { week, userId: null })
  const weight = (sheet: Sheet) =>
    (sheet.request ? 100 : 0) + (sheet.status === 'approved' ? 0 : sheet.exceptions.length)
  const items = sheets.sort((a, b) => weight(b) - weight(a))
  return { week, today, locked, rule, items }
}

/** The weeks of some people as they are now. */
export const sheetsOf = async (db: TenantDb, actor: Actor, week: Day, userIds: readonly string[]): Promise<Sheet[]> => {
  const { sheets } = await readWeek(db, actor, { week, userId: null })
  return sheets.filter((sheet) => userIds.includes(sheet.userId))
}

const trailOf = async (db: TenantDb, userId: string, week: Day): Promise<SheetChange[]> => {
  const rows = await db
    .selectFrom('timesheetChanges as c')
    .leftJoin('users as b', (j) => j.onRef('b.businessId', '=', 'c.businessId').onRef('b.id', '=', 'c.byUserId'))
    .where('c.businessId', '=', db.businessId)
    .where('c.userId', '=', userId)
    .where('c.week', '=', week)
    .select(['c.id', 'c.action', 'c.at', 'b.name as by', 'c.reason', 'c.before', 'c.after'])
    .orderBy('c.at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(200)
    .execute()
  return rows.map(({ by, before, after, ...row }) => ({
    ...row,
    by: by ?? 'Swath',
    before: before as SheetChange['before'],
    after: after as SheetChange['after'],
  }))
}

/** When the crews were at their stops on the days of a week. */
const siteTimes = async (db: TenantDb, week: Day, crewIds: readonly string[]) => {
  if (crewIds.length === 0) return []
  const { rows } = await sql<{
    crewId: string
    leftAt: string | null
    startedAt: string
    endedAt: string | null
  }>`
    select coalesce(published_crew_id, crew_id) as "crewId", en_route_at as "leftAt", started_at as "startedAt", finished_at as "endedAt"
    from visits
    where business_id = ${db.businessId} and day between ${week} and ${addDays(week, 6)} and started_at is not null
      and coalesce(published_crew_id, crew_id) = any(${sql.val([...crewIds])}::uuid[])`.execute(db)
  return rows
}

/** A person's week with all that it is made of. @throws AppError not_found */
export const getSheet = async (
  db: TenantDb,
  actor: Actor,
  userId: string,
  asked: Day | undefined,
): Promise<SheetDetail> => {
  const week = asked ?? startOfWeek(dayOf(clock.now(), actor.timeZone))
  const { sheets, byPerson } = await readWeek(db, actor, { week, userId })
  const sheet = sheets[0]
  if (!sheet) throw notFound('person')
  const entries = byPerson.get(userId) ?? []
  const crewIds = [...new Set(entries.flatMap((entry) => entry.crewId ?? []))]
  const sites = await siteTimes(db, week, crewIds)
  const segments = sheet.days.map(({ day }) => {
    const own = entries.filter((entry) => dayOf(entry.startedAt, actor.timeZone) === day)
    const stops = sites.filter(
      (site) => dayOf(site.startedAt, actor.timeZone) === day && own.some((entry) => entry.crewId === site.crewId),
    )
    return { day, ...segmentsOf(own, stops, clock.nowMs()) }
  })
  return {
    ...sheet,
    entries: entries.map(({ userId: _, crewId: __, ...entry }) => entry),
    segments,
    changes: await trailOf(db, userId, week),
    held: (await listHeld(db, userId, week)).map(({ id, action, kind, at, endedAt }) => ({
      id,
      action,
      kind,
      at: endedAt ?? at,
    })),
  }
}

const weeksOnPhone = 5

/** The last weeks of whoever asks, the newest first. */
export const ownSheets = async (db: TenantDb, actor: Actor) => {
  const today = dayOf(clock.now(), actor.timeZone)
  const items: SheetDetail[] = []
  for (let back = 0; back < weeksOnPhone; back++)
    items.push(await getSheet(db, actor, actor.userId, addDays(startOfWeek(today), -7 * back)))
  return { today, timeZone: actor.timeZone, items }
}
