import { z } from 'zod'
import { withTenant } from '../../../platform/db/tenant.ts'
import { applyRetention } from '../../../platform/retention.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { enqueue, type Task, task } from '../../../platform/tasks/task.ts'
import { forEach, forEachBusiness } from '../../../platform/tasks/walk.ts'
import { tidyAddresses } from '../../geocoding/server/commands.ts'
import { tidyTravelTimes } from '../../travel/server/commands.ts'
import { tidyWeather } from '../../weather/server/commands.ts'
import { retentionRules } from './retention.ts'

const Empty = z.object({})

/** Deletes the records of a business whose time is over, rule by rule. */
export const tidyBusiness: Task<typeof Empty> = task({
  name: 'system.tidy',
  payload: Empty,
  run: async (actor) => {
    const rules = retentionRules.filter((rule) => rule.of === 'business')
    await forEach(
      'retention',
      rules,
      (rule) => ({ table: rule.table, businessId: actor.businessId }),
      (rule) => applyRetention(rule, actor.businessId),
    )
    await withTenant(actor, async (db) => {
      await tidyTravelTimes(db)
      await tidyWeather(db)
      await tidyAddresses(db)
    })
  },
})

export const tidyAll: GlobalTask = {
  name: 'system.tidyAll',
  run: async () => {
    const rules = retentionRules.filter((rule) => rule.of !== 'business')
    const walks = [
      () =>
        forEach(
          'retention',
          rules,
          (rule) => ({ table: rule.table }),
          (rule) => applyRetention(rule, null),
        ),
      () =>
        forEachBusiness('tidying', (actor) =>
          withTenant(actor, (db) => enqueue(db, tidyBusiness, {}, { key: 'tidy' })),
        ),
    ]
    await forEach(
      'the nightly tidying',
      walks,
      () => ({}),
      (walk) => walk(),
    )
  },
}

export const tidySchedule: Schedule = { task: tidyAll.name, match: '40 9 * * *' }
