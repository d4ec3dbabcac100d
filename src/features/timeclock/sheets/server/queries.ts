import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf } from '../../../../shared/can.ts'
import { addDays, covers, type Day, dayOf, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { federalHoliday } from '../../../../shared/holidays.ts'
import { getUsualWage, listWages } from '../../../employees/wages/server/queries.ts'
import { listMismatches } from '../../arrivals/server/queries.ts'
import { mealRuleOf } from '../../meals/rules.ts'
import { listMealPremiums } from '../../meals/server/queries.ts'
import { type PaySplit, ruleLabel, splitWeek, sumSplit } from '../../overtime/rules.ts'
import { termsOf, wageOfWeek } from '../../payroll/rules.ts'
import { getPayRules } from '../../payroll/server/settings.ts'
import { weekOf } from '../../rules.ts'
import { segmentsOf } from '../../segments/rules.ts'
import { countHeld, listHeldOf } from '../../server/held.ts'
import { offSeconds } from '../../timeoff/rules.ts'
import { listPaidOff } from '../../timeoff/server/queries.ts'
import { type Sheet, type SheetChange, type SheetDetail, type SheetEntry, sheetsApi } from '../contract.ts'
import { exceptionsOf, type SheetFacts, sheetRefusals } from '../rules.ts'
import { weekAt } from './keep.ts'

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

/** Whole weeks that follow each other, and whose. */
type Asked = { weeks: readonly [Day, ...Day[]]; userId: string | null }

const lastDayOf = ({ weeks }: Pick<Asked, 'weeks'>): Day => addDays(weeks.at(-1) ?? weeks[0], 6)

const entriesOf = async (db: TenantDb, asked: Asked, timeZone: string): Promise<Entry[]> => {
  const { userId } = asked
  let query = db
    .selectFrom('timeEntries as t')
    .leftJoin('crews as w', (j) => j.onRef('w.businessId', '=', 't.businessId').onRef('w.id', '=', 't.crewId'))
    .where('t.businessId', '=', db.businessId)
    .where('t.startedAt', '>=', instantAt(asked.weeks[0], 0, timeZone))
    .where('t.startedAt', '<', instantAt(addDays(lastDayOf(asked), 1), 0, timeZone))
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

const sheetRows = async (db: TenantDb, { weeks, userId }: Asked) => {
  let query = db
    .selectFrom('timesheets as s')
    .leftJoin('users as d', (j) => j.onRef('d.businessId', '=', 's.businessId').onRef('d.id', '=', 's.decidedBy'))
    .where('s.businessId', '=', db.businessId)
    .where('s.week', 'in', [...weeks])
  if (userId) query = query.where('s.userId', '=', userId)
  return query
    .select([
      's.userId',
      's.week',
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

/** Whole days off in these weeks, as the calendar has them. */
const daysOffOf = async (db: TenantDb, asked: Asked): Promise<Off[]> => {
  const { userId } = asked
  let query = db
    .selectFrom('calendarEvents')
    .where('businessId', '=', db.businessId)
    .where('deletedAt', 'is', null)
    .where('kind', '=', 'time_off')
    .where('startMinute', 'is', null)
    // no event is longer than that, so what is over is not read
    .where('firstDay', '>=', addDays(asked.weeks[0], -92))
    .where('firstDay', '<=', lastDayOf(asked))
    .where('lastDay', '>=', asked.weeks[0])
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

/** The weeks of these that are locked, with the overtime rule that held then; null where that was not kept. */
const lockedWeeks = async (db: TenantDb, { weeks }: Asked): Promise<Map<Day, string | null>> => {
  const rows = await db
    .selectFrom('payrollWeeks')
    .select(['week', 'rule'])
    .where('businessId', '=', db.businessId)
    .where('week', 'in', [...weeks])
    .execute()
  return new Map(rows.map(({ week, rule }) => [week, rule]))
}

/** How locked days are paid, as it was put down when they were locked; by person and week. */
const keptSplits = async (db: TenantDb, { weeks, userId }: Asked): Promise<Map<string, PaySplit[]>> => {
  let query = db
    .selectFrom('payrollLines')
    .where('businessId', '=', db.businessId)
    .where('week', 'in', [...weeks])
    .where('days', 'is not', null)
  if (userId) query = query.where('userId', '=', userId)
  const rows = await query.select(['userId', 'week', 'days']).execute()
  return new Map(rows.map((row) => [keyOf(row), row.days as unknown as PaySplit[]]))
}

const keyOf = ({ userId, week }: { userId: string; week: Day }): string => `${userId} ${week}`

/** Weeks of people, with the spells that they were made of. Each table is read once, however many weeks. */
const readWeeks = async (db: TenantDb, actor: Actor, asked: Asked) => {
  const { weeks, userId } = asked
  const { timeZone } = actor
  const nowMs = clock.nowMs()
  const { state, ruleOf } = await getPayRules(db)
  const holidays = await holidaysOf(db)
  const entries = await entriesOf(db, asked, timeZone)
  const entriesBy = Map.groupBy(entries, (entry) =>
    keyOf({ userId: entry.userId, week: weekAt(entry.startedAt, timeZone) }),
  )
  const people = await peopleOf(db, { userId, worked: [...new Set(entries.map((entry) => entry.userId))] })
  const wages = Map.groupBy(
    await listWages(
      db,
      people.map(({ id }) => id),
      lastDayOf(asked),
    ),
    (one) => one.userId,
  )
  const usual = await getUsualWage(db)
  const rows = new Map((await sheetRows(db, asked)).map((row) => [keyOf(row), row]))
  const off = await daysOffOf(db, asked)
  const paidOff = await listPaidOff(db, { from: weeks[0], to: lastDayOf(asked), userId })
  const lockedRules = await lockedWeeks(db, asked)
  const kept = lockedRules.size === 0 ? new Map<string, PaySplit[]>() : await keptSplits(db, asked)
  const meal = mealRuleOf(state)
  const premiums = await listMealPremiums(db, { from: weeks[0], to: lastDayOf(asked), userId })
  const held = await countHeld(db, weeks)
  const workedBreaks = await workedBreaksOf(
    db,
    entries.filter(({ kind }) => kind === 'break'),
  )
  const sheetOf = ({ id, name }: Person, week: Day): Sheet => {
    const key = keyOf({ userId: id, week })
    const own = entriesBy.get(key) ?? []
    const row = rows.get(key)
    const locked = lockedRules.has(week)
    const termsOn = termsOf(wages.get(id) ?? [], usual)
    const sums = weekOf(own, week, timeZone, nowMs)
    const split =
      kept.get(key) ??
      splitWeek(
        sums.days.map((day) => day.paidSeconds),
        ruleOf(wageOfWeek(sums.days.map((day) => ({ ...day, terms: termsOn(day.day) })))),
      )
    const total = sumSplit(split)
    const ownOff = (paidOff.get(id) ?? []).filter((one) => startOfWeek(one.day) === week)
    const facts: SheetFacts = {
      name,
      status: row?.status ?? 'open',
      locked,
      isRunning: own.some((entry) => entry.endedAt === null),
      isAhead: week > dayOf(nowMs, timeZone),
      hasTime: own.length > 0,
      request: row?.request ?? '',
      heldCount: held.get(key) ?? 0,
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
        mealPremium: premiums.get(id)?.includes(day.day) ?? false,
        paidOff: ownOff
          .filter((one) => one.day === day.day)
          .map((one) => ({ kind: one.kind, seconds: one.minutes * 60 })),
      })),
      offSeconds: offSeconds(ownOff),
      mealPremium: meal?.premium === true,
      paidSeconds: sums.paidSeconds,
      regularSeconds: total.regular,
      overtimeSeconds: total.overtime,
      doubleSeconds: total.double,
      exceptions: exceptionsOf(own, { timeZone, nowMs, meal, workedBreaks }),
      can: canOf(actor, needs, sheetRefusals, facts),
    }
  }
  const ruleOn = (week: Day): string => lockedRules.get(week) ?? ruleLabel(ruleOf(null))
  return { people, sheetOf, entriesBy, isLocked: (week: Day) => lockedRules.has(week), ruleOn }
}

/** Everybody's week. What needs a look stands above. */
export const listSheets = async (db: TenantDb, actor: Actor, asked: Day | undefined) => {
  const today = dayOf(clock.now(), actor.timeZone)
  const week = asked ?? startOfWeek(today)
  const { people, sheetOf, isLocked, ruleOn } = await readWeeks(db, actor, { weeks: [week], userId: null })
  const weight = (sheet: Sheet) =>
    (sheet.request ? 100 : 0) + (sheet.status === 'approved' ? 0 : sheet.exceptions.length)
  const items = people.map((one) => sheetOf(one, week)).sort((a, b) => weight(b) - weight(a))
  return { week, today, locked: isLocked(week), rule: ruleOn(week), items }
}

/** The weeks of some people as they are now. */
export const sheetsOf = async (db: TenantDb, actor: Actor, week: Day, userIds: readonly string[]): Promise<Sheet[]> => {
  const { people, sheetOf } = await readWeeks(db, actor, { weeks: [week], userId: null })
  return people.filter(({ id }) => userIds.includes(id)).map((one) => sheetOf(one, week))
}

/** The last two hundred lines of the trail of each week. */
const trailsOf = async (db: TenantDb, userId: string, weeks: readonly Day[]): Promise<Map<Day, SheetChange[]>> => {
  const { rows } = await sql<SheetChange & { week: Day }>`
    select c.id, c.action, c.at, coalesce(b.name, 'Swath') as by, c.reason, c.before, c.after, w.week
    from unnest(${sql.val([...weeks])}::date[]) w(week)
    cross join lateral (
      select * from timesheet_changes x
      where x.business_id = ${db.businessId} and x.user_id = ${userId} and x.week = w.week
      order by x.at desc, x.id desc limit 200) c
    left join users b on b.business_id = ${db.businessId} and b.id = c.by_user_id
    order by w.week, c.at desc, c.id desc`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ week }) => week)].map(([week, own]) => [
      week,
      own.map(({ week: _, ...change }) => change),
    ]),
  )
}

