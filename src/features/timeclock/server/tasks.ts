import { timeZoneOf } from '../../../platform/calendar.ts'
import { asBusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { type GlobalTask, listBusinessIds, type Schedule } from '../../../platform/tasks/runner.ts'
import { closeForgottenIn } from './commands.ts'

/** Ends entries that have been open for longer than anybody works. */
export const closeForgottenEntries: GlobalTask = {
  name: 'timeclock.closeForgotten',
  run: async () => {
    for (const id of await listBusinessIds())
      await withTenant({ businessId: asBusinessId(id) }, async (db) => closeForgottenIn(db, await timeZoneOf(db)))
  },
}

export const closeForgottenSchedule: Schedule = { task: closeForgottenEntries.name, match: '23 * * * *' }
