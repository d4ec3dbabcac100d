import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

/** A task that ran out of tries, as far as the product owner may know of it. */
const FailedTask = z.object({
  id: z.string(),
  /** Its name in the code: `messages.send`. */
  task: z.string(),
  /** Whose work it is, by id alone; null for work of no business. */
  businessId: z.string().nullable(),
  attempts: z.number().int(),
  /** What went wrong last, without names, addresses and numbers. */
  lastError: z.string(),
  createdAt: z.string(),
  failedAt: z.string(),
})
export type FailedTask = z.output<typeof FailedTask>

const FailedTasks = z.object({
  items: z.array(FailedTask),
  /** There are more than are listed. */
  more: z.boolean(),
})

const Id = z.object({ id: z.string().regex(/^\d{1,18}$/, 'This is not the id of a task.') })

export const failedTasksApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/owner/failed-tasks',
    access: 'productOwner',
    response: FailedTasks,
    summary: 'Background tasks that ran out of tries, newest first',
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/owner/failed-tasks/:id/retry',
    access: 'productOwner',
    params: Id,
    response: FailedTasks,
    summary: 'Try a failed task again now, with all its tries',
  }),
  discard: endpoint({
    method: 'POST',
    path: '/api/owner/failed-tasks/:id/discard',
    access: 'productOwner',
    params: Id,
    response: FailedTasks,
    summary: 'Forget a failed task; its work is not done',
  }),
}
