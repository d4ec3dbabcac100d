import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { formatDay, startOfWeek } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { holdWeekTx, isLocked } from '../../sheets/server/keep.ts'
import type { payrollApi } from '../contract.ts'

const requirePerson = async (db: TenantDb, userId: string): Promise<void> => {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) throw notFound('person')
}

/** The number of a person at the payroll provider. */
export const setPayrollNumber = (actor: Actor, userId: string, number: string) =>
  withTenant(actor, async (db) => {
    await requirePerson(db, userId)
    if (number === '')
      await db
        .deleteFrom('payrollNumbers')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', userId)
        .execute()
    else
      await db
        .insertInto('payrollNumbers')
        .values({ businessId: db.businessId, id: newId(), userId, number })
        .onConflict((c) => c.columns(['businessId', 'userId']).doUpdateSet({ number }))
        .execute()
    await publishChange(db, 'timeclock', [userId])
    return { userId, number }
  })

/** Miles of a day in an own car. */
export const setOwnMiles = (actor: Actor, userId: string, body: z.output<typeof payrollApi.setMiles.body>) =>
  withTenant(actor, async (db) => {
    const { day, tenthMiles, note } = body
    await requirePerson(db, userId)
    const week = startOfWeek(day)
    await holdWeekTx(db, week, 'add')
    if (await isLocked(db, week))
      throw conflict(`Payroll has been run for the week of ${formatDay(week)}, so it is locked. Nothing was changed.`)
    if (tenthMiles === 0)
      await db
        .deleteFrom('ownCarMiles')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', userId)
        .where('day', '=', day)
        .execute()
    else
      await db
        .insertInto('ownCarMiles')
        .values({ businessId: db.businessId, id: newId(), userId, day, tenthMiles, note, updatedAt: clock.iso() })
        .onConflict((c) =>
          c.columns(['businessId', 'userId', 'day']).doUpdateSet({ tenthMiles, note, updatedAt: clock.iso() }),
        )
        .execute()
    await audit(db, actor, 'payroll.ownMiles', { type: 'user', id: userId }, { after: { ...body } })
    await publishChange(db, 'timeclock', [userId])
    return { userId, day, tenthMiles, note }
  })
