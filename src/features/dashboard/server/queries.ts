import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf, instantAt, minuteOfDay, startOfWeek } from '../../../shared/dates.ts'
import { hubPath } from '../../../shared/paths.ts'
import { changePercent, perLaborHour } from '../../analytics/rules.ts'
import { finishedWork } from '../../analytics/worth/server/queries.ts'
import { paidLately } from '../../invoices/aging/server/queries.ts'
import { countInvoiceable } from '../../invoices/batch/server/queries.ts'
import { countUnassignedTx, listDayBoardTx } from '../../visits/server/queries.ts'
import type { Dashboard } from '../contract.ts'

type DayMoney = { day: Day; doneCents: number; invoicedCents: number; paidCents: number }

type Until = { day: Day; instant: string }

/**
 * Worth of the visits finished on each day, how much of it is invoiced and how much of that is paid; what a billing plan paid is as good as invoiced.
 * Of the days in `until` also what was earned up to an instant, and of work that a clock saw how much in how many labor seconds. One query for all of it: to plan it costs more than to run it.
 */
const moneyByDay = async (db: TenantDb, from: Day, to: Day, until: readonly Until[]) => {
  const week: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) week.push(day)
  const days = [...new Set([...week, ...until.map(({ day }) => day)])]
  const { rows } = await sql<DayMoney & { earnedCents: number; clockedCents: number; laborSeconds: number }>`
    select w.day, sum(w.worth_cents)::int8 as done_cents, sum(w.invoiced_cents)::int8 as invoiced_cents, sum(w.captured_cents)::int8 as paid_cents,
      coalesce(sum(w.worth_cents) filter (where w.finished_at <= u.instant), 0)::int8 as earned_cents,
      coalesce(sum(w.worth_cents) filter (where w.finished_at <= u.instant and clocked), 0)::int8 as clocked_cents,
      coalesce(sum(w.labor_seconds) filter (where w.finished_at <= u.instant and clocked), 0)::int8 as labor_seconds
    from (${finishedWork(db, sql`v.day = any(${days}::date[])`)}) w
    left join jsonb_to_recordset(${JSON.stringify(until)}::jsonb) as u(day date, instant timestamptz) on u.day = w.day
    where w.done group by w.day`.execute(db)
  const found = new Map(rows.map((row) => [row.day, row]))
  return {
    week: week.map((day): DayMoney => {
      const { doneCents = 0, invoicedCents = 0, paidCents = 0 } = found.get(day) ?? {}
      return { day, doneCents, invoicedCents, paidCents }
    }),
    earned: until.map(({ day }) => {
      const { earnedCents = 0, clockedCents = 0, laborSeconds = 0 } = found.get(day) ?? {}
      return { cents: earnedCents, clockedCents, laborSeconds }
    }),
  }
}

const owed = async (db: TenantDb, today: Day) => {
  const row = await db
    .selectFrom('invoices')
    .where('businessId', '=', db.businessId)
    .where('status', 'in', ['issued', 'partially_paid'])
    .select([
      sql<number>`coalesce(sum(total_cents - paid_cents), 0)`.as('owedCents'),
      sql<number>`coalesce(sum(total_cents - paid_cents) filter (where due_on < ${addDays(today, -30)}), 0)`.as(
        'over30Cents',
      ),
      sql<number>`coalesce(sum(total_cents - paid_cents) filter (where due_on < ${today}), 0)`.as('overdueCents'),
      sql<number>`count(*) filter (where due_on < ${today})`.as('overdueCount'),
    ])
    .executeTakeFirstOrThrow()
  return {
    owedCents: Number(row.owedCents),
    over30Cents: Number(row.over30Cents),
    overdueCents: Number(row.overdueCents),
    overdueCount: Number(row.overdueCount),
  }
}

const moneyOf = async (
  db: TenantDb,
  today: Day,
  timeZone: string,
  nowMinute: number,
): Promise<NonNullable<Dashboard['money']>> => {
  const lastWeek = addDays(today, -7)
  const monday = startOfWeek(today)
  const [{ targetLaborHourCents }, invoiceableVisits, owing, lately, work] = await Promise.all([
    db
      .selectFrom('businesses')
      .select('targetLaborHourCents')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow(),
    countInvoiceable(db),
    owed(db, today),
    paidLately(db, today),
    moneyByDay(db, monday, addDays(monday, 6), [
      { day: today, instant: clock.iso() },
      { day: lastWeek, instant: instantAt(lastWeek, nowMinute, timeZone) },
    ]),
  ])
  const [earned, before] = work.earned
  return {
    earnedTodayCents: earned?.cents ?? 0,
    earnedChangePercent: changePercent(earned?.cents ?? 0, before?.cents ?? 0),
    perLaborHourCents: perLaborHour(earned?.clockedCents ?? 0, earned?.laborSeconds ?? 0),
    targetLaborHourCents,
    ...owing,
    daysToPay: lately.daysToPay,
    paidLatelyCount: lately.count,
    invoiceableVisits,
    week: work.week,
  }
}

const startSteps = async (db: TenantDb): Promise<Dashboard['start']> => {
  const has = async (table: 'customers' | 'services' | 'crews' | 'jobs') =>
    Boolean(await db.selectFrom(table).select('id').where('businessId', '=', db.businessId).limit(1).executeTakeFirst())
  const [customers, services, crews, jobs] = await Promise.all([
    has('customers'),
    has('services'),
    has('crews'),
    has('jobs'),
  ])
  const steps: Dashboard['start'] = [
    { key: 'customers', done: customers, path: hubPath('customers', 'manage') },
    { key: 'services', done: services, path: hubPath('jobs', 'services') },
    { key: 'crews', done: crews, path: hubPath('employees', 'crews') },
    { key: 'jobs', done: jobs, path: hubPath('jobs', 'create') },
  ]
  return steps.every((step) => step.done) ? [] : steps
}

/** What the owner's first screen shows of the day and of money, from one moment. */
export const getDay = async (db: TenantDb, actor: Actor): Promise<Omit<Dashboard, 'needs' | 'needCount'>> => {
  const today = dayOf(clock.now(), actor.timeZone)
  const nowMinute = minuteOfDay(clock.now(), actor.timeZone)
  const [board, routes, unplacedCount, money, start] = await Promise.all([
    listDayBoardTx(db, today),
    db
      .selectFrom('routes')
      .select(['planned', 'booked', 'estimated'])
      .where('businessId', '=', db.businessId)
      .where('day', '=', today)
      .execute(),
    countUnassignedTx(db, today),
    hasPermission(actor, 'money') ? moneyOf(db, today, actor.timeZone, nowMinute) : null,
    startSteps(db),
  ])
  const crews = board.filter((crew) => crew.stops.length > 0)
  const driveOf = (totals: unknown): number => (totals as { driveSeconds?: number } | null)?.driveSeconds ?? 0
  const backs = crews.flatMap((crew) => (crew.backAtMinute === null ? [] : [crew.backAtMinute]))
  return {
    today,
    nowMinute,
    crews,
    crewsOut: crews.length,
    stopCount: crews.reduce((sum, crew) => sum + crew.counts.total, 0),
    finishedCount: crews.reduce((sum, crew) => sum + crew.counts.finished, 0),
    unplacedCount,
    doneAtMinute: backs.length ? Math.max(...backs) : null,
    money,
    drive: {
      seconds: routes.reduce((sum, route) => sum + driveOf(route.planned), 0),
      bookedSeconds: routes.reduce((sum, route) => sum + driveOf(route.booked), 0),
      estimated: routes.some((route) => route.estimated),
    },
    start,
  }
}
