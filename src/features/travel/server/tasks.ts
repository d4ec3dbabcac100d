import { withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import type { Task } from '../../../platform/tasks/task.ts'
import { type FetchTask, fetchTask, fetchTravelTimes } from './commands.ts'

const patienceMs = 120_000

/** Nobody waits for these drives: the screens that show them are told when they came. */
export const fetchTravelTimesTask: Task<typeof FetchTask> = {
  ...fetchTask,
  run: async (actor, { points, hubs, departure }) => {
    const answered = await fetchTravelTimes(actor, points, { departure, hubs, deadlineMs: patienceMs })
    if (answered > 0) await withTenant(actor, (db) => publishChange(db, 'visits'))
  },
}
