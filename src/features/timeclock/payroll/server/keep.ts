import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { ruleLabel } from '../../overtime/rules.ts'
import { holdWeekTx } from '../../sheets/server/keep.ts'
import { countForLock } from './queries.ts'
import { getPayRules } from './settings.ts'

/** Puts down what everybody is paid for a week that is locked in this transaction. */
export const keepPayTx = async (db: TenantDb, actor: Pick<Actor, 'timeZone'>, week: Day): Promise<void> => {
  await forgetPayTx(db, week)
  const lines = (await countForLock(db, actor, week)).map((line) => ({
    ...line,
    businessId: db.businessId,
    id: newId(),
    items: JSON.stringify(line.items),
    days: JSON.stringify(line.days),
  }))
  for (let at = 0; at < lines.length; at += 500)
    await db
      .insertInto('payrollLines')
      .values(lines.slice(at, at + 500))
      .execute()
}

/** A week that is open again is counted anew. */
export const forgetPayTx = async (db: TenantDb, week: Day): Promise<void> => {
  await db.deleteFrom('payrollLines').where('businessId', '=', db.businessId).where('week', '=', week).execute()
}

/**
 * Puts down the pay of a week that was locked before pay was kept, by what is known now, and says since when it stands. Once; nothing where somebody has
 * unlocked it meanwhile.
 */
export const keepLaterTx = async (db: TenantDb, week: Day): Promise<void> => {
  await holdWeekTx(db, week, 'lock')
  const timeZone = await timeZoneOf(db)
  const rule = ruleLabel((await getPayRules(db)).ruleOf(null))
  const found = await db
    .updateTable('payrollWeeks')
    .set({ kept: true, keptLaterAt: clock.iso(), rule })
    .where('businessId', '=', db.businessId)
    .where('week', '=', week)
    .where('kept', '=', false)
    .returning('id')
    .executeTakeFirst()
  if (!found) return
  await keepPayTx(db, { timeZone }, week)
  await publishChange(db, 'timeclock')
}
