import { sql } from 'kysely'
import type { z } from 'zod'
import { clock } from '../clock.ts'
import type { ProspectsDb } from '../db/prospects.ts'
import type { GlobalTask } from './runner.ts'

/** A piece of background work of the product owner's funnel. It runs at least once. */
export type ProspectTask<P extends z.ZodType = z.ZodType> = {
  /** Begins with `prospects.`; the database takes no other from here. */
  name: `prospects.${string}`
  payload: P
}

/**
 * Asks for work of the funnel inside the running transaction: rolled back, it never runs.
 * @param options.key a second wish with the same key replaces the first while it waits
 * @param options.runAt ISO instant before which it does not run
 */
export const enqueueProspectTask = async <P extends z.ZodType>(
  db: ProspectsDb,
  task: ProspectTask<P>,
  payload: z.input<P>,
  options: { key?: string; runAt?: string } = {},
): Promise<void> => {
  const waitSeconds = options.runAt ? Math.max(0, (Date.parse(options.runAt) - clock.nowMs()) / 1000) : 0
  const key = options.key ? `${task.name}:${options.key}` : null
  await sql`select tasks.enqueue_prospect(${task.name}, ${JSON.stringify(payload)}::jsonb, ${key}, now() + make_interval(secs => ${waitSeconds}::double precision), 8)`.execute(
    db,
  )
}

/** The work itself, as the one list of tasks takes it. */
export const prospectTask = <P extends z.ZodType>(
  task: ProspectTask<P>,
  run: (payload: z.output<P>) => Promise<void>,
): GlobalTask => ({ name: task.name, run: async (raw) => run(task.payload.parse(raw)) })
