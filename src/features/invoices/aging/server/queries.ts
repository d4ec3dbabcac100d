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
