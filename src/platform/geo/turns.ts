import { sql } from 'kysely'
import { database } from '../db/database.ts'

/**
 * Takes the next turn at something that allows one beginning every so often, over all processes.
 * @returns milliseconds until the turn begins, or null when that would be later than `patienceMs`; then no turn is taken
 */
export const takeTurn = async (name: string, everyMs: number, patienceMs: number): Promise<number | null> => {
  const every = sql`make_interval(secs => ${everyMs / 1000}::double precision)`
  const { rows } = await sql<{ waitMs: number }>`
    insert into rate_limits as r (key, count, window_started_at, blocked_until)
    values (${`turn:${name}`}, 1, clock_timestamp(), clock_timestamp() + ${every})
    on conflict (key) do update set
      window_started_at = clock_timestamp(),
      blocked_until = greatest(r.blocked_until, clock_timestamp()) + ${every}
      where greatest(r.blocked_until, clock_timestamp()) <= clock_timestamp() + make_interval(secs => ${patienceMs / 1000}::double precision)
    returning greatest(0, extract(epoch from blocked_until - ${every} - clock_timestamp()) * 1000)::double precision as "waitMs"`.execute(
    database(),
  )
  return rows[0] ? Math.ceil(rows[0].waitMs) : null
}
