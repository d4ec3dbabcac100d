import { withTenant } from '../../../../platform/db/tenant.ts'
import { type Task, task } from '../../../../platform/tasks/task.ts'
import { wakeNumberTask, wakeNumberTx } from './commands.ts'

/** A conversation with an unknown number has rested: whoever has it hears of it. */
export const wakeNumber: Task<typeof wakeNumberTask.payload> = task({
  ...wakeNumberTask,
  run: (actor, { address }) => withTenant(actor, (db) => wakeNumberTx(db, address)),
})
