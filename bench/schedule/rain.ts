import type pg from 'pg'
import type { DayPlan, RouteRun } from '../../src/features/routes/contract.ts'
import { applyRun, startRun, undoChange } from '../../src/features/routes/server/commands.ts'
import { getDayPlan, getRun } from '../../src/features/routes/server/queries.ts'
import { rainSpec } from '../../src/features/routes/server/runs/specs.ts'
import { withTenant } from '../../src/platform/db/tenant.ts'
import { addDays, dayOf, weekdayOf } from '../../src/shared/dates.ts'
import { fillDays, zone } from './business.ts'

const seconds = (from: number): number => Math.round((performance.now() - from) / 10) / 100

/** Previews, makes and takes back a rain push of days of so many visits. */
export const rainPushes = async (client: pg.ClientBase, sizes: readonly number[]): Promise<object[]> => {
  let day = addDays(dayOf(new Date(), zone), 1)
  while (weekdayOf(day) !== 1) day = addDays(day, 1)
  const results: object[] = []
  for (const visits of sizes) {
    const days = Array.from({ length: 9 }, (_, i) => addDays(day, i))
      .filter((one) => ![0, 6].includes(weekdayOf(one)))
      .map((one, i) => ({ day: one, visits: i === 0 ? visits : Math.round(visits / 2) }))
    const { owner: actor } = await fillDays(client, `rain-${visits}`, days)
    for (const strategy of ['push', 'replan'] as const) {
      const began = performance.now()
      let run: RouteRun = await startRun(actor, rainSpec({ day, strategy, days: 6, moveIds: [] }))
      while (run.status === 'running') {
        await new Promise((next) => setTimeout(next, 20))
        run = await withTenant(actor, (db) => getRun(db, actor, run.id))
      }
      if (!run.result) throw new Error(`The rain push ended ${run.status}: ${run.error}`)
      const preview = seconds(began)
      const at = performance.now()
      await applyRun(actor, run.id, { tell: true })
      const applied = seconds(at)
      const messages = Number(
        (await client.query('select count(*) from messages where business_id = $1', [actor.businessId])).rows[0].count,
      )
      const back = performance.now()
      await undoChange(actor, day, undefined)
      const undone = seconds(back)
      const plan: DayPlan = await withTenant(actor, (db) => getDayPlan(db, actor, day))
      if (plan.totals.stops !== visits) throw new Error('Undo did not bring every visit back.')
      results.push({
        visits,
        way: strategy,
        'preview s': preview,
        'searched s': run.result.tookMs / 1000,
        'rows moved': run.result.changeCount,
        'preview kB': Math.round(JSON.stringify(run).length / 1024),
        'apply s': applied,
        messages,
        'undo s': undone,
      })
    }
  }
  return results
}
