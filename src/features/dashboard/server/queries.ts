import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf, instantAt, minuteOfDay, startOfWeek } from '../../../shared/dates.ts'
import { hubPath } from '../../../shared/paths.ts'
import { paidLately } from '../../invoices/aging/server/queries.ts'
import { countInvoiceable } from '../../invoices/batch/server/queries.ts'
import { countUnassignedTx, listDayBoardTx } from '../../visits/server/queries.ts'
import type { Dashboard } from '../contract.ts'
import { changePercent, perLaborHour } from '../rules.ts'

type DayMoney = { day: Day; doneCents: number; invoicedCents: number; paidCents: number }

/** Value of the visits finished on each day, how much of it is invoiced and how much of that is paid. */
const moneyByDay = async (db: TenantDb, from: Day, to: Day): Promise<DayMoney[]> => {
  const rows = await db
    .selectFrom('visits')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('invoices')
          .select('status')
          .where('businessId', '=', db.businessId)
          .whereRef('id', '=', 'visits.invoiceId')
          // one by one: for a week of visits the database would read all invoices of the business instead
          .limit(1)
          .as('invoices'),
      (join) => join.onTrue(),
    )
    .where('visits.businessId', '=', db.businessId)
    .where('visits.status', '=', 'completed')
    .where('visits.day', '>=', from)
    .where('visits.day', '<=', to)
    .groupBy('visits.day')
    .select([
      'visits.day',
      sql<number>`sum(visits.price_cents)`.as('doneCents'),
      sql<number>`coalesce(sum(visits.price_cents) filter (where invoices.status not in ('draft', 'void')), 0)`.as(
        'invoicedCents',
      ),
      sql<number>`coalesce(sum(visits.price_cents) filter (where invoices.status = 'paid'), 0)`.as('paidCents'),
    ])
    .execute()
  const found = new Map(rows.map((row) => [row.day, row]))
  const days: DayMoney[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const row = found.get(day)
    days.push({
      day,
      doneCents: Number(row?.doneCents ?? 0),
      invoicedCents: Number(row?.invoicedCents ?? 0),
      paidCents: Number(row?.paidCents ?? 0),
    })
  }
  return days
}

const earnedUntil = async (db: TenantDb, day: Day, until: string): Promise<number> => {
  const { sum } = await db
    .selectFrom('visits')
    .select(sql<number>`coalesce(sum(price_cents), 0)`.as('sum'))
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'completed')
    .where('day', '=', day)
    .where('finishedAt', '<=', until)
    .executeTakeFirstOrThrow()
  return Number(sum)
}

/** Man-seconds on site and on the road of the visits that were worked on a day. */
const laborSecondsOn = async (db: TenantDb, day: Day): Promise<number> => {
  const { sum } = await db
    .selectFrom('visits')
    .select(
      sql<number>`coalesce(sum((worked_seconds + coalesce(published_drive_seconds, planned_drive_seconds, 0)) * coalesce(people, 1)), 0)`.as(
        'sum',
      ),
    )
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'completed')
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  return Number(sum)
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
  const [earned, before, { targetLaborHourCents }, invoiceableVisits, laborSeconds, owing, lately, week] =
    await Promise.all([
      earnedUntil(db, today, clock.iso()),
      earnedUntil(db, lastWeek, instantAt(lastWeek, nowMinute, timeZone)),
      db
        .selectFrom('businesses')
        .select('targetLaborHourCents')
        .where('businessId', '=', db.businessId)
        .executeTakeFirstOrThrow(),
      countInvoiceable(db),
      laborSecondsOn(db, today),
      owed(db, today),
      paidLately(db, today),
      moneyByDay(db, monday, addDays(monday, 6)),
    ])
  return {
    earnedTodayCents: earned,
    earnedChangePercent: changePercent(earned, before),
    perLaborHourCents: perLaborHour(earned, laborSeconds),
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
