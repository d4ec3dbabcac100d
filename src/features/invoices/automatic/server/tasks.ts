import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../../platform/tasks/walk.ts'
import { invoiceAutomatically } from './commands.ts'

/** Looks every ten minutes whose turn has come; in each business's own day and hour. */
export const automaticInvoices: GlobalTask = {
  name: 'invoices.automatic',
  run: () => forEachOpenBusiness('automatic invoices', (actor) => invoiceAutomatically(actor)),
}

export const automaticInvoicesSchedule: Schedule = {
  task: automaticInvoices.name,
  match: '2,12,22,32,42,52 * * * *',
  onlyLatest: true,
}
