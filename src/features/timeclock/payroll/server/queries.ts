import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf, daysBetween, formatDay, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { getUsualWage, listWages } from '../../../employees/wages/server/queries.ts'
import { listMealPremiums } from '../../meals/server/queries.ts'
import { type PaySplit, splitWeek, sumSplit } from '../../overtime/rules.ts'
import { type ClockEntry, weekOf } from '../../rules.ts'
import { spellsWithCrews } from '../../server/queries.ts'
import { offSeconds } from '../../timeoff/rules.ts'
import { listPaidOff } from '../../timeoff/server/queries.ts'
import type { PayPerson } from '../contract.ts'
import {
  amountItem,
  costOfWeek,
  isBelowMinimum,
  laborCostCents,
  mealItems,
  mileageCents,
  offItems,
  type PayItem,
  payOfWeek,
  roundedTo,
  termsOf,
  wageOfWeek,
  withBurden,
} from '../rules.ts'
import { getPayRules } from './settings.ts'

type Period = { from: Day; to: Day }
type Entry = ClockEntry & { userId: string }

const entriesOf = (db: TenantDb, { from, to }: Period, timeZone: string): Promise<Entry[]> =>
  db
    .selectFrom('timeEntries')
    .select(['id', 'userId', 'kind', 'startedAt', 'endedAt', 'flagged'])
    .where('businessId', '=', db.businessId)
    .where('startedAt', '>=', instantAt(from, 0, timeZone))
    .where('startedAt', '<', instantAt(addDays(to, 1), 0, timeZone))
    .orderBy('startedAt')
    .execute()

const approvedWeeks = async (db: TenantDb, { from, to }: Period): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('timesheets')
    .select(['userId', 'week'])
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'approved')
    .where('week', '>=', from)
    .where('week', '<=', to)
    .execute()
  return new Set(rows.map(({ userId, week }) => `${userId} ${week}`))
}

/**
 * A tap by which somebody told the start or the end of a visit (k of v). One that was refused or is in conflict told nothing, and one that found the
 * work done already does so only when it was made during it: a late tap moves nobody's lawns.
 */
const toldWork = sql`k.type in ('start', 'resume', 'finish') and k.result = 'applied' and (k.reason is distinct from 'already'
  or k.happened_at between coalesce(v.started_at, v.finished_at) - interval '2 minutes' and v.finished_at + interval '2 minutes')`

/**
 * `done`: a row a person and lawn that is theirs: who was at work with the crew when it was finished or for half of it, or told its start or end. For SQL.
 * @param userIds of these people alone
 */
const doneBy = (db: TenantDb, { from, to }: Period, timeZone: string, userIds?: readonly string[]) => sql`
  with spells as (${spellsWithCrews(db, { from, to }, timeZone)}), done as (
    select s.user_id, v.id, v.day
    from visits v
    join spells s on s.crew_id = coalesce(v.published_crew_id, v.crew_id)
      and s.started_at <= v.finished_at and s.ended_at >= coalesce(v.started_at, v.finished_at)
    where v.business_id = ${db.businessId} and v.day between ${from} and ${to} and v.status = 'completed'
      ${userIds ? sql`and s.user_id = any(${[...userIds]}::uuid[])` : sql``}
    group by s.user_id, v.business_id, v.id, v.day, v.started_at, v.finished_at
    having bool_or(s.kind = 'work' and s.ended_at >= v.finished_at)
      or (v.finished_at > v.started_at and v.finished_at - v.started_at <= 2 * coalesce(
        sum(least(s.ended_at, v.finished_at) - greatest(s.started_at, v.started_at)) filter (where s.kind = 'work'), interval '0'))
      or exists (select 1 from crew_commands k where k.business_id = v.business_id and k.visit_id = v.id and k.user_id = s.user_id
        and ${toldWork}))`

/** Lawns by person and day. */
const lawnsOf = async (db: TenantDb, period: Period, timeZone: string): Promise<Map<string, number>> => {
  const { rows } = await sql<{ userId: string; day: Day; lawns: number }>`
    ${doneBy(db, period, timeZone)}
    select user_id as "userId", day, count(*)::int as lawns from done group by 1, 2`.execute(db)
  return new Map(rows.map(({ userId, day, lawns }) => [`${userId} ${day}`, lawns]))
}

/** The lawns that are each of these people's, one by one: what they are paid for a lawn is a cost of that visit. */
export const listLawnsOf = async (
  db: TenantDb,
  period: Period,
  timeZone: string,
  userIds: readonly string[],
): Promise<{ userId: string; day: Day; visitId: string }[]> => {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ userId: string; day: Day; visitId: string }>`
    ${doneBy(db, period, timeZone, userIds)}
    select user_id as "userId", day, id as "visitId" from done`.execute(db)
  return rows
}

