import { sql } from 'kysely'
import { containing, numbersStarting } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatPhone, phoneDigits } from '../../../shared/phone.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { type QuoteStatus, quoteName, statusLabel as quoteStatusLabel } from '../../quotes/rules.ts'
import { statusLabel, type VisitStatus } from '../../visits/rules.ts'
import type { SearchResult } from '../contract.ts'

const perKind = 6
/** Of so many customers a visit stands beside them. */
const visitsOf = 3

const customers = async (db: TenantDb, q: string): Promise<SearchResult[]> => {
  const digits = phoneDigits(q)
  const byPhone = digits.length >= 4 && /^[\d\s().+-]+$/.test(q) ? sql`c.phone like ${containing(digits)}` : sql`false`
  const like = containing(q)
  const { rows } = await sql<{
    id: string
    name: string
    phone: string | null
    street: string | null
    city: string | null
  }>`
    select c.id, c.name, c.phone, p.street, p.city from customers c
    left join lateral (
      select f.street, f.city, f.street ilike ${like} as hit from properties f
      where f.business_id = c.business_id and f.customer_id = c.id and f.archived_at is null
      order by f.street ilike ${like} desc, f.created_at, f.id limit 1
    ) p on true
    where c.business_id = ${db.businessId} and (c.name ilike ${like} or c.company ilike ${like} or c.email ilike ${like} or ${byPhone} or p.hit)
    order by c.archived_at is not null, not (c.name ilike ${like.slice(1)}), lower(c.name), c.id limit ${perKind}`.execute(
    db,
  )
  return rows.map((row) => ({
    kind: 'customer',
    id: row.id,
    title: row.name,
    subtitle: [[row.street, row.city].filter(Boolean).join(', '), row.phone && formatPhone(row.phone)]
      .filter(Boolean)
      .join(' · '),
    path: linkTo.customer(row.id),
  }))
}

/** Of the first customers found the visit that is next or going on, else the last one: what somebody calls about. */
const visits = async (db: TenantDb, customerIds: readonly string[], today: Day): Promise<SearchResult[]> => {
  if (customerIds.length === 0) return []
  const { rows } = await sql<{
    id: string
    jobId: string
    day: Day
    status: VisitStatus
    title: string
    name: string
    street: string
    crew: string | null
  }>`
    select v.id, v.job_id as "jobId", v.day, v.status, j.title, c.name, p.street, w.name as crew
    from unnest(${[...customerIds]}::uuid[]) with ordinality as who(id, place)
    cross join lateral (
      select * from (
        (select v.id, v.job_id, v.day, v.status, v.property_id, v.crew_id, 0 as later from visits v where v.business_id = ${db.businessId} and v.customer_id = who.id
          and v.day >= ${today} and v.status in ('scheduled', 'en_route', 'in_progress', 'paused') order by v.day limit 1)
        union all
        (select v.id, v.job_id, v.day, v.status, v.property_id, v.crew_id, 1 from visits v where v.business_id = ${db.businessId} and v.customer_id = who.id and v.day <= ${today}
          order by v.day desc limit 1)) both_ways
      order by later limit 1) v
    join jobs j on j.business_id = ${db.businessId} and j.id = v.job_id
    join customers c on c.business_id = ${db.businessId} and c.id = who.id
    join properties p on p.business_id = ${db.businessId} and p.id = v.property_id
    left join crews w on w.business_id = ${db.businessId} and w.id = v.crew_id
    order by who.place`.execute(db)
  return rows.map((row) => ({
    kind: 'visit',
    id: row.id,
    title: `${formatDay(row.day)}: ${row.title}`,
    subtitle: [row.name, row.street, row.crew, statusLabel(row.status)].filter(Boolean).join(' · '),
    path: linkTo.job(row.jobId, { visitId: row.id }),
  }))
}

/** "INV-1042", "#1042" and "1042" mean the same number; as a prefix while it is being typed. */
const numberOf = (q: string): string | null => /^(?:inv|job|q)?[\s#-]*(\d{1,9})$/i.exec(q)?.[1] ?? null

const jobs = async (db: TenantDb, q: string): Promise<SearchResult[]> => {
  const number = numberOf(q)
  const { rows } = await sql<{ id: string; number: number; title: string; name: string; street: string }>`
    select j.id, j.number, j.title, c.name, p.street from jobs j
    join customers c on c.business_id = j.business_id and c.id = j.customer_id
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    where j.business_id = ${db.businessId} and j.archived_at is null
      and (j.title ilike ${containing(q)} or ${number === null ? sql`false` : sql`j.number::text like ${`${number}%`}`})
    order by j.number desc limit ${perKind}`.execute(db)
  return rows.map((row) => ({
    kind: 'job',
    id: row.id,
    title: `#${row.number} ${row.title}`,
    subtitle: `${row.name} · ${row.street}`,
    path: linkTo.job(row.id),
  }))
}

const invoices = async (db: TenantDb, q: string): Promise<SearchResult[]> => {
  const number = numberOf(q)
  if (number === null) return []
  const spans = numbersStarting(number)
  const { rows } = await sql<{ id: string; number: number; status: string; name: string }>`
    select i.id, i.number, i.status, c.name
    from unnest(${spans.map(({ from }) => from)}::int8[], ${spans.map(({ to }) => to)}::int8[]) as span(low, high)
    cross join lateral (select * from invoices n where n.business_id = ${db.businessId} and n.number between span.low and span.high
      order by n.number desc limit ${perKind}) i
    join customers c on c.business_id = i.business_id and c.id = i.customer_id
    order by i.number desc limit ${perKind}`.execute(db)
  return rows.map((row) => ({
    kind: 'invoice',
    id: row.id,
    title: `INV-${row.number}`,
    subtitle: `${row.name} · ${row.status.replaceAll('_', ' ')}`,
    path: linkTo.invoice(row.id),
  }))
}

const quotes = async (db: TenantDb, q: string): Promise<SearchResult[]> => {
  const number = numberOf(q)
  const spans = number === null ? [] : numbersStarting(number)
  const { rows } = await sql<{ id: string; number: number; title: string; status: QuoteStatus; name: string }>`
    select q.id, q.number, q.title, q.status, c.name from quotes q
    join customers c on c.business_id = q.business_id and c.id = q.customer_id
    where q.business_id = ${db.businessId} and q.status <> 'archived' and (q.title ilike ${containing(q)}
      or exists (select 1 from unnest(${spans.map(({ from }) => from)}::int8[], ${spans.map(({ to }) => to)}::int8[]) as span(low, high)
        where q.number between span.low and span.high))
    order by q.number desc limit ${perKind}`.execute(db)
  return rows.map((row) => ({
    kind: 'quote',
    id: row.id,
    title: `${quoteName(row.number)} ${row.title}`,
    subtitle: `${row.name} · ${quoteStatusLabel[row.status]}`,
    path: linkTo.quote(row.id),
  }))
}

/** Records that a few typed letters or digits may mean, customers first. Invoices and quotes only for who may see money, visits for who plans them. */
export const search = async (
  db: TenantDb,
  text: string,
  options: { money: boolean; schedule: boolean },
): Promise<SearchResult[]> => {
  const q = text
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  if (q === '') return []
  const found = await customers(db, q)
  const first = found.slice(0, visitsOf).map(({ id }) => id)
  return [
    ...found,
    ...(options.schedule ? await visits(db, first, await todayOf(db)) : []),
    ...(await jobs(db, q)),
    ...(options.money ? await invoices(db, q) : []),
    ...(options.money ? await quotes(db, q) : []),
  ]
}
