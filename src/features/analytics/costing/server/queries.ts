import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, formatDay } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getUsualWage, listWages } from '../../../employees/wages/server/queries.ts'
import { termsOf } from '../../../timeclock/payroll/rules.ts'
import { listLawnsOf } from '../../../timeclock/payroll/server/queries.ts'
import { spellsWithCrews } from '../../../timeclock/server/queries.ts'
import { pricesOfLawns } from '../../lawns/server/queries.ts'
import { lineParts } from '../../rollups/server/counting.ts'
import { leastLaborSeconds } from '../../rules.ts'
import { finishedWork } from '../../worth/server/queries.ts'
import type { CostList, CostVisit, costingApi } from '../contract.ts'
import {
  type CostKind,
  type CostPeriod,
  type Costs,
  costDays,
  crewHourCents,
  earnedPerHour,
  lawnPayCents,
  noKey,
  targetPrice,
} from '../rules.ts'

type ListQuery = z.output<(typeof costingApi)['list']['query']>
type VisitsQuery = z.output<(typeof costingApi)['visits']['query']>
type Span = { from: Day; to: Day }

const spanOf = async (db: TenantDb, period: CostPeriod): Promise<Span> => {
  const to = await todayOf(db)
  return { from: addDays(to, 1 - costDays[period]), to }
}

/** Who belongs to a crew on the days of a span. */
const membersOf = async (db: TenantDb, { from, to }: Span) => {
  const { rows } = await sql<{ crewId: string; userId: string; from: Day; to: Day }>`
    select m.crew_id as "crewId", m.user_id as "userId", greatest(m.valid_from, ${from}::date) as "from",
      least(coalesce(m.valid_to, ${to}::date), ${to}::date) as "to"
    from crew_members m where m.business_id = ${db.businessId} and m.valid_from <= ${to}::date
      and coalesce(m.valid_to, ${to}::date) >= ${from}::date`.execute(db)
  return rows
}

/**
 * What an hour of each crew's people costs on each day: of who was on the clock with it, else of who belongs to it; and what it costs where neither is
 * known. Beside it what was paid for each lawn, on the visit that it was paid for.
 */
const hourCosts = async (db: TenantDb, { from, to }: Span, timeZone: string) => {
  const { rows } = await sql<{ crewId: string; day: Day; userId: string; seconds: number }>`
    with spells as (${spellsWithCrews(db, { from, to }, timeZone)})
    select s.crew_id as "crewId", (s.started_at at time zone ${timeZone})::date as day, s.user_id as "userId",
      sum(extract(epoch from s.ended_at - s.started_at))::float8 as seconds
    from spells s where s.kind <> 'break' group by 1, 2, 3`.execute(db)
  const members = await membersOf(db, { from, to })
  const people = [...new Set([...rows, ...members].map(({ userId }) => userId))]
  const wages = Map.groupBy(await listWages(db, people, to), (one) => one.userId)
  const usual = await getUsualWage(db)
  const terms = new Map(people.map((id) => [id, termsOf(wages.get(id) ?? [], usual)]))
  const termsOn = (userId: string, day: Day) => (terms.get(userId) ?? termsOf([], usual))(day)
  const byLawn = people.filter((id) =>
    wages.get(id)?.some((wage) => wage.pieceCents !== null || wage.bonusCents !== null),
  )
  const lawns = new Map<string, number>()
  for (const { userId, day, visitId } of await listLawnsOf(db, { from, to }, timeZone, byLawn))
    lawns.set(visitId, (lawns.get(visitId) ?? 0) + lawnPayCents(termsOn(userId, day)))
  const dated = new Map<string, { crew_id: string; day: Day; cents: number }>()
  const add = (crewId: string, day: Day, parts: Parameters<typeof crewHourCents>[0]): void => {
    const cents = crewHourCents(parts)
    if (cents !== null) dated.set(`${crewId} ${day}`, { crew_id: crewId, day, cents })
  }
  // nobody counted their lawns: the hour is all that is known of them
  const hour = { seconds: 3600, pieceCents: null }
  for (const [crewId, own] of Map.groupBy(members, (one) => one.crewId))
    for (let day = from; day <= to; day = addDays(day, 1)) {
      const there = own.filter((one) => one.from <= day && day <= one.to)
      const paid = there.map(({ userId }) => termsOn(userId, day)).filter(({ centsPerHour }) => centsPerHour > 0)
      add(
        crewId,
        day,
        paid.map(({ centsPerHour, burdenPercent }) => ({ ...hour, centsPerHour, burdenPercent })),
      )
    }
  for (const parts of Map.groupBy(rows, ({ crewId, day }) => `${crewId} ${day}`).values())
    if (parts[0])
      add(
        parts[0].crewId,
        parts[0].day,
        parts.map((row) => ({ seconds: row.seconds, ...termsOn(row.userId, row.day) })),
      )
  return {
    dated: [...dated.values()],
    lawns: [...lawns].map(([id, cents]) => ({ id, cents })),
    usualCents: (usual.defaultWageCents * (100 + usual.burdenPercent)) / 100,
  }
}

