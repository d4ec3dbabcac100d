import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { daysToPayFrom } from '../../../../shared/days-to-pay.ts'
import { type Age, ageNames, ages } from '../../rules.ts'

/** Something for each age. */
export const byAge = <T>(of: (age: Age) => T): Record<Age, T> =>
  Object.fromEntries(ageNames.map((age) => [age, of(age)])) as Record<Age, T>

/** The due days of an age, both included. */
const daysOf = (age: Age, today: Day): { first: Day; last: Day } => {
  const { from, to } = ages[age]
  return {
    first: to === null ? '0001-01-01' : addDays(today, -to),
    last: from === null ? '9999-12-31' : addDays(today, -from),
  }
}

/** Whether an invoice's due day makes it of an age. */
export const isOfAge = (age: Age, today: Day): Expression<SqlBool> => {
  const { first, last } = daysOf(age, today)
  return sql<boolean>`invoices.due_on between ${first}::date and ${last}::date`
}

/** What is open, by how long past its due day; only what is open is read. */
export const sumByAge = async (db: TenantDb, today: Day): Promise<Map<Age, { count: number; cents: number }>> => {
  const spans = ageNames.map((age) => ({ age, ...daysOf(age, today) }))
  const { rows } = await sql<{ age: Age; count: number; cents: number }>`
    select a.age, count(*) as count, sum(i.total_cents - i.paid_cents)::bigint as cents
    from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) as a(age text, first date, last date)
    join invoices i on i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid') and i.due_on between a.first and a.last
    group by a.age`.execute(db)
  return new Map(rows.map(({ age, count, cents }) => [age, { count: Number(count), cents: Number(cents) }]))
}

/** How many invoices were paid in full lately, and how long they took: read from an index of those days alone. */
export const paidLately = async (db: TenantDb, today: Day): Promise<{ count: number; daysToPay: number | null }> => {
  const { rows } = await sql<{ count: number; days: number | null }>`
    select count(*)::int as count, round(avg(paid_on - issue_on))::int as days from invoices
    where business_id = ${db.businessId} and paid_on >= ${daysToPayFrom(today)}::date`.execute(db)
  return { count: rows[0]?.count ?? 0, daysToPay: rows[0]?.days ?? null }
}

/** What was open of an invoice, or of a customer's invoices, at the end of a day. */
export type OpenThen = Record<Age, number> & {
  customerId: string
  customer: string
  totalCents: number
  invoices: number
  /** Of one invoice alone. */
  id: string | null
  number: number | null
  issueOn: Day | null
  dueOn: Day | null
}

/**
 * What was open at the end of a day, by how long it was past due: what is open now with what was put on invoices, taken off them, voided or written off since
 * put back. It reads open invoices and the movements since that day, never those from before. A payment counts on the day it came; one that was put on its
 * invoice later, on that day.
 * @param most rows; the total is of all
 */
export const listOpenAsOf = async (
  db: TenantDb,
  {
    asOf,
    today,
    by,
    customerId,
    most,
  }: { asOf: Day; today: Day; by: 'customer' | 'invoice'; customerId?: string | undefined; most: number },
): Promise<{ rows: OpenThen[]; total: Record<Age | 'totalCents' | 'invoices', number>; count: number }> => {
  const ofAge = (age: Age, at: number) => {
    const { first, last } = daysOf(age, asOf)
    return sql`coalesce(sum(cents) filter (where due_on between ${first}::date and ${last}::date), 0)::int8 as ${sql.ref(`age${at}`)}`
  }
  const sums = sql`${sql.join(ageNames.map(ofAge))}, sum(cents)::int8 as "totalCents", count(*)::int as invoices`
  const keys = by === 'customer' ? sql`customer_id` : sql`customer_id, id, number, issue_on, due_on`
  const of = customerId ? sql`i.customer_id = ${customerId}::uuid` : sql`true`
  const since = sql`(select coalesce(sum(m.amount_cents), 0) as cents from allocation_moves m
    where m.business_id = ${db.businessId} and m.invoice_id = f.id and m.on_day > ${asOf}::date)`
  // what was voided or let go by then was owed by nobody, also where it was opened again since
  const letGo = sql`(exists (select from write_offs w where w.business_id = ${db.businessId} and w.invoice_id = f.id and w.on_day <= ${asOf}::date
      and (w.taken_back_on is null or w.taken_back_on > ${asOf}::date))
    or f.status = 'void' and not exists (select from ledger_entries e where e.business_id = ${db.businessId} and e.ref_type = 'invoice'
      and e.ref_id = f.id and e.kind = 'void' and e.on_day > ${asOf}::date))`
  const columns = sql`i.id, i.number, i.customer_id, i.issue_on, i.due_on, i.total_cents, i.paid_cents, i.status`
  const past =
    asOf >= today
      ? sql``
      : sql`union select ${columns} from allocation_moves m join invoices i on i.business_id = m.business_id and i.id = m.invoice_id
          where m.business_id = ${db.businessId} and m.on_day > ${asOf}::date and i.issue_on <= ${asOf}::date and ${of}
        union select ${columns} from ledger_entries e
          left join write_offs w on e.ref_type = 'write_off' and w.business_id = e.business_id and w.id = e.ref_id
          join invoices i on i.business_id = e.business_id and i.id = coalesce(w.invoice_id, e.ref_id)
          where e.business_id = ${db.businessId} and e.on_day > ${asOf}::date and e.kind in ('void', 'write_off') and i.issue_on <= ${asOf}::date and ${of}`
  type Row = Omit<OpenThen, Age> & { isTotal: boolean; count: number } & Record<`age${number}`, number>
  const { rows } = await sql<Row>`
    with found as (
      select i.id, i.number, i.customer_id, i.issue_on, i.due_on, i.total_cents, i.paid_cents, i.status from invoices i
      where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid')
        and i.issue_on <= ${asOf}::date and ${of} ${past}),
    open as (select * from (select f.*, f.total_cents - f.paid_cents + s.cents as cents from found f
      cross join lateral ${since} s where not ${letGo}) x where cents > 0),
    s as (select customer_id, ${by === 'invoice' ? sql`id, number, issue_on, due_on` : sql`null::uuid as id, null::int as number, null::date as issue_on, null::date as due_on`},
        grouping(customer_id) = 1 as "isTotal", ${sums} from open group by grouping sets ((${keys}), ()))
    select s.*, c.name as customer, (count(*) over ())::int - 1 as count from s
    left join customers c on c.business_id = ${db.businessId} and c.id = s.customer_id
    order by s."isTotal" desc, ${by === 'invoice' ? sql`s.due_on, s.number` : sql`s."totalCents" desc, c.name, s.customer_id`} limit ${most + 1}`.execute(
    db,
  )
  const told = rows.map((row) => ({ ...row, ...byAge((age) => row[`age${ageNames.indexOf(age)}`] ?? 0) }))
  const [total, ...list] = told
  const none = { ...byAge(() => 0), totalCents: 0, invoices: 0 }
  return total && total.invoices > 0 ? { rows: list, total, count: total.count } : { rows: [], total: none, count: 0 }
}
