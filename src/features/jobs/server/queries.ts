import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { type Key, keyset } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { lineCents } from '../../../shared/money.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../customers/areas/server/queries.ts'
import { JobFilter, type JobLine, type JobRecord, type JobRow, jobsApi } from '../contract.ts'
import type { Recurrence, SeasonSpan } from '../rules.ts'
import { getCalendar } from '../schedule/server/queries.ts'
import { endingDays, type JobAction, type JobView, jobFlags, jobRefusals, jobViews } from '../states/rules.ts'
import { seasonOf } from '../undated/rules.ts'
import { listLineVisits } from '../undated/server/queries.ts'
import { scheduleText } from '../wording/rules.ts'

export { getCalendar } from '../schedule/server/queries.ts'

type Condition = RawBuilder<SqlBool>

/** Jobs with what their visits add up to; `j`, `c`, `p`, `cr`, `v` and `l` are what conditions may name. */
const fromJobs = (db: TenantDb, today: Day) => sql`
  from jobs j
  join customers c on c.business_id = j.business_id and c.id = j.customer_id
  join properties p on p.business_id = j.business_id and p.id = j.property_id
  left join crews cr on cr.business_id = j.business_id and cr.id = j.crew_id
  cross join lateral (
    select
      count(*)::int as open_visits,
      count(*) filter (where x.day < ${today} or x.day is null and exists (
        select 1 from visit_lines vl join job_lines jl on jl.business_id = vl.business_id and jl.id = vl.job_line_id
        where vl.business_id = x.business_id and vl.visit_id = x.id
          and coalesce(jl.undated->>'warnOn', jl.undated->>'closesOn') < ${today}))::int as late_visits,
      count(*) filter (where x.day is null or x.status = 'unscheduled')::int as unscheduled_visits,
      min(x.day) filter (where x.day >= ${today}) as next_visit_on,
      max(x.day) as last_open_on,
      (select count(*) from visits b where b.business_id = j.business_id and b.job_id = j.id
        and b.to_bill and b.invoice_id is null and b.price_cents > 0)::int as uninvoiced_visits
    from visits x
    where x.business_id = j.business_id and x.job_id = j.id
      and x.status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused')) v
  cross join lateral (
    -- rounds and what waits are visits of their own: what is dearest of them, where no line has days
    select coalesce(sum(y.cents) filter (where y.undated is null), max(y.cents), 0)::int as per_visit_cents, coalesce(bool_or(y.recurrence is not null), false) as recurring, coalesce(bool_and(y.once_on is not null), false) as once,
      coalesce(bool_or(y.undated->>'kind' = 'on_demand'), false) as on_demand
    from (select *, round(quantity * line_price_on(unit_price_cents, next_unit_price_cents, next_price_on, later_prices, ${today}::date)) as cents from job_lines) y
    where y.business_id = j.business_id and y.job_id = j.id and y.archived_at is null) l
  where j.business_id = ${db.businessId}`

/** Whether the next season of a job is still to be made: then it needs nobody although nothing of it is ahead. */
const renews = (
  today: Day,
) => sql`j.program_renews and j.renewed_as is null and coalesce(j.end_on >= ${today}::date, true)
  and exists (select 1 from programs g where g.business_id = j.business_id and g.id = j.program_id and g.archived_at is null)`

/** The same meaning as `jobFlags`, for the database. */
const inView = (view: JobView, today: Day): Condition => {
  const running = sql`j.status = 'active' and j.archived_at is null`
  switch (view) {
    case 'active':
      return sql`j.status in ('draft', 'active', 'paused') and j.archived_at is null`
    case 'late':
      return sql`${running} and v.late_visits > 0`
    case 'unscheduled':
      return sql`${running} and v.unscheduled_visits > 0`
    case 'action_required':
      return sql`${running} and v.open_visits = 0 and j.next_on is null and not l.on_demand and not (l.once and v.uninvoiced_visits > 0)
        and not (${renews(today)})`
    case 'requires_invoicing':
      return sql`j.status <> 'draft' and v.uninvoiced_visits > 0`
    case 'ending_30d':
      return sql`${running} and l.recurring and coalesce(j.end_on, case when j.next_on is null then v.last_open_on end) between ${today}::date and ${addDays(today, endingDays)}::date`
    case 'archived':
      return sql`(j.status in ('completed', 'canceled') or j.archived_at is not null)`
  }
}

