import { clock } from '../../../platform/clock.ts'
import { withProspects } from '../../../platform/db/prospects.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { pageViewDays } from '../rules.ts'

/** Forgets page views after 13 months. */
export const tidyPageViews: GlobalTask = {
  name: 'prospects.tidy',
  run: async () => {
    const before = new Date(clock.nowMs() - pageViewDays * 86_400_000).toISOString()
    await withProspects((db) => db.deleteFrom('pageViews').where('at', '<', before).execute())
  },
}

export const tidyPageViewsSchedule: Schedule = { task: tidyPageViews.name, match: '20 9 * * *' }
