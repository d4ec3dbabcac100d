import { z } from 'zod'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { type GlobalTask, listBusinessIds, type Schedule } from '../../../platform/tasks/runner.ts'
import { enqueue, type Task, task } from '../../../platform/tasks/task.ts'
import { tidyAddresses } from '../../geocoding/server/commands.ts'
import { tidyDrives } from '../../travel/server/commands.ts'

const daysAgo = (days: number): string => new Date(clock.nowMs() - days * 86_400_000).toISOString()

/** Crews may send a day again that was a month without a signal; after that nobody repeats a key. */
const keyDays = 35

const Empty = z.object({})

/** Forgets what served its time: answers kept for repeats, sessions that ended long ago. */
export const tidyBusiness: Task<typeof Empty> = task({
  name: 'system.tidy',
  payload: Empty,
  run: async (actor) => {
    await withTenant(actor, async (db) => {
      await db
        .deleteFrom('idempotencyKeys')
        .where('businessId', '=', db.businessId)
        .where('createdAt', '<', daysAgo(keyDays))
        .execute()
      await db
        .deleteFrom('sessions')
        .where('businessId', '=', db.businessId)
        .where('expiresAt', '<', daysAgo(30))
        .execute()
      await tidyDrives(db)
      await tidyAddresses(db)
    })
  },
})

export const tidyAll: GlobalTask = {
  name: 'system.tidyAll',
  run: async () => {
    await database().deleteFrom('rateLimits').where('windowStartedAt', '<', daysAgo(2)).execute()
    await database().deleteFrom('usedTokens').where('expiresAt', '<', daysAgo(1)).execute()
    for (const businessId of await listBusinessIds()) {
      await withTenant({ businessId: asBusinessId(businessId) }, (db) => enqueue(db, tidyBusiness, {}, { key: 'tidy' }))
    }
  },
}

export const tidySchedule: Schedule = { task: tidyAll.name, match: '40 9 * * *' }
