import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { enqueue } from '../../../platform/tasks/task.ts'
import { forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { expireQuotes, followUp } from '../followups/server/commands.ts'
import { renewByThemselves } from '../renewals/server/auto.ts'
import { bookRenewal } from '../renewals/server/booking.ts'
import { isRenewal } from '../renewals/server/rows.ts'

/** Once an hour, in each business's own day: quotes past their day are over, and those that nobody answered are asked after. */
export const lookAfterQuotes: GlobalTask = {
  name: 'quotes.lookAfter',
  run: () =>
    forEachOpenBusiness('looking after quotes', async (actor) => {
      await renewByThemselves(actor)
      await expireQuotes(actor)
      await followUp(actor)
    }),
}

export const lookAfterQuotesSchedule: Schedule = {
  task: lookAfterQuotes.name,
  match: '35 * * * *',
  onlyLatest: true,
}

/** A customer said yes to their next season: it is booked by itself. */
export const onRenewalApproved = subscriber({
  name: 'quotes.onApproved',
  on: 'quote.approved',
  run: (actor, { quoteId }) =>
    withTenant(actor, async (db) => {
      if (await isRenewal(db, quoteId)) await enqueue(db, bookRenewal, { quoteId }, { key: quoteId })
    }),
})