/**
 * `work`: the finished visits of a span with `labor_cents`, and `expense_cents` of what the office booked in these days. What was bought for a visit lies
 * on it; for a job in equal parts on its visits; for a crew on the crew's visits by labor hours. Each is rounded so that the visits add up to it. What was
 * bought for work of other days lies on none of these. `material_cents` is what was used on a visit from stock, at what a package costs, less the material
 * that was bought for the same visit: one purchase is counted once. In days that use of the stock, what was bought for it (`is_stock`) counts where it
 * is used.
 */
const costedWork = async (db: TenantDb, span: Span, timeZone: string) => {
  const { dated, lawns, usualCents } = await hourCosts(db, span, timeZone)
  return sql`
    found as materialized (select w.* from (${finishedWork(db, sql`v.day between ${span.from}::date and ${span.to}::date`)}) w where w.done),
    rates as (select * from jsonb_to_recordset(${JSON.stringify(dated)}::jsonb) as x(crew_id uuid, day date, cents numeric)),
    by_lawn as (select * from jsonb_to_recordset(${JSON.stringify(lawns)}::jsonb) as x(id uuid, cents numeric)),
    used as materialized (
      select m.visit_id as id, sum(round(-m.packages * coalesce(t.cost_cents, 0))) as cents, count(*) filter (where t.cost_cents is null) as uncosted
      from found f join material_moves m on m.business_id = ${db.businessId} and m.visit_id = f.id and m.kind = 'used'
      join materials t on t.business_id = m.business_id and t.id = m.material_id group by m.visit_id),
    spend as (
      select p.amount_cents as cents, p.visit_id, case when p.visit_id is null then p.job_id end as job_id,
        case when p.visit_id is null and p.job_id is null then p.crew_id end as crew_id, coalesce(k.code = 'materials', false) as is_material,
        coalesce(k.code = 'materials', false) and p.visit_id is null and p.job_id is null and p.crew_id is null and exists (select from used) as is_stock
      from expenses e join expense_parts p on p.business_id = e.business_id and p.expense_id = e.id
      join expense_categories k on k.business_id = e.business_id and k.id = e.category_id
      where e.business_id = ${db.businessId} and e.deleted_at is null and not e.review
        and e.day between ${span.from}::date and ${span.to}::date),
    placed as (
      select s.visit_id as id, s.is_material, s.cents from spend s join found f on f.id = s.visit_id
      union all
      select f.id, s.is_material, round(s.cents * f.k / f.n) - round(s.cents * (f.k - 1) / f.n)
      from (select job_id, is_material, sum(cents) as cents from spend where job_id is not null group by job_id, is_material) s
      join (select id, job_id, row_number() over (partition by job_id order by day, id) as k, count(*) over (partition by job_id) as n
        from found) f on f.job_id = s.job_id
      union all
      select f.id, s.is_material, round(s.cents * f.part_to) - round(s.cents * (f.part_to - f.part))
      from (select crew_id, is_material, sum(cents) as cents from spend where crew_id is not null group by crew_id, is_material) s
      join (select id, crew_id, part, sum(part) over (partition by crew_id order by day, id) as part_to from (
        select id, day, crew_id, case when sum(labor_seconds) over crew > 0 then labor_seconds / sum(labor_seconds) over crew
          else 1.0 / count(*) over crew end as part from found window crew as (partition by crew_id)) shares) f on f.crew_id = s.crew_id),
    work as materialized (
      select f.*, round(f.labor_seconds * coalesce(r.cents, ${usualCents}) / 3600 + coalesce(b.cents, 0))::int8 as labor_cents,
        coalesce(p.cents, 0)::int8 as expense_cents, greatest(0, coalesce(u.cents, 0) - coalesce(p.material_cents, 0))::int8 as material_cents
      from found f
      left join rates r on r.crew_id = f.crew_id and r.day = f.day
      left join by_lawn b on b.id = f.id
      left join used u on u.id = f.id
      left join (select id, sum(cents) as cents, sum(cents) filter (where is_material) as material_cents from placed group by id) p on p.id = f.id)`
}

