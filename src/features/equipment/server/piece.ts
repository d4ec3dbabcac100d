import type { z } from 'zod'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { refuse } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { equipmentApi } from '../contract.ts'
import { type EquipmentAction, equipmentRefusals } from '../rules.ts'

export type BodyOf<K extends keyof typeof equipmentApi> = (typeof equipmentApi)[K] extends {
  body: infer B extends z.ZodType
}
  ? z.output<B>
  : never

export const entity = (id: string) => ({ type: 'equipment', id })

/** The crews that have it today or later: their phones show it. */
export const crewsWith = async (db: TenantDb, id: string): Promise<string[]> => {
  const today = await todayOf(db)
  const rows = await db
    .selectFrom('equipmentCrews')
    .select('crewId')
    .where('businessId', '=', db.businessId)
    .where('equipmentId', '=', id)
    .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', today)]))
    .execute()
  return rows.map(({ crewId }) => crewId)
}

/** Tells the office, and the phones of the crews that have it or had it until now. */
export const tellOfTx = async (db: TenantDb, id: string, crewIds: readonly (string | null)[] = []): Promise<void> =>
  publishChange(db, 'equipment', [id], { crewIds: [...(await crewsWith(db, id)), ...crewIds] })

/** What a crew found last that the piece cannot be used with, and nobody has dealt with. */
export const stopOf = async (
  db: TenantDb,
  equipmentId: string,
  butNot?: string,
): Promise<{ id: string; item: string; note: string; foundAt: string } | null> => {
  let open = db
    .selectFrom('truckDefects')
    .select(['id', 'item', 'note', 'foundAt'])
    .where('businessId', '=', db.businessId)
    .where('equipmentId', '=', equipmentId)
    .where('stops', '=', true)
    .where('settledAt', 'is', null)
  if (butNot) open = open.where('id', '<>', butNot)
  return (await open.orderBy('foundAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null
}

export const lock = async (db: TenantDb, id: string, action: EquipmentAction, version?: number) => {
  const row = await db
    .selectFrom('equipment')
    .select(['id', 'name', 'kind', 'meter', 'version', 'archivedAt', 'outSince', 'backSince', 'outDefectId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('equipment')
  requireVersion(row, version, 'this equipment')
  const stoppedBy = action === 'bringBack' ? ((await stopOf(db, id))?.item ?? null) : null
  refuse(
    equipmentRefusals[action]({ ...row, archived: row.archivedAt !== null, out: row.outSince !== null, stoppedBy }),
  )
  return row
}

export const write = (db: TenantDb, id: string, change: Record<string, unknown>) =>
  db
    .updateTable('equipment')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
