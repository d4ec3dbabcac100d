import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { type Key, keyset } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { daysToPayFrom } from '../../../shared/days-to-pay.ts'
import { conflict, notFound } from '../../../shared/errors.ts'
import { phoneDigits } from '../../../shared/phone.ts'
import { limitsOf } from '../../billing/rules.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import {
  type CustomerChoice,
  type CustomerDuplicate,
  type CustomerFilter,
  type CustomerListItem,
  type CustomerListQuery,
  type CustomerRecord,
  customersApi,
  type Property,
} from '../contract.ts'
import type { CustomValues } from '../custom/rules.ts'
import { customConditions } from '../custom/server/queries.ts'
import { sumOwed } from '../owed/server/queries.ts'
import { bookNeed, type CustomerAction, type CustomerFacts, customerRefusals } from '../rules.ts'
import { listProperties, propertyFor } from './properties.ts'

export { requireCustomer } from './required.ts'

type Condition = Expression<SqlBool>

const all = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

const hasCurrentJob = sql<SqlBool>`exists (select 1 from jobs j where j.business_id = p.business_id and j.property_id = p.id
  and j.status in ('draft', 'active', 'paused') and j.archived_at is null)`

/** What a filter asks of a customer `c` alone. */
const ofCustomer = (filter: CustomerFilter): Condition[] => [
  filter.archived ? sql`c.archived_at is not null` : sql`c.archived_at is null`,
  ...(filter.stage?.length ? [sql<SqlBool>`c.stage = any(${filter.stage})`] : []),
  ...(filter.tag?.length ? [sql<SqlBool>`c.tags && ${filter.tag}::text[]`] : []),
  ...(filter.importId ? [sql<SqlBool>`c.import_id = ${filter.importId}`] : []),
]

/** What a filter asks of one of the customer's properties `p`. */
const ofProperty = (filter: CustomerFilter): Condition[] => [
  ...(filter.city?.length ? [sql<SqlBool>`lower(p.city) = any(${filter.city.map((c) => c.toLowerCase())})`] : []),
  ...(filter.zip?.length ? [sql<SqlBool>`left(p.zip, 5) = any(${filter.zip.map((z) => z.slice(0, 5))})`] : []),
  ...(filter.hasJob === undefined ? [] : [filter.hasJob ? hasCurrentJob : sql<SqlBool>`not ${hasCurrentJob}`]),
  ...(filter.noPin === undefined
    ? []
    : [filter.noPin ? sql<SqlBool>`p.latitude is null` : sql<SqlBool>`p.latitude is not null`]),
  ...(filter.approximate === undefined
    ? []
    : [sql<SqlBool>`(p.geocode_quality in ('zip', 'county')) = ${filter.approximate}`]),
]

const someProperty = (conditions: Condition[]): Condition =>
  sql<SqlBool>`exists (select 1 from properties p where p.business_id = c.business_id and p.customer_id = c.id
    and p.archived_at is null and ${all(conditions)})`

/** Each typed word has to stand somewhere: in what describes the customer, or in a street. */
const searchMessage = (q: string | undefined, street: (like: string) => Condition): Condition[] => {
  const words = (q ?? '').split(/\s+/).filter(Boolean)
  const wholeDigits = phoneDigits(q ?? '')
  const isPhone = wholeDigits.length >= 4 && /^[\d\s().+-]+$/.test(q ?? '')
  if (isPhone && words.length > 1)
    return [sql<SqlBool>`(c.phone like ${containing(wholeDigits)} or ${street(containing(q ?? ''))})`]
  return words.map((word) => {
    const like = containing(word)
    const digits = phoneDigits(word)
    const byPhone = digits.length >= 4 ? sql`c.phone like ${containing(digits)}` : sql`false`
    return sql<SqlBool>`(c.name ilike ${like} or c.company ilike ${like} or c.email ilike ${like} or ${byPhone} or ${street(like)})`
  })
}

