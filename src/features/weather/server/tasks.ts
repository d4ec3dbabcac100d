import type { Task } from '../../../platform/tasks/task.ts'
import { readForecasts, readTask } from './commands.ts'

/** Nobody waits for the forecast: the screens that show it are told when it came. */
export const readForecastsTask: Task<typeof readTask.payload> = { ...readTask, run: (actor) => readForecasts(actor) }
