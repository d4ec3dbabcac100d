import { sql } from 'kysely'
import { z } from 'zod'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { log } from '../../../../platform/log.ts'
import { removeObjectsOf } from '../../../../platform/storage.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { enqueue, type Task, task } from '../../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../../platform/tasks/walk.ts'
import { AppError } from '../../../../shared/errors.ts'
import { endSubscriptionNow } from '../../../subscriptions/server/commands.ts'

const Empty = z.object({})

type Step = 'more' | 'gone' | 'kept'

const [mostRecords, leastRecords] = [2_000, 20]

/** Step by step, each a transaction of its own, so that no business is too large; a step that takes too long is made smaller. Cut off, it goes on where it was. */
const deleteRecords = async (businessId: BusinessId): Promise<boolean> => {
  for (let most = mostRecords; ; ) {
    try {
      const step = await withTenant({ businessId }, async (db) => {
        const { rows } = await sql<{
          step: Step
        }>`select delete_closed_business(${businessId}, ${most}) as step`.execute(db)
        return rows[0]?.step ?? 'kept'
      })
      if (step !== 'more') return step === 'gone'
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable') || most <= leastRecords) throw error
      most = Math.ceil(most / 4)
    }
  }
}

const isDue = async (db: TenantDb): Promise<boolean> =>
  (await db
    .selectFrom('businesses')
    .select('businessId')
    .where('businessId', '=', db.businessId)
    .where('deleteAfter', '<=', clock.iso())
    .executeTakeFirst()) !== undefined

/** Deletes a closed business whose 30 days are over: what it pays, its records, its files. A business that was opened again stays. */
export const deleteClosedBusiness: Task<typeof Empty> = task({
  name: 'accounts.deleteClosed',
  payload: Empty,
  run: async ({ businessId }) => {
    if (!(await withTenant({ businessId }, isDue))) return
    // While its records are there: afterwards nobody would know of a checkout that is still open.
    await endSubscriptionNow(businessId)
    if (!(await deleteRecords(businessId))) return
    await removeObjectsOf(businessId)
    log.warn({ businessId }, 'a closed business was deleted')
  },
})

export const deleteAllClosed: GlobalTask = {
  name: 'accounts.deleteAllClosed',
  run: async () => {
    await forEachBusiness('the deletion of closed businesses', (actor) =>
      withTenant(actor, async (db) => {
        if (await isDue(db)) await enqueue(db, deleteClosedBusiness, {}, { key: 'delete' })
      }),
    )
  },
}

export const deleteClosedSchedule: Schedule = { task: deleteAllClosed.name, match: '20 10 * * *' }
