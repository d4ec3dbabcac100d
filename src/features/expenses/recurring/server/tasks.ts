import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../../platform/tasks/walk.ts'
import { bookRecurring } from './commands.ts'

/** Every night: insurance, truck payments and whatever else is due. */
export const bookAllRecurring: GlobalTask = {
  name: 'expenses.bookAllRecurring',
  run: () => forEachOpenBusiness('the booking of recurring costs', bookRecurring),
}

/** At 12:20 UTC the new day has begun in all of the states. */
export const bookAllRecurringSchedule: Schedule = { task: bookAllRecurring.name, match: '20 12 * * *' }
