import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import type { Day } from '../../../shared/dates.ts'
import { invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { type Meter, type Reading, readingMessage, readingProblem } from '../rules.ts'
import { type BodyOf, entity, lock, tellOfTx } from './piece.ts'
import { getEquipment } from './queries.ts'

/** The readings that count just before and just after an instant. */
const beside = async (
  db: TenantDb,
  id: string,
  at: string,
): Promise<{ before: Reading | null; after: Reading | null }> => {
  const counted = db
    .selectFrom('equipmentReadings')
    .select(['tenths', 'readOn as on'])
    .where('businessId', '=', db.businessId)
    .where('equipmentId', '=', id)
    .where('state', '=', 'counted')
  const before = await counted
    .where('readAt', '<=', at)
    .orderBy('readAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const after = await counted.where('readAt', '>', at).orderBy('readAt').orderBy('id').executeTakeFirst()
  return { before: before ?? null, after: after ?? null }
}

type NewReading = {
  tenths: number
  at: string
  on: Day
  source: 'office' | 'check' | 'service'
  state?: 'counted' | 'doubted'
  reason?: string
}

export const keepReading = (db: TenantDb, who: Who, equipmentId: string, { at, on, ...reading }: NewReading) =>
  db
    .insertInto('equipmentReadings')
    .values({
      ...reading,
      businessId: db.businessId,
      id: newId(),
      equipmentId,
      readAt: at,
      readOn: on,
      userId: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()

/**
 * A reading of a phone: kept as it is. One that cannot be right beside the others waits for the office and counts for nothing until then.
 * @param one locked or fresh; without a meter nothing is kept
 */
export const readByPhoneTx = async (
  db: TenantDb,
  actor: Actor,
  one: { id: string; meter: Meter | null },
  { tenths, at, on }: { tenths: number; at: string; on: Day },
): Promise<void> => {
  if (one.meter === null) return
  const { before, after } = await beside(db, one.id, at)
  if (before?.tenths === tenths && before.on === on) return
  const state = readingProblem({ tenths, on }, one.meter, before, after) ? 'doubted' : 'counted'
  await keepReading(db, actor, one.id, { tenths, at, on, source: 'check', state })
}

/** A reading of the office: one that does not fit needs a reason. */
export const readHere = async (
  db: TenantDb,
  actor: Actor,
  one: { id: string; meter: Meter | null },
  { path, reason = '', ...reading }: NewReading & { path: string },
): Promise<void> => {
  if (one.meter === null) return
  const { before, after } = await beside(db, one.id, reading.at)
  const problem = readingProblem(reading, one.meter, before, after)
  if (problem && (problem === 'higher' || reason === ''))
    throw invalid([{ path, message: readingMessage(problem, one.meter, before, after) }])
  await keepReading(db, actor, one.id, { ...reading, reason: problem ? reason : '' })
}

export const readMeter = (actor: Actor, id: string, { tenths, reason }: BodyOf<'read'>) =>
  withTenant(actor, async (db) => {
    const one = await lock(db, id, 'read')
    const reading = {
      tenths,
      reason,
      at: clock.iso(),
      on: await todayOf(db),
      source: 'office' as const,
      path: 'tenths',
    }
    await readHere(db, actor, one, reading)
    await audit(db, actor, 'equipment.read', entity(id), { after: { tenths, reason } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

export const judgeReading = (actor: Actor, id: string, { readingId, counts, reason }: BodyOf<'judge'>) =>
  withTenant(actor, async (db) => {
    await lock(db, id, 'read')
    if (counts && reason === '')
      throw invalid([{ path: 'reason', message: 'Say why it is right: the meter was replaced, or put right.' }])
    const judged = await db
      .updateTable('equipmentReadings')
      .set({ state: counts ? 'counted' : 'left_out', reason })
      .where('businessId', '=', db.businessId)
      .where('equipmentId', '=', id)
      .where('id', '=', readingId)
      .where('state', '=', 'doubted')
      .returning('id')
      .executeTakeFirst()
    if (!judged) throw notFound('reading')
    await audit(db, actor, 'equipment.judge', entity(id), { after: { readingId, counts, reason } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })
