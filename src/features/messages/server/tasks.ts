import { z } from 'zod'
import { asBusinessId } from '../../../platform/db/tenant.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../platform/tasks/walk.ts'
import type { StoredWebhook } from '../../../platform/webhooks.ts'
import { sendMessageTask } from './commands.ts'
import { businessOutbox, recordDelivery } from './delivery/commands.ts'
import { receiveText } from './inbound/commands.ts'
import { sendFromOutbox, sweepOutbox } from './outbox/commands.ts'

/** Lets one message of a business leave. */
export const sendMessage: Task<typeof sendMessageTask.payload> = task({
  ...sendMessageTask,
  run: (actor, { messageId }) => sendFromOutbox(businessOutbox(actor.businessId), messageId),
})

/** Finds messages of every business whose task is gone. One business that fails does not hold up the others. */
export const sweepMessages: GlobalTask = {
  name: 'messages.sweep',
  run: () => forEachBusiness('the sweep of messages', ({ businessId }) => sweepOutbox(businessOutbox(businessId))),
}

export const sweepMessagesSchedule: Schedule = { task: sweepMessages.name, match: '17 * * * *' }

const LocalSms = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), businessId: z.uuid(), from: z.string(), text: z.string(), id: z.string() }),
  z.object({
    kind: z.literal('status'),
    businessId: z.uuid(),
    messageId: z.uuid(),
    status: z.enum(['delivered', 'failed']),
    id: z.string(),
  }),
])

/** Works off what the local phone posted; the same path as a real provider's webhooks. */
export const processLocalSms = async (event: StoredWebhook): Promise<void> => {
  const update = LocalSms.parse(event.payload)
  const businessId = asBusinessId(update.businessId)
  if (update.kind === 'reply')
    return receiveText(businessId, { from: update.from, body: update.text, provider: 'local', providerId: update.id })
  await recordDelivery(businessId, update.messageId, {
    status: update.status,
    reason: update.status === 'failed' ? 'The phone could not be reached' : null,
    suppressed: null,
  })
}
