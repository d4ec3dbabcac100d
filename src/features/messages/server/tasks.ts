import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../platform/tasks/walk.ts'
import { openRestedBoxes } from '../returns/server/commands.ts'
import { sendMessageTask } from './commands.ts'
import { businessOutbox } from './delivery/commands.ts'
import { reconcileOutbox, sendFromOutbox, sweepOutbox } from './outbox/commands.ts'

/** Lets one message of a business leave. */
export const sendMessage: Task<typeof sendMessageTask.payload> = task({
  ...sendMessageTask,
  run: (actor, { messageId }) => sendFromOutbox(businessOutbox(actor.businessId), messageId),
})

/** Finds messages of every business whose task is gone, and what became of texts whose answer was lost. One business that fails does not hold up the others. */
export const sweepMessages: GlobalTask = {
  name: 'messages.sweep',
  run: () =>
    forEachBusiness('the sweep of messages', async ({ businessId }) => {
      await sweepOutbox(businessOutbox(businessId))
      await reconcileOutbox(businessOutbox(businessId))
      await openRestedBoxes(businessId)
    }),
}

export const sweepMessagesSchedule: Schedule = { task: sweepMessages.name, match: '17 * * * *' }
