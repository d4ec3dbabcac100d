import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import type { Task } from '../../../platform/tasks/task.ts'
import { type FindTask, findTask, placeWaiting, wakeFinder } from './commands.ts'

/** Places addresses behind the screens, a turn at a time; the next turn is a new task, behind those of other businesses. */
export const findAddresses: Task<typeof FindTask> = {
  ...findTask,
  run: async (actor) => {
    if (await placeWaiting(actor)) await withTenant(actor, wakeFinder)
  },
}

export const onAddressChanged = subscriber({
  name: 'geocoding.address',
  on: 'property.addressed',
  run: (actor) => withTenant(actor, wakeFinder),
})

export const onImport = subscriber({
  name: 'geocoding.import',
  on: 'import.finished',
  run: (actor) => withTenant(actor, wakeFinder),
})
