import { withTenant } from '../../../platform/db/tenant.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { forEachBusiness } from '../../../platform/tasks/walk.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { closeForgottenTx } from './commands.ts'
import { listForgotten } from './queries.ts'

/** Ends entries that have been open for longer than anybody works. */
export const closeForgottenEntries: GlobalTask = {
  name: 'timeclock.closeForgotten',
  run: () =>
    forEachBusiness('closing forgotten time entries', async (actor) => {
      // each person's alone: nobody's clock waits for the others'
      for (const userId of await withTenant(actor, listForgotten))
        await withTenant(actor, async (db) => closeForgottenTx(db, userId, await timeZoneOf(db)))
    }),
}

export const closeForgottenSchedule: Schedule = { task: closeForgottenEntries.name, match: '23 * * * *' }
