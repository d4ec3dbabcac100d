import type { TenantDb } from '../../../platform/db/tenant.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { earliestOf, suggestedOf } from '../rules.ts'
import { listRunRows } from './run-rows.ts'
import { lastSentDay, readState } from './state.ts'

export { getLetters } from './letters.ts'
export { getRun } from './view.ts'

const mostLeft = 100

/** What a plan would be made of now, and the last ones. */
export const getOverview = async (db: TenantDb) => {
  const today = await todayOf(db)
  const state = await readState(db)
  const earliestOn = earliestOf(today, await lastSentDay(db, today))
  const places = [...Map.groupBy(state.jobs, (job) => job.neighborhood)]
  const mean = (list: readonly number[]): number => list.reduce((sum, n) => sum + n, 0) / list.length
  return {
    today,
    earliestOn,
    suggestedOn: suggestedOf(earliestOn, today),
    weeks: state.weeks,
    jobs: state.jobs.length,
    left: state.left.slice(0, mostLeft),
    leftCount: state.left.length,
    keeping: state.jobs.filter((job) => job.keepDay).length,
    crews: state.crews.map(({ id, name, color, lat, lng, days }) => ({ id, name, color, lat, lng, days: [...days] })),
    neighborhoods: places
      .map(([name, jobs]) => ({
        name,
        jobs: jobs.length,
        lat: mean(jobs.map((job) => job.lat)),
        lng: mean(jobs.map((job) => job.lng)),
      }))
      .toSorted((a, b) => b.jobs - a.jobs),
    runs: (await listRunRows(db)).map(({ request: _, createdAt, createdByName, ...row }) => ({
      ...row,
      startedAt: createdAt,
      startedByName: createdByName,
    })),
  }
}
