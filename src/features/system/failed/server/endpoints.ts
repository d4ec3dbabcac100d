import { withProspects } from '../../../../platform/db/prospects.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { failedTasksApi } from '../contract.ts'
import { discardFailedTask, retryFailedTask } from './commands.ts'
import { listFailedTasks } from './queries.ts'

export const failedTasksEndpoints = serve(
  'failedTasks',
  failedTasksApi,
)({
  list: () => withProspects(listFailedTasks),
  retry: ({ params }) => retryFailedTask(params.id),
  discard: ({ params }) => discardFailedTask(params.id),
})