const matching = (db: TenantDb, filter: CustomerFilter): Condition => {
  const property = ofProperty(filter)
  const bare =
    filter.hasJob === false && !filter.city?.length && !filter.zip?.length && filter.noPin === undefined
      ? sql<SqlBool>`not ${someProperty([])}`
      : sql<SqlBool>`false`
  return all([
    ...ofCustomer(filter),
    ...customConditions(db, filter.custom ?? [], { place: false }),
    ...searchMessage(filter.q, (like) => someProperty([sql<SqlBool>`p.street ilike ${like}`])),
    ...(property.length ? [sql<SqlBool>`(${someProperty(property)} or ${bare})`] : []),
  ])
}

/** Which customers `c` a choice means. */
export const choosing = (db: TenantDb, choice: CustomerChoice): Condition =>
  'ids' in choice
    ? sql<SqlBool>`c.business_id = ${db.businessId} and c.id = any(${choice.ids}::uuid[])`
    : all([sql<SqlBool>`c.business_id = ${db.businessId}`, matching(db, choice.filter)])

/**
 * The properties that a filter means, in a steady order: of customers it fits, those that themselves fit its city, ZIP and job. Archived properties
 * are never among them.
 */
export const listPropertyIdsTx = async (
  db: TenantDb,
  filter: CustomerFilter,
): Promise<{ propertyId: string; customerId: string }[]> => {
  const { rows } = await sql<{ propertyId: string; customerId: string }>`
    select p.id as property_id, p.customer_id
    from customers c join properties p on p.business_id = c.business_id and p.customer_id = c.id
    where c.business_id = ${db.businessId} and p.archived_at is null
      and ${all([...ofCustomer(filter), ...ofProperty(filter), ...customConditions(db, filter.custom ?? [], { place: true }), ...searchMessage(filter.q, (like) => sql<SqlBool>`p.street ilike ${like}`)])}
    order by lower(c.name), c.id, p.id`.execute(db)
  return rows
}

/** The billing plan of customer `c` that is billed month by month, by its name. */
const runningPlan = sql<
  string | null
>`(select b.name from billing_plans b where b.business_id = c.business_id and b.customer_id = c.id
  and b.status = 'active' order by b.starts_on, b.id limit 1)`

/** Ids and names of the customers of a choice, locked against change until the transaction ends. */
export const lockChosenTx = async (
  db: TenantDb,
  choice: CustomerChoice,
): Promise<(CustomerFacts & { id: string })[]> => {
  const { rows } = await sql<CustomerFacts & { id: string }>`
    select c.id, c.name, c.archived_at, (select count(*) from jobs j where j.business_id = c.business_id and j.customer_id = c.id
      and j.status in ('draft', 'active', 'paused') and j.archived_at is null)::int as current_jobs,
      ${runningPlan} as running_plan
    from customers c where ${choosing(db, choice)} order by lower(c.name), c.id for no key update of c`.execute(db)
  return rows
}

const sorts: Record<CustomerListQuery['sort'], Key> = {
  name: { of: sql`name_order(c.name)`, type: 'text' },
  created: { of: sql`c.created_at`, type: 'instant' },
  city: { of: sql`lower(coalesce(first.city, ''))`, type: 'text' },
}

const nextVisitDay = (alias: 'c' | 'p', day: Day) =>
  sql<string | null>`(select min(v.day) from visits v where v.business_id = ${sql.ref(`${alias}.businessId`)}
    and ${sql.raw(alias === 'c' ? 'v.customer_id' : 'v.property_id')} = ${sql.ref(`${alias}.id`)} and v.day >= ${day}
    and v.status in ('scheduled', 'en_route', 'in_progress', 'paused'))`

/** The sum of the open invoices of customer `c`, the same figure as on the invoices and the dashboard; credit that waits is no part of it. */
const owedCents = sql`coalesce((select sum(i.total_cents - i.paid_cents) from invoices i
  where i.business_id = c.business_id and i.customer_id = c.id and i.status in ('issued', 'partially_paid')), 0)::int`