/** Tenths of miles in own cars, by person and week. */
const milesOf = async (db: TenantDb, { from, to }: Period): Promise<Map<string, Map<Day, number>>> => {
  const rows = await db
    .selectFrom('ownCarMiles')
    .select(['userId', 'day', 'tenthMiles'])
    .where('businessId', '=', db.businessId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => {
      const weeks = Map.groupBy(own, ({ day }) => startOfWeek(day))
      return [userId, new Map([...weeks].map(([week, of]) => [week, of.reduce((sum, one) => sum + one.tenthMiles, 0)]))]
    }),
  )
}

/** Names and numbers of people, by name, and the language that they read. */
export const namesAndNumbers = async (db: TenantDb, userIds: readonly string[]) =>
  userIds.length === 0
    ? []
    : db
        .selectFrom('users as u')
        .leftJoin('payrollNumbers as n', (j) =>
          j.onRef('n.businessId', '=', 'u.businessId').onRef('n.userId', '=', 'u.id'),
        )
        .where('u.businessId', '=', db.businessId)
        .where('u.id', 'in', [...userIds])
        .select(['u.id', 'u.name', 'u.language', 'n.number'])
        .orderBy('u.name')
        .orderBy('u.id')
        .execute()

/** A person's week as it is paid. */
export type WeekPay = Omit<PayPerson, 'name' | 'number' | 'rates'> & { week: Day; items: PayItem[] }

/** The same with how each day on the sheet is paid, as clocked. */
type CountedWeek = WeekPay & { days: PaySplit[] }

type NotApproved = { userId: string; name: string; week: Day }

const weeksOf = ({ from, to }: Period): Day[] =>
  Array.from({ length: (daysBetween(from, to) + 1) / 7 }, (_, at) => addDays(from, 7 * at))

/** Approved time of whole weeks by what is known now. Miles of a week go with its time, those of a week without time by themselves. */
const countWeeks = async (
  db: TenantDb,
  actor: Pick<Actor, 'timeZone'>,
  period: Period,
): Promise<{ weeks: CountedWeek[]; notApproved: NotApproved[] }> => {
  const { timeZone } = actor
  const nowMs = clock.nowMs()
  const { settings, ruleOf } = await getPayRules(db)
  const entries = Map.groupBy(await entriesOf(db, period, timeZone), (entry) => entry.userId)
  const approved = await approvedWeeks(db, period)
  const lawns = await lawnsOf(db, period, timeZone)
  const miles = await milesOf(db, period)
  const off = await listPaidOff(db, period)
  const meals = await listMealPremiums(db, period)
  const userIds = [...new Set([...entries.keys(), ...miles.keys(), ...off.keys(), ...meals.keys()])]
  const wages = Map.groupBy(await listWages(db, userIds, period.to), (one) => one.userId)
  const usual = await getUsualWage(db)
  const notApproved: NotApproved[] = []
  const found: CountedWeek[] = []
  for (const { id, name } of await namesAndNumbers(db, userIds)) {
    const own = entries.get(id) ?? []
    const termsOn = termsOf(wages.get(id) ?? [], usual)
    for (const week of weeksOf(period)) {
      const raw = weekOf(own, week, timeZone, nowMs)
      const hasTime = raw.days.some((day) => day.paidSeconds > 0 || day.breakSeconds > 0)
      if (hasTime && !approved.has(`${id} ${week}`)) {
        notApproved.push({ userId: id, name, week })
        continue
      }
      const tenthMiles = miles.get(id)?.get(week) ?? 0
      const { days } = weekOf(own, week, timeZone, nowMs, roundedTo(settings.roundingMinutes))
      const dated = days.map((day) => ({ ...day, terms: termsOn(day.day) }))
      const split = splitWeek(
        dated.map((day) => day.paidSeconds),
        ruleOf(wageOfWeek(dated)),
      )
      const paid = dated.map(({ day, terms }, at) => ({
        ...(split[at] ?? { regular: 0, overtime: 0, double: 0 }),
        lawns: hasTime ? (lawns.get(`${id} ${day}`) ?? 0) : 0,
        terms,
        burdenPercent: terms.burdenPercent,
      }))
      const { regular, overtime, double } = sumSplit(paid)
      const seconds = regular + overtime + double
      const daysOff = (off.get(id) ?? [])
        .filter((one) => startOfWeek(one.day) === week)
        .map((one) => ({ ...one, ...termsOn(one.day), rateCents: termsOn(one.day).centsPerHour }))
      if (seconds + tenthMiles + daysOff.length === 0) continue
      const offPay = offItems(daysOff)
      const offCents = offPay.reduce((sum, one) => sum + one.cents, 0)
      const offBurden = daysOff.reduce((most, one) => Math.max(most, one.burdenPercent), 0)
      const pay = payOfWeek(paid)
      const mealDays = (meals.get(id) ?? []).filter((day) => startOfWeek(day) === week)
      const mealPay = mealItems(mealDays.length, pay, seconds)
      const mealCents = mealPay.reduce((sum, one) => sum + one.cents, 0)
      const cents = mileageCents(tenthMiles, settings.mileTenthCents)
      found.push({
        userId: id,
        week,
        regularSeconds: regular,
        overtimeSeconds: overtime,
        doubleSeconds: double,
        lawns: paid.reduce((sum, day) => sum + day.lawns, 0),
        pieceCents: pay.pieceCents,
        bonusCents: pay.bonusCents,
        premiumCents: pay.premiumCents,
        offSeconds: offSeconds(daysOff),
        offCents,
        mealCents,
        grossCents: pay.grossCents + offCents + mealCents,
        costCents: costOfWeek(paid, pay.grossCents + mealCents) + withBurden(offCents, offBurden),
        tenthMiles,
        mileageCents: cents,
        usualWage: dated.some((day) => day.paidSeconds > 0 && day.terms.isUsual),
        belowMinimum: isBelowMinimum(pay, seconds),
        items: [...pay.items, ...mealPay, ...offPay, ...(cents > 0 ? [amountItem('mileage', cents)] : [])],
        days: splitWeek(
          raw.days.map((day) => day.paidSeconds),
          ruleOf(wageOfWeek(raw.days.map((day) => ({ ...day, terms: termsOn(day.day) })))),
        ),
      })
    }
  }
  return { weeks: found, notApproved }
}

