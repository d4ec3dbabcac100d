import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { assertOpenDays } from '../../server/commands.ts'
import type { MileageDay } from '../contract.ts'
import { listMileage } from './queries.ts'

type Reading = { day: string; crewId: string; startMiles: number; endMiles: number }

/** What a closed month says of its miles stays, like its expenses: its files are with the accountant. @throws AppError state_conflict */
const assertOpenMonth = (db: TenantDb, who: Actor, day: string): Promise<void> =>
  assertOpenDays(db, 'Odometer reading', [day], { who })

const assertCrew = async (db: TenantDb, crewId: string): Promise<void> => {
  const crew = await db
    .selectFrom('crews')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', crewId)
    .executeTakeFirst()
  if (!crew) throw notFound('crew')
}

/** What the odometer said; a second reading of the day takes the place of the first. @throws AppError not_found, validation_failed */
export const setOdometer = (actor: Actor, reading: Reading): Promise<MileageDay> =>
  withTenant(actor, async (db) => {
    await assertCrew(db, reading.crewId)
    if (reading.day > (await todayOf(db))) throw invalid([{ path: 'day', message: 'This day has not come yet.' }])
    await assertOpenMonth(db, actor, reading.day)
    const id = newId()
    const row = { startMiles: reading.startMiles, endMiles: reading.endMiles, updatedAt: clock.iso() }
    await db
      .insertInto('odometerReadings')
      .values({
        ...row,
        day: reading.day,
        crewId: reading.crewId,
        businessId: db.businessId,
        id,
        createdBy: actor.userId,
      })
      .onConflict((c) => c.columns(['businessId', 'crewId', 'day']).doUpdateSet(row))
      .execute()
    await audit(db, actor, 'odometer.set', { type: 'odometer_reading', id: null }, { after: reading })
    await publishChange(db, 'expenses')
    const [day] = await listMileage(db, reading.day, reading.day, reading.crewId)
    if (!day) throw notFound('crew')
    return day
  })

/** Counts the route again. */
export const clearOdometer = (actor: Actor, { day, crewId }: Pick<Reading, 'day' | 'crewId'>) =>
  withTenant(actor, async (db) => {
    await assertCrew(db, crewId)
    await assertOpenMonth(db, actor, day)
    const gone = await db
      .deleteFrom('odometerReadings')
      .where('businessId', '=', db.businessId)
      .where('day', '=', day)
      .where('crewId', '=', crewId)
      .returning(['startMiles', 'endMiles'])
      .executeTakeFirst()
    if (gone) {
      await audit(
        db,
        actor,
        'odometer.clear',
        { type: 'odometer_reading', id: null },
        { before: { day, crewId, ...gone } },
      )
      await publishChange(db, 'expenses')
    }
    return { cleared: gone !== undefined }
  })