/** One page of customers in the order asked for; the id breaks ties, so that no row is left out or comes twice. */
export const listCustomers = async (
  db: TenantDb,
  query: CustomerListQuery,
  options: { money: boolean },
): Promise<{ items: CustomerListItem[]; nextCursor: string | null; total: number }> => {
  const where = matching(db, query)
  const { beyond, order, values, limit, page } = keyset([sorts[query.sort], { of: sql`c.id`, type: 'uuid' }], query)
  const today = await todayOf(db)
  const list = sql<CustomerListItem & { cursorKeys: string[] }>`
    select c.id, c.name, c.company, c.email, c.phone, c.type, c.stage, c.tags, c.archived_at, c.created_at, c.version, c.custom,
      coalesce(first.custom, '{}'::jsonb) as property_custom, first.version as property_version,
      places.property_count, places.lawn_square_feet,
      first.id as property_id, first.street, first.city, first.latitude, first.longitude,
      ${nextVisitDay('c', today)} as next_visit_day,
      ${options.money ? sql`coalesce((select l.balance_cents from customer_balances l where l.business_id = c.business_id and l.customer_id = c.id), 0)` : sql`null`} as balance_cents,
      ${options.money ? owedCents : sql`null`} as owed_cents,
      ${values} as cursor_keys
    from customers c
    left join lateral (
      select f.id, f.street, f.city, f.latitude, f.longitude, f.custom, f.version from properties f
      where f.business_id = c.business_id and f.customer_id = c.id and f.archived_at is null order by f.created_at, f.id limit 1
    ) first on true
    cross join lateral (
      select count(*)::int as property_count, (case when sum(n.lawn_square_feet) is not null then least(sum(n.lawn_square_feet), 2000000000) end)::int as lawn_square_feet from properties n
      where n.business_id = c.business_id and n.customer_id = c.id and n.archived_at is null
    ) places
    where c.business_id = ${db.businessId} and ${where} and ${beyond}
    order by ${order} limit ${limit}`
  const [{ rows }, total] = await Promise.all([list.execute(db), countCustomers(db, query)])
  return { ...page(rows), total }
}

