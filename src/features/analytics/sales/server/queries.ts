import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { clockedPart, lineParts, partSum } from '../../rollups/server/counting.ts'
import { listFigures, listMarked } from '../../rollups/server/queries.ts'
import { nameSlices } from '../../server/queries.ts'
import { finishedWork } from '../../worth/server/queries.ts'

type SaleKind = 'service' | 'crew' | 'city' | 'source'
export type Sale = {
  key: string
  name: string
  completions: number
  worthCents: number
  capturedCents: number
  laborSeconds: number
  /** Of the visits alone whose time is known. */
  clockedWorthCents: number
  clockedLaborSeconds: number
}
type Sums = Omit<Sale, 'name'>

const summed = (of: 'parts' | 'work') =>
  of === 'work'
    ? sql`count(*)::int as completions, sum(worth_cents)::int8 as worth_cents, sum(captured_cents)::int8 as captured_cents, sum(labor_seconds)::int8 as labor_seconds,
        coalesce(sum(worth_cents) filter (where clocked), 0)::int8 as clocked_worth_cents,
        coalesce(sum(labor_seconds) filter (where clocked), 0)::int8 as clocked_labor_seconds`
    : sql`count(distinct id)::int as completions, ${partSum('worth_cents', 'money')}::int8 as worth_cents,
        ${partSum('captured_cents', 'money')}::int8 as captured_cents, ${partSum('labor_seconds', 'time')}::int8 as labor_seconds,
        ${clockedPart('worth_cents', 'money')}::int8 as clocked_worth_cents, ${clockedPart('labor_seconds', 'time')}::int8 as clocked_labor_seconds`

/** What one crew completed, or `none` of them, counted from its visits. Days are kept by one thing at a time, so this is not kept. */
const countOfCrew = async (db: TenantDb, { from, to }: { from: Day; to: Day }, by: SaleKind, crewId: string) => {
  const key = {
    service: sql`service_id::text`,
    crew: sql`crew_id::text`,
    city: sql`(select coalesce(p.city, '') from properties p where p.business_id = ${db.businessId} and p.id = property_id)`,
    source: sql`(select c.source from customers c where c.business_id = ${db.businessId} and c.id = customer_id)`,
  }[by]
  const of = by === 'service' ? ('parts' as const) : ('work' as const)
  const { rows } = await sql<Sums & { isTotal: boolean }>`
    with work as materialized (select w.* from (${finishedWork(
      db,
      sql`v.day between ${from}::date and ${to}::date and ${crewId === 'none' ? sql`v.crew_id is null` : sql`v.crew_id = ${crewId}::uuid`}`,
    )}) w where w.done), ${lineParts(db)}
    select coalesce(${key}, '') as key, false as is_total, ${summed(of)} from ${sql.ref(of)} group by 1
    union all select '', true, ${summed('work')} from work`.execute(db)
  return {
    rows: rows.filter(({ isTotal }) => !isTotal),
    total: rows.find(({ isTotal, completions }) => isTotal && completions > 0),
  }
}

/**
 * Completed work of a span by service, crew, city or source, the most first; the total is what analytics says of these days. A visit with several services
 * counts in the row of each and once in the total, its money is divided among them.
 */
export const listSales = async (
  db: TenantDb,
  span: { from: Day; to: Day },
  by: SaleKind,
  crewId: string | undefined,
): Promise<{ rows: Sale[]; total: Omit<Sale, 'key' | 'name'> }> => {
  const none = {
    completions: 0,
    worthCents: 0,
    capturedCents: 0,
    laborSeconds: 0,
    clockedWorthCents: 0,
    clockedLaborSeconds: 0,
  }
  const found = crewId
    ? await countOfCrew(db, span, by, crewId)
    : await (async () => {
        const figures = await listFigures(db, [{ name: 'span', ...span }], ['all', by], await listMarked(db, span))
        const days = figures.filter(({ kind }) => kind === 'all')
        const sum = (of: keyof typeof none) => days.reduce((all, one) => all + one[of], 0)
        return {
          rows: figures.filter(({ kind, completions }) => kind === by && completions > 0),
          total: {
            completions: sum('completions'),
            worthCents: sum('worthCents'),
            capturedCents: sum('capturedCents'),
            laborSeconds: sum('laborSeconds'),
            clockedWorthCents: sum('clockedWorthCents'),
            clockedLaborSeconds: sum('clockedLaborSeconds'),
          },
        }
      })()
  const name = await nameSlices(db, by)
  return {
    rows: found.rows
      .map(({ key, ...sums }) => ({
        key,
        name: name(key),
        completions: sums.completions,
        worthCents: sums.worthCents,
        capturedCents: sums.capturedCents,
        laborSeconds: sums.laborSeconds,
        clockedWorthCents: sums.clockedWorthCents,
        clockedLaborSeconds: sums.clockedLaborSeconds,
      }))
      .sort((a, b) => b.worthCents - a.worthCents || (a.name < b.name ? -1 : 1)),
    total: found.total ?? none,
  }
}
