import { addDays, type Day, dayOf, minuteOfDay } from '../../src/shared/dates.ts'
import { withBenchServer } from '../server.ts'

type Start = { day: Day; planned: number; began: number }

/** Half of the days that are measured; windows are judged on the others. */
const trainDays = 21
const percentiles = [0.5, 0.8, 0.9, 0.95] as const

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

/**
 * Replays days of the demo business: for each of the last days the error is taken from the three weeks before it, windows are made of it as for
 * customers, and it is counted how many visits began inside theirs.
 */
export const run = async (args: string[]): Promise<void> => {
  let starts: Start[] = []
  await withBenchServer(async () => {
    const { makeDemo } = await import('../../src/demo/demo.ts')
    const { demoSlug } = await import('../../src/features/tour/rules.ts')
    const { database } = await import('../../src/platform/db/database.ts')
    const { asBusinessId, withTenant } = await import('../../src/platform/db/tenant.ts')
    await makeDemo()
    const { businessId } = await database()
      .selectFrom('slugs')
      .select('businessId')
      .where('slug', '=', demoSlug)
      .executeTakeFirstOrThrow()
    const rows = await withTenant({ businessId: asBusinessId(businessId) }, (db) =>
      db
        .selectFrom('visits')
        .select(['day', 'publishedStartMinute as planned', 'startedAt'])
        .where('businessId', '=', businessId)
        .where('status', '=', 'completed')
        .whereRef('publishedDay', '=', 'day')
        .orderBy('day')
        .execute(),
    )
    const zone = 'America/New_York'
    starts = rows.flatMap(({ day, planned, startedAt }) =>
      day && planned !== null && startedAt && dayOf(startedAt, zone) === day
        ? [{ day, planned, began: minuteOfDay(startedAt, zone) }]
        : [],
    )
  })
  const { arrivalWindow } = await import('../../src/features/notices/rules.ts')
  const first = starts[0]?.day ?? ''
  const judged = starts.filter(({ day }) => day >= addDays(first, trainDays))
  const table = percentiles.map((share) => {
    const seen = judged.map(({ day, planned, began }) => {
      const errors = starts
        .filter((one) => one.day < day && one.day >= addDays(day, -trainDays))
        .map((one) => Math.abs(one.began - one.planned))
        .sort((a, b) => a - b)
      const error = Math.ceil(quantile(errors, share))
      const { from, to } = arrivalWindow(planned, error)
      return { error, width: to - from, inside: began >= from && began < to, late: began >= to }
    })
    const mean = (of: (one: (typeof seen)[number]) => number) =>
      Math.round((seen.reduce((sum, one) => sum + of(one), 0) / Math.max(1, seen.length)) * 10) / 10
    return {
      error: `${share * 100} % of starts`,
      minutes: mean((one) => one.error),
      windowMinutes: mean((one) => one.width),
      keptPercent: mean((one) => (one.inside ? 100 : 0)),
      latePercent: mean((one) => (one.late ? 100 : 0)),
      visits: seen.length,
    }
  })
  if (args.includes('--json')) console.log(JSON.stringify(table))
  else console.table(table)
}
