import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, type TenantScope, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { travelEngine } from '../../../platform/geo/engines.ts'
import { type Block, type Departure, notAnswered, type TravelEngine } from '../../../platform/geo/travel-engine.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { conflict } from '../../../shared/errors.ts'
import type { Point } from '../../../solver/matrix.ts'
import { changeBusiness } from '../../businesses/server/commands.ts'
import type { TravelFit } from '../contract.ts'
import { type Call, wantedTravelTimes } from './blocks.ts'
import { placeKey } from './fill.ts'
import { getTravelFit } from './fit.ts'
import { engineProvider } from './provider.ts'
import { readAnswered } from './queries.ts'

/** Rows in one statement. */
const atOnce = 5_000

/** Keeps the answers of one call. */
const saveAnswers = async (
  scope: TenantScope,
  engine: TravelEngine,
  departure: Departure,
  keys: readonly number[],
  call: Call,
  block: Block,
): Promise<void> => {
  const rows = call.sources.flatMap((from, i) =>
    call.targets.flatMap((to, j) => {
      const at = i * call.targets.length + j
      const seconds = block.seconds[at]!
      if (from === to || seconds === notAnswered) return []
      return [{ from: keys[from]!, to: keys[to]!, seconds, meters: seconds < 0 ? seconds : block.meters[at]! }]
    }),
  )
  const day = clock.iso().slice(0, 10)
  // in one order everywhere: two who save the same do not wait for each other
  rows.sort((a, b) => a.from - b.from || a.to - b.to)
  for (let start = 0; start < rows.length; start += atOnce) {
    const some = rows.slice(start, start + atOnce)
    await withTenant(scope, (db) =>
      sql`
        insert into travel_times (business_id, engine, bucket, from_key, to_key, seconds, meters, asked_on)
        values ${sql.join(
          some.map(
            (r) =>
              sql`(${db.businessId}::uuid, ${engine.id}, ${engine.bucketOf(departure)}::smallint, ${r.from}::bigint, ${r.to}::bigint,
                ${r.seconds}::int, ${r.meters}::int, ${day}::date)`,
          ),
        )}
        on conflict (business_id, engine, bucket, from_key, to_key)
          do update set seconds = excluded.seconds, meters = excluded.meters, asked_on = excluded.asked_on`.execute(db),
    )
  }
}

/** A planner waits for roads at most this long; the rest is estimated and asked for again another time. */
const patienceMs = 8_000
/** An engine that answered nothing is left alone for a minute, so that not every plan waits for it. */
const restMs = 60_000
const restingUntil = new Map<string, number>()

/**
 * Asks the configured engine for the drives between these places that the cache does not hold, and keeps the answers. Slow: never inside a
 * transaction. Without an engine, or when it is away, nothing happens and `readDrives` estimates.
 * @param options.hubs so many of the first places are where crews start and end
 * @returns how many drives came
 */
export const fetchTravelTimes = async (
  scope: TenantScope,
  points: readonly Point[],
  options: { departure: Departure; hubs: number; deadlineMs?: number; signal?: AbortSignal },
): Promise<number> => {
  const engine = travelEngine()
  if (!engine || (restingUntil.get(engine.id) ?? 0) > clock.nowMs()) return 0
  // One place a key: neighbors within a meter are one place for the engine.
  const seen = new Set<number>()
  const keys: number[] = []
  let hubs = 0
  const places = points.filter((point, i) => {
    const key = placeKey(point)
    if (key === null || seen.has(key)) return false
    seen.add(key)
    keys.push(key)
    if (i < options.hubs) hubs++
    return true
  })
  const { departure } = options
  const known = await withTenant(scope, (db) => readAnswered(db, places, departure))
  const wanted = wantedTravelTimes(places, hubs)
  for (const cell of known.cell) wanted[cell] = 0
  if (!wanted.includes(1)) return 0
  const deadline = AbortSignal.timeout(options.deadlineMs ?? patienceMs)
  let answered = 0
  await engineProvider(engine).matrix(places, {
    wanted,
    departure,
    signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline,
    onAnswer: async (call, block) => {
      answered += block.seconds.length
      await saveAnswers(scope, engine, departure, keys, call, block)
    },
  })
  if (answered === 0 && !options.signal?.aborted) restingUntil.set(engine.id, clock.nowMs() + restMs)
  return answered
}

export const FetchTask = z.object({
  points: z.array(z.object({ lat: z.number(), lng: z.number() })).max(5_000),
  hubs: z.int(),
  departure: z.object({ day: z.string(), minute: z.int(), timeZone: z.string() }),
})

/** Asks the engine in the background; the work stands in `tasks.ts`. */
export const fetchTask = taskName({ name: 'travel.fetch', payload: FetchTask, attempts: 1 })

/** What was asked for in the background is not asked for again at each look at the same day. */
const againAfterMs = 10 * 60_000
const wantedAt = new Map<string, number>()

/** Asks for the drives between these places in the background, at most once in ten minutes for the same ones. */
export const wantTravelTimes = async (
  db: TenantDb,
  points: readonly Point[],
  options: { departure: Departure; hubs: number },
): Promise<void> => {
  const engine = travelEngine()
  if (!engine || points.length < 2 || points.length > 5_000) return
  const keys = points.map(placeKey).join()
  const key = createHash('sha256')
    .update(`${engine.id} ${engine.bucketOf(options.departure)} ${keys}`)
    .digest('base64url')
  const [now, mark] = [clock.nowMs(), `${db.businessId} ${key}`]
  if ((wantedAt.get(mark) ?? 0) > now - againAfterMs) return
  for (const [old, at] of wantedAt) if (at <= now - againAfterMs) wantedAt.delete(old)
  wantedAt.set(mark, now)
  await enqueue(db, fetchTask, { points: [...points], ...options }, { key })
}

/** Takes the suggestion that the owner saw. */
export const applyTravelFit = async (
  actor: Actor,
  seen: { version: number; factorSeconds: number; exponent: number },
): Promise<TravelFit> => {
  const { drives, suggestion } = await withTenant(actor, getTravelFit)
  if (!suggestion || suggestion.factorSeconds !== seen.factorSeconds || suggestion.exponent !== seen.exponent)
    throw conflict('The clocked drives say something else by now. Nothing was changed; look at the new suggestion.')
  const { factorSeconds: driveFactorSeconds, exponent: driveExponent } = suggestion
  await changeBusiness(actor, { version: seen.version, driveFactorSeconds, driveExponent })
  return withTenant(actor, async (db) => {
    await audit(db, actor, 'travel.fit', { type: 'business', id: db.businessId }, { after: { drives, ...suggestion } })
    await publishChange(db, 'visits')
    return getTravelFit(db)
  })
}

/** Forgets answers that have become old, and those of an engine that is no longer asked. */
export const tidyTravelTimes = async (db: TenantDb): Promise<void> => {
  const engine = travelEngine()
  const before = (days: number): string => new Date(clock.nowMs() - days * 86_400_000).toISOString().slice(0, 10)
  await sql`
    delete from travel_times where business_id = ${db.businessId}
      and asked_on < case when engine = ${engine?.id ?? ''} then ${before(engine?.keepDays ?? 0)}::date else ${before(30)}::date end`.execute(
    db,
  )
}

/** For tests: engines that rest are asked again, and so is what was asked for a while ago. */
export const forgetRest = (): void => {
  restingUntil.clear()
  wantedAt.clear()
}
