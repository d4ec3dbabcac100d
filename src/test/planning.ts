import type { z } from 'zod'
import { type DayPlan, type RouteRun, type RunResult, routesApi } from '../features/routes/contract.ts'
import { addDays, type Day, weekdayOf } from '../shared/dates.ts'
import type { Api } from './api.ts'
import { today } from './field.ts'

/** Searches of the route map as a screen would follow them: started, then looked at until they are over. */

export const runOver = async (api: Api, id: string): Promise<RouteRun> => {
  for (;;) {
    const run = await api.ok(routesApi.run, { params: { id } })
    if (run.status !== 'running') return run
    await new Promise((next) => setTimeout(next, 25))
  }
}

type Body = z.input<typeof routesApi.optimize.body>

/** Optimizes and waits for the end. Fails the test when the search failed. */
export const optimized = async (api: Api, body: Body): Promise<{ plan: DayPlan; run: RouteRun; result: RunResult }> => {
  const { run: started } = await api.ok(routesApi.optimize, { body })
  const run = await runOver(api, started.id)
  if (!run.result) throw new Error(`The search ${run.status}: ${run.error}`)
  return { plan: await api.ok(routesApi.day, { query: { day: body.day } }), run, result: run.result }
}

/** A day from Monday to Friday, at least so many days from now. */
export const aWorkday = (after = 2): Day => {
  let day = addDays(today(), after)
  while ([0, 6].includes(weekdayOf(day))) day = addDays(day, 1)
  return day
}

/** Places around the crews' depot, scattered the same way every time. */
export const placeNear = (i: number, spread = 0.05) => ({
  latitude: 32.05 + Math.sin((i + 1) * 12.9898) * spread,
  longitude: -81.1 + Math.sin((i + 1) * 78.233) * spread,
})
