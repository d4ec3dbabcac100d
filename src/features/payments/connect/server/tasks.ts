import { withTenant } from '../../../../platform/db/tenant.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../../platform/tasks/walk.ts'
import { endAllPages } from '../../checkout/server/commands.ts'
import { endPagesTask, syncAccountTask } from '../../server/commands.ts'
import { storeMissedEvents, syncAccount } from './commands.ts'
import { findAccountRow } from './queries.ts'

export const syncAccountWork = task({
  ...syncAccountTask,
  run: (actor, { accountId }) => syncAccount(actor, accountId),
})

export const endPagesWork = task({ ...endPagesTask, run: (actor) => endAllPages(actor.businessId) })

/** Each night: what happened at the provider and no webhook brought is worked off as if one had. */
export const fetchMissedEvents: GlobalTask = {
  name: 'payments.missedEvents',
  run: async () => {
    await storeMissedEvents(null)
    await forEachBusiness('the look for missed events of the card provider', async (actor) => {
      const account = await withTenant(actor, findAccountRow)
      if (account && account.removedAt === null) await storeMissedEvents(account.accountId)
    })
  },
}
export const missedEventsSchedule: Schedule = { task: fetchMissedEvents.name, match: '25 7 * * *' }
