import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { addDays, type Day, formatDay, startOfWeek } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import { holdWeekTx, isLocked, lockSheetTx, noteChangeTx, writeSheetTx } from '../../sheets/server/keep.ts'

const reason = 'The paid time off of this week was changed.'

/**
 * Paid time off of a person is put in, changed or taken out: a week that was handed in or approved is open again, because nobody has seen this.
 * @throws AppError state_conflict where payroll has been run for one of its weeks
 */
export const changeTimeOffTx = async (
  db: TenantDb,
  actor: Actor,
  { userId, from, to }: { userId: string; from: Day; to: Day },
): Promise<void> => {
  for (let week = startOfWeek(from); week <= to; week = addDays(week, 7)) {
    await holdWeekTx(db, week, 'add')
    if (await isLocked(db, week))
      throw conflict(
        `Payroll has been run for the week of ${formatDay(week)}, and this is paid time off in it. Nothing was changed. An owner can unlock the week first.`,
      )
    const row = await lockSheetTx(db, userId, week)
    const isDecided = row.status === 'submitted' || row.status === 'approved'
    await writeSheetTx(db, row, isDecided ? { status: 'open', reason } : {})
    if (isDecided) await noteChangeTx(db, { userId, week, action: 'reopened', by: actor.userId, reason })
  }
  await publishChange(db, 'timeclock', [userId])
}
