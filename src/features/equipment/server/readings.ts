import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import type { Day } from '../../../shared/dates.ts'
import { invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { earlierOf, type Meter, type Reading, readingMessage, readingProblem, readingText } from '../rules.ts'
import { type BodyOf, entity, lock, tellOfTx } from './piece.ts'
import { getEquipment } from './queries.ts'

type Counted = Required<Reading>
export type Beside = { before: Counted | null; after: Counted | null }

const counted = (db: TenantDb, id: string) =>
  db
    .selectFrom('equipmentReadings')
    .select(['tenths', 'earlierTenths', 'readOn as on'])
    .where('businessId', '=', db.businessId)
    .where('equipmentId', '=', id)
    .where('state', '=', 'counted')
    .limit(1)

/** The readings that count just before and just after an instant. */
const beside = async (db: TenantDb, id: string, at: string): Promise<Beside> => {
  const before = await counted(db, id)
    .where('readAt', '<=', at)
    .orderBy('readAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const after = await counted(db, id).where('readAt', '>', at).orderBy('readAt').orderBy('id').executeTakeFirst()
  return { before: before ?? null, after: after ?? null }
}

/** The readings that count before and after a day; those of the day itself say nothing of its hour. */
export const besideDay = async (db: TenantDb, id: string, day: Day): Promise<Beside> => {
  const before = await counted(db, id)
    .where('readOn', '<', day)
    .orderBy('readOn', 'desc')
    .orderBy('readAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const after = await counted(db, id)
    .where('readOn', '>', day)
    .orderBy('readOn')
    .orderBy('readAt')
    .orderBy('id')
    .executeTakeFirst()
  return { before: before ?? null, after: after ?? null }
}

/** What it read at the end of a day, by the last reading that counts until then. */
export const readingBy = async (db: TenantDb, id: string, day: Day): Promise<Counted | null> =>
  (await counted(db, id)
    .where('readOn', '<=', day)
    .orderBy('readOn', 'desc')
    .orderBy('readAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()) ?? null

type NewReading = {
  tenths: number
  at: string
  on: Day
  source: 'office' | 'check' | 'service'
  state?: 'counted' | 'doubted'
  reason?: string
  earlierTenths?: number
  newMeter?: boolean
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
  const reading = { tenths, on, earlierTenths: before?.earlierTenths ?? 0 }
  const state = readingProblem(reading, one.meter, before, after) ? 'doubted' : 'counted'
  await keepReading(db, actor, one.id, { ...reading, at, source: 'check', state })
}

/** Another meter shows no less than when it came in. */
const assertBegan = (tenths: number, newMeterFrom: number, meter: Meter): void => {
  if (newMeterFrom > tenths)
    throw invalid([
      {
        path: 'newMeterFrom',
        message: `It cannot have begun at more than the ${readingText(tenths, meter)} that it reads. Nothing was saved.`,
      },
    ])
}

/** A reading of the office: one that does not fit needs a reason, or is that of another meter, over which service counts on. */
export const readHere = async (
  db: TenantDb,
  actor: Actor,
  one: { id: string; meter: Meter | null },
  { path, reason = '', newMeterFrom, ...reading }: NewReading & { path: string; newMeterFrom: number | null },
): Promise<void> => {
  if (one.meter === null) return
  const { before, after } = await beside(db, one.id, reading.at)
  if (newMeterFrom !== null) assertBegan(reading.tenths, newMeterFrom, one.meter)
  const earlierTenths = newMeterFrom === null ? (before?.earlierTenths ?? 0) : earlierOf(before, newMeterFrom)
  const whole = { ...reading, earlierTenths }
  const problem = readingProblem(whole, one.meter, before, after)
  if (problem && (problem === 'higher' || reason === ''))
    throw invalid([{ path, message: readingMessage(problem, one.meter, before, after) }])
  await keepReading(db, actor, one.id, {
    ...whole,
    reason: problem || newMeterFrom !== null ? reason : '',
    newMeter: newMeterFrom !== null,
  })
}

export const readMeter = (actor: Actor, id: string, { tenths, reason, newMeterFrom }: BodyOf<'read'>) =>
  withTenant(actor, async (db) => {
    const one = await lock(db, id, 'read')
    const reading = {
      tenths,
      reason,
      newMeterFrom,
      at: clock.iso(),
      on: await todayOf(db),
      source: 'office' as const,
      path: 'tenths',
    }
    await readHere(db, actor, one, reading)
    if (newMeterFrom !== null) await recount(db, one)
    await audit(db, actor, 'equipment.read', entity(id), { after: { tenths, reason, newMeterFrom } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

/** So many doubted readings are looked at again at once; a phone makes one a day. */
const mostAgain = 200

/** What crews read off a new meter before the office knew of it fits as soon as it does. */
const recount = async (db: TenantDb, one: { id: string; meter: Meter | null }): Promise<void> => {
  if (one.meter === null) return
  const doubted = await db
    .selectFrom('equipmentReadings')
    .select(['id', 'tenths', 'readAt', 'readOn'])
    .where('businessId', '=', db.businessId)
    .where('equipmentId', '=', one.id)
    .where('state', '=', 'doubted')
    .orderBy('readAt')
    .orderBy('id')
    .limit(mostAgain)
    .execute()
  for (const { id, tenths, readAt, readOn } of doubted) {
    const { before, after } = await beside(db, one.id, readAt)
    const reading = { tenths, on: readOn, earlierTenths: before?.earlierTenths ?? 0 }
    if (readingProblem(reading, one.meter, before, after)) continue
    await db
      .updateTable('equipmentReadings')
      .set({ state: 'counted', earlierTenths: reading.earlierTenths })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
  }
}

export const judgeReading = (actor: Actor, id: string, { readingId, counts, reason, newMeterFrom }: BodyOf<'judge'>) =>
  withTenant(actor, async (db) => {
    const one = await lock(db, id, 'read')
    if (counts && reason === '')
      throw invalid([{ path: 'reason', message: 'Say why it is right: the meter was replaced, or put right.' }])
    const found = await db
      .selectFrom('equipmentReadings')
      .select(['tenths', 'readAt'])
      .where('businessId', '=', db.businessId)
      .where('equipmentId', '=', id)
      .where('id', '=', readingId)
      .where('state', '=', 'doubted')
      .executeTakeFirst()
    if (!found) throw notFound('reading')
    const { before } = await beside(db, id, found.readAt)
    const isNew = counts && newMeterFrom !== null
    if (isNew && one.meter) assertBegan(found.tenths, newMeterFrom, one.meter)
    await db
      .updateTable('equipmentReadings')
      .set({
        state: counts ? 'counted' : 'left_out',
        reason,
        newMeter: isNew,
        earlierTenths: isNew ? earlierOf(before, newMeterFrom) : (before?.earlierTenths ?? 0),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', readingId)
      .execute()
    if (isNew) await recount(db, one)
    await audit(db, actor, 'equipment.judge', entity(id), { after: { readingId, counts, reason, newMeterFrom } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })
