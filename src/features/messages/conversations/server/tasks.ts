import { withTenant } from '../../../../platform/db/tenant.ts'
import { type Task, task } from '../../../../platform/tasks/task.ts'
import { wakeConversationTx, wakeTask } from './commands.ts'

/** A conversation has rested: whoever has it hears of it. */
export const wakeConversation: Task<typeof wakeTask.payload> = task({
  ...wakeTask,
  run: (actor, { customerId }) => withTenant(actor, (db) => wakeConversationTx(db, customerId)),
})