/** When the crews were at their stops on the days of these weeks. */
const siteTimes = async (db: TenantDb, { from, to }: { from: Day; to: Day }, crewIds: readonly string[]) => {
  if (crewIds.length === 0) return []
  const { rows } = await sql<{
    crewId: string
    leftAt: string | null
    startedAt: string
    endedAt: string | null
  }>`
    select coalesce(published_crew_id, crew_id) as "crewId", en_route_at as "leftAt", started_at as "startedAt", finished_at as "endedAt"
    from visits
    where business_id = ${db.businessId} and day between ${from} and ${to} and started_at is not null
      and coalesce(published_crew_id, crew_id) = any(${sql.val([...crewIds])}::uuid[])`.execute(db)
  return rows
}

/** A person's weeks with all that they are made of; none where there is no such person. */
const detailsOf = async (
  db: TenantDb,
  actor: Actor,
  userId: string,
  weeks: readonly [Day, ...Day[]],
): Promise<SheetDetail[]> => {
  const { timeZone } = actor
  const { people, sheetOf, entriesBy } = await readWeeks(db, actor, { weeks, userId })
  const [person] = people
  if (!person) return []
  const entriesIn = (week: Day) => entriesBy.get(keyOf({ userId, week })) ?? []
  const crewIds = [...new Set(weeks.flatMap(entriesIn).flatMap((entry) => entry.crewId ?? []))]
  const sites = await siteTimes(db, { from: weeks[0], to: lastDayOf({ weeks }) }, crewIds)
  const trails = await trailsOf(db, userId, weeks)
  const held = Map.groupBy(await listHeldOf(db, userId, weeks), ({ week }) => week)
  const spells = weeks.flatMap(entriesIn)
  /** A stop that began after midnight is of the day on which the work began that goes on there. */
  const dayOfSite = (site: (typeof sites)[number]): Day => {
    const at = Date.parse(site.startedAt)
    const around = spells.find(
      ({ crewId, startedAt, endedAt }) =>
        crewId === site.crewId && Date.parse(startedAt) <= at && at < (endedAt ? Date.parse(endedAt) : clock.nowMs()),
    )
    return dayOf(around?.startedAt ?? site.startedAt, timeZone)
  }
  const span = { userId, from: weeks[0], to: lastDayOf({ weeks }), crewIds }
  // A person's own phone has no use for it; the office sees it where it may see positions.
  const seesPlaces = actor.role !== 'Employee' && hasPermission(actor, 'team')
  const mismatches = seesPlaces ? await listMismatches(db, span, timeZone) : []
  return weeks.map((week): SheetDetail => {
    const sheet = sheetOf(person, week)
    const entries = entriesIn(week)
    const segments = sheet.days.map(({ day }) => {
      const own = entries.filter((entry) => dayOf(entry.startedAt, timeZone) === day)
      const stops = sites.filter((site) => dayOfSite(site) === day && own.some((entry) => entry.crewId === site.crewId))
      return { day, ...segmentsOf(own, stops, clock.nowMs()) }
    })
    return {
      ...sheet,
      entries: entries.map(({ userId: _, crewId: __, ...entry }) => entry),
      segments,
      changes: trails.get(week) ?? [],
      mismatches: mismatches.filter(({ day }) => startOfWeek(day) === week),
      held: (held.get(week) ?? []).map(({ id, action, kind, at, endedAt }) => ({
        id,
        action,
        kind,
        at: endedAt ?? at,
      })),
    }
  })
}

/** A person's week with all that it is made of. @throws AppError not_found */
export const getSheet = async (
  db: TenantDb,
  actor: Actor,
  userId: string,
  asked: Day | undefined,
): Promise<SheetDetail> => {
  const week = asked ?? startOfWeek(dayOf(clock.now(), actor.timeZone))
  const [sheet] = await detailsOf(db, actor, userId, [week])
  if (!sheet) throw notFound('person')
  return sheet
}

const weeksOnPhone = 5

/** The last weeks of whoever asks, the newest first. */
export const ownSheets = async (db: TenantDb, actor: Actor) => {
  const today = dayOf(clock.now(), actor.timeZone)
  const first = addDays(startOfWeek(today), -7 * (weeksOnPhone - 1))
  const later = Array.from({ length: weeksOnPhone - 1 }, (_, at) => addDays(first, 7 * (at + 1)))
  const items = (await detailsOf(db, actor, actor.userId, [first, ...later])).reverse()
  return { today, timeZone: actor.timeZone, items }
}
