import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { conflict, notFound } from '../../../shared/errors.ts'
import type { materialsApi, Purchase } from '../contract.ts'
import { isLow, mostMaterials, shortBy } from '../rules.ts'
import { readMaterial } from './queries.ts'

const mostWants = 200

/** What is to be bought: what is low, and what somebody asked for; both together are never less than either. */
export const listPurchases = async (db: TenantDb, actor: Actor): Promise<{ items: Purchase[] }> => {
  const seesMoney = hasPermission(actor, 'money')
  type Row = Omit<Purchase, 'packages' | 'isLow'>
  const { rows } = await sql<Row>`
    select m.id as "materialId", m.name, m.package, m.package_size::float8 as "packageSize", m.unit, m.on_hand::float8 as "onHand",
      m.reorder_at::float8 as "reorderAt", m.cost_cents as "costCents", coalesce(w.wants, '[]') as wants
    from materials m
    left join (
      select w.material_id, jsonb_agg(jsonb_build_object('id', w.id, 'packages', w.packages - w.received, 'note', w.note, 'by', u.name,
        'at', to_char(w.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by w.created_at, w.id) as wants
      from material_wants w left join users u on u.business_id = w.business_id and u.id = w.user_id
      where w.business_id = ${db.businessId} and w.done_at is null group by w.material_id) w on w.material_id = m.id
    where m.business_id = ${db.businessId} and m.archived_at is null and (m.on_hand <= m.reorder_at or w.material_id is not null)
    order by lower(m.name), m.id limit ${mostMaterials}`.execute(db)
  return {
    items: rows.map((row) => {
      const wanted = row.wants.reduce((sum, { packages }) => sum + packages, 0)
      const packages = Math.round(Math.max(wanted, shortBy(row)) * 100) / 100
      return {
        ...row,
        isLow: isLow(row),
        packages,
        costCents: row.costCents === null || !seesMoney ? null : Math.round(row.costCents * packages),
      }
    }),
  }
}

export const want = (
  actor: Actor,
  { materialId, packages, note }: z.output<typeof materialsApi.want.body>,
): Promise<{ id: string }> =>
  withTenant(actor, async (db) => {
    const material = await readMaterial(db, materialId)
    if (material.archived) throw conflict('This material was put away. Bring it back first. Nothing was added.')
    const { n } = await db
      .selectFrom('materialWants')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('businessId', '=', db.businessId)
      .where('doneAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(n) >= mostWants)
      throw conflict(`The purchase list holds up to ${mostWants} entries. Say first what came in. Nothing was added.`)
    const id = newId()
    await db
      .insertInto('materialWants')
      .values({
        businessId: db.businessId,
        id,
        materialId,
        packages,
        note,
        userId: actor.userId,
        createdAt: clock.iso(),
      })
      .execute()
    await audit(db, actor, 'material.want', { type: 'material', id: materialId }, { after: { packages, note } })
    await publishChange(db, 'materials', [materialId])
    return { id }
  })

/** Takes an entry off the list; one that came in already stays as it is. */
export const unwant = (actor: Actor, id: string): Promise<{ id: string }> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('materialWants')
      .select(['materialId', 'doneAt'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('purchase')
    if (row.doneAt) return { id }
    await db
      .updateTable('materialWants')
      .set({ doneAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'material.unwant', { type: 'material', id: row.materialId }, { after: { id } })
    await publishChange(db, 'materials', [row.materialId])
    return { id }
  })

/** What came in settles what was asked for, the oldest first; the material is locked. */
export const settleWantsTx = async (db: TenantDb, materialId: string, packages: number): Promise<void> => {
  const { rows } = await sql<{ id: string; open: number }>`
    select id, (packages - received)::float8 as open from material_wants
    where business_id = ${db.businessId} and material_id = ${materialId} and done_at is null order by created_at, id for update`.execute(
    db,
  )
  let left = packages
  for (const { id, open } of rows) {
    if (left <= 0) return
    const taken = Math.min(open, left)
    left = Math.round((left - taken) * 100) / 100
    await db
      .updateTable('materialWants')
      .set((eb) => ({
        received: eb('received', '+', taken as never),
        ...(taken >= open ? { doneAt: clock.iso() } : {}),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
  }
}
