import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { PropertyArea, PropertyAreas } from '../contract.ts'
import { type AreaKind, lawnOf, most } from '../rules.ts'

/**
 * The measured beds of a property together, in square feet; null where none was measured. They stand with the areas alone, so a merge, an undo or an
 * import never leaves another number behind.
 * @param property how the table of properties is called in the query
 */
export const bedSquareFeetOf = (property: string): RawBuilder<number | null> => {
  const of = sql.ref
  return sql<number | null>`(select sum(a.square_feet)::int from property_areas a
    where a.business_id = ${of(`${property}.businessId`)} and a.property_id = ${of(`${property}.id`)} and a.kind = 'bed')`
}

/** The measured edges of a property together, in feet; null where none was measured, or one of them only in square feet. */
export const edgeFeetOf = (property: string): RawBuilder<number | null> => {
  const of = sql.ref
  return sql<
    number | null
  >`(select case when count(*) = count(a.feet_around) then sum(a.feet_around)::int end from property_areas a
    where a.business_id = ${of(`${property}.businessId`)} and a.property_id = ${of(`${property}.id`)} and a.kind = 'edge')`
}

/** The areas of a property in their order, at most 40. */
export const listAreasTx = async (db: TenantDb, propertyId: string): Promise<PropertyArea[]> =>
  (await db
    .selectFrom('propertyAreas')
    .select(['id', 'kind', 'name', 'squareFeet', 'feetAround', 'rings'])
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', propertyId)
    .orderBy('position')
    .orderBy('id')
    .limit(most.areas)
    .execute()) as PropertyArea[]

/** The lawn of a property as its areas say it; null where no turf was measured. */
export const findMeasuredLawn = async (db: TenantDb, propertyId: string): Promise<number | null> =>
  lawnOf(
    (await db
      .selectFrom('propertyAreas')
      .select(['kind', 'squareFeet'])
      .where('businessId', '=', db.businessId)
      .where('propertyId', '=', propertyId)
      .limit(most.areas)
      .execute()) as { kind: AreaKind; squareFeet: number }[],
  )

/** What of a property is measured, by whom and when. @throws not_found */
export const getAreas = async (db: TenantDb, propertyId: string): Promise<PropertyAreas> => {
  const row = await db
    .selectFrom('properties as p')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'p.businessId').onRef('u.id', '=', 'p.lawnMeasuredBy'))
    .select(['p.id', 'p.version', 'p.lawnSquareFeet', 'p.lawnMeasuredAt', 'p.lawnMeasuredHow', 'u.name'])
    .where('p.businessId', '=', db.businessId)
    .where('p.id', '=', propertyId)
    .executeTakeFirst()
  if (!row) throw notFound('property')
  return {
    propertyId,
    version: row.version,
    items: await listAreasTx(db, propertyId),
    lawnSquareFeet: row.lawnSquareFeet,
    measured:
      row.lawnMeasuredAt && row.lawnMeasuredHow
        ? { at: row.lawnMeasuredAt, by: row.name, how: row.lawnMeasuredHow as 'typed' | 'areas' }
        : null,
  }
}

export type AreaSize = { kind: AreaKind; name: string; squareFeet: number }

/** How large the areas of properties are, in their order; edges have no surface. */
export const listAreaSizes = async (db: TenantDb, propertyIds: readonly string[]): Promise<Map<string, AreaSize[]>> => {
  if (propertyIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('propertyAreas')
    .select(['propertyId', 'kind', 'name', 'squareFeet'])
    .where('businessId', '=', db.businessId)
    .where('propertyId', 'in', [...new Set(propertyIds)])
    .where('kind', '<>', 'edge')
    .orderBy('propertyId')
    .orderBy('position')
    .orderBy('id')
    .limit(propertyIds.length * most.areas)
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ propertyId }) => propertyId)].map(([id, own]) => [
      id,
      own.map(({ kind, name, squareFeet }) => ({ kind, name, squareFeet })),
    ]),
  )
}
