import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, daysBetween, instantAt } from '../../../shared/dates.ts'
import { timeZoneOf, todayOf } from '../../businesses/server/queries.ts'
import { paidLately } from '../../invoices/aging/server/queries.ts'
import { sumQuotes } from '../../quotes/analytics/server/queries.ts'
import type { Overview, ReportData, Slice } from '../contract.ts'
import { reportData } from '../report/rules.ts'
import { type FigureRow, getJobFigures, listFigures, listMarked, type Span } from '../rollups/server/queries.ts'
import {
  averageCents,
  beforeLabel,
  bucketFigures,
  bucketsOf,
  conversionRate,
  type Figures,
  jobsPerRoute,
  kinds,
  lookBackDays,
  noFigures,
  type Part,
  type Period,
  paymentRate,
  perLaborHour,
  ratesOf,
  shareOf,
  spansOf,
  sumFigures,
  whySentence,
} from '../rules.ts'
import { sumPrepaid } from '../worth/server/queries.ts'

type Dates = { from: Day; to: Day }
const mostCustomers = 10
const mostSlices = 12

/** Customers who are no leads: how many there are, how many of them texts about their service reach, and how many came in each span. */
const countCustomers = async (db: TenantDb, spans: readonly Dates[]) => {
  const timeZone = await timeZoneOf(db)
  const since = spans.map(({ from }) => instantAt(from, 0, timeZone))
  const until = spans.map(({ to }) => instantAt(addDays(to, 1), 0, timeZone))
  const { rows } = await sql<{ total: number; active: number; smsConsent: number; added: number[] }>`
    with refused as materialized (
      select s.address from suppressions s where s.business_id = ${db.businessId} and s.channel = 'sms' and s.purpose = 'all'
      union select e.address from (select distinct on (e.address) e.address, e.action from consent_events e
        where e.business_id = ${db.businessId} and e.channel = 'sms' and e.purpose = 'transactional'
        order by e.address, e.at desc, e.id desc) e where e.action <> 'grant')
    select count(*)::int as total, count(*) filter (where c.stage = 'active')::int as active,
      count(*) filter (where c.phone is not null and c.phone not in (select address from refused))::int as sms_consent,
      array[${sql.join(
        since.map(
          (from, at) =>
            sql`count(*) filter (where c.created_at >= ${from}::timestamptz and c.created_at < ${until[at]}::timestamptz)::int`,
        ),
      )}] as added
    from customers c where c.business_id = ${db.businessId} and c.stage <> 'lead' and c.archived_at is null`.execute(db)
  return rows[0] ?? { total: 0, active: 0, smsConsent: 0, added: spans.map(() => 0) }
}

/** What was ever paid, less what went back, and the customers who are no leads. A row for each day, never each payment; marked days by the ledger. */
const sumLifetime = async (db: TenantDb): Promise<{ cents: number; customers: number }> => {
  const { rows } = await sql<{ cents: number; customers: number }>`
    with dirty as materialized (select distinct day from analytics_marks where business_id = ${db.businessId})
    select (coalesce((select sum(d.received_cents - d.returned_cents) from analytics_days d where d.business_id = ${db.businessId}
          and d.kind = 'all' and not exists (select from dirty x where x.day = d.day)), 0)
        - coalesce((select sum(e.amount_cents) from ledger_entries e join dirty x on x.day = e.on_day where e.business_id = ${db.businessId}
          and e.kind in ('payment', 'refund', 'dispute', 'tip')), 0))::int8 as cents,
      (select count(*) from customers where business_id = ${db.businessId} and stage <> 'lead')::int as customers`.execute(
    db,
  )
  return rows[0] ?? { cents: 0, customers: 0 }
}

