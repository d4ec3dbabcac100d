import { withTenant } from '../../../platform/db/tenant.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { mailingStepTx, sendMailingTask } from './commands.ts'

/** Fills the outbox step by step; a server that dies goes on where it was. */
export const sendMailingWork: Task<typeof sendMailingTask.payload> = task({
  ...sendMailingTask,
  run: async (actor, { mailingId }) => {
    while (await withTenant(actor, (db) => mailingStepTx(db, mailingId)));
  },
})
