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
