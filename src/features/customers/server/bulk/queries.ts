import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../areas/server/queries.ts'
import type { CustomerChoice } from '../../contract.ts'
import { choosing } from '../queries.ts'

/** Whom rows of a file speak of, and where these live. */

export type ImportTarget = { customerId: string; name: string; archived: boolean }

/**
 * Customers by what another program calls them, and by their whole name where only one has it.
 * @returns by the place of the probe
 */
export const findImportTargets = async (
  db: TenantDb,
  probes: readonly { sourceKey: string | null; name: string }[],
): Promise<{ byKey: Map<number, ImportTarget>; byName: Map<number, ImportTarget> }> => {
  const { rows } = await sql<ImportTarget & { at: number; how: 'key' | 'name'; count: number }>`
    with probe as materialized (
      select at, "sourceKey" as key, lower(name) as name from jsonb_to_recordset(${JSON.stringify(
        probes.map((probe, at) => ({ at, ...probe })),
      )}::jsonb) as x(at int, "sourceKey" text, name text)
    ), hit as (
      select probe.at, 'key' as how, c.id from probe join customers c on c.business_id = ${db.businessId} and c.source_key = probe.key
      union all
      select probe.at, 'name', c.id from probe join customers c on c.business_id = ${db.businessId} and c.archived_at is null and lower(c.name) = probe.name
        where probe.name <> ''
    )
    select hit.at, hit.how, count(*)::int as count, (array_agg(c.id order by c.id))[1] as customer_id, (array_agg(c.name order by c.id))[1] as name,
      bool_or(c.archived_at is not null) as archived
    from hit join customers c on c.business_id = ${db.businessId} and c.id = hit.id group by hit.at, hit.how`.execute(
    db,
  )
  const of = (how: string) =>
    new Map(
      rows
        .filter((row) => row.how === how && row.count === 1)
        .map(({ at, customerId, name, archived }) => [at, { customerId, name, archived }]),
    )
  return { byKey: of('key'), byName: of('name') }
}

export type ImportPlace = {
  id: string
  customerId: string
  addressKey: string
  lawnSquareFeet: number | null
  bedSquareFeet: number | null
  edgeFeet: number | null
  difficulty: number
}

/** The properties that customers have now. */
export const listPlacesOf = async (db: TenantDb, customerIds: readonly string[]): Promise<ImportPlace[]> =>
  customerIds.length === 0
    ? []
    : ((await db
        .selectFrom('properties')
        .select(['id', 'customerId', 'addressKey', 'lawnSquareFeet', 'difficulty'])
        .select([bedSquareFeetOf('properties').as('bedSquareFeet'), edgeFeetOf('properties').as('edgeFeet')])
        .where('businessId', '=', db.businessId)
        .where('customerId', '=', sql<string>`any(${[...customerIds]}::uuid[])`)
        .where('archivedAt', 'is', null)
        .orderBy('createdAt')
        .orderBy('id')
        .execute()) as ImportPlace[])

/** Who a choice means, the first so many by their ids. */
export const listChosen = async (db: TenantDb, choice: CustomerChoice, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c where ${choosing(db, choice)} order by c.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
