import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { csvText } from '../../../../shared/csv.ts'
import { addDays, type Day, daysBetween, instantAt } from '../../../../shared/dates.ts'
import { AppError, conflict, notFound } from '../../../../shared/errors.ts'
import { type DatedWage, getUsualWage, listWages } from '../../../employees/wages/server/queries.ts'
import { splitWeek } from '../../overtime/rules.ts'
import { type ClockEntry, weekOf } from '../../rules.ts'
import type { PayPerson, payrollApi } from '../contract.ts'
import {
  isBelowMinimum,
  laborCostCents,
  mileageCents,
  needsNumber,
  type PaidDay,
  type Pay,
  payOfWeek,
  payRows,
  presetLabel,
  roundedEntries,
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

/** Lawns that were finished while a person was on the clock with that crew, by person and day. */
const lawnsOf = async (db: TenantDb, { from, to }: Period): Promise<Map<string, number>> => {
  const { rows } = await sql<{ userId: string; day: Day; lawns: number }>`
    select t.user_id as "userId", v.day, count(distinct v.id)::int as lawns
    from visits v
    join time_entries t on t.business_id = v.business_id and t.crew_id = coalesce(v.published_crew_id, v.crew_id)
      and t.kind = 'work' and t.started_at <= v.finished_at and (t.ended_at is null or t.ended_at >= v.finished_at)
      and t.started_at > v.finished_at - interval '1 day'
    where v.business_id = ${db.businessId} and v.day between ${from} and ${to} and v.status = 'completed'
    group by 1, 2`.execute(db)
  return new Map(rows.map(({ userId, day, lawns }) => [`${userId} ${day}`, lawns]))
}

const milesOf = async (db: TenantDb, { from, to }: Period): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('ownCarMiles')
    .select((eb) => ['userId', eb.fn.sum<number>('tenthMiles').as('tenthMiles')])
    .where('businessId', '=', db.businessId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('userId')
    .execute()
  return new Map(rows.map((row) => [row.userId, Number(row.tenthMiles)]))
}

const peopleOf = async (db: TenantDb, userIds: readonly string[]) =>
  userIds.length === 0
    ? []
    : db
        .selectFrom('users as u')
        .leftJoin('payrollNumbers as n', (j) =>
          j.onRef('n.businessId', '=', 'u.businessId').onRef('n.userId', '=', 'u.id'),
        )
        .where('u.businessId', '=', db.businessId)
        .where('u.id', 'in', [...userIds])
        .select(['u.id', 'u.name', 'n.number'])
        .orderBy('u.name')
        .orderBy('u.id')
        .execute()

const wageOn = (wages: readonly DatedWage[], day: Day): DatedWage | undefined => wages.find((one) => one.from <= day)

type Sums = Pay & {
  regular: number
  overtime: number
  double: number
  lawns: number
  costCents: number
  below: boolean
}
const nothing: Sums = {
  regular: 0,
  overtime: 0,
  double: 0,
  lawns: 0,
  hourCents: 0,
  pieceCents: 0,
  bonusCents: 0,
  premiumCents: 0,
  grossCents: 0,
  costCents: 0,
  below: false,
}

/** Approved time of whole weeks as it is paid; what is not approved is named and not counted. */
export const getPayroll = async (db: TenantDb, actor: Actor, period: Period) => {
  const { timeZone } = actor
  const nowMs = clock.nowMs()
  const { settings, ruleOf } = await getPayRules(db)
  const entries = Map.groupBy(await entriesOf(db, period, timeZone), (entry) => entry.userId)
  const approved = await approvedWeeks(db, period)
  const lawns = await lawnsOf(db, period)
  const miles = await milesOf(db, period)
  const userIds = [...new Set([...entries.keys(), ...miles.keys()])]
  const wages = Map.groupBy(await listWages(db, userIds, period.to), (one) => one.userId)
  const usual = await getUsualWage(db)
  const weeks = Array.from({ length: (daysBetween(period.from, period.to) + 1) / 7 }, (_, at) =>
    addDays(period.from, 7 * at),
  )
  const notApproved: { userId: string; name: string; week: Day }[] = []
  const people: PayPerson[] = []
  for (const { id, name, number } of await peopleOf(db, userIds)) {
    const own = entries.get(id) ?? []
    const ownWages = wages.get(id) ?? []
    const sums = { ...nothing }
    for (const week of weeks) {
      const raw = weekOf(own, week, timeZone, nowMs)
      const hasTime = raw.days.some((day) => day.paidSeconds > 0 || day.breakSeconds > 0)
      if (hasTime && !approved.has(`${id} ${week}`)) notApproved.push({ userId: id, name, week })
      if (!hasTime || !approved.has(`${id} ${week}`)) continue
      const { days } = weekOf(roundedEntries(own, settings.roundingMinutes), week, timeZone, nowMs)
      const split = splitWeek(
        days.map((day) => day.paidSeconds),
        ruleOf(wageOn(ownWages, week)?.centsPerHour ?? null),
      )
      const paid = days.map(({ day }, at): PaidDay => {
        const wage = wageOn(ownWages, day)
        return {
          ...(split[at] ?? { regular: 0, overtime: 0, double: 0 }),
          lawns: lawns.get(`${id} ${day}`) ?? 0,
          terms: {
            centsPerHour: wage?.centsPerHour ?? usual.defaultWageCents,
            pieceCents: wage?.pieceCents ?? null,
            bonusCents: wage?.bonusCents ?? null,
          },
        }
      })
      const pay = payOfWeek(paid)
      for (const day of paid) {
        sums.regular += day.regular
        sums.overtime += day.overtime
        sums.double += day.double
        sums.lawns += day.lawns
      }
      sums.pieceCents += pay.pieceCents
      sums.bonusCents += pay.bonusCents
      sums.grossCents += pay.grossCents
      sums.costCents += withBurden(pay.grossCents, wageOn(ownWages, week)?.burdenPercent ?? usual.burdenPercent)
      sums.below ||= isBelowMinimum(
        pay,
        paid.reduce((sum, day) => sum + day.regular + day.overtime + day.double, 0),
      )
    }
    const tenthMiles = miles.get(id) ?? 0
    if (sums.regular + sums.overtime + sums.double + tenthMiles === 0) continue
    people.push({
      userId: id,
      name,
      number: number ?? '',
      regularSeconds: sums.regular,
      overtimeSeconds: sums.overtime,
      doubleSeconds: sums.double,
      lawns: sums.lawns,
      pieceCents: sums.pieceCents,
      bonusCents: sums.bonusCents,
      grossCents: sums.grossCents,
      costCents: sums.costCents,
      tenthMiles,
      mileageCents: mileageCents(tenthMiles, settings.mileTenthCents),
      usualWage: wageOn(ownWages, period.to) === undefined,
      belowMinimum: sums.below,
    })
  }
  return { ...period, notApproved, people }
}

/** The file for a payroll. @throws AppError where a person has no number and the provider knows people only by it */
export const makePayrollFile = async (
  db: TenantDb,
  actor: Actor,
  { preset, from, to }: z.output<typeof payrollApi.csv.query>,
) => {
  const { people } = await getPayroll(db, actor, { from, to })
  const { settings } = await getPayRules(db)
  if (people.length === 0) throw conflict('No approved time is in these weeks, so there is nothing to write.')
  const numberless = needsNumber.includes(preset) ? people.filter((one) => one.number === '') : []
  if (numberless.length > 0)
    throw new AppError(
      'state_conflict',
      `${presetLabel[preset]} knows people by their number. Give one to ${numberless.map((one) => one.name).join(', ')} first.`,
    )
  if (needsNumber.includes(preset) && settings.companyCode === '')
    throw conflict(`${presetLabel[preset]} asks for your company code. Type it in the payroll settings first.`)
  const lines = people.map((one) => ({
    ...one,
    regular: one.regularSeconds,
    overtime: one.overtimeSeconds,
    double: one.doubleSeconds,
  }))
  const rows = payRows(preset, lines, { from, to, companyCode: settings.companyCode })
  return { name: `payroll-${preset}-${from}-to-${to}.csv`, mime: 'text/csv', text: csvText(rows) }
}

/** Who was on the clock at a visit, for how long, and what it cost. @throws AppError not_found */
export const getVisitLabor = async (db: TenantDb, visitId: string) => {
  const visit = await db
    .selectFrom('visits')
    .select(['day', 'startedAt', 'finishedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  if (!visit) throw notFound('visit')
  const { rows } = await sql<{ userId: string; name: string; seconds: number }>`
    select t.user_id as "userId", u.name,
      sum(extract(epoch from least(coalesce(t.ended_at, v.finished_at), v.finished_at) - greatest(t.started_at, v.started_at)))::float8 as seconds
    from visits v
    join time_entries t on t.business_id = v.business_id and t.crew_id = coalesce(v.published_crew_id, v.crew_id)
      and t.kind = 'work' and t.started_at < v.finished_at and (t.ended_at is null or t.ended_at > v.started_at)
      and t.started_at > v.started_at - interval '1 day'
    join users u on u.business_id = t.business_id and u.id = t.user_id
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
    const wage = wageOn(wages.get(userId) ?? [], visit.day ?? '')
    const part = {
      seconds: Math.round(seconds),
      centsPerHour: wage?.centsPerHour ?? usual.defaultWageCents,
      burdenPercent: wage?.burdenPercent ?? usual.burdenPercent,
    }
    return { userId, name, seconds: part.seconds, costCents: laborCostCents([part]) }
  })
  return {
    people,
    seconds: people.reduce((sum, one) => sum + one.seconds, 0),
    costCents: people.reduce((sum, one) => sum + one.costCents, 0),
  }
}
