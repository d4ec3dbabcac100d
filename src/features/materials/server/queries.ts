import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { admits, canOf } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { weightOf } from '../calculation/rules.ts'
import { type Material, type MaterialMove, type MaterialSettings, materialsApi } from '../contract.ts'
import { type MaterialKind, materialRefusals, mostMaterials, type Package } from '../rules.ts'

const needs = {
  update: materialsApi.update,
  count: materialsApi.count,
  receive: materialsApi.receive,
  use: materialsApi.use,
  archive: materialsApi.archive,
  restore: materialsApi.restore,
}

type Row = Omit<Material, 'can'>
type Filter = { ids?: readonly string[]; archived?: boolean | undefined }

/** A cost is hidden from who works without money. */
const shown = (actor: Actor, row: Row): Material => ({
  ...row,
  costCents: hasPermission(actor, 'money') ? row.costCents : null,
  can: canOf(actor, needs, materialRefusals, row),
})

/** Materials with all that is known of them, costs too: for commands, never as an answer. */
export const readMaterials = async (db: TenantDb, { ids, archived = false }: Filter): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select m.id, m.kind, m.name, m.package, m.package_size::float8 as "packageSize", m.unit, m.weight_pounds::float8 as "weightPounds",
      m.nitrogen_percent::float8 as "nitrogenPercent", m.phosphate_percent::float8 as "phosphatePercent",
      m.potash_percent::float8 as "potashPercent", m.slow_percent::float8 as "slowPercent", m.purity_percent::float8 as "purityPercent",
      m.germination_percent::float8 as "germinationPercent", m.product_id as "productId", m.cost_cents as "costCents",
      m.on_hand::float8 as "onHand", m.reorder_at::float8 as "reorderAt", m.archived_at is not null as archived, m.version,
      case when p.id is null then null else jsonb_build_object('low', p.label_low, 'high', p.label_high, 'unit', p.unit) end as label
    from materials m
    left join chemical_products p on p.business_id = m.business_id and p.id = m.product_id
    where m.business_id = ${db.businessId}
      ${ids ? sql`and m.id = any(${sql.val([...ids])}::uuid[])` : sql`and (m.archived_at is not null) = ${archived}`}
    order by array_position(array['fertilizer', 'seed', 'lime', 'herbicide', 'mulch', 'topsoil', 'compost', 'gravel', 'sod', 'other'], m.kind),
      lower(m.name), m.id
    limit ${mostMaterials}`.execute(db)
  return rows
}

/** @throws AppError not_found */
export const readMaterial = async (db: TenantDb, id: string): Promise<Row> => {
  const [row] = await readMaterials(db, { ids: [id] })
  if (!row) throw notFound('material')
  return row
}

/** @throws AppError not_found */
export const getMaterial = async (db: TenantDb, actor: Actor, id: string): Promise<Material> =>
  shown(actor, await readMaterial(db, id))

export const usualPayloadPounds = 2000

/** What the calculator goes by; without a row as it begins. */
export const getMaterialSettings = async (db: TenantDb, actor: Actor): Promise<MaterialSettings> => {
  const row = await db
    .selectFrom('materialSettings')
    .select(['payloadPounds', 'version'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  const lawsOff = await db
    .selectFrom('materialLawsOff as l')
    .leftJoin('users as u', (join) => join.onRef('u.businessId', '=', 'l.businessId').onRef('u.id', '=', 'l.userId'))
    .select(['l.state', 'l.reason', 'u.name as by', 'l.createdAt as at'])
    .where('l.businessId', '=', db.businessId)
    .orderBy('l.state')
    .execute()
  return {
    payloadPounds: row?.payloadPounds ?? usualPayloadPounds,
    lawsOff,
    version: row?.version ?? 0,
    can: { update: admits(actor, materialsApi.saveSettings) },
  }
}

export const listMaterials = async (
  db: TenantDb,
  actor: Actor,
  archived: boolean | undefined,
): Promise<{ items: Material[]; settings: MaterialSettings }> => ({
  items: (await readMaterials(db, { archived })).map((row) => shown(actor, row)),
  settings: await getMaterialSettings(db, actor),
})

/** Every movement of a material, the newest first. @throws AppError not_found */
export const listMoves = async (
  db: TenantDb,
  id: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ items: MaterialMove[]; nextCursor: string | null }> => {
  await readMaterial(db, id)
  const keys = keyset(
    [
      { of: sql`m.moved_at`, type: 'instant' },
      { of: sql`m.id`, type: 'uuid' },
    ],
    { order: 'desc', cursor, limit },
  )
  const { rows } = await sql<MaterialMove & { cursorKeys: string[] }>`
    select m.id, m.kind, m.packages::float8 as packages, m.on_hand_after::float8 as "onHandAfter", m.note, u.name as by, m.moved_at as at,
      v.id as "visitId", v.job_id as "jobId", ${keys.values} as "cursorKeys"
    from material_moves m
    left join users u on u.business_id = m.business_id and u.id = m.user_id
    left join visits v on v.business_id = m.business_id and v.id = m.visit_id
    where m.business_id = ${db.businessId} and m.material_id = ${id} and ${keys.beyond}
    order by ${keys.order} limit ${keys.limit}`.execute(db)
  return keys.page(rows)
}

/** The next visits of a property that something can be loaded for. @throws AppError not_found */
export const listVisitsAhead = async (
  db: TenantDb,
  propertyId: string,
): Promise<z.output<typeof materialsApi.visits.response>> => {
  const property = await db
    .selectFrom('properties')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', propertyId)
    .executeTakeFirst()
  if (!property) throw notFound('property')
  const today = await todayOf(db)
  const { rows } = await sql<z.output<typeof materialsApi.visits.response>['items'][number]>`
    select v.id, coalesce(nullif(j.title, ''), 'Visit') as title, v.day, c.name as "crewName",
      coalesce((select jsonb_agg(jsonb_build_object('name', s.name, 'category', s.category) order by l.position, l.id)
        from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id), '[]') as services
    from visits v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    left join crews c on c.business_id = v.business_id and c.id = v.crew_id
    where v.business_id = ${db.businessId} and v.property_id = ${propertyId} and v.status in ('scheduled', 'en_route', 'in_progress', 'paused')
      and v.day >= ${today}
    order by v.day, v.id limit 12`.execute(db)
  return { items: rows }
}

/** What is below its reorder point. */
export const listLowMaterials = async (
  db: TenantDb,
  limit: number,
): Promise<{ id: string; name: string; package: Material['package']; onHand: number; reorderAt: number }[]> => {
  const { rows } = await sql<{
    id: string
    name: string
    package: Material['package']
    onHand: number
    reorderAt: number
  }>`select id, name, package, on_hand::float8 as "onHand", reorder_at::float8 as "reorderAt" from materials
    where business_id = ${db.businessId} and archived_at is null and on_hand <= reorder_at order by lower(name), id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** How a planned material comes: the package, how much of its unit is in one, and what one weighs where that is known. */