const columns = (today: Day) => sql`
  j.id, j.number, j.title, j.status, j.customer_id, c.name as customer_name, c.company as customer_company, j.property_id, p.street, p.city,
  j.crew_id, cr.name as crew_name, cr.color as crew_color, j.program_year, j.start_on, j.end_on, j.paused_until, j.next_on, j.archived_at,
  v.open_visits, v.late_visits, v.unscheduled_visits, v.next_visit_on, v.last_open_on, v.uninvoiced_visits, l.per_visit_cents, l.recurring, l.on_demand, l.once,
  (${renews(today)}) as renews`

type RawRow = Omit<JobRow, 'crew' | 'scheduleText' | 'flags'> & {
  crewId: string | null
  crewName: string | null
  crewColor: string | null
  nextOn: Day | null
  archivedAt: string | null
  unscheduledVisits: number
  lastOpenOn: Day | null
  recurring: boolean
  onDemand: boolean
  once: boolean
  renews: boolean
}

type RawLine = Omit<JobLine, 'scheduleText' | 'totalCents' | 'standing'> & { jobId: string; unitPriceCents: number }

const linesOf = async (db: TenantDb, jobIds: readonly string[], today: Day): Promise<RawLine[]> => {
  if (jobIds.length === 0) return []
  const { rows } = await sql<RawLine>`
    select l.id, l.job_id, l.service_id, s.name as service_name, l.description, l.quantity, l.budget_minutes,
      line_price_on(l.unit_price_cents, l.next_unit_price_cents, l.next_price_on, l.later_prices, ${today}::date) as unit_price_cents,
      case when l.next_price_on > ${today}::date then jsonb_build_object('cents', l.next_unit_price_cents, 'on', l.next_price_on)
        else (select jsonb_build_object('cents', step->'cents', 'on', step->'on') from jsonb_array_elements(l.later_prices) step
          where (step->>'on')::date > ${today}::date order by step->>'on' limit 1) end as next_price,
      l.recurrence, l.once_on, l.undated
    from job_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
    where l.business_id = ${db.businessId} and l.job_id = any(${[...jobIds]}::uuid[]) and l.archived_at is null
    order by l.position, l.id`.execute(db)
  return rows
}

const textOf = (lines: readonly RawLine[], season: readonly SeasonSpan[]): string => {
  if (lines.length > 1 && lines.every((line) => line.undated?.kind === 'step'))
    return `Program of ${lines.length} rounds`
  const texts = [...new Set(lines.map((line) => scheduleText(line, season)))]
  if (texts.length === 0) return 'No services'
  return texts.length === 1 ? (texts[0] ?? '') : `${texts[0]}, and ${texts.length - 1} more`
}

/** `season` is said where a rule follows the business's; a list leaves it out, it is the same for all. */
const asRow = (raw: RawRow, lines: readonly RawLine[], today: Day, season: readonly SeasonSpan[] = []): JobRow => ({
  ...raw,
  crew:
    raw.crewId && raw.crewName && raw.crewColor ? { id: raw.crewId, name: raw.crewName, color: raw.crewColor } : null,
  scheduleText: textOf(
    lines.filter((line) => line.jobId === raw.id),
    season,
  ),
  flags: jobFlags({ ...raw, archived: raw.archivedAt !== null }, today),
})

type Query = z.output<(typeof jobsApi)['list']['query']>

