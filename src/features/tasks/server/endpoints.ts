import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { tasksApi } from '../contract.ts'
import { addTask, finishTask, logCall, removeCall, removeTask, reopenTask, updateTask } from './commands.ts'
import { listCalls, listTaskPeople, listTasks } from './queries.ts'

export const tasksEndpoints = serve(
  'tasks',
  tasksApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listTasks(db, actor, query)),
  people: ({ actor }) => withTenant(actor, async (db) => ({ items: await listTaskPeople(db) })),
  create: ({ actor, body }) => addTask(actor, body),
  update: ({ actor, params, body }) => updateTask(actor, params.id, body),
  finish: ({ actor, params }) => finishTask(actor, params.id),
  reopen: ({ actor, params }) => reopenTask(actor, params.id),
  remove: ({ actor, params }) => removeTask(actor, params.id),
  logCall: ({ actor, params, body }) => logCall(actor, params.id, body),
  calls: ({ actor, params, query }) => withTenant(actor, (db) => listCalls(db, params.id, query)),
  removeCall: ({ actor, params }) => removeCall(actor, params.id),
})
