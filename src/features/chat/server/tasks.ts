import { withTenant } from '../../../platform/db/tenant.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { remindOfficeTask, remindOfficeTx } from './commands.ts'

/** Some minutes after a message came: whether anybody of the office has read it. */
export const remindOffice: Task<typeof remindOfficeTask.payload> = task({
  ...remindOfficeTask,
  run: (actor, { threadId }) => withTenant(actor, (db) => remindOfficeTx(db, threadId)),
})
