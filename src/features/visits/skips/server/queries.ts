import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

export type SkipFilter = {
  reason?: string | undefined
  /** `none`: stops without a crew. */
  crewId?: string | undefined
  customerId?: string | undefined
}
/** Skipped stops of a group with what they were charged; `stops` are those finished or skipped. */
export type SkipSums = { skips: number; stops: number; charged: number; chargeCents: number }
export type SkipGroup = SkipSums & { key: string | null; name: string | null }
export type SkippedVisit = {
  id: string
  day: Day
  customerId: string
  customer: string
  place: string
  crew: string | null
  services: string
  reason: string | null
  note: string
  chargeCents: number
}
type Span = { from: Day; to: Day }

const those = (db: TenantDb, { from, to }: Span, { crewId, customerId }: SkipFilter): RawBuilder<SqlBool> =>
  sql`v.business_id = ${db.businessId} and v.day between ${from}::date and ${to}::date and v.status in ('completed', 'skipped')
    and ${crewId === 'none' ? sql`v.crew_id is null` : crewId ? sql`v.crew_id = ${crewId}::uuid` : sql`true`} and ${customerId ? sql`v.customer_id = ${customerId}::uuid` : sql`true`}`

const isSkip = ({ reason }: SkipFilter): RawBuilder<SqlBool> =>
  sql`v.status = 'skipped' and ${reason ? sql`coalesce(v.skip_reason, 'other') = ${reason}` : sql`true`}`

const sums = (filter: SkipFilter) => sql`
  count(*) filter (where ${isSkip(filter)})::int as skips, count(*)::int as stops,
  count(*) filter (where ${isSkip(filter)} and v.skip_charge_cents > 0)::int as charged,
  coalesce(sum(v.skip_charge_cents) filter (where ${isSkip(filter)}), 0)::int8 as charge_cents`

/** Skipped stops of a span by reason, crew or customer, the most first. Reasons are codes, their own name is left to the reader. */
export const listSkipGroups = async (
  db: TenantDb,
  span: Span,
  by: 'reason' | 'crew' | 'customer',
  filter: SkipFilter,
  most: number,
): Promise<{ rows: SkipGroup[]; total: SkipSums; count: number }> => {
  const key = {
    reason: sql`case when v.status = 'skipped' then coalesce(v.skip_reason, 'other') end`,
    crew: sql`v.crew_id::text`,
    customer: sql`v.customer_id::text`,
  }[by]
  const name = {
    reason: sql`null::text`,
    crew: sql`(select c.name from crews c where c.business_id = ${db.businessId} and c.id::text = s.key)`,
    customer: sql`(select c.name from customers c where c.business_id = ${db.businessId} and c.id::text = s.key)`,
  }[by]
  const { rows } = await sql<SkipGroup & { isTotal: boolean; count: number }>`
    with s as (select key, grouping(key) = 1 as is_total, ${sums(filter)}
      from (select v.*, ${key} as key from visits v where ${those(db, span, filter)}) v group by grouping sets ((key), ()))
    select s.*, ${name} as name, (count(*) over ())::int - 1 as count from s where is_total or ${sql.ref('s.skips')} > 0
    order by s.is_total desc, ${sql.ref('s.skips')} desc, s.key limit ${most + 1}`.execute(db)
  const [total, ...list] = rows
  return total ? { rows: list, total, count: total.count } : { rows: [], total: noSkips, count: 0 }
}
const noSkips: SkipSums = { skips: 0, stops: 0, charged: 0, chargeCents: 0 }

/** Skipped stops of a span, the newest first. */
export const listSkips = async (
  db: TenantDb,
  span: Span,
  filter: SkipFilter,
  most: number,
): Promise<{ rows: SkippedVisit[]; total: SkipSums }> => {
  const { rows: counted } =
    await sql<SkipSums>`select ${sums(filter)} from visits v where ${those(db, span, filter)}`.execute(db)
  const { rows } = await sql<SkippedVisit>`
    select v.id, v.day, v.customer_id, c.name as customer, p.street as place, k.name as crew, v.skip_reason as reason, v.skip_note as note,
      coalesce(v.skip_charge_cents, 0)::int8 as charge_cents,
      coalesce((select string_agg(s.name, ', ' order by l.position, l.id) from visit_lines l
        join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = ${db.businessId} and l.visit_id = v.id), '') as services
    from visits v
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    left join crews k on k.business_id = v.business_id and k.id = v.crew_id
    where ${those(db, span, filter)} and ${isSkip(filter)} order by v.day desc, v.id desc limit ${most}`.execute(db)
  return { rows, total: counted[0] ?? noSkips }
}
