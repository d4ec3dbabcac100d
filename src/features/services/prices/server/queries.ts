import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import type { PriceVersion } from '../../contract.ts'
import type { PriceRule } from '../../rules.ts'

/** The price rules that services had, have, and will have. */

/** The rule of a row of `services` that holds on a day: the latest that has begun and was not undone, else the one it began with. */
export const ruleOn = (day: Day) =>
  sql<PriceRule>`coalesce((select r.price_rule from service_prices r
    where r.business_id = services.business_id and r.service_id = services.id and r.undone_at is null and r.from_on <= ${day}::date
    order by r.from_on desc, r.number desc limit 1), services.price_rule)`

/** The first price of a row of `services` that begins after a day, or null; `booked` when booked work gets it as well. */
export const nextAfter = (day: Day) =>
  sql<{
    fromOn: Day
    priceRule: PriceRule
    booked: boolean
  } | null>`(select jsonb_build_object('fromOn', r.from_on, 'priceRule', r.price_rule, 'booked', exists (select 1 from price_changes c
      where c.business_id = r.business_id and c.id = r.change_id and c.scope = 'future'))
    from service_prices r
    where r.business_id = services.business_id and r.service_id = services.id and r.undone_at is null and r.from_on > ${day}::date
    order by r.from_on, r.number desc limit 1)`

/** Every price that begins after a day for a row of `services`, by day; `booked` when booked work gets it as well. */
export const allAfter = (day: Day) =>
  sql<
    { fromOn: Day; priceRule: PriceRule; booked: boolean }[]
  >`(select coalesce(jsonb_agg(to_jsonb(n) order by n."fromOn"), '[]') from (
      select distinct on (r.from_on) r.from_on as "fromOn", r.price_rule as "priceRule", exists (select 1 from price_changes c
        where c.business_id = r.business_id and c.id = r.change_id and c.scope = 'future') as booked
      from service_prices r
      where r.business_id = services.business_id and r.service_id = services.id and r.undone_at is null and r.from_on > ${day}::date
      order by r.from_on, r.number desc) n)`

/** Every rule that services had, have or will have and that was not undone, by service. */
export const listRules = async (
  db: TenantDb,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, PriceRule[]>> => {
  const { rows } = await sql<{ id: string; priceRule: PriceRule }>`
    select id, price_rule as "priceRule" from services where business_id = ${db.businessId} and id = any(${[...serviceIds]}::uuid[])
    union all
    select service_id, price_rule from service_prices
    where business_id = ${db.businessId} and service_id = any(${[...serviceIds]}::uuid[]) and undone_at is null`.execute(
    db,
  )
  return new Map([...Map.groupBy(rows, (row) => row.id)].map(([id, list]) => [id, list.map((row) => row.priceRule)]))
}

type Row = Omit<PriceVersion, 'state'>

/** Every version of a service's prices, the newest first; the one it began with is the last. */
export const listPriceVersions = async (db: TenantDb, serviceId: string): Promise<PriceVersion[]> => {
  const zone = await timeZoneOf(db)
  const today = dayOf(clock.now(), zone)
  const first = await db
    .selectFrom('services')
    .select(['priceRule', 'createdAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', serviceId)
    .executeTakeFirstOrThrow()
  const later = await db
    .selectFrom('servicePrices as r')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'r.businessId').onRef('u.id', '=', 'r.createdBy'))
    .where('r.businessId', '=', db.businessId)
    .where('r.serviceId', '=', serviceId)
    .select(['r.number', 'r.priceRule', 'r.fromOn', 'r.createdAt', 'r.undoneAt', 'r.changeId', 'u.name as byName'])
    .orderBy('r.number', 'desc')
    .execute()
  const versions = [
    ...(later as unknown as Row[]),
    {
      number: 1,
      priceRule: first.priceRule as PriceRule,
      fromOn: dayOf(first.createdAt, zone),
      createdAt: first.createdAt,
      undoneAt: null,
      changeId: null,
      byName: null,
    },
  ]
  const begun = versions.filter((one) => one.undoneAt === null && one.fromOn <= today)
  const current = begun.toSorted((a, b) =>
    a.fromOn < b.fromOn ? 1 : a.fromOn > b.fromOn ? -1 : b.number - a.number,
  )[0]
  return versions.map((one) => ({
    ...one,
    state: one.undoneAt !== null ? 'undone' : one === current ? 'current' : one.fromOn > today ? 'scheduled' : 'past',
  }))
}
