import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { expireQuotes, followUp } from '../followups/server/commands.ts'

/** Once an hour, in each business's own day: quotes past their day are over, and those that nobody answered are asked after. */
export const lookAfterQuotes: GlobalTask = {
  name: 'quotes.lookAfter',
  run: () =>
    forEachOpenBusiness('looking after quotes', async (actor) => {
      await expireQuotes(actor)
      await followUp(actor)
    }),
}

export const lookAfterQuotesSchedule: Schedule = {
  task: lookAfterQuotes.name,
  match: '35 * * * *',
  onlyLatest: true,
}
