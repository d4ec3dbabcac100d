import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { type Key, keyset } from '../../../../platform/db/cursor.ts'
import { containing } from '../../../../platform/db/like.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../../shared/can.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { listRenewalRefusals } from '../../../jobs/programs/server/renewals/queries.ts'
import { listProgramSeasons, renewable } from '../../../jobs/seasons/server/queries.ts'
import { findCardTaker } from '../../../payments/connect/server/queries.ts'
import type { QuoteStatus } from '../../rules.ts'
import {
  type Raise,
  type RenewalFilter,
  type RenewalRow,
  type RunRecord,
  type RunSummary,
  renewalsApi,
} from '../contract.ts'
import {
  type Answer,
  answerOf,
  answers,
  type RenewalLine,
  type RunAction,
  type RunFacts,
  type RunStatus,
  runRefusals,
} from '../rules.ts'

type Filter = z.output<typeof RenewalFilter>
type RaiseOf = z.output<typeof Raise>

const runsOf = (db: TenantDb) => db.selectFrom('renewalRuns as r').where('r.businessId', '=', db.businessId)

type Group = {
  state: 'open' | 'excluded' | 'sent' | 'failed' | 'withdrawn'
  status: QuoteStatus | null
  undelivered: boolean
  count: number
  before: number
  after: number
}

/** What stands on the list of runs, by state and by that of the quotes. */
const groupsOf = async (db: TenantDb, runIds: readonly string[]): Promise<Map<string, Group[]>> => {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<Group & { runId: string }>`
    select n.run_id as "runId", n.state, q.status, n.undelivered, count(*)::int as count,
      sum(n.before_cents)::float8 as before, sum(n.after_cents)::float8 as after
    from renewals n left join quotes q on q.business_id = n.business_id and q.id = n.quote_id
    where n.business_id = ${db.businessId} and n.run_id = any(${[...runIds]}::uuid[]) group by 1, 2, 3, 4`.execute(db)
  return Map.groupBy(rows, ({ runId }) => runId)
}

const sumsOf = (groups: readonly Group[]) => {
  const told = groups.map((group) => ({ ...group, answer: answerOf(group.state, group.status, group.undelivered) }))
  const sum = (of: readonly Answer[], what: 'count' | 'before' | 'after') =>
    told.reduce((all, one) => (of.includes(one.answer) ? all + one[what] : all), 0)
  const all = answers.filter((one) => one !== 'excluded')
  return {
    counts: Object.fromEntries(answers.map((one) => [one, sum([one], 'count')])) as Record<Answer, number>,
    beforeCents: sum(all, 'before'),
    afterCents: sum(all, 'after'),
    acceptedCents: sum(['accepted', 'to_pay'], 'after'),
    waitingCents: sum(['waiting', 'changes', 'undelivered'], 'after'),
    lostCents: sum(['declined', 'no_answer'], 'before'),
  }
}

const columns = [
  'r.id',
  'r.name',
  'r.status',
  'r.mode',
  'r.startsOn',
  'r.endsOn',
  'r.answerBy',
  'r.createdAt',
  'r.sentAt',
] as const

const runKey: Key[] = [{ of: sql.ref('r.id') as RawBuilder<unknown>, type: 'uuid' }]

export const listRuns = async (
  db: TenantDb,
  { cursor, limit }: z.output<(typeof renewalsApi)['list']['query']>,
): Promise<{ items: RunSummary[]; nextCursor: string | null }> => {
  const pages = keyset(runKey, { order: 'desc', cursor, limit })
  const found = await runsOf(db)
    .select(columns)
    .select(pages.values.as('cursorKeys'))
    .where(pages.beyond)
    .orderBy(pages.order)
    .limit(pages.limit)
    .execute()
  const { items, nextCursor } = pages.page(found)
  const groups = await groupsOf(
    db,
    items.map(({ id }) => id),
  )
  return { items: items.map((row) => ({ ...row, ...sumsOf(groups.get(row.id) ?? []) }) as RunSummary), nextCursor }
}

const needs: Record<RunAction, Need> = {
  update: renewalsApi.update,
  send: renewalsApi.send,
  retry: renewalsApi.retry,
  withdraw: renewalsApi.withdraw,
}

/** What the refusals of a run ask for. */
export const factsOfRun = async (
  db: TenantDb,
  run: { id: string; name: string; status: RunStatus },
): Promise<RunFacts> => {
  const { counts } = sumsOf((await groupsOf(db, [run.id])).get(run.id) ?? [])
  return {
    name: run.name,
    status: run.status,
    failed: counts.failed,
    unanswered: counts.waiting + counts.changes + counts.failed,
  }
}

