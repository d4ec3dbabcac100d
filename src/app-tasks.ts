import { deliverEvent } from './platform/events/events.ts'
import type { GlobalTask, Schedule } from './platform/tasks/runner.ts'
import type { Task } from './platform/tasks/task.ts'

/** Every kind of background work of a business. */
export const tasks: Task[] = [deliverEvent as unknown as Task]

/** Work without a business: stored webhooks, nightly walks. */
export const globalTasks: GlobalTask[] = []

/** When nightly work starts, in UTC; what is due in a business's own zone is decided there. */
export const schedule: Schedule[] = []
