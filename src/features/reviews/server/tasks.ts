import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { askForReviews, recallAsks } from '../asking/server/commands.ts'

/** Looks every ten minutes whom to ask, and takes back what has no reason any more. */
export const askAllForReviews: GlobalTask = {
  name: 'reviews.ask',
  run: () =>
    forEachOpenBusiness('asking for reviews', async (actor) => {
      await recallAsks(actor)
      await askForReviews(actor)
    }),
}

export const askForReviewsSchedule: Schedule = { task: askAllForReviews.name, match: '*/10 * * * *', onlyLatest: true }