/** Invoices of the span that are late today: among the open ones alone. */
const countOverdue = async (db: TenantDb, { from, to }: Dates, today: Day): Promise<number> => {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from invoices where business_id = ${db.businessId}
    and status in ('issued', 'partially_paid') and due_on < ${today}::date and issue_on between ${from}::date and ${to}::date
    and opening_from is null`.execute(db)
  return rows[0]?.count ?? 0
}

const listNames = async (db: TenantDb): Promise<Map<string, string>> => {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from crews where business_id = ${db.businessId}
    union all select id, name from services where business_id = ${db.businessId}`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const unnamed = { crew: 'without a crew', service: 'without a service', city: 'without a city', source: 'not known' }
const sourceWords = (key: string): string => `${key.slice(0, 1).toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`

const nameOfSlice = (kind: Part['kind'], key: string, names: ReadonlyMap<string, string>): string =>
  names.get(key) ?? (key === '' ? unnamed[kind] : kind === 'source' ? sourceWords(key) : key)

/** How the parts of completed work are called, by their keys. */
export const nameSlices = async (db: TenantDb, kind: Part['kind']): Promise<(key: string) => string> => {
  const names = await listNames(db)
  return (key) => nameOfSlice(kind, key, names)
}

const slicesOf = (rows: readonly FigureRow[], kind: Part['kind'], names: ReadonlyMap<string, string>): Slice[] => {
  const of = (span: string) =>
    new Map(rows.filter((row) => row.kind === kind && row.span === span).map((row) => [row.key, row]))
  const [now, before] = [of('current'), of('previous')]
  return [...new Set([...now.keys(), ...before.keys()])]
    .map((key) => {
      const figures = now.get(key) ?? noFigures
      return {
        key,
        name: nameOfSlice(kind, key, names),
        completions: figures.completions,
        worthCents: figures.worthCents,
        beforeCents: before.get(key)?.worthCents ?? 0,
        capturedCents: figures.capturedCents,
        perLaborHourCents: perLaborHour(figures.clockedWorthCents, figures.clockedLaborSeconds),
      }
    })
    .sort((a, b) => b.worthCents - a.worthCents || b.beforeCents - a.beforeCents || a.name.localeCompare(b.name))
}

/** So many marked days are counted in a moment. */
const mostAtOnce = 60

/**
 * After a change of the product, or of many old rows, a whole year may wait for its count: who looks in these minutes waits longer than a statement
 * usually may take, and gets an answer.
 */
const allowTime = async (db: TenantDb, marked: readonly Day[]): Promise<void> => {
  if (marked.length > mostAtOnce) await sql`set local statement_timeout = '90s'`.execute(db)
}

const partKinds = kinds.filter((kind) => kind !== 'all')

const days = (rows: readonly FigureRow[], span: string): { day: Day; figures: Figures }[] =>
  // no row is copied here: that took longer than most statements of a year
  rows.flatMap((row) =>
    row.kind === 'all' && row.span === span && row.day !== null ? [{ day: row.day, figures: row }] : [],
  )

/** What a period came to, and the money of each of its days. */
const getPeriod = async (db: TenantDb, period: Period) => {
  const today = await todayOf(db)
  const spans = spansOf(period, today)
  // a year ago of a year is the one before it: its figures are read once
  const yearAgo = spans.lastYear.from === spans.previous.from ? 'previous' : 'lastYear'
  const named: Span[] = (['current', 'previous', 'lastYear'] as const)
    .filter((name) => name !== 'lastYear' || name === yearAgo)
    .map((name) => ({ name, ...spans[name] }))
  const marked = await listMarked(db, { from: addDays(today, -lookBackDays), to: today })
  await allowTime(db, marked)
  const [rows, jobs, customers, lifetimeMoney, overdue, names, lately, prepaidCents, quotes, target] =
    await Promise.all([
      listFigures(db, named, kinds, marked),
      getJobFigures(db, spans, mostCustomers, marked),
      countCustomers(db, [spans.current, spans.previous, spans.lastYear]),
      sumLifetime(db),
      countOverdue(db, spans.current, today),
      listNames(db),
      paidLately(db, today),
      sumPrepaid(db),
      sumQuotes(db, spans.current),
      db
        .selectFrom('businesses')
        .select('targetLaborHourCents')
        .where('businessId', '=', db.businessId)
        .executeTakeFirstOrThrow(),
    ])
  const of = (span: string): Figures => sumFigures(days(rows, span).map(({ figures }) => figures))
  const [now, before, lastYear] = [of('current'), of('previous'), of(yearAgo)]
  const compared = <T>(each: (figures: Figures) => T) => ({
    now: each(now),
    before: each(before),
    lastYear: each(lastYear),
  })
  const closed = sumFigures(
    days(rows, 'current')
      .filter(({ day }) => day < today)
      .map(({ figures }) => figures),
  )
  const slices = Object.fromEntries(partKinds.map((kind) => [kind, slicesOf(rows, kind, names)])) as Overview['slices']
  const buckets = bucketsOf(period, spans.current)
  const columns = bucketFigures(buckets, days(rows, 'current'))
  const lag = daysBetween(spans.lastYear.from, spans.current.from)
  const shift = buckets.map(({ from, to }) => ({ from: addDays(from, -lag), to: addDays(to, -lag), label: '' }))
  const columnsLastYear = bucketFigures(shift, days(rows, yearAgo))
  const [addedNow = 0, addedBefore = 0, addedLastYear = 0] = customers.added
  const overview: Overview = {
    period,
    ...spans,
    worthCents: compared(({ worthCents }) => worthCents),
    capturedCents: compared(({ capturedCents }) => capturedCents),
    receivedCents: compared(({ receivedCents }) => receivedCents),
    invoicedCents: compared(({ invoicedCents }) => invoicedCents),
    completions: compared(({ completions }) => completions),
    perLaborHourCents: compared((figures) => ratesOf(figures).perLaborHourCents),
    targetLaborHourCents: target.targetLaborHourCents,
    captureRate: compared((figures) => ratesOf(figures).captureRate),
    drivePercent: compared((figures) => ratesOf(figures).drivePercent),
    skipPercent: compared((figures) => ratesOf(figures).skipPercent),
    stopsPerMile: compared((figures) => ratesOf(figures).stopsPerMile),
    jobsPerRoute: jobsPerRoute(closed),
    newCustomers: { now: addedNow, before: addedBefore, lastYear: addedLastYear },
    customers: {
      total: customers.total,
      active: customers.active,
      smsConsent: customers.smsConsent,
      averageLifetimeCents: averageCents(lifetimeMoney.cents, lifetimeMoney.customers),
    },
    jobs: { worked: jobs.jobs, waiting: jobs.waiting },
    invoices: {
      total: now.invoices,
      paid: now.invoicesPaid,
      overdue,
      paymentRate: paymentRate(now),
      averageCents: averageCents(now.invoicedCents, now.invoices),
    },
    quotes: {
      sent: quotes.sent,
      won: quotes.won,
      conversionRate: conversionRate(quotes),
      averageCents: averageCents(quotes.sentCents, quotes.sent),
    },
    churn:
      period === 'week' ? null : { before: jobs.before, left: jobs.left, percent: shareOf(jobs.left, jobs.before) },
    prepaidCents,
    daysToPay: lately.daysToPay,
    chart: buckets.map(({ label }, at) => ({
      label,
      worthCents: columns[at]?.worthCents ?? 0,
      capturedCents: columns[at]?.capturedCents ?? 0,
      lastYearCents: columnsLastYear[at]?.worthCents ?? 0,
      completions: columns[at]?.completions ?? 0,
    })),
    slices: Object.fromEntries(
      Object.entries(slices).map(([kind, list]) => [kind, list.slice(0, mostSlices)]),
    ) as Overview['slices'],
    bestCustomers: jobs.best,
    why: whySentence(
      { nowCents: now.worthCents, beforeCents: before.worthCents },
      (['crew', 'service', 'city'] as const).flatMap((kind) =>
        slices[kind].map(({ name, worthCents, beforeCents }) => ({ kind, name, nowCents: worthCents, beforeCents })),
      ),
      beforeLabel(period),
    ),
  }
  return { overview, days: days(rows, 'current').map(({ day, figures }) => ({ day, cents: figures.worthCents })) }
}

/** What a period came to, against the one before and a year ago. */
export const getOverview = async (db: TenantDb, period: Period): Promise<Overview> =>
  (await getPeriod(db, period)).overview

/** The same under the names of the report. */
export const getReport = async (db: TenantDb, period: Period): Promise<ReportData> => {
  const found = await getPeriod(db, period)
  return reportData(found.overview, found.days)
}
