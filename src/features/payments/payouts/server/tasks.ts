import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEachBusiness } from '../../../../platform/tasks/walk.ts'
import { lookAfterPayouts } from './sync.ts'

/** Nightly: payouts whose word got lost are asked after. */
export const lookAfterAllPayouts: GlobalTask = {
  name: 'payments.lookAfterPayouts',
  run: () => forEachBusiness('the look after payouts', lookAfterPayouts),
}
export const lookAfterPayoutsSchedule: Schedule = {
  task: lookAfterAllPayouts.name,
  match: '25 10 * * *',
  onlyLatest: true,
}