export const countCustomers = async (db: TenantDb, filter: CustomerFilter): Promise<number> => {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from customers c where c.business_id = ${db.businessId} and ${matching(db, filter)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** How many customers count toward the plan, and how many it allows. */
export const getCustomerLimit = async (
  db: TenantDb,
): Promise<{ active: number; limit: number | null; planTier: string | null }> => {
  const { rows } = await sql<{ active: number; planTier: string | null }>`
    select b.plan_tier, (select count(*) from customers c where c.business_id = b.business_id and c.archived_at is null)::int as active
    from businesses b where b.business_id = ${db.businessId}`.execute(db)
  const row = rows[0]
  if (!row) throw notFound('business')
  return { active: row.active, limit: limitsOf(row.planTier).customerLimit, planTier: row.planTier }
}

/** How many customers each saved view holds. */
export const countViews = async (db: TenantDb) => {
  const withoutJob = await countCustomers(db, { hasJob: false })
  const withoutPin = await countCustomers(db, { noPin: true })
  const approximate = await countCustomers(db, { approximate: true })
  const { rows } = await sql<{ all: number; active: number; lead: number; past: number; archived: number }>`
    select count(*) filter (where archived_at is null)::int as all,
      count(*) filter (where archived_at is null and stage = 'active')::int as active,
      count(*) filter (where archived_at is null and stage = 'lead')::int as lead,
      count(*) filter (where archived_at is null and stage = 'past')::int as past,
      count(*) filter (where archived_at is not null)::int as archived
    from customers where business_id = ${db.businessId}`.execute(db)
  const counts = rows[0] ?? { all: 0, active: 0, lead: 0, past: 0, archived: 0 }
  return { ...counts, withoutJob, withoutPin, approximate }
}

export { getProperty, getPropertyContent, listProperties } from './properties.ts'

const maxPins = 10_000

/** A pin for every property of the filter, nearest to the name's order; beyond 10,000 they are only counted. */
export const listPins = async (db: TenantDb, filter: CustomerFilter) => {
  const properties = all([
    sql<SqlBool>`c.business_id = ${db.businessId}`,
    sql<SqlBool>`p.archived_at is null`,
    ...ofCustomer(filter),
    ...ofProperty(filter),
    ...customConditions(db, filter.custom ?? [], { place: true }),
    ...searchMessage(filter.q, (like) => sql<SqlBool>`p.street ilike ${like}`),
  ])
  const from = sql`from customers c join properties p on p.business_id = c.business_id and p.customer_id = c.id where ${properties}`
  type Pin = {
    id: string
    customerId: string
    name: string
    street: string
    latitude: number
    longitude: number
    quality: Property['geocodeQuality']
    nextVisitDay: string | null
    version: number
  }
  const pins = await sql<Pin>`
    select p.id, p.customer_id, c.name, p.street, p.latitude, p.longitude, p.geocode_quality as quality, p.version,
      ${nextVisitDay('p', await todayOf(db))} as next_visit_day
    ${from} and p.latitude is not null and p.longitude is not null order by lower(c.name), p.id limit ${maxPins}`.execute(
    db,
  )
  const counts = await sql<{ pinned: number; withoutPin: number; approximate: number }>`
    select count(p.latitude)::int as pinned, (count(*) - count(p.latitude))::int as without_pin,
      count(*) filter (where p.geocode_quality in ('zip', 'county'))::int as approximate ${from}`.execute(db)
  const count = counts.rows[0] ?? { pinned: 0, withoutPin: 0, approximate: 0 }
  return {
    pins: pins.rows,
    approximate: count.approximate,
    withoutPin: count.withoutPin,
    leftOut: Math.max(0, count.pinned - maxPins),
  }
}

const listVisitLines = async (
  db: TenantDb,
  customerId: string,
  which: 'next' | 'last',
  day: Day,
  money: boolean,
): Promise<CustomerRecord['nextVisits']> => {
  const { rows } = await sql<CustomerRecord['nextVisits'][number]>`
    select v.id, v.job_id, v.property_id, j.title, p.street, v.day, v.status, w.name as crew_name, v.skip_reason,
      ${money ? sql`v.price_cents` : sql`null`} as price_cents
    from visits v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    left join crews w on w.business_id = v.business_id and w.id = v.crew_id
    where v.business_id = ${db.businessId} and v.customer_id = ${customerId}
      and ${
        which === 'next'
          ? sql`v.status in ('scheduled', 'en_route', 'in_progress', 'paused') and v.day >= ${day}`
          : sql`v.status in ('completed', 'skipped', 'missed') and v.day <= ${day}`
      }
    order by v.day ${which === 'next' ? sql`asc` : sql`desc`}, v.id limit ${which === 'next' ? 5 : 12}`.execute(db)
  return rows
}

const getInvoiceSummary = async (db: TenantDb, customerId: string, day: Day) => {
  const own = sql`from invoices where business_id = ${db.businessId} and customer_id = ${customerId}`
  const { rows } = await sql<{ count: number; daysToPay: number | null }>`
    select (select count(*)::int from (select 1 ${own} and status <> 'void' limit 1000) most) as count,
      (select round(avg(paid_on - issue_on))::int ${own} and paid_on >= ${daysToPayFrom(day)}::date) as days_to_pay`.execute(
    db,
  )
  const items = await db
    .selectFrom('invoices')
    .select(['id', 'number', 'status', 'issueOn', 'dueOn', 'totalCents', 'paidCents'])
    .select(
      sql<number>`(select coalesce(sum(x.amount_cents), 0) from payment_allocations x
        join payments y on y.business_id = x.business_id and y.id = x.payment_id
        where x.business_id = invoices.business_id and x.invoice_id = invoices.id and y.method = 'credit')::int8`.as(
        'creditedCents',
      ),
    )
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .orderBy('number', 'desc')
    .limit(12)
    .execute()
  return { ...(rows[0] ?? { count: 0, daysToPay: null }), ...(await sumOwed(db, customerId, day)), items }
}

const needs: Record<CustomerAction, Need> = {
  update: customersApi.update,
  archive: customersApi.archive,
  unarchive: customersApi.unarchive,
  addProperty: customersApi.addProperty,
  book: bookNeed,
}
const currentStatuses: readonly string[] = ['draft', 'active', 'paused']

/** Whom to write to and whom to bill. @throws not_found */
export const getContact = async (db: TenantDb, customerId: string) => {
  const row = await db
    .selectFrom('customers')
    .select(['id', 'name', 'company', 'email', 'phone', 'billingStreet', 'billingCity', 'billingState', 'billingZip'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw notFound('customer')
  return row
}

/** Holds somebody still who is a customer now, so that nobody merges them away meanwhile. @throws not_found, state_conflict */
export const lockLiveContactTx = async (db: TenantDb, customerId: string): Promise<void> => {
  const row = await db
    .selectFrom('customers')
    .select(['name', 'archivedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('customer')
  if (row.archivedAt)
    throw conflict(`${row.name} is archived, or one with another customer by now. Choose again. Nothing was changed.`)
}

const mergedInto = sql<string | null>`(select m.kept_id from customer_merges m
  where m.business_id = c.business_id and m.gone_id = c.id and m.undone_at is null order by m.at desc limit 1)`

/** One customer with everything its panel shows. */
export const getCustomer = async (db: TenantDb, actor: Actor, customerId: string): Promise<CustomerRecord> => {
  const money = hasPermission(actor, 'money')
  const found = await db
    .selectFrom('customers as c')
    .selectAll('c')
    .select([runningPlan.as('runningPlan'), mergedInto.as('mergedIntoId')])
    .where('c.businessId', '=', db.businessId)
    .where('c.id', '=', customerId)
    .executeTakeFirst()
  if (!found) throw notFound('customer')
  const { runningPlan: plan, ...row } = found
  const day = await todayOf(db)
  const jobs = await sql<CustomerRecord['jobs'][number]>`
    select j.id, j.number, j.title, j.status, j.property_id, p.street, j.start_on, j.end_on, r.rounds
    from jobs j join properties p on p.business_id = j.business_id and p.id = j.property_id
    left join lateral (
      select jsonb_build_object('total', count(*), 'done', count(*) filter (where v.status = 'completed'),
        'missed', count(*) filter (where v.status = 'missed'),
        'open', min(l.undated->>'name') filter (where v.status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused'))) as rounds
      from job_lines l
      left join lateral (select x.status from visit_lines w join visits x on x.business_id = w.business_id and x.id = w.visit_id
        where w.business_id = l.business_id and w.job_line_id = l.id order by x.id desc limit 1) v on true
      where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null and l.undated->>'kind' = 'step'
      having count(*) > 0) r on true
    where j.business_id = ${db.businessId} and j.customer_id = ${customerId} and j.archived_at is null
    order by (j.status in ('active', 'paused', 'draft')) desc, j.number desc limit 50`.execute(db)
  const balance = await sql<{ cents: number }>`
    select balance_cents as cents from customer_balances
    where business_id = ${db.businessId} and customer_id = ${customerId}`.execute(db)
  return {
    ...(row as Omit<typeof row, 'type' | 'stage' | 'invoiceGrouping' | 'language' | 'gets' | 'custom'> &
      Pick<CustomerRecord, 'type' | 'stage' | 'invoiceGrouping' | 'language' | 'gets' | 'custom'>),
    can: canOf(actor, needs, customerRefusals, {
      ...row,
      currentJobs: jobs.rows.filter(({ status }) => currentStatuses.includes(status)).length,
      runningPlan: plan,
    }),
    properties: (await listProperties(db, customerId)).map((property) => propertyFor(actor, property)),
    balanceCents: money ? (balance.rows[0]?.cents ?? 0) : null,
    jobs: jobs.rows,
    nextVisits: await listVisitLines(db, customerId, 'next', day, money),
    lastVisits: await listVisitLines(db, customerId, 'last', day, money),
    invoices: money ? await getInvoiceSummary(db, customerId, day) : null,
  }
}

export type DuplicateProbe = {
  email: string | null
  phone: string | null
  street: string
  unit: string
  city: string
  zip: string
}

// Plain = on plain columns, keys made beforehand: behind row-level security nothing else reaches an index.
/** Who is there already with the same e-mail, phone or address: for each probe (by its place in the list) the customers found, at most five. */
export const findDuplicatesTx = async (
  db: TenantDb,
  probes: readonly DuplicateProbe[],
  options: { exceptImportId?: string } = {},
): Promise<Map<number, CustomerDuplicate[]>> => {
  const found = new Map<number, CustomerDuplicate[]>()
  if (probes.length === 0) return found
  const notImport = options.exceptImportId
    ? sql`and c.import_id is distinct from ${options.exceptImportId}::uuid`
    : sql``
  const { rows } = await sql<{
    at: number
    customerId: string
    name: string
    street: string | null
    archived: boolean
    matches: ('email' | 'phone' | 'address')[]
  }>`
    with probe as materialized (
      select at, email, phone, case when street = '' then null else address_key(street, unit, city, zip) end as key
      from jsonb_to_recordset(${JSON.stringify(probes.map((p, at) => ({ at, ...p })))}::jsonb)
        as x(at int, email text, phone text, street text, unit text, city text, zip text)
    ), hit as (
      select probe.at, c.id, 'email' as how from probe join customers c
        on c.business_id = ${db.businessId} and c.email = probe.email ${notImport}
      union all
      select probe.at, c.id, 'phone' from probe join customers c
        on c.business_id = ${db.businessId} and c.phone = probe.phone ${notImport}
      union all
      select probe.at, c.id, 'address' from probe join properties p
        on p.business_id = ${db.businessId} and p.address_key = probe.key and p.archived_at is null
        join customers c on c.business_id = p.business_id and c.id = p.customer_id ${notImport}
    )
    select hit.at, c.id as customer_id, c.name, c.archived_at is not null as archived, array_agg(distinct hit.how) as matches,
      (select p.street from properties p where p.business_id = c.business_id and p.customer_id = c.id and p.archived_at is null
        order by p.created_at, p.id limit 1) as street
    from hit join customers c on c.business_id = ${db.businessId} and c.id = hit.id
    group by hit.at, c.business_id, c.id, c.name, c.archived_at order by hit.at, count(*) desc, c.id`.execute(db)
  for (const { at, ...duplicate } of rows) {
    const list = found.get(at) ?? []
    if (list.length < 5) list.push(duplicate)
    found.set(at, list)
  }
  return found
}

/** A page of rows for the CSV, one a property; customers without one have one row too. */
export const listExportRows = async (db: TenantDb, filter: CustomerFilter, options: { money: boolean }) => {
  const { rows } = await sql<
    Record<string, string | number | null | string[]> & { custom: CustomValues; propertyCustom: CustomValues | null }
  >`
    select c.name, c.company, c.email, c.phone, c.type, c.stage, c.tags, c.notes, c.billing_street, c.billing_city, c.billing_state, c.billing_zip,
      p.street, p.unit, p.city, p.state, p.zip, p.latitude, p.longitude, p.lawn_square_feet, p.mow_height_inches, p.dog, p.parking, p.no_go,
      p.notes as property_notes, c.custom, p.custom as property_custom,
      ${options.money ? sql`coalesce((select l.balance_cents from customer_balances l where l.business_id = c.business_id and l.customer_id = c.id), 0)` : sql`null`} as balance_cents
    from customers c
    left join properties p on p.business_id = c.business_id and p.customer_id = c.id and p.archived_at is null
    where c.business_id = ${db.businessId} and ${matching(db, filter)}
    order by lower(c.name), c.id, p.created_at, p.id`.execute(db)
  return rows
}

/** The gate code of a property as it is stored, or null. */
export const findGateCodeCipher = async (db: TenantDb, propertyId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('properties')
    .select('gateCodeCipher')
    .where('businessId', '=', db.businessId)
    .where('id', '=', propertyId)
    .executeTakeFirst()
  if (!row) throw notFound('property')
  return row.gateCodeCipher
}

/** A visit at a property today of a crew that the person is on today, as the crew was told; or null. */
export const findVisitOfMineToday = async (
  db: TenantDb,
  propertyId: string,
  userId: string,
): Promise<string | null> => {
  const day = await todayOf(db)
  const { rows } = await sql<{ id: string }>`
    select v.id from visits v
    join crew_members m on m.business_id = v.business_id and m.crew_id = coalesce(v.published_crew_id, v.crew_id)
    where v.business_id = ${db.businessId} and v.property_id = ${propertyId} and m.user_id = ${userId}
      and coalesce(v.published_day, v.day) = ${day} and v.status <> 'canceled'
      and m.valid_from <= ${day} and (m.valid_to is null or m.valid_to >= ${day})
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}