const conditions = (query: JobFilter, today: Day): Condition => {
  const list: Condition[] = [inView(query.view, today)]
  if (query.customerId) list.push(sql`j.customer_id = ${query.customerId}`)
  if (query.propertyId) list.push(sql`j.property_id = ${query.propertyId}`)
  if (query.crewId) list.push(sql`j.crew_id = ${query.crewId}`)
  if (query.programId) list.push(sql`j.program_id = ${query.programId}`)
  if (query.season) list.push(sql`j.program_year = ${query.season}`)
  if (query.renewal)
    list.push(sql`j.program_renews and j.renewed_as is null and j.status = 'active' and j.archived_at is null`)
  if (query.batchId) list.push(sql`j.batch_id = ${query.batchId}`)
  if (query.serviceId)
    list.push(
      sql`exists (select 1 from job_lines z where z.business_id = j.business_id and z.job_id = j.id and z.service_id = ${query.serviceId} and z.archived_at is null)`,
    )
  for (const word of (query.q ?? '').split(/\s+/).filter(Boolean)) {
    const number = /^(?:j-?)?#?(\d{1,9})$/i.exec(word)?.[1]
    list.push(
      sql`(c.name ilike ${containing(word)} or c.company ilike ${containing(word)} or p.street ilike ${containing(word)} or p.city ilike ${containing(word)} or j.title ilike ${containing(word)} ${number ? sql`or j.number = ${Number(number)}` : sql``})`,
    )
  }
  return sql<SqlBool>`${sql.join(list, sql` and `)}`
}

const sorts: Record<Query['sort'], Key> = {
  number: { of: sql`j.number`, type: 'int' },
  customer: { of: sql`lower(c.name)`, type: 'text' },
  nextVisit: { of: sql`coalesce(v.next_visit_on, '9999-12-31'::date)`, type: 'day' },
  price: { of: sql`l.per_visit_cents`, type: 'int' },
}

/** A job of the list as a person may see it: prices only with the permission for money. */
const rowFor = <Row extends JobRow>(actor: Actor, row: Row): Row =>
  hasPermission(actor, 'money') ? row : { ...row, perVisitCents: null }

/** A job as a person may see it. */
const jobFor = (actor: Actor, job: JobRecord): JobRecord =>
  hasPermission(actor, 'money')
    ? job
    : {
        ...rowFor(actor, job),
        lines: job.lines.map((line) => ({ ...line, unitPriceCents: null, totalCents: null, nextPrice: null })),
        nextVisits: job.nextVisits.map((visit) => ({ ...visit, priceCents: null })),
        pastVisits: job.pastVisits.map((visit) => ({ ...visit, priceCents: null })),
        totals: { ...job.totals, doneCents: null, uninvoicedCents: null, openCents: null },
      }

/** Jobs of a saved view by search, filter and sort. Who does not see prices gets no order of prices either. */
export const listJobs = async (
  db: TenantDb,
  actor: Actor,
  query: Query,
): Promise<{ items: JobRow[]; nextCursor: string | null; total: number }> => {
  const { today } = await getCalendar(db)
  const where = conditions(query, today)
  const key = sorts[query.sort === 'price' && !hasPermission(actor, 'money') ? 'number' : query.sort]
  const { beyond, order, values, limit, page } = keyset([key, { of: sql`j.id`, type: 'uuid' }], query)
  const { rows } = await sql<RawRow & { cursorKeys: string[] }>`
    select ${columns(today)}, ${values} as cursor_keys ${fromJobs(db, today)} and ${where} and ${beyond}
    order by ${order} limit ${limit}`.execute(db)
  const total = await totalOf(db, query, today)
  const { items, nextCursor } = page(rows)
  const lines = await linesOf(
    db,
    items.map((row) => row.id),
    today,
  )
  return {
    items: items.map((row) => rowFor(actor, asRow(row, lines, today))),
    nextCursor,
    total,
  }
}

