import { z } from 'zod'
import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import type { WholeExport } from '../contract.ts'
import { exportDays } from '../rules.ts'
import { getExport } from './queries.ts'

export const exportTask = taskName({
  name: 'exports.make',
  payload: z.object({ exportId: z.uuid() }),
  queue: (_, businessId) => `export:${businessId}`,
})
export const expireTask = taskName({ name: 'exports.expire', payload: z.object({ exportId: z.uuid() }) })

/** One that was begun so long ago and is not done does not keep another from being made. */
const longestMs = 6 * 3_600_000

/**
 * Begins an export of everything; one that is on its way is answered with itself.
 * @param options.until until when it can be fetched; a week when left out
 * @param options.mailed the owner is mailed the way to it
 */
export const startExportTx = async (
  db: TenantDb,
  who: Who,
  options: { withFiles: boolean; until?: string; mailed?: boolean },
): Promise<string> => {
  const running = await db
    .selectFrom('businessExports')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'running')
    .where('withFiles', '=', options.withFiles)
    .where('mailed', '=', options.mailed ?? false)
    .where('createdAt', '>', new Date(clock.nowMs() - longestMs).toISOString())
    .executeTakeFirst()
  if (running) return running.id
  const id = newId()
  const expiresAt = options.until ?? new Date(clock.nowMs() + exportDays * 86_400_000).toISOString()
  await db
    .insertInto('businessExports')
    .values({
      businessId: db.businessId,
      id,
      withFiles: options.withFiles,
      mailed: options.mailed ?? false,
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
      expiresAt,
    })
    .execute()
  await enqueue(db, exportTask, { exportId: id }, { key: id })
  await enqueue(db, expireTask, { exportId: id }, { key: id, runAt: expiresAt })
  await audit(
    db,
    who,
    'business.export',
    { type: 'business', id: db.businessId },
    { after: { withFiles: options.withFiles } },
  )
  return id
}

export const startExport = (who: Actor, input: { withFiles: boolean }): Promise<WholeExport> =>
  withTenant(who, async (db) => getExport(db, await startExportTx(db, who, input)))