/** One run as the office sees it. @throws not_found */
export const getRun = async (db: TenantDb, actor: Actor, id: string): Promise<RunRecord> => {
  const row = await runsOf(db).where('r.id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw notFound('renewal')
  const sums = sumsOf((await groupsOf(db, [id])).get(id) ?? [])
  const { count, unreached } = await db
    .selectFrom('renewals as n')
    .innerJoin('renewalRuns as r', (x) => x.onRef('r.businessId', '=', 'n.businessId').onRef('r.id', '=', 'n.runId'))
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'n.businessId').onRef('j.id', '=', 'n.jobId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .where('n.businessId', '=', db.businessId)
    .where('n.runId', '=', id)
    .where('n.state', '<>', 'excluded')
    .select(sql<number>`count(distinct j.customer_id)::int`.as('count'))
    .select(sql<number>`count(*) filter (where n.state = 'open' and ${hasNoWay})::int`.as('unreached'))
    .executeTakeFirstOrThrow()
  const facts: RunFacts = {
    name: row.name,
    status: row.status,
    failed: sums.counts.failed,
    unanswered: sums.counts.waiting + sums.counts.changes + sums.counts.failed,
  }
  return {
    id,
    name: row.name,
    status: row.status,
    mode: row.mode,
    startsOn: row.startsOn,
    endsOn: row.endsOn,
    answerBy: row.answerBy,
    createdAt: row.createdAt,
    sentAt: row.sentAt,
    ...sums,
    raise: row.raise as unknown as RaiseOf,
    prepayPercent: row.prepayPercent,
    message: row.message,
    terms: row.terms,
    byMail: row.byMail,
    byText: row.byText,
    filter: row.filter as unknown as Filter,
    version: row.version,
    customers: count,
    unreached,
    takesCards: (await findCardTaker(db)) !== null,
    can: canOf(actor, needs, runRefusals, facts),
  }
}

/** Nobody of customer `c` has an address for the ways of run `r`. */
const hasNoWay = sql<boolean>`not (
  (r.by_mail and (c.email is not null or exists (select 1 from customer_contacts t where t.business_id = c.business_id
    and t.customer_id = c.id and t.email is not null)))
  or (r.by_text and (c.phone is not null or exists (select 1 from customer_contacts t where t.business_id = c.business_id
    and t.customer_id = c.id and t.phone is not null))))`

const rowsOf = (db: TenantDb, runId: string) =>
  db
    .selectFrom('renewals as n')
    .innerJoin('renewalRuns as r', (x) => x.onRef('r.businessId', '=', 'n.businessId').onRef('r.id', '=', 'n.runId'))
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'n.businessId').onRef('j.id', '=', 'n.jobId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .leftJoin('quotes as q', (x) => x.onRef('q.businessId', '=', 'n.businessId').onRef('q.id', '=', 'n.quoteId'))
    .leftJoin('jobs as m', (x) => x.onRef('m.businessId', '=', 'j.businessId').onRef('m.id', '=', 'j.renewedAs'))
    .where('n.businessId', '=', db.businessId)
    .where('n.runId', '=', runId)
    .select([
      'n.id',
      'n.state',
      'n.lines',
      'n.raise',
      'n.beforeCents',
      'n.afterCents',
      'n.problem',
      'n.byItself',
      'n.undelivered',
      'j.id as jobId',
      'j.number as jobNumber',
      'j.title as jobTitle',
      'c.id as customerId',
      'c.name as customerName',
      'p.street',
      'q.id as quoteId',
      'q.number as quoteNumber',
      'q.status as quoteStatus',
      'q.totalCents as quoteCents',
      'm.id as nextId',
      'm.number as nextNumber',
    ])
    .select(hasNoWay.as('unreachable'))

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

const rowOf = (row: Row): RenewalRow => ({
  id: row.id,
  answer: answerOf(row.state, row.quoteStatus as QuoteStatus | null, row.undelivered),
  customer: { id: row.customerId, name: row.customerName },
  street: row.street,
  job: { id: row.jobId, number: row.jobNumber, title: row.jobTitle },
  raise: row.raise as unknown as RenewalRow['raise'],
  beforeCents: row.beforeCents,
  afterCents: row.afterCents,
  lines: (row.lines as unknown as RenewalLine[]).map(
    ({ id, name, rhythm, visits, quantity, wasCents, cents, typed }) => ({
      id,
      name,
      rhythm,
      visits,
      quantity,
      wasCents,
      cents,
      typed,
    }),
  ),
  problem: row.problem,
  quote:
    row.quoteId && row.quoteNumber !== null
      ? { id: row.quoteId, number: row.quoteNumber, totalCents: row.quoteCents ?? 0 }
      : null,
  nextJob:
    row.nextId && row.nextNumber !== null && row.quoteStatus === 'converted'
      ? { id: row.nextId, number: row.nextNumber }
      : null,
  byItself: row.byItself,
  unreachable: row.unreachable,
})

/** Which states and quotes an answer means. */
const answered: Record<Answer, RawBuilder<boolean>> = {
  open: sql`n.state = 'open'`,
  excluded: sql`n.state = 'excluded'`,
  failed: sql`n.state = 'failed'`,
  waiting: sql`n.state = 'sent' and q.status in ('sent', 'viewed')`,
  changes: sql`n.state = 'sent' and q.status in ('changes_requested', 'draft')`,
  to_pay: sql`n.state = 'sent' and q.status = 'approved'`,
  accepted: sql`n.state = 'sent' and q.status = 'converted'`,
  declined: sql`n.state = 'sent' and q.status = 'declined'`,
  undelivered: sql`n.state = 'sent' and q.status = 'expired' and n.undelivered`,
  no_answer: sql`n.state = 'sent' and q.status = 'expired' and not n.undelivered`,
  withdrawn: sql`(n.state = 'withdrawn' or (n.state = 'sent' and q.status = 'archived'))`,
}

const rowKeys: Key[] = [
  { of: sql`lower(c.name)` as RawBuilder<unknown>, type: 'text' },
  { of: sql.ref('n.id') as RawBuilder<unknown>, type: 'uuid' },
]

export const listRenewals = async (
  db: TenantDb,
  runId: string,
  { answer, search, cursor, limit }: z.output<(typeof renewalsApi)['rows']['query']>,
) => {
  const run = await runsOf(db).where('r.id', '=', runId).select('r.id').executeTakeFirst()
  if (!run) throw notFound('renewal')
  const pages = keyset(rowKeys, { order: 'asc', cursor, limit })
  let query = rowsOf(db, runId).select(pages.values.as('cursorKeys')).where(pages.beyond)
  if (answer) query = query.where(answered[answer])
  if (search) {
    const like = containing(search)
    query = query.where((eb) =>
      eb.or([eb('c.name', 'ilike', like), eb('p.street', 'ilike', like), eb('j.title', 'ilike', like)]),
    )
  }
  const found = await query.orderBy(pages.order).limit(pages.limit).execute()
  const { items, nextCursor } = pages.page(found)
  return { items: items.map((row) => rowOf(row as Row)), nextCursor }
}

/** @throws not_found */
export const getRenewal = async (db: TenantDb, runId: string, id: string): Promise<RenewalRow> => {
  const row = await rowsOf(db, runId).where('n.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('renewal')
  return rowOf(row)
}

/** Jobs of a filter that no other renewal has: neither on a list nor with its customer. */
export const freeJobs = (db: TenantDb, filter: Filter, startsOn: Day, today: Day) =>
  renewable(db, filter, startsOn, today).where(
    sql<boolean>`not exists (select 1 from renewals n left join quotes q on q.business_id = n.business_id and q.id = n.quote_id
      where n.business_id = j.business_id and n.job_id = j.id
        and (n.state in ('open', 'failed') or (n.state = 'sent' and q.status not in ('declined', 'expired', 'archived'))))`,
  )

/** How many jobs a filter means, and what can be narrowed by. */
export const countCandidates = async (db: TenantDb, filter: Filter, startsOn: Day) => {
  const today = await todayOf(db)
  const jobs = freeJobs(db, filter, startsOn, today)
  const { count, customers } = await jobs
    .select([sql<number>`count(*)::int`.as('count'), sql<number>`count(distinct j.customer_id)::int`.as('customers')])
    .executeTakeFirstOrThrow()
  const any = freeJobs(db, { ...filter, programIds: [], serviceIds: [], tags: [] }, startsOn, today)
  const programs = await any
    .innerJoin('programs as g', (x) => x.onRef('g.businessId', '=', 'j.businessId').onRef('g.id', '=', 'j.programId'))
    .groupBy(['g.id', 'g.name'])
    .select(['g.id', 'g.name', sql<number>`count(*)::int`.as('count')])
    .orderBy('g.name')
    .limit(50)
    .execute()
  const services = await any
    .innerJoin('jobLines as l', (x) => x.onRef('l.businessId', '=', 'j.businessId').onRef('l.jobId', '=', 'j.id'))
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'l.businessId').onRef('s.id', '=', 'l.serviceId'))
    .where('l.archivedAt', 'is', null)
    .groupBy(['s.id', 's.name'])
    .select(['s.id', 's.name', sql<number>`count(distinct j.id)::int`.as('count')])
    .orderBy('s.name')
    .limit(50)
    .execute()
  const tags = await any
    .innerJoin(sql<{ name: string }>`lateral unnest(c.tags)`.as<'t'>(sql`t(name)`), (x) => x.onTrue())
    .groupBy('t.name')
    .select(['t.name', sql<number>`count(distinct j.id)::int`.as('count')])
    .orderBy(sql`count(distinct j.id)`, 'desc')
    .limit(30)
    .execute()
  return { jobs: count, customers, programs, services, tags }
}

