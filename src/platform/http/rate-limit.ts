import { sql } from 'kysely'
import { AppError } from '../../shared/errors.ts'
import { clock } from '../clock.ts'
import { database } from '../db/database.ts'

/** A wait as a person counts it: "1 second", "34 minutes", "2 hours". */
export const waitWords = (seconds: number): string => {
  const of = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
  if (seconds < 90) return of(Math.max(1, Math.ceil(seconds)), 'second')
  return seconds < 5400 ? of(Math.ceil(seconds / 60), 'minute') : of(Math.ceil(seconds / 3600), 'hour')
}

/**
 * Counts one use of `key` and refuses when the window already had `max`. Counters live in the database: they hold over restarts and processes.
 * @throws AppError too_many_requests with `retryAfterSeconds`
 */
export const countUse = async (
  key: string,
  max: number,
  windowSeconds: number,
  message = (seconds: number): string =>
    `That was a lot at once. Nothing was lost; please try again in ${waitWords(seconds)}.`,
): Promise<void> => {
  const now = clock.iso()
  const { rows } = await sql<{ count: number; left: number }>`
    insert into rate_limits (key, count, window_started_at) values (${key}, 1, ${now})
    on conflict (key) do update set
      count = case when rate_limits.window_started_at <= ${now}::timestamptz - make_interval(secs => ${windowSeconds}) then 1 else rate_limits.count + 1 end,
      window_started_at = case when rate_limits.window_started_at <= ${now}::timestamptz - make_interval(secs => ${windowSeconds}) then ${now}::timestamptz else rate_limits.window_started_at end
    returning count, ceil(extract(epoch from window_started_at + make_interval(secs => ${windowSeconds}) - ${now}::timestamptz))::int as left`.execute(
    database(),
  )
  const row = rows[0]
  if (row && row.count > max) {
    throw new AppError('too_many_requests', message(row.left), {
      details: { retryAfterSeconds: row.left },
    })
  }
}

/**
 * Refuses a try while failures of `key` still slow it down (1 s, doubling, 15 min at most).
 * @throws AppError too_many_requests with `retryAfterSeconds`
 */
export const refuseWhilePaused = async (key: string): Promise<void> => {
  const row = await database().selectFrom('rateLimits').select('blockedUntil').where('key', '=', key).executeTakeFirst()
  const seconds = row?.blockedUntil ? Math.ceil((Date.parse(row.blockedUntil) - clock.nowMs()) / 1000) : 0
  if (seconds > 0)
    throw new AppError('too_many_requests', `Too many tries. Please wait ${waitWords(seconds)}, then try again.`, {
      details: { retryAfterSeconds: seconds },
    })
}

/** Notes a failure: after `free` of them (2) each doubles the pause before the next try. */
export const noteFailure = async (key: string, free = 2): Promise<void> => {
  const now = clock.iso()
  await sql`
    insert into rate_limits (key, count, window_started_at) values (${key}, 1, ${now})
    on conflict (key) do update set count = least(rate_limits.count + 1, ${free} + 40),
      blocked_until = case when rate_limits.count + 1 > ${free}
        then ${now}::timestamptz + make_interval(secs => least(900, power(2, least(30, rate_limits.count - ${free}))::int)) else null end`.execute(
    database(),
  )
}

/** Forgets the failures of `keys`. */
export const forgetFailures = async (...keys: string[]): Promise<void> => {
  await database().deleteFrom('rateLimits').where('key', 'in', keys).execute()
}

/** Wrong tries from anywhere that an account bears before it is slowed down as a whole, so that changing the address helps nobody. */
export const freePerAccount = 20
