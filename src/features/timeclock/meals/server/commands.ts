import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { formatDay, startOfWeek } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import { getPayRules } from '../../payroll/server/settings.ts'
import type { SheetDetail } from '../../sheets/contract.ts'
import { holdWeekTx, isLocked, lockSheetTx, noteChangeTx, writeSheetTx } from '../../sheets/server/keep.ts'
import { getSheet } from '../../sheets/server/queries.ts'
import type { mealsApi } from '../contract.ts'
import { mealRuleOf } from '../rules.ts'

/**
 * The office says that a meal premium is owed for a day, or that it is not. It is a line of the week's pay: an approved week is open again.
 * @throws AppError not_found, state_conflict for a locked week and where no law gives one
 */
export const sayMealPremium = (
  actor: Actor,
  userId: string,
  { day, owed }: z.output<typeof mealsApi.premium.body>,
): Promise<SheetDetail> =>
  withTenant(actor, async (db) => {
    const week = startOfWeek(day)
    await getSheet(db, actor, userId, week)
    const { state } = await getPayRules(db)
    if (owed && !mealRuleOf(state)?.premium)
      throw conflict('The law of your state gives no premium for a meal. Nothing was changed.')
    await holdWeekTx(db, week, 'add')
    if (await isLocked(db, week))
      throw conflict(
        `Payroll has been run for the week of ${formatDay(week)}, so it is locked. Nothing was changed. An owner can unlock it.`,
      )
    const row = await lockSheetTx(db, userId, week)
    if (owed)
      await db
        .insertInto('mealPremiums')
        .values({
          businessId: db.businessId,
          id: newId(),
          userId,
          day,
          saidBy: actor.userId,
          saidAt: clock.iso(),
        })
        .onConflict((c) => c.columns(['businessId', 'userId', 'day']).doNothing())
        .execute()
    else
      await db
        .deleteFrom('mealPremiums')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', userId)
        .where('day', '=', day)
        .execute()
    const isDecided = row.status === 'submitted' || row.status === 'approved'
    const reason = 'A meal premium of this week was changed.'
    await writeSheetTx(db, row, isDecided ? { status: 'open', reason } : {})
    if (isDecided) await noteChangeTx(db, { userId, week, action: 'reopened', by: actor.userId, reason })
    await audit(db, actor, 'payroll.mealPremium', { type: 'user', id: userId }, { after: { day, owed } })
    await publishChange(db, 'timeclock', [userId])
    return getSheet(db, actor, userId, week)
  })