/** The jobs that a filter of the list means, the oldest first. */
export const listMatchingJobIds = async (db: TenantDb, filter: JobFilter, limit: number): Promise<string[]> => {
  const { today } = await getCalendar(db)
  const { rows } = await sql<{
    id: string
  }>`select j.id ${fromJobs(db, today)} and ${conditions(filter, today)} order by j.id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Jobs that are over are counted as they end: they only ever become more. */
const countOver = async (db: TenantDb): Promise<number> => {
  const row = await db
    .selectFrom('jobTotals')
    .select('overCount')
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  return row?.overCount ?? 0
}

/** Jobs with something to invoice, found from visit to visit of the next job: their past is not walked, nor are the jobs that have nothing. */
const countRequiringInvoicing = async (db: TenantDb): Promise<number> => {
  const next = (after: RawBuilder<unknown>) => sql`(select v.job_id from visits v
    where v.business_id = ${db.businessId} and v.to_bill and v.invoice_id is null and (v.price_cents > 0) = true and ${after}
    order by v.job_id limit 1)`
  const { rows } = await sql<{ count: number }>`
    with recursive found as (
      select ${next(sql`true`)} as job_id
      union all select ${next(sql`v.job_id > f.job_id`)} from found f where f.job_id is not null
    )
    select count(*)::int as count from found f join jobs j on j.business_id = ${db.businessId} and j.id = f.job_id and j.status <> 'draft'`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

const countedOneByOne = ['archived', 'requires_invoicing'] as const
type CountedTogether = Exclude<JobView, (typeof countedOneByOne)[number]>

/** How many jobs each saved view holds. */
export const countJobs = async (db: TenantDb): Promise<Record<JobView, number>> => {
  const { today } = await getCalendar(db)
  const together = jobViews.filter((view): view is CountedTogether => !countedOneByOne.some((one) => one === view))
  const counts = together.map((view) => sql`count(*) filter (where ${inView(view, today)})::int as ${sql.ref(view)}`)
  // Each of these views is one of jobs that run.
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(counts)} ${fromJobs(db, today)} and ${inView('active', today)}`.execute(db)
  const row = rows[0] ?? {}
  const camel = (view: string) => view.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase())
  return {
    ...(Object.fromEntries(together.map((view) => [view, row[view] ?? row[camel(view)] ?? 0])) as Record<
      CountedTogether,
      number
    >),
    requires_invoicing: await countRequiringInvoicing(db),
    archived: await countOver(db),
  }
}

const jobFilters = Object.keys(JobFilter.shape) as (keyof JobFilter)[]

/** How many jobs a filter of the list means; a view of what ever was is counted without walking it. */
const totalOf = async (db: TenantDb, query: JobFilter, today: Day): Promise<number> => {
  const { view } = query
  const whole = jobFilters.every((key) => key === 'view' || !query[key])
  if (whole && view === 'archived') return countOver(db)
  if (whole && view === 'requires_invoicing') return countRequiringInvoicing(db)
  const { rows } = await sql<{
    total: number
  }>`select count(*)::int as total ${fromJobs(db, today)} and ${conditions(query, today)}`.execute(db)
  return rows[0]?.total ?? 0
}

type RawVisit = Omit<JobRecord['nextVisits'][number], 'crew'> & {
  crewId: string | null
  crewName: string | null
  crewColor: string | null
}

const visitsOf = async (db: TenantDb, jobId: string, which: 'open' | 'over'): Promise<JobRecord['nextVisits']> => {
  const open = sql`x.status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused')`
  const { rows } = await sql<RawVisit>`
    select x.id, x.occurrence_on, x.day, x.status, x.crew_id, cr.name as crew_name, cr.color as crew_color, x.price_cents, x.budget_minutes,
      (x.locked or x.moved_from is not null or x.origin <> 'rule') as hand_moved, x.invoice_id is not null as invoiced,
      array(select s.name from visit_lines w join services s on s.business_id = w.business_id and s.id = w.service_id
        where w.business_id = x.business_id and w.visit_id = x.id order by w.position) as services
    from visits x left join crews cr on cr.business_id = x.business_id and cr.id = x.crew_id
    where x.business_id = ${db.businessId} and x.job_id = ${jobId} and ${which === 'open' ? open : sql`not (${open})`}
    order by coalesce(x.day, x.occurrence_on) ${which === 'open' ? sql`asc` : sql`desc`}, x.id limit ${which === 'open' ? 120 : 6}`.execute(
    db,
  )
  return rows.map((row) => ({
    ...row,
    crew:
      row.crewId && row.crewName && row.crewColor ? { id: row.crewId, name: row.crewName, color: row.crewColor } : null,
  }))
}