/** What is summed up of visits, or of their parts. */
const summed = sql`worth_cents, labor_seconds, labor_cents, expense_cents, material_cents, clocked`
const figures = sql`count(*)::int as completions, coalesce(sum(worth_cents), 0)::int8 as worth_cents, coalesce(sum(labor_seconds), 0)::int8 as labor_seconds,
  coalesce(sum(labor_cents), 0)::int8 as labor_cents, coalesce(sum(expense_cents), 0)::int8 as expense_cents,
  coalesce(sum(material_cents), 0)::int8 as material_cents, (count(*) filter (where clocked))::int as clocked_completions,
  coalesce(sum(worth_cents) filter (where clocked), 0)::int8 as clocked_worth_cents,
  coalesce(sum(labor_seconds) filter (where clocked), 0)::int8 as clocked_labor_seconds`

const moneyPart = (column: string) =>
  sql`round(${sql.ref(column)} * money_to) - round(${sql.ref(column)} * (money_to - money)) as ${sql.ref(column)}`
const timePart = (column: string) =>
  sql`round(${sql.ref(column)} * time_to) - round(${sql.ref(column)} * (time_to - time)) as ${sql.ref(column)}`

const keyColumns = {
  property: sql`property_id::text`,
  visit: sql`id::text`,
  crew: sql`crew_id::text`,
  customer: sql`customer_id::text`,
  route: sql`day::text || '.' || crew_id::text`,
} as const

/** `told`: a row a visit and what it is told apart by; of a visit with several services a row each, `share` of which is its part of the visit. */
const toldBy = (db: TenantDb, by: CostKind) =>
  by === 'service'
    ? sql`${lineParts(db)},
      told as (select id, key, job_id, day, sum(share) as share, sum(worth_cents) as worth_cents, sum(labor_seconds) as labor_seconds, sum(labor_cents) as labor_cents,
        sum(expense_cents) as expense_cents, sum(material_cents) as material_cents, bool_and(clocked) as clocked from (
          select id, job_id, day, service_id::text as key, time as share, clocked, ${moneyPart('worth_cents')}, ${timePart('labor_seconds')},
            ${timePart('labor_cents')}, ${moneyPart('expense_cents')}, ${moneyPart('material_cents')} from parts) lines group by id, job_id, day, key)`
    : sql`told as (select id, ${keyColumns[by]} as key, 1::numeric as share, job_id, day, ${summed} from work)`

const ofGroup = sql.ref('g.key')
const named = (db: TenantDb, by: CostKind) =>
  ({
    property: sql`select p.street as name, c.name as sub from properties p join customers c on c.business_id = p.business_id and c.id = p.customer_id
      where p.business_id = ${db.businessId} and p.id = ${ofGroup}::uuid`,
    customer: sql`select c.name, '' as sub from customers c where c.business_id = ${db.businessId} and c.id = ${ofGroup}::uuid`,
    crew: sql`select c.name, '' as sub from crews c where c.business_id = ${db.businessId} and c.id = ${ofGroup}::uuid`,
    route: sql`select c.name, split_part(${ofGroup}, '.', 1) as sub from crews c where c.business_id = ${db.businessId}
      and c.id = split_part(${ofGroup}, '.', 2)::uuid`,
    visit: sql`select p.street as name, c.name as sub from visits v join customers c on c.business_id = v.business_id and c.id = v.customer_id
      join properties p on p.business_id = v.business_id and p.id = v.property_id where v.business_id = ${db.businessId} and v.id = ${ofGroup}::uuid`,
    service: sql`select s.name, '' as sub from services s where s.business_id = ${db.businessId} and s.id = ${ofGroup}::uuid`,
  })[by]
const unnamed: Record<CostKind, string> = {
  property: 'Without a property',
  visit: 'Without a visit',
  customer: 'Without a customer',
  crew: 'Without a crew',
  route: 'Without a crew',
  service: 'Without a service',
}

const orders = {
  least: sql`g.per_hour asc nulls last, g.worth_cents desc, g.key`,
  most: sql`g.per_hour desc nulls last, g.worth_cents desc, g.key`,
  worth: sql`g.worth_cents desc, g.key`,
  newest: sql`g.last_on desc, g.key`,
}

type Sums = Costs & {
  otherExpenseCents: number
  stockExpenseCents: number
  uncostedUses: number
  count: number
  told: number
  belowTarget: number
}

const total = sql`total as (select ${figures}, (select coalesce(sum(cents), 0) from spend where is_stock)::int8 as stock_expense_cents,
  ((select coalesce(sum(cents), 0) from spend where not is_stock) - coalesce(sum(expense_cents), 0))::int8 as other_expense_cents,
  (select coalesce(sum(uncosted), 0) from used)::int as uncosted_uses from work)`

