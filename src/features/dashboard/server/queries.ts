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

/** Worth of the visits finished on each day, how much of it is invoiced and how much of that is paid; what a billing plan paid is as good as invoiced. */
const moneyByDay = async (db: TenantDb, from: Day, to: Day): Promise<DayMoney[]> => {
  const { rows } = await sql<DayMoney>`
    select w.day, sum(w.worth_cents)::int8 as done_cents,
      sum(w.invoiced_cents)::int8 as invoiced_cents,
      sum(w.captured_cents)::int8 as paid_cents
    from (${finishedWork(db, sql`v.day between ${from}::date and ${to}::date`)}) w where w.done group by w.day`.execute(
    db,
  )
  const found = new Map(rows.map((row) => [row.day, row]))
  const days: DayMoney[] = []
  for (let day = from; day <= to; day = addDays(day, 1))
    days.push(found.get(day) ?? { day, doneCents: 0, invoicedCents: 0, paidCents: 0 })
  return days
}

/** Worth and man-seconds of the visits finished on a day until a moment. */
const earnedUntil = async (db: TenantDb, day: Day, until: string) => {
  const { rows } = await sql<{ cents: number; laborSeconds: number }>`
    select coalesce(sum(w.worth_cents), 0)::int8 as cents, coalesce(sum(w.labor_seconds), 0)::int8 as labor_seconds
    from (${finishedWork(db, sql`v.day = ${day}::date and v.finished_at <= ${until}::timestamptz`)}) w where w.done`.execute(
    db,
  )
  return rows[0] ?? { cents: 0, laborSeconds: 0 }
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
  const [earned, before, { targetLaborHourCents }, invoiceableVisits, owing, lately, week] = await Promise.all([
    earnedUntil(db, today, clock.iso()),
    earnedUntil(db, lastWeek, instantAt(lastWeek, nowMinute, timeZone)),
    db
      .selectFrom('businesses')
      .select('targetLaborHourCents')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow(),
    countInvoiceable(db),
    owed(db, today),
    paidLately(db, today),
    moneyByDay(db, monday, addDays(monday, 6)),
  ])
  return {
    earnedTodayCents: earned.cents,
    earnedChangePercent: changePercent(earned.cents, before.cents),
    perLaborHourCents: perLaborHour(earned.cents, earned.laborSeconds),
    targetLaborHourCents,
    ...owing,
    daysToPay: lately.daysToPay,
    paidLatelyCount: lately.count,
    invoiceableVisits,
    week,
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
