import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../../platform/tasks/walk.ts'
import { chargeLateFees } from './commands.ts'

/** Looks once an hour which open invoices cost a late fee by now; in each business's own day. */
export const chargeFees: GlobalTask = {
  name: 'invoices.chargeLateFees',
  run: () => forEachOpenBusiness('charging late fees', chargeLateFees),
}

export const chargeFeesSchedule: Schedule = {
  task: chargeFees.name,
  match: '20 * * * *',
  onlyLatest: true,
}
