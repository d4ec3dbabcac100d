import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { runAutomations } from './runs.ts'

/** Looks every ten minutes what has begun and what has no reason any more. */
export const runAllAutomations: GlobalTask = {
  name: 'automations.run',
  run: () => forEachOpenBusiness('running automations', runAutomations),
}

export const runAutomationsSchedule: Schedule = {
  task: runAllAutomations.name,
  match: '4,14,24,34,44,54 * * * *',
  onlyLatest: true,
}
