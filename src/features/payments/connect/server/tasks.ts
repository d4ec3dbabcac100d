import { withTenant } from '../../../../platform/db/tenant.ts'
import { subscriber } from '../../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../../platform/tasks/walk.ts'
import { isClosed } from '../../../businesses/server/queries.ts'
import { dropPlansTx } from '../../cards/server/tasks.ts'
import { endAllPages } from '../../checkout/server/commands.ts'
import { endPagesTask, syncAccountTask } from '../../server/commands.ts'
import { storeMissedEvents, storeOwnMissedEvents, syncAccount } from './commands.ts'
import { findAccountRow } from './queries.ts'

export const syncAccountWork = task({
  ...syncAccountTask,
  run: (actor, { accountId }) => syncAccount(actor, accountId),
})

/** A closed business takes no cards: what stands open is ended, and what was planned for saved cards is gone. */
export const onBusinessClosed = subscriber({
  name: 'payments.onBusinessClosed',
  on: 'business.closed',
  run: async (actor) => {
    const closed = await withTenant(actor, async (db) => {
      // opened again meanwhile: its pages stand
      if (!(await isClosed(db))) return false
      await dropPlansTx(db)
      return true
    })
    if (closed) await endAllPages(actor.businessId)
  },
})

export const endPagesWork = task({ ...endPagesTask, run: (actor) => endAllPages(actor.businessId) })

/** Each night: what happened at the provider and no webhook brought is worked off as if one had. */
export const fetchMissedEvents: GlobalTask = {
  name: 'payments.missedEvents',
  run: async () => {
    await storeOwnMissedEvents()
    await forEachBusiness('the look for missed events of the card provider', async (actor) => {
      const account = await withTenant(actor, findAccountRow)
      if (account && account.removedAt === null) await storeMissedEvents(actor, account)
    })
  },
}
export const missedEventsSchedule: Schedule = { task: fetchMissedEvents.name, match: '25 7 * * *' }
