import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CronItem,
  Logger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  runOnce,
  type TaskList,
} from 'graphile-worker'
import type { Pool } from 'pg'
import { z } from 'zod'
import { systemActor } from '../actor.ts'
import { ownerPool } from '../db/database.ts'
import { asBusinessId } from '../db/tenant.ts'
import { log } from '../log.ts'
import { inBackground } from '../quiet-moment.ts'
import { watchPool } from './heartbeat.ts'
import { patientPool } from './patient-pool.ts'
import type { AnyTask } from './task.ts'

// The library's own lines stand in our log, successes only when somebody looks closely.
const logger = new Logger((scope) => (level, message, meta) => {
  const ours = level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug'
  log[ours]({ ...scope, ...meta }, message)
})

const Envelope = z.object({ businessId: z.uuid(), payload: z.unknown() })

/** Work that belongs to no business: a stored webhook, or the nightly walk over all businesses. */
export type GlobalTask = { name: string; run: (payload: unknown) => Promise<void> }

export type Schedule = {
  task: string
  /** Five fields, UTC. */
  match: string
  /** Only the present turn counts: what was missed is not made up for, and no two of it wait or run at once. */
  onlyLatest?: boolean
}

const backfillMs = 12 * 3600 * 1000

/** A schedule as the library reads it. Without a word what fell into a standstill of up to 12 h is made up for, turn by turn. */
export const cronOf = ({ task, match, onlyLatest = false }: Schedule): CronItem => ({
  task,
  match,
  options: {
    // the next night walks again: one that fails for good is not tried for days beside it
    maxAttempts: 5,
    ...(onlyLatest
      ? { backfillPeriod: 0, queueName: task, jobKey: task, jobKeyMode: 'replace' as const }
      : { backfillPeriod: backfillMs }),
  },
})

const taskList = (tasks: readonly AnyTask[], globals: readonly GlobalTask[]): TaskList => {
  const list: TaskList = {}
  for (const task of tasks) {
    if (list[task.name]) throw new Error(`Two tasks are called ${task.name}.`)
    list[task.name] = async (raw, { job }) => {
      const envelope = Envelope.parse(raw)
      const actor = systemActor(asBusinessId(envelope.businessId))
      const payload = task.payload.parse(envelope.payload)
      try {
        await inBackground(() => task.run(actor, payload))
      } catch (error) {
        if (job.attempts >= job.max_attempts)
          await task.gaveUp?.(actor, payload).catch((err: unknown) => {
            log.error({ err, task: task.name }, 'nobody could be told that a task gave up')
          })
        throw error
      }
    }
  }
  for (const global of globals) list[global.name] = async (raw) => inBackground(() => global.run(raw))
  return list
}

/** Creates or updates the queue's own tables; as the owner, before the application's migrations are used. */
export const migrateTasks = async (pool: Pool): Promise<void> => runMigrations({ pgPool: pool, logger })

const restartAfterMs = 1_000

/** Starts the worker of this process; the promise holds what ends it. A worker that stops by itself is started again. */
export const startTasks = async (
  tasks: readonly AnyTask[],
  globals: readonly GlobalTask[],
  schedule: readonly Schedule[],
): Promise<{ stop: () => Promise<void> }> => {
  const pool = ownerPool()
  let stopped = false
  let current: { runner: Runner; heartbeat: { stop: () => void } } | undefined
  const begin = async (): Promise<void> => {
    const runner = await run({
      pgPool: patientPool(pool),
      concurrency: 4,
      noHandleSignals: true,
      logger,
      pollInterval: 2_000,
      taskList: taskList(tasks, globals),
      parsedCronItems: parseCronItems(schedule.map(cronOf)),
    })
    const heartbeat = watchPool(pool, runner)
    current = { runner, heartbeat }
    void runner.promise
      .catch((error: unknown) => log.error({ err: error }, 'the worker stopped with an error'))
      .then(async () => {
        // what it had taken is given back by the heartbeat of the next one
        heartbeat.stop()
        for (let waitMs = restartAfterMs; !stopped; waitMs = Math.min(waitMs * 2, 30_000)) {
          log.warn('the worker stopped by itself; starting it again')
          await sleep(waitMs, undefined, { ref: false })
          if (stopped) return
          try {
            return await begin()
          } catch (error) {
            log.error({ err: error }, 'the worker could not be started again')
          }
        }
      })
  }
  await begin()
  return {
    stop: async () => {
      stopped = true
      current?.heartbeat.stop()
      await current?.runner.stop().catch((error: unknown) => {
        // between two workers there is none to stop
        log.debug({ err: error }, 'the worker had stopped already')
      })
    },
  }
}

/** For tests: runs everything that is due now, also what that causes, until nothing is left and every outcome is noted. */
export const runDueTasks = async (tasks: readonly AnyTask[], globals: readonly GlobalTask[]): Promise<void> => {
  const pool = ownerPool()
  const known = taskList(tasks, globals)
  const some = async (sql: string, value: unknown) => (await pool.query(sql, [value])).rows.length > 0
  // the library does not wait until the end of a task, good or bad, is written down
  const running = 'select 1 from graphile_worker._private_jobs where locked_at >= $1::timestamptz limit 1'
  // and it ends while a task of a queue waits for the one before it to be written down
  const due = `select 1 from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where job.is_available and job.run_at <= now() and task.identifier = any($1) limit 1`
  do {
    const { rows } = await pool.query<{ now: string }>('select now()::text as now')
    await runOnce({ pgPool: pool, taskList: known, noHandleSignals: true, logger })
    while (await some(running, rows[0]?.now)) await sleep(5)
  } while (await some(due, Object.keys(known)))
}
