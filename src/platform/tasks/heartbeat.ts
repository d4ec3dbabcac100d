import { makeWorkerUtils, type Runner, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { newId } from '../ids.ts'
import { log } from '../log.ts'

const heartbeatMs = 5_000
const staleSeconds = 30

/**
 * Tells the database every 5 s that this worker lives and gives back the tasks of one that has been silent for 30 s: without it, what a
 * killed process had taken would stay locked for four hours.
 */
export const watchPool = (pool: Pool, runner: Runner): { stop: () => void } => {
  const ids = new Set<string>()
  const events = runner.events as WorkerEvents
  const own = newId()
  events.on('worker:create', ({ worker }) => ids.add(worker.workerId))
  events.on('pool:create', ({ workerPool }) => ids.add((workerPool as { id?: string }).id ?? own))
  const sendHeartbeat = async (): Promise<void> => {
    try {
      for (const id of ids) {
        await pool.query(
          'insert into task_pools (pool_id, seen_at) values ($1, now()) on conflict (pool_id) do update set seen_at = now()',
          [id],
        )
      }
      const { rows } = await pool.query<{ pool_id: string }>(
        `delete from task_pools where seen_at < now() - make_interval(secs => $1) returning pool_id`,
        [staleSeconds],
      )
      const locked = await pool.query<{ locked_by: string }>(
        `select distinct locked_by from graphile_worker._private_jobs where locked_by is not null and locked_at < now() - make_interval(secs => $1)
           and not exists (select 1 from task_pools where pool_id = locked_by)`,
        [staleSeconds],
      )
      const dead = [...new Set([...rows.map((r) => r.pool_id), ...locked.rows.map((r) => r.locked_by)])].filter(
        (id) => !ids.has(id),
      )
      if (dead.length === 0) return
      const utils = await makeWorkerUtils({ pgPool: pool })
      await utils.forceUnlockWorkers(dead)
      await utils.release()
      log.warn({ dead }, 'gave back the tasks of a worker that stopped')
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat of the worker could not be written')
    }
  }
  const timer = setInterval(() => void sendHeartbeat(), heartbeatMs)
  void sendHeartbeat()
  return { stop: () => clearInterval(timer) }
}
