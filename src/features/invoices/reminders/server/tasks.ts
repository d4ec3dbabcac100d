import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../../platform/tasks/walk.ts'
import { remindBySchedule } from './commands.ts'

/** Looks twice an hour which open invoices are to be reminded of; in each business's own day. */
export const remindOfInvoices: GlobalTask = {
  name: 'invoices.remindBySchedule',
  run: () => forEachOpenBusiness('reminding of invoices', remindBySchedule),
}

export const remindOfInvoicesSchedule: Schedule = {
  task: remindOfInvoices.name,
  match: '5,35 * * * *',
  onlyLatest: true,
}