/** Weeks of the period whose pay is kept, because they are locked. */
const keptWeeks = async (db: TenantDb, { from, to }: Period): Promise<Set<Day>> => {
  const rows = await db
    .selectFrom('payrollWeeks')
    .select('week')
    .where('businessId', '=', db.businessId)
    .where('week', '>=', from)
    .where('week', '<=', to)
    .where('kept', '=', true)
    .execute()
  return new Set(rows.map(({ week }) => week))
}

const mostNotKept = 200

/** Locked weeks whose pay was not kept, the oldest first. */
export const listNotKept = async (db: TenantDb): Promise<Day[]> => {
  const rows = await db
    .selectFrom('payrollWeeks')
    .select('week')
    .where('businessId', '=', db.businessId)
    .where('kept', '=', false)
    .orderBy('week')
    .limit(mostNotKept)
    .execute()
  return rows.map(({ week }) => week)
}

/** Weeks whose pay was put down only after they had been locked. */
const keptLaterOf = async (db: TenantDb, { from, to }: Period): Promise<{ week: Day; at: string }[]> => {
  const rows = await db
    .selectFrom('payrollWeeks')
    .select(['week', 'keptLaterAt'])
    .where('businessId', '=', db.businessId)
    .where('week', '>=', from)
    .where('week', '<=', to)
    .where('keptLaterAt', 'is not', null)
    .orderBy('week')
    .execute()
  return rows.map(({ week, keptLaterAt }) => ({ week, at: keptLaterAt ?? '' }))
}

const keptLines = async (db: TenantDb, { from, to }: Period): Promise<WeekPay[]> => {
  const rows = await db
    .selectFrom('payrollLines')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('week', '>=', from)
    .where('week', '<=', to)
    .orderBy('week')
    .execute()
  return rows.map(({ businessId: _, id: __, days: ___, items, ...line }) => ({
    ...line,
    items: items as unknown as PayItem[],
  }))
}

/** Weeks of people as they are paid: locked ones as they were locked, others by what is known now. */
export const listWeekPays = async (db: TenantDb, actor: Actor, period: Period) => {
  const kept = await keptWeeks(db, period)
  const open = weeksOf(period).filter((week) => !kept.has(week))
  const counted =
    open.length === 0
      ? { weeks: [], notApproved: [] }
      : await countWeeks(db, actor, { from: open[0] ?? period.from, to: addDays(open.at(-1) ?? period.from, 6) })
  return {
    locked: [...kept].sort(),
    notApproved: counted.notApproved.filter(({ week }) => !kept.has(week)),
    weeks: [
      ...(kept.size === 0 ? [] : (await keptLines(db, period)).filter(({ week }) => kept.has(week))),
      ...counted.weeks.filter(({ week }) => !kept.has(week)),
    ].sort((a, b) => (a.week < b.week ? -1 : Number(a.week > b.week))),
  }
}

/** The pay of a week, put down for good as it is locked. */
export const countForLock = async (db: TenantDb, actor: Pick<Actor, 'timeZone'>, week: Day): Promise<CountedWeek[]> =>
  (await countWeeks(db, actor, { from: week, to: addDays(week, 6) })).weeks

