import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { forEachBusiness } from '../../../platform/tasks/walk.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { reopenForLawnTx } from '../lawns/server/commands.ts'
import { keepLaterTx } from '../payroll/server/keep.ts'
import { listNotKept } from '../payroll/server/queries.ts'
import { closeForgottenTx, closeLeaverTx } from './commands.ts'
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

/** Who was let go while on the clock cannot clock out any more. */
export const onEmployeeDeactivated = subscriber({
  name: 'timeclock.onEmployeeDeactivated',
  on: 'employee.deactivated',
  run: (actor, { userId, at }) =>
    withTenant(actor, async (db) => closeLeaverTx(db, { userId, at, timeZone: await timeZoneOf(db) })),
})

/** Puts down the pay of weeks that were locked before pay was kept, a week a transaction: what is done stays done, and it ends when none is left. */
export const keepLockedWeeks: GlobalTask = {
  name: 'payroll.keepLocked',
  run: () =>
    forEachBusiness('keeping the pay of locked weeks', async (actor) => {
      const weeks = await withTenant(actor, listNotKept)
      for (const week of weeks) await withTenant(actor, (db) => keepLaterTx(db, week))
    }),
}

export const keepLockedSchedule: Schedule = { task: keepLockedWeeks.name, match: '41 * * * *' }

/** Pay by the lawn follows what is known of the visits: an approval that was given before somebody told of one falls. */
export const onVisitWorkChanged = subscriber({
  name: 'timeclock.onVisitWorkChanged',
  on: 'visit.workChanged',
  run: (actor, { visitId }) => withTenant(actor, async (db) => reopenForLawnTx(db, visitId, await timeZoneOf(db))),
})
