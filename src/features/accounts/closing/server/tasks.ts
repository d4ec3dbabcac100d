import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { log } from '../../../../platform/log.ts'
import { storedFilePath } from '../../../../platform/storage.ts'
import { type GlobalTask, listBusinessIds, type Schedule } from '../../../../platform/tasks/runner.ts'
import { enqueue, type Task, task } from '../../../../platform/tasks/task.ts'

const Empty = z.object({})

/** Deletes a closed business whose 30 days are over: its records, then its files. A business that was opened again stays. */
export const deleteClosedBusiness: Task<typeof Empty> = task({
  name: 'accounts.deleteClosed',
  payload: Empty,
  run: async ({ businessId }) => {
    const deleted = await withTenant({ businessId }, async (db) => {
      const { rows } = await sql<{ done: boolean }>`select delete_closed_business(${businessId}) as done`.execute(db)
      return rows[0]?.done ?? false
    })
    if (!deleted) return
    await rm(dirname(dirname(storedFilePath(`${businessId}/00/none`))), { recursive: true, force: true })
    log.warn({ businessId }, 'a closed business was deleted')
  },
})

export const deleteAllClosed: GlobalTask = {
  name: 'accounts.deleteAllClosed',
  run: async () => {
    for (const id of await listBusinessIds()) {
      await withTenant({ businessId: asBusinessId(id) }, async (db) => {
        const due = await db
          .selectFrom('businesses')
          .select('businessId')
          .where('businessId', '=', db.businessId)
          .where('deleteAfter', '<=', clock.iso())
          .executeTakeFirst()
        if (due) await enqueue(db, deleteClosedBusiness, {}, { key: 'delete' })
      })
    }
  },
}

export const deleteClosedSchedule: Schedule = { task: deleteAllClosed.name, match: '20 10 * * *' }
