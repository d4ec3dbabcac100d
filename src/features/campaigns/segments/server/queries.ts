import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, instantAt } from '../../../../shared/dates.ts'
import { AppError, notFound } from '../../../../shared/errors.ts'
import { timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import type { CustomerFilter } from '../../../customers/contract.ts'
import { choosing } from '../../../customers/server/queries.ts'
import type { Reached } from '../../../mailings/rules.ts'
import { listAddressees, listReached } from '../../../mailings/server/queries.ts'
import type { Segment, SegmentCount } from '../contract.ts'
import { type Condition, moneyKinds, namedReason } from '../rules.ts'

/** A customer who had a campaign within so many days has heard enough for a while. */
export const recentDays = 7

type When = { today: Day; timeZone: string }

/** What one condition asks of a customer `c`. What the list of customers can be narrowed by is read as the list reads it. */
const fits = (db: TenantDb, one: Condition, { today, timeZone }: When): Expression<SqlBool> => {
  const listed = (filter: CustomerFilter) => choosing(db, { filter })
  const not = (is: Expression<SqlBool>, has: boolean) => (has ? is : sql<SqlBool>`not ${is}`)
  switch (one.kind) {
    case 'stage':
      return listed({ stage: one.stages })
    case 'tag':
      return not(sql<SqlBool>`(c.tags && ${one.tags}::text[])`, one.has)
    case 'city':
      return listed({ city: one.cities })
    case 'zip':
      return listed({ zip: one.zips })
    case 'job':
      return listed({ hasJob: one.has })
    case 'service':
      return not(
        sql<SqlBool>`exists (select 1 from jobs j join job_lines l on l.business_id = j.business_id and l.job_id = j.id
          where j.business_id = c.business_id and j.customer_id = c.id and j.status in ('draft', 'active', 'paused') and j.archived_at is null
            and l.archived_at is null and l.service_id = any(${one.serviceIds}::uuid[]))`,
        one.has,
      )
    case 'lastVisit': {
      const since = addDays(today, -one.days)
      const recent = sql<SqlBool>`exists (select 1 from visits v where v.business_id = c.business_id and v.customer_id = c.id
        and v.status = 'completed' and v.day >= ${since}::date)`
      return one.within
        ? recent
        : sql<SqlBool>`(not ${recent} and exists (select 1 from visits v where v.business_id = c.business_id and v.customer_id = c.id
            and v.status = 'completed' and v.day < ${since}::date))`
    }
    case 'balance':
      return not(
        sql<SqlBool>`exists (select 1 from invoices i where i.business_id = c.business_id and i.customer_id = c.id
          and i.status in ('issued', 'partially_paid') and i.total_cents > i.paid_cents)`,
        one.has,
      )
    case 'plan':
      return not(
        sql<SqlBool>`exists (select 1 from billing_plans b where b.business_id = c.business_id and b.customer_id = c.id and b.status = 'active')`,
        one.has,
      )
    case 'autopay':
      return not(
        sql<SqlBool>`exists (select 1 from payment_methods m where m.business_id = c.business_id and m.customer_id = c.id
          and m.removed_at is null and m.autopay)`,
        one.has,
      )
    case 'source':
      return sql<SqlBool>`c.source = any(${one.sources}::text[])`
    case 'created': {
      const since = instantAt(addDays(today, -one.days), 0, timeZone)
      return one.within
        ? sql<SqlBool>`c.created_at >= ${since}::timestamptz`
        : sql<SqlBool>`c.created_at < ${since}::timestamptz`
    }
    case 'language':
      return sql<SqlBool>`c.language = ${one.language}`
    default:
      return sql<SqlBool>`c.type = ${one.type}`
  }
}

/** Which customers `c` fit all of the conditions; nobody who is archived. */
export const fitting = async (db: TenantDb, conditions: readonly Condition[]): Promise<Expression<SqlBool>> => {
  const when = { today: await todayOf(db), timeZone: await timeZoneOf(db) }
  return sql<SqlBool>`(${sql.join([choosing(db, { filter: {} }), ...conditions.map((one) => fits(db, one, when))], sql` and `)})`
}

/** Conditions about money are for who may see it. @throws forbidden */
export const requireMoneyFor = (actor: Actor, conditions: readonly Condition[]): void => {
  if (conditions.some(({ kind }) => moneyKinds.has(kind)) && !hasPermission(actor, 'money'))
    throw new AppError(
      'forbidden',
      'Balance, billing plan and autopay are for people with the permission for money. Nothing was changed.',
    )
}

/** Who of these had a campaign in the last days; what was taken back, refused or came back nobody had. */
export const listRecent = async (db: TenantDb, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const since = new Date(clock.nowMs() - recentDays * 86_400_000).toISOString()
  const { rows } = await sql<{ id: string }>`
    select n.id from unnest(${[...ids]}::uuid[]) as n(id)
    where exists (select 1 from campaign_recipients r join messages m on m.business_id = r.business_id and m.id = r.message_id
      where r.business_id = ${db.businessId} and r.customer_id = n.id and r.state = 'queued' and r.queued_at > ${since}::timestamptz
        and m.status not in ('suppressed', 'failed'))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Without the name in it: it is counted, not read. */
const plainReason = (reason: string): string => reason.replace(new RegExp(namedReason), '$1 another customer')

const atOnce = 1000
/** Beyond that a count says for how many it was looked at; the campaign itself looks at everybody. */
const mostLookedAt = 20_000

/** Counts up who can be reached by one way; an address counts once. */
const tally = () => {
  const reasons = new Map<string, number>()
  const addresses = new Set<string>()
  let recent = 0
  return {
    add: (found: ReadonlyMap<string, Reached>, had: ReadonlySet<string>): void => {
      for (const [id, one] of found) {
        const reason =
          one.channel === null
            ? plainReason(one.reason)
            : addresses.has(one.address)
              ? `Same ${one.channel === 'sms' ? 'number' : 'e-mail'} as another customer`
              : null
        if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        else if (one.channel !== null) {
          addresses.add(one.address)
          if (had.has(id)) recent++
        }
      }
    },
    count: () => addresses.size,
    recent: () => recent,
    list: () =>
      [...reasons]
        .map(([reason, count]) => ({ reason, count }))
        .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
  }
}

/** Who fits, and of them who can be reached with an offer now. */
export const countSegment = async (
  db: TenantDb,
  actor: Actor,
  conditions: readonly Condition[],
): Promise<SegmentCount> => {
  requireMoneyFor(actor, conditions)
  const where = await fitting(db, conditions)
  const total = await sql<{ count: number }>`select count(*)::int as count from customers c where ${where}`.execute(db)
  const by = { email: tally(), sms: tally() }
  let [last, looked, recent] = ['00000000-0000-0000-0000-000000000000', 0, 0]
  while (looked < mostLookedAt) {
    const { rows } = await sql<{ id: string }>`
      select c.id from customers c where ${where} and c.id > ${last} order by c.id limit ${atOnce}`.execute(db)
    const ids = rows.map(({ id }) => id)
    const people = await listAddressees(db, ids)
    const had = await listRecent(db, ids)
    for (const way of ['email', 'sms'] as const)
      by[way].add(await listReached(db, people, { way, about: 'offer' }), had)
    recent += had.size
    looked += ids.length
    if (ids.length < atOnce) break
    last = ids.at(-1) ?? last
  }
  return {
    chosen: total.rows[0]?.count ?? 0,
    looked,
    reached: { email: by.email.count(), sms: by.sms.count() },
    reasons: { email: by.email.list(), sms: by.sms.list() },
    recent,
    recentReached: { email: by.email.recent(), sms: by.sms.recent() },
  }
}

const columns = (db: TenantDb) =>
  db
    .selectFrom('segments')
    .select(['id', 'name', 'conditions', 'version'])
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)

const shown = (row: { id: string; name: string; conditions: unknown; version: number }): Segment => ({
  ...row,
  conditions: row.conditions as Condition[],
})

export const listSegments = async (db: TenantDb): Promise<Segment[]> =>
  (await columns(db).orderBy(sql`lower(name)`).orderBy('id').execute()).map(shown)

/** @throws not_found */
export const getSegment = async (db: TenantDb, id: string): Promise<Segment> => {
  const row = await columns(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('audience')
  return shown(row)
}