/** What the finished work of a span is worth and what it cost. One query, whatever it is told apart by; its totals are the same for all. */
export const listCosts = async (
  db: TenantDb,
  actor: Actor,
  { period, by, sort, limit }: ListQuery,
): Promise<CostList> => {
  const span = await spanOf(db, period)
  const { targetLaborHourCents } = await db
    .selectFrom('businesses')
    .select('targetLaborHourCents')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const work = await costedWork(db, span, actor.timeZone)
  const { rows } = await sql<
    Costs & { key: string | null; name: string | null; sub: string | null; lastOn: Day; visitTenths: number; all: Sums }
  >`
    with ${work}, ${toldBy(db, by)},
    g as (select key, max(day) as last_on, ${figures}, case when coalesce(sum(labor_seconds) filter (where clocked), 0) >= ${leastLaborSeconds}
        then round(sum(worth_cents) filter (where clocked) * 3600 / sum(labor_seconds) filter (where clocked)) end as per_hour,
      (round(10 * sum(sum(share)) over by_key) - round(10 * (sum(sum(share)) over by_key - sum(share))))::int as visit_tenths
      from told group by key window by_key as (order by key)),
    ${total}
    select g.*, n.name, n.sub from (select g.*,
        jsonb_build_object('completions', t.completions, 'worthCents', t.worth_cents, 'laborSeconds', t.labor_seconds, 'laborCents', t.labor_cents,
          'expenseCents', t.expense_cents, 'materialCents', t.material_cents, 'clockedCompletions', t.clocked_completions,
          'clockedWorthCents', t.clocked_worth_cents, 'clockedLaborSeconds', t.clocked_labor_seconds, 'otherExpenseCents', t.other_expense_cents,
          'stockExpenseCents', t.stock_expense_cents, 'uncostedUses', t.uncosted_uses, 'count', (select count(*) from g),
          'told', (select count(*) from g where per_hour is not null), 'belowTarget', (select count(*) from g where per_hour < ${targetLaborHourCents})) as all
      from total t left join g on true order by ${orders[sort]} limit ${limit}) g
    left join lateral (${named(db, by)}) n on true
    order by ${orders[sort]}`.execute(db)
  const [first] = rows
  if (!first) throw new Error('The sums of a span are always a row.')
  const { otherExpenseCents, stockExpenseCents, uncostedUses, count, told, belowTarget, ...sums } = first.all
  const low = rows.flatMap((row) =>
    by === 'property' && row.key !== null && (earnedPerHour(row) ?? targetLaborHourCents) < targetLaborHourCents
      ? [row.key]
      : [],
  )
  const prices = await pricesOfLawns(db, low)
  return {
    by,
    ...span,
    targetLaborHourCents,
    total: sums,
    otherExpenseCents,
    stockExpenseCents,
    uncostedUses,
    count,
    told,
    belowTarget,
    // the one row of a span without work has the sums alone
    items: rows
      .filter(({ completions }) => completions !== null)
      .map(({ key, name, sub, lastOn, all: _, ...costs }) => {
        const price =
          by === 'property' ? targetPrice(earnedPerHour(costs), targetLaborHourCents, prices.get(key ?? noKey)) : null
        return {
          ...costs,
          key: key ?? noKey,
          name: name ?? unnamed[by],
          sub:
            by === 'route' && sub
              ? formatDay(sub as Day, { year: true })
              : by === 'visit'
                ? [formatDay(lastOn, { year: true }), sub].filter(Boolean).join(' · ')
                : (sub ?? ''),
          targetPriceCents: price?.cents ?? null,
          nowPriceCents: price?.nowCents ?? null,
          priceReason: price?.reason ?? null,
          priceWhy: price?.why ?? null,
        }
      }),
  }
}

/** The visits behind such a row, the newest first; of a visit with several services the part of the one. */
export const listCostVisits = async (db: TenantDb, actor: Actor, { period, by, key, limit }: VisitsQuery) => {
  const work = await costedWork(db, await spanOf(db, period), actor.timeZone)
  const { rows } = await sql<CostVisit & { count: number }>`
    with ${work}, ${toldBy(db, by)}
    select t.id, w.day, c.name as customer, p.street as place, 1 as completions, t.worth_cents::int8 as worth_cents,
      t.labor_seconds::int8 as labor_seconds, t.labor_cents::int8 as labor_cents, t.expense_cents::int8 as expense_cents,
      t.material_cents::int8 as material_cents, t.clocked::int as clocked_completions,
      case when t.clocked then t.worth_cents else 0 end::int8 as clocked_worth_cents,
      case when t.clocked then t.labor_seconds else 0 end::int8 as clocked_labor_seconds, (count(*) over ())::int as count
    from told t join work w on w.id = t.id
    join customers c on c.business_id = ${db.businessId} and c.id = w.customer_id
    join properties p on p.business_id = ${db.businessId} and p.id = w.property_id
    where ${key === noKey ? sql`t.key is null` : sql`t.key = ${key}`} order by w.day desc, t.id limit ${limit}`.execute(
    db,
  )
  return { items: rows.map(({ count: _, ...row }) => row), count: rows[0]?.count ?? 0 }
}
