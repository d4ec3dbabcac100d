import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { type ServiceName, type ServiceRecord, servicesApi } from '../contract.ts'
import { allAfter, nextAfter, ruleOn } from '../prices/server/queries.ts'
import { type PriceRule, type ServiceAction, serviceRefusals } from '../rules.ts'

export { listPriceVersions, listRules } from '../prices/server/queries.ts'

/** A service with its prices, for what the server works out. `serviceFor` is what leaves it. */
export type PricedService = Omit<ServiceRecord, 'can' | 'nextPrice'> & {
  priceRule: PriceRule
  nextPrice: (NonNullable<ServiceRecord['nextPrice']> & { booked: boolean }) | null
  /** All that begin later, by day. */
  pricesAhead: (NonNullable<ServiceRecord['nextPrice']> & { booked: boolean })[]
}

const needs: Record<ServiceAction, Need> = servicesApi

/** A service as a person may see it: what it costs only with the permission for money, and what they may do with it. */
export const serviceFor = (actor: Actor, service: PricedService): ServiceRecord => ({
  ...service,
  priceRule: hasPermission(actor, 'money') ? service.priceRule : null,
  nextPrice: hasPermission(actor, 'money') ? service.nextPrice : null,
  can: canOf(actor, needs, serviceRefusals, service),
})

const recordColumns = [
  'id',
  'code',
  'name',
  'nameEs',
  'description',
  'category',
  'unit',
  'measuredBy',
  'timeRule',
  'taxCategory',
  'checklist',
  'photoRequired',
  'soldAtDoor',
  'minGapDays',
  'skills',
  'position',
  'archivedAt',
  'version',
] as const

const recordsOn = (db: TenantDb, day: Day) =>
  db
    .selectFrom('services')
    .where('services.businessId', '=', db.businessId)
    .select(recordColumns)
    .select([ruleOn(day).as('priceRule'), nextAfter(day).as('nextPrice'), allAfter(day).as('pricesAhead')])
    .select(
      sql<number>`(select count(distinct l.job_id)::int from job_lines l join jobs j on j.business_id = l.business_id and j.id = l.job_id
        where l.business_id = services.business_id and l.service_id = services.id and l.archived_at is null
        and j.archived_at is null and j.status in ('draft', 'active', 'paused'))`.as('jobCount'),
    )
    .orderBy('position')
    .orderBy('name')
    .orderBy('id')

/** What was written passed the contract on its way in. */
const asRecord = (row: unknown): PricedService => row as PricedService

/** Services in the order of the catalog. */
export const listServices = async (db: TenantDb, options: { archived?: boolean } = {}): Promise<PricedService[]> =>
  (
    await recordsOn(db, await todayOf(db))
      .where('archivedAt', options.archived ? 'is not' : 'is', null)
      .execute()
  ).map(asRecord)

/** Services without anything about money, for a crew. */
export const listServiceNames = async (db: TenantDb): Promise<ServiceName[]> =>
  (await db
    .selectFrom('services')
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .select(['id', 'name', 'category', 'measuredBy', 'checklist'])
    .orderBy('position')
    .orderBy('name')
    .orderBy('id')
    .execute()) as unknown as ServiceName[]

/** Which of these ids are services of this business, archived ones too. */
export const listServiceIds = async (db: TenantDb, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from services where business_id = ${db.businessId} and id = any(${sql.val([...ids])}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** @throws AppError not_found */
export const getService = async (db: TenantDb, id: string): Promise<PricedService> => {
  const row = await recordsOn(db, await todayOf(db))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('service')
  return asRecord(row)
}

/**
 * The services of these ids, archived ones too.
 * @param day on which their prices hold; today when left out
 * @throws AppError not_found when one is not of this business
 */
export const getServices = async (db: TenantDb, ids: readonly string[], day?: Day): Promise<PricedService[]> => {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return []
  const rows = (
    await recordsOn(db, day ?? (await todayOf(db)))
      .where('id', 'in', unique)
      .execute()
  ).map(asRecord)
  if (rows.length !== unique.length) throw notFound('service')
  return rows
}