type RawRecord = RawRow & {
  instructions: string
  poNumber: string
  keepDay: boolean
  billing: JobRecord['billing']
  version: number
  programYear: number | null
  batchId: string | null
  quoteId: string | null
  createdAt: string
  changesOn: Day | null
  lawnSquareFeet: number | null
  bedSquareFeet: number | null
  edgeFeet: number | null
  difficulty: number
  zip: string
  state: string
}

const needs: Record<JobAction, Need> = {
  reschedule: jobsApi.update,
  activate: jobsApi.act,
  pause: jobsApi.act,
  resume: jobsApi.act,
  complete: jobsApi.act,
  cancel: jobsApi.act,
  reactivate: jobsApi.act,
}

/** @throws AppError not_found */
export const getJob = async (db: TenantDb, actor: Actor, id: string): Promise<JobRecord> => {
  const calendar = await getCalendar(db)
  const { rows } = await sql<RawRecord>`
    select ${columns(calendar.today)}, j.instructions, j.po_number, j.keep_day, j.billing, j.version, j.batch_id, j.quote_id, j.created_at,
      (select max(t->>'until') from jsonb_array_elements(j.earlier_terms) t where t->>'until' > ${calendar.today}) as changes_on,
      p.lawn_square_feet, ${bedSquareFeetOf('p')} as bed_square_feet, ${edgeFeetOf('p')} as edge_feet, p.difficulty, p.zip, p.state ${fromJobs(db, calendar.today)} and j.id = ${id}`.execute(
    db,
  )
  const row = rows[0]
  if (!row) throw notFound('job')
  const lines = await linesOf(db, [id], calendar.today)
  const undated = lines.some((line) => line.undated !== null) ? await listLineVisits(db, [id]) : []
  const { standings } = seasonOf(
    lines.flatMap((line) =>
      line.undated === null
        ? []
        : [{ id: line.id, undated: line.undated, visit: undated.find((v) => v.lineId === line.id) ?? null }],
    ),
    calendar.today,
  )
  const totals = await sql<JobRecord['totals']>`
    select count(*) filter (where status = 'completed')::int as done_visits,
      coalesce(sum(price_cents) filter (where status = 'completed'), 0)::int as done_cents,
      coalesce(sum(price_cents) filter (where to_bill and invoice_id is null), 0)::int as uninvoiced_cents,
      coalesce(sum(price_cents) filter (where status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused')), 0)::int as open_cents
    from visits where business_id = ${db.businessId} and job_id = ${id}`.execute(db)
  return jobFor(actor, {
    ...asRow(row, lines, calendar.today, calendar.season),
    can: canOf(actor, needs, jobRefusals, row),
    instructions: row.instructions,
    poNumber: row.poNumber,
    keepDay: row.keepDay,
    billing: row.billing,
    version: row.version,
    programYear: row.programYear,
    batchId: row.batchId,
    quoteId: row.quoteId,
    createdAt: row.createdAt,
    changesOn: row.changesOn,
    property: {
      lawnSquareFeet: row.lawnSquareFeet,
      bedSquareFeet: row.bedSquareFeet,
      edgeFeet: row.edgeFeet,
      difficulty: row.difficulty,
      zip: row.zip,
      state: row.state,
    },
    lines: lines.map((line) => ({
      ...line,
      recurrence: line.recurrence as Recurrence | null,
      standing: standings.get(line.id) ?? null,
      totalCents: lineCents(line.quantity, line.unitPriceCents),
      scheduleText: scheduleText(line, calendar.season),
    })),
    nextVisits: await visitsOf(db, id, 'open'),
    pastVisits: await visitsOf(db, id, 'over'),
    totals: totals.rows[0] ?? { doneVisits: 0, doneCents: 0, uninvoicedCents: 0, openCents: 0 },
  })
}
