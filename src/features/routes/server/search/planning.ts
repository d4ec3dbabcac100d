import type { PlanAnswer, PlanTask, PlanUpdate } from './plan-task.ts'
import { Pool, type PoolSettings, usualThreads } from './pool.ts'

/** The planning threads of this process. */

const usual: PoolSettings = {
  entry: new URL('./plan-thread.ts', import.meta.url),
  threads: usualThreads(),
  hardLimitMs: 30_000,
  stopLimitMs: 5_000,
  mostWaiting: 60,
}

let settings = usual
let pool: Pool<PlanTask, PlanUpdate, PlanAnswer> | undefined

export const planningPool = (): Pool<PlanTask, PlanUpdate, PlanAnswer> => {
  pool ??= new Pool(settings)
  return pool
}

/** From so many stops on, two threads that exchange plans find a better one in the same time than one of them. */
const islandsFrom = 150

/** How many threads may search for a task together: two on what is large, while nobody else needs them. */
export const islandsFor = ({ kind, problem }: PlanTask): number =>
  kind === 'optimize' && problem.visits.length > islandsFrom && planningPool().idle > 1 ? 2 : 1

/** Ends the planning threads; the next search makes new ones. */
export const closePlanning = async (): Promise<void> => {
  const last = pool
  pool = undefined
  await last?.close()
}

/** For tests: other threads or limits until called without changes. */
export const configurePlanning = async (changes: Partial<PoolSettings> = {}): Promise<void> => {
  settings = { ...usual, ...changes }
  await closePlanning()
}
