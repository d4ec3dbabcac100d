import { sql } from 'kysely'
import { containing, numbersStarting } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatPhone, phoneDigits } from '../../../shared/phone.ts'
import type { SearchResult } from '../contract.ts'

const perKind = 6

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

/** "INV-1042", "#1042" and "1042" mean the same number; as a prefix while it is being typed. */
const numberOf = (q: string): string | null => /^(?:inv|job)?[\s#-]*(\d{1,9})$/i.exec(q)?.[1] ?? null

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

/** Records that a few typed letters or digits may mean, customers first. Invoices only for a person with the permission for money. */
export const search = async (db: TenantDb, text: string, options: { money: boolean }): Promise<SearchResult[]> => {
  const q = text
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  if (q === '') return []
  return [...(await customers(db, q)), ...(await jobs(db, q)), ...(options.money ? await invoices(db, q) : [])]
}
