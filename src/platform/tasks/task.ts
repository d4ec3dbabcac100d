import { sql } from 'kysely'
import type { z } from 'zod'
import type { SystemActor } from '../actor.ts'
import { clock } from '../clock.ts'
import type { TenantDb } from '../db/tenant.ts'

/** What asking for a task needs to know of it; the work itself may stand elsewhere. */
export type TaskName<P extends z.ZodType = z.ZodType> = {
  name: string
  payload: P
  /** Tries before it stays as a dead letter, each later than the one before. */
  attempts: number
  /** Tasks of one queue run one after the other. */
  queue?: (payload: z.output<P>, businessId: string) => string
  /** Nobody waits for it: what is due of other kinds goes first. A run of it is short, so that it does not hold its place for long. */
  comesLater?: true
}

/** A piece of background work of one business. It runs at least once: `run` re-reads its rows and does nothing when all is done. */
export type Task<P extends z.ZodType = z.ZodType> = TaskName<P> & {
  run: (actor: SystemActor, payload: z.output<P>) => Promise<void>
  /** After the last try failed: whoever is concerned hears of it. Not where the process died in that try. */
  gaveUp?: (actor: SystemActor, payload: z.output<P>) => Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tasks holds payloads of every kind; each parses its own before it runs
export type AnyTask = Task<any>

/** Names a task where it is asked for, when its work needs what stands there. */
export const taskName = <P extends z.ZodType>(
  definition: Omit<TaskName<P>, 'attempts'> & { attempts?: number },
): TaskName<P> => ({
  attempts: 8,
  ...definition,
})

export const task = <P extends z.ZodType>(definition: Omit<Task<P>, 'attempts'> & { attempts?: number }): Task<P> => ({
  attempts: 8,
  ...definition,
})

/** The queue takes the lowest number first. */
const priorityOf = (definition: TaskName): number => (definition.comesLater ? 10 : 0)

const keyOf = (db: TenantDb, definition: TaskName, key: string | undefined): string | null =>
  key ? `${definition.name}:${db.businessId}:${key}` : null

/** Asks for the same work on many records in one statement. */
export const enqueueAll = async <P extends z.ZodType>(
  db: TenantDb,
  definition: TaskName<P>,
  items: readonly { payload: z.input<P>; key: string }[],
): Promise<void> => {
  if (items.length === 0) return
  const rows = items.map(({ payload, key }) => ({
    payload,
    key: keyOf(db, definition, key),
    queue: definition.queue?.(payload as z.output<P>, db.businessId) ?? null,
  }))
  await sql`select tasks.enqueue(${definition.name}, r.payload, r.key, now(), ${definition.attempts}::int, r.queue, ${priorityOf(definition)}::int)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(payload jsonb, key text, queue text)`.execute(db)
}

/**
 * Asks for background work inside the running transaction: rolled back, it never runs.
 * @param options.key a second wish with the same key replaces the first while it waits
 * @param options.runAt ISO instant before which it does not run
 */
export const enqueue = async <P extends z.ZodType>(
  db: TenantDb,
  definition: TaskName<P>,
  payload: z.input<P>,
  options: { key?: string; runAt?: string } = {},
): Promise<void> => {
  const queue = definition.queue?.(payload as z.output<P>, db.businessId) ?? null
  // As a span from now, so that the queue's clock and ours need not agree.
  const waitSeconds = options.runAt ? Math.max(0, (Date.parse(options.runAt) - clock.nowMs()) / 1000) : 0
  const key = keyOf(db, definition, options.key)
  await sql`select tasks.enqueue(${definition.name}, ${JSON.stringify(payload)}::jsonb, ${key}, now() + make_interval(secs => ${waitSeconds}::double precision), ${definition.attempts}::int, ${queue}, ${priorityOf(definition)}::int)`.execute(
    db,
  )
}