const sumOf = (weeks: readonly WeekPay[]): Omit<PayPerson, 'name' | 'number'> => {
  const sum = (of: (one: WeekPay) => number): number => weeks.reduce((total, one) => total + of(one), 0)
  return {
    userId: weeks[0]?.userId ?? '',
    regularSeconds: sum((one) => one.regularSeconds),
    overtimeSeconds: sum((one) => one.overtimeSeconds),
    doubleSeconds: sum((one) => one.doubleSeconds),
    lawns: sum((one) => one.lawns),
    pieceCents: sum((one) => one.pieceCents),
    bonusCents: sum((one) => one.bonusCents),
    offSeconds: sum((one) => one.offSeconds),
    offCents: sum((one) => one.offCents),
    mealCents: sum((one) => one.mealCents),
    premiumCents: sum((one) => one.premiumCents),
    grossCents: sum((one) => one.grossCents),
    costCents: sum((one) => one.costCents),
    tenthMiles: sum((one) => one.tenthMiles),
    mileageCents: sum((one) => one.mileageCents),
    usualWage: weeks.some((one) => one.usualWage),
    belowMinimum: weeks.some((one) => one.belowMinimum),
    rates: [...new Set(weeks.flatMap((one) => one.items.flatMap(({ rateCents }) => rateCents ?? [])))].sort(
      (a, b) => a - b,
    ),
  }
}

/** Approved time of whole weeks as it is paid; what is not approved is named and not counted. */
export const getPayroll = async (db: TenantDb, actor: Actor, period: Period) => {
  const { weeks, notApproved, locked } = await listWeekPays(db, actor, period)
  const byPerson = Map.groupBy(weeks, (one) => one.userId)
  const people = (await namesAndNumbers(db, [...byPerson.keys()])).map(
    ({ id, name, number }): PayPerson => ({ ...sumOf(byPerson.get(id) ?? []), name, number: number ?? '' }),
  )
  return { ...period, locked, keptLater: await keptLaterOf(db, period), notApproved, people }
}

/** @throws AppError state_conflict where a wage from a day on would reach into a locked week */
export const checkWageDay = async (db: TenantDb, from: Day): Promise<void> => {
  const locked = await db
    .selectFrom('payrollWeeks')
    .select('week')
    .where('businessId', '=', db.businessId)
    .where('week', '>=', startOfWeek(from))
    .orderBy('week', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!locked) return
  const [end, next] = [formatDay(addDays(locked.week, 6)), formatDay(addDays(locked.week, 7))]
  throw conflict(
    `Payroll has been run up to ${end}, and what is locked keeps its pay. Nothing was changed. Let the wage begin on ${next} or later, or ask an owner to unlock the weeks from ${formatDay(startOfWeek(from))} first.`,
  )
}

/** Who was on the clock at a visit, for how long, and what it cost. @throws AppError not_found */
export const getVisitLabor = async (db: TenantDb, actor: Actor, visitId: string) => {
  const visit = await db
    .selectFrom('visits')
    .select(['day', 'startedAt', 'finishedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  if (!visit) throw notFound('visit')
  const day = visit.day ?? dayOf(visit.startedAt ?? clock.now(), actor.timeZone)
  const { rows } = await sql<{ userId: string; name: string; seconds: number }>`
    with spells as (${spellsWithCrews(db, { from: day, to: day }, actor.timeZone)})
    select s.user_id as "userId", u.name,
      sum(extract(epoch from least(s.ended_at, v.finished_at) - greatest(s.started_at, v.started_at)))::float8 as seconds
    from visits v
    join spells s on s.crew_id = coalesce(v.published_crew_id, v.crew_id) and s.started_at < v.finished_at and s.ended_at > v.started_at
      and (s.kind = 'work' or (s.kind <> 'break' and exists (select 1 from crew_commands k where k.business_id = v.business_id
        and k.visit_id = v.id and k.user_id = s.user_id and ${toldWork})))
    join users u on u.business_id = v.business_id and u.id = s.user_id
    where v.business_id = ${db.businessId} and v.id = ${visitId} and v.started_at is not null and v.finished_at > v.started_at
    group by 1, 2 order by 2, 1`.execute(db)
  const wages = Map.groupBy(
    await listWages(
      db,
      rows.map((row) => row.userId),
    ),
    (one) => one.userId,
  )
  const usual = await getUsualWage(db)
  const people = rows.map(({ userId, name, seconds }) => {
    const { centsPerHour, burdenPercent } = termsOf(wages.get(userId) ?? [], usual)(visit.day ?? '')
    const part = { seconds: Math.round(seconds), centsPerHour, burdenPercent }
    return { userId, name, seconds: part.seconds, costCents: laborCostCents([part]) }
  })
  return {
    people,
    seconds: people.reduce((sum, one) => sum + one.seconds, 0),
    costCents: people.reduce((sum, one) => sum + one.costCents, 0),
  }
}