type PlannedPack = { of: Package; size: number; pounds: number | null }

/** What is calculated for visits and not used yet, in each material's unit. */
export const listPlannedAmounts = async (
  db: TenantDb,
  visitIds: readonly string[],
): Promise<{ visitId: string; name: string; unit: string; amount: number; pack: PlannedPack }[]> => {
  if (visitIds.length === 0) return []
  type Row = { visitId: string; name: string; amount: number; kind: MaterialKind; package: Package } & Pick<
    Material,
    'unit' | 'packageSize' | 'weightPounds'
  >
  const { rows } = await sql<Row>`
    select l.visit_id as "visitId", m.name, m.unit, l.amount::float8 as amount, m.kind, m.package, m.package_size::float8 as "packageSize",
      m.weight_pounds::float8 as "weightPounds"
    from material_plans l join materials m on m.business_id = l.business_id and m.id = l.material_id
    where l.business_id = ${db.businessId} and l.visit_id = any(${sql.val([...visitIds])}::uuid[]) and l.used_at is null
    order by l.visit_id, l.created_at, l.id`.execute(db)
  return rows.map(({ visitId, name, unit, amount, ...one }) => ({
    visitId,
    name,
    unit,
    amount,
    pack: { of: one.package, size: one.packageSize, pounds: weightOf({ unit, ...one }, 1) },
  }))
}
