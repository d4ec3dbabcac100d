import type { Actor, Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { conflict, invalid } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { assertCrewTx } from '../../employees/server/queries.ts'
import type { EquipmentDetail } from '../contract.ts'
import { mostEquipment } from '../rules.ts'
import { type BodyOf, crewsWith, entity, lock, tellOfTx, write } from './piece.ts'
import { getEquipment } from './queries.ts'
import { keepReading } from './readings.ts'

export const addEquipment = (actor: Actor, { crewId, tenths, ...fields }: BodyOf<'create'>): Promise<EquipmentDetail> =>
  withTenant(actor, async (db) => {
    const { n } = await db
      .selectFrom('equipment')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('businessId', '=', db.businessId)
      .where('archivedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(n) >= mostEquipment)
      throw conflict(`The list holds up to ${mostEquipment}. Put away what you sold first.`)
    await assertCrewTx(db, crewId)
    const [id, now, today] = [newId(), clock.iso(), await todayOf(db)]
    await db
      .insertInto('equipment')
      .values({ ...fields, businessId: db.businessId, id, createdAt: now, updatedAt: now })
      .execute()
    if (crewId)
      await db
        .insertInto('equipmentCrews')
        .values({ businessId: db.businessId, id: newId(), equipmentId: id, crewId, validFrom: today })
        .execute()
    if (tenths !== null && fields.meter)
      await keepReading(db, actor, id, { tenths, at: now, on: today, source: 'office' })
    await audit(db, actor, 'equipment.add', entity(id), { after: { ...fields, crewId, tenths } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

export const changeEquipment = (actor: Actor, id: string, { version, ...fields }: BodyOf<'update'>) =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id, 'update', version)
    if (fields.meter !== row.meter && row.meter !== null) {
      const read = await db
        .selectFrom('equipmentReadings')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('equipmentId', '=', id)
        .limit(1)
        .executeTakeFirst()
      if (read)
        throw invalid([
          {
            path: 'meter',
            message: `It has readings in ${row.meter}. Put it away and add it anew to count otherwise.`,
          },
        ])
    }
    await write(db, id, fields)
    await audit(db, actor, 'equipment.change', entity(id), { after: fields })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

/** Puts it away or brings it back; what is so already stays. Whoever had it has it no longer. */
export const keepEquipment = (actor: Actor, id: string, version: number, keep: boolean) =>
  withTenant(actor, async (db) => {
    await lock(db, id, keep ? 'restore' : 'archive', version)
    const had = await crewsWith(db, id)
    if (!keep) await endCrews(db, id, await todayOf(db))
    await write(db, id, { archivedAt: keep ? null : clock.iso() })
    await audit(db, actor, keep ? 'equipment.restore' : 'equipment.archive', entity(id))
    await tellOfTx(db, id, had)
    return getEquipment(db, actor, id)
  })

/** From a day on no crew has it; days before stay as they were. */
const endCrews = async (db: TenantDb, id: string, from: Day): Promise<void> => {
  const own = { businessId: db.businessId, equipmentId: id }
  await db
    .deleteFrom('equipmentCrews')
    .where('businessId', '=', own.businessId)
    .where('equipmentId', '=', own.equipmentId)
    .where('validFrom', '>=', from)
    .execute()
  await db
    .updateTable('equipmentCrews')
    .set({ validTo: addDays(from, -1) })
    .where('businessId', '=', own.businessId)
    .where('equipmentId', '=', own.equipmentId)
    .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', from)]))
    .execute()
}

export const assignEquipment = (actor: Actor, id: string, { crewId, from, version }: BodyOf<'assign'>) =>
  withTenant(actor, async (db) => {
    await lock(db, id, 'assign', version)
    if (from < (await todayOf(db)))
      throw invalid([{ path: 'from', message: 'This day is over. Choose today or a day to come.' }])
    await assertCrewTx(db, crewId)
    const had = await crewsWith(db, id)
    await endCrews(db, id, from)
    if (crewId)
      await db
        .insertInto('equipmentCrews')
        .values({ businessId: db.businessId, id: newId(), equipmentId: id, crewId, validFrom: from })
        .execute()
    await write(db, id, {})
    await audit(db, actor, 'equipment.assign', entity(id), { after: { crewId, from } })
    await tellOfTx(db, id, had)
    return getEquipment(db, actor, id)
  })

/**
 * Nobody is to use it from now on. What is out already keeps its first reason.
 * @param defectId of the crew's word that it cannot be used; null is the office's own
 */
export const takeOutTx = async (
  db: TenantDb,
  who: Who,
  id: string,
  { reason, at, defectId }: { reason: string; at: string; defectId: string | null },
): Promise<void> => {
  const taken = await db
    .updateTable('equipment')
    .set((eb) => ({
      outSince: at,
      outReason: reason,
      outDefectId: defectId,
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('outSince', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (taken) await audit(db, who, 'equipment.takeOut', entity(id), { after: { reason } })
}

export const takeOut = (actor: Actor, id: string, { reason, version }: BodyOf<'takeOut'>) =>
  withTenant(actor, async (db) => {
    await lock(db, id, 'takeOut', version)
    await takeOutTx(db, actor, id, { reason, at: clock.iso(), defectId: null })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

/** Back in service; what phones found before now takes it out no more. What is in service already stays so. */
export const bringBackTx = async (db: TenantDb, who: Who, id: string): Promise<void> => {
  const back = await db
    .updateTable('equipment')
    .set((eb) => ({
      outSince: null,
      outReason: '',
      outDefectId: null,
      backSince: clock.iso(),
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('outSince', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (back) await audit(db, who, 'equipment.bringBack', entity(id))
}

export const bringBack = (actor: Actor, id: string, version: number) =>
  withTenant(actor, async (db) => {
    await lock(db, id, 'bringBack', version)
    await bringBackTx(db, actor, id)
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })
