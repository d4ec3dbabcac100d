import { prospectTask } from '../../../../platform/tasks/prospect-task.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { reconcileOutbox, sendFromOutbox, sweepOutbox } from '../../../messages/server/outbox/commands.ts'
import { sendProspectMessageTask } from './commands.ts'
import { prospectOutbox } from './delivery/commands.ts'

/** Lets one message of the funnel leave. */
export const sendProspectMessage: GlobalTask = prospectTask(sendProspectMessageTask, ({ messageId }) =>
  sendFromOutbox(prospectOutbox, messageId),
)

/** Finds messages of the funnel whose task is gone, and what became of texts whose answer was lost. */
export const sweepProspectMessages: GlobalTask = {
  name: 'prospects.sweepMessages',
  run: async () => {
    await sweepOutbox(prospectOutbox)
    await reconcileOutbox(prospectOutbox)
  },
}

export const sweepProspectMessagesSchedule: Schedule = { task: sweepProspectMessages.name, match: '23 * * * *' }
