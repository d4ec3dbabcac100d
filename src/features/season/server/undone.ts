import type { SystemActor } from '../../../platform/actor.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { type AcceptanceRow, findStepOfEdit } from './run-rows.ts'
import { recallTx } from './told.ts'

/** What follows when a step is taken back, here or as a change of many jobs. */

/**
 * Keeps for good on which jobs a step was taken back, because its change of many is forgotten after a month, and recalls their letters.
 * @returns how many customers had left letters of a day that holds no more
 */
export const noteUndoneTx = async (db: TenantDb, row: AcceptanceRow): Promise<number> => {
  await db
    .updateTable('seasonAcceptances')
    .set({ undoneJobs: [...row.undone] })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  const told = await recallTx(db, row, {
    jobIds: row.undone,
    kinds: ['moves'],
    reason: 'The new day was taken back before it left',
  })
  await publishChange(db, 'season', [row.runId])
  return told.size
}

export const stepUndone = (actor: SystemActor, editId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const row = await findStepOfEdit(db, editId)
    if (row) await noteUndoneTx(db, row)
  })
