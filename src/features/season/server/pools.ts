import { Pool, type PoolSettings } from '../../routes/server/commands.ts'
import type { SeasonAnswer, SeasonTask, SeasonUpdate } from './season-task.ts'

/** The threads of this process that think about seasons: one searches, one counts what somebody ticks on the screen. */

const settings: PoolSettings = {
  entry: new URL('./season-thread.ts', import.meta.url),
  threads: 1,
  hardLimitMs: 240_000,
  // To stop a search is soon done; to count a big season by what it found takes a while, and must not cost the best so far.
  stopLimitMs: 120_000,
  mostWaiting: 20,
}

type Threads = Pool<SeasonTask, SeasonUpdate, SeasonAnswer>
const pools = new Map<'search' | 'check', Threads>()

const poolOf = (kind: 'search' | 'check'): Threads => {
  const found = pools.get(kind) ?? new Pool<SeasonTask, SeasonUpdate, SeasonAnswer>(settings)
  pools.set(kind, found)
  return found
}

/** Thinks in a thread; businesses have their turns. */
export const thinkAbout = (businessId: string, task: SeasonTask) => poolOf(task.kind).run(businessId, task)

/** Ends the threads; the next search makes new ones. */
export const closePools = async (): Promise<void> => {
  const last = [...pools.values()]
  pools.clear()
  await Promise.all(last.map((pool) => pool.close()))
}
