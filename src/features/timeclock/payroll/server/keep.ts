import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import { countForLock } from './queries.ts'

/** Puts down what everybody is paid for a week that is locked in this transaction. */
export const keepPayTx = async (db: TenantDb, actor: Actor, week: Day): Promise<void> => {
  await forgetPayTx(db, week)
  const lines = (await countForLock(db, actor, week)).map((line) => ({
    ...line,
    businessId: db.businessId,
    id: newId(),
    items: JSON.stringify(line.items),
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