export type RenewalDue = {
  jobId: string
  number: number
  title: string
  customer: string
  place: string
  crew: string | null
  isProgram: boolean
  /** A program's next season is made by itself on the due day. */
  byItself: boolean
  /** Why it is not although it should be, in words. */
  refusal: string | null
  due: Day
  endsOn: Day | null
  /** How far its renewal is; null where nobody began it. */
  answer: Answer | null
  runId: string | null
  perVisitCents: number
}

/**
 * Seasons that come to an end, or renew by themselves, on the days of a span and have no next one yet, the soonest first. It reads jobs that run,
 * never those of earlier seasons.
 * @param most rows; `count` says how many there are, `perVisitCents` is of all
 */
export const listRenewalsDue = async (
  db: TenantDb,
  span: { from: Day; to: Day },
  crewId: string | undefined,
  most: number,
): Promise<{ rows: RenewalDue[]; count: number; perVisitCents: number }> => {
  const today = await todayOf(db)
  const seasons = await listProgramSeasons(db, today)
  const inSpan = seasons.filter(({ renewsOn }) => renewsOn >= span.from && renewsOn <= span.to)
  const { rows } = await sql<
    Omit<RenewalDue, 'answer' | 'refusal'> & {
      state: 'open' | 'excluded' | 'sent' | 'failed' | 'withdrawn' | null
      status: QuoteStatus | null
      undelivered: boolean | null
      count: number
      sumCents: number
    }
  >`
    with due as materialized (
      select j.id, s.due::date as due, true as is_program from jobs j
        join jsonb_to_recordset(${JSON.stringify(inSpan.map(({ programId, year, renewsOn }) => ({ program_id: programId, year, due: renewsOn })))}::jsonb)
          as s(program_id uuid, year int, due text) on s.program_id = j.program_id and s.year = j.program_year
        join customers h on h.business_id = j.business_id and h.id = j.customer_id and h.archived_at is null
        join properties y on y.business_id = j.business_id and y.id = j.property_id and y.archived_at is null
        where j.business_id = ${db.businessId} and j.archived_at is null and j.renewed_as is null and j.status in ('active', 'paused')
      union
      select r.id, r.end_on, false from (${renewable(
        db,
        { work: 'recurring', programIds: [], serviceIds: [], tags: [], endsBy: span.to },
        addDays(span.to, 1),
        today,
      )
        .where('j.endOn', '>=', span.from)
        .select(['j.id', 'j.endOn'])}) as r(id, end_on)),
    priced as (select d.*, j.number, j.title, j.customer_id, j.property_id, j.crew_id, j.end_on, j.program_renews,
        coalesce((select sum(round(l.quantity * l.unit_price_cents)) from job_lines l where l.business_id = ${db.businessId} and l.job_id = d.id
          and l.archived_at is null), 0)::int8 as per_visit_cents
      from due d join jobs j on j.business_id = ${db.businessId} and j.id = d.id where ${crewId === 'none' ? sql`j.crew_id is null` : crewId ? sql`j.crew_id = ${crewId}::uuid` : sql`true`})
    select p.id as "jobId", p.number, p.title, c.name as customer, o.street as place, k.name as crew, p.is_program as "isProgram",
      p.is_program and p.program_renews as "byItself", p.due, p.end_on as "endsOn", p.per_visit_cents as "perVisitCents",
      n.run_id as "runId", n.state, n.status, n.undelivered, (count(*) over ())::int as count, (sum(p.per_visit_cents) over ())::int8 as "sumCents"
    from priced p
    join customers c on c.business_id = ${db.businessId} and c.id = p.customer_id
    join properties o on o.business_id = ${db.businessId} and o.id = p.property_id
    left join crews k on k.business_id = ${db.businessId} and k.id = p.crew_id
    left join lateral (select n.run_id, n.state, n.undelivered, q.status from renewals n
      left join quotes q on q.business_id = n.business_id and q.id = n.quote_id
      where n.business_id = ${db.businessId} and n.job_id = p.id order by n.id desc limit 1) n on true
    order by p.due, c.name, p.id limit ${most}`.execute(db)
  const refusals = await listRenewalRefusals(
    db,
    rows.filter(({ byItself, state }) => byItself && state === null).map(({ jobId }) => jobId),
  )
  return {
    rows: rows.map(({ state, status, undelivered, count: _, sumCents: __, ...row }) => ({
      ...row,
      refusal: refusals.get(row.jobId) ?? null,
      answer: state === null ? null : answerOf(state, status, undelivered ?? false),
    })),
    count: rows[0]?.count ?? 0,
    perVisitCents: rows[0]?.sumCents ?? 0,
  }
}
