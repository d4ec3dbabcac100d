import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import { AppError, conflict, notFound } from '../../../shared/errors.ts'
import type { Point } from '../../../solver/matrix.ts'
import type { Matrix } from '../../../solver/problem.ts'
import { fetchTravelTimes } from '../../travel/server/commands.ts'
import { readSharedTravelTimes } from '../../travel/server/queries.ts'
import type { SeasonRun, WhatIf } from '../contract.ts'
import { mostJobs, runRefusals, shortDays } from '../rules.ts'
import { withHabits } from './habits.ts'
import { closePools, thinkAbout } from './pools.ts'
import { changed, type Posing, placesOf, pose } from './problem.ts'
import { getRunRow, runningRun } from './run-rows.ts'
import type { SearchAnswer, SeasonUpdate, Sited } from './season-task.ts'
import { readState, type SeasonState } from './state.ts'
import { getRun } from './view.ts'

/** A search of the season from its start to what it found. It runs in this process; nothing of it changes the work. */

const heartbeatMs = 1_000
const limitMs = 40_000
/** In the morning rush most crews are already on their first lawn. */
const departMinute = 600

/** Searches of this process: how to stop them, and when they are over. */
const live = new Map<string, { stop: () => void; over: Promise<void>; progress: SeasonUpdate | null }>()

const planLabel = 'Season plan'

const labelOf = (state: SeasonState, wish: WhatIf | null): string => {
  if (!wish) return planLabel
  const crewName = (id: string | null) => state.crews.find((crew) => crew.id === id)?.name ?? 'a crew'
  switch (wish.kind) {
    case 'crew':
      return `What if: one more crew like ${crewName(wish.likeCrewId)}`
    case 'depot':
      return `What if: ${wish.crewId === null ? 'all crews start' : `${crewName(wish.crewId)} starts`} elsewhere`
    case 'lawns':
      return `What if: ${wish.count} new ${wish.count === 1 ? 'lawn' : 'lawns'}`
    case 'days':
      return `What if: work on ${[...wish.days]
        .sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
        .map((day) => shortDays[day])
        .join(', ')}`
  }
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) =>
    v && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  )

/**
 * Starts a search, or joins the same one when it runs already: a second click, another tab.
 * @param effort 1 is quick; as usual without it
 * @throws AppError conflict while another one runs, and where there is nothing to plan
 */
export const startRun = async (actor: Actor, wish: WhatIf | null, effort?: number): Promise<SeasonRun> => {
  const started = await withTenant(actor, async (db): Promise<{ id: string; state: SeasonState | null }> => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`season-run ${db.businessId}`}, 0))`.execute(db)
    const running = await runningRun(db)
    if (running && canonical(running.request) === canonical(wish)) return { id: running.id, state: null }
    if (running)
      throw conflict(
        `The season is being planned right now${running.createdByName ? ` by ${running.createdByName}` : ''}. Wait a moment, or press Stop there.`,
      )
    const read = await readState(db)
    if (read.jobs.length === 0)
      throw conflict(
        'There is no recurring work with a crew and a place on the map yet. Book some first; then its days can be planned.',
      )
    if (read.jobs.length > mostJobs)
      throw conflict(
        `There are ${read.jobs.length.toLocaleString('en-US')} recurring jobs, and at most ${mostJobs.toLocaleString('en-US')} are planned at once. Nothing was started.`,
      )
    const state = await withHabits(db, read)
    if (wish && !changed(state, wish)) throw notFound('crew')
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('seasonRuns')
      .values({
        businessId: db.businessId,
        id,
        kind: wish ? 'whatif' : 'plan',
        label: labelOf(state, wish),
        request: JSON.stringify(wish),
        heartbeatAt: now,
        state: JSON.stringify(state),
        createdBy: actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await publishChange(db, 'season', [id])
    return { id, state }
  })
  if (started.state) {
    const entry = { stop: () => undefined, over: Promise.resolve(), progress: null }
    live.set(started.id, entry)
    live.set(started.id, { ...entry, over: execute(actor, started.id, started.state, wish, effort) })
  }
  return withTenant(actor, (db) => getRun(db, actor, started.id))
}

/** A plan from its start to its end, for who waits for it. @param effort 1 is quick */
export const planSeason = async (actor: Actor, effort: number): Promise<SeasonRun> => {
  const { id } = await startRun(actor, null, effort)
  await live.get(id)?.over
  return withTenant(actor, (db) => getRun(db, actor, id))
}

/** Drives of the searches that somebody looks at, by search: what is ticked there is counted by the same ones, again and again. */
const driven = new Map<string, Promise<Matrix>>()
const mostDriven = 3

const keptDrives = (key: string, read: () => Promise<Matrix>): Promise<Matrix> => {
  // Who asks while they are counted waits for the same.
  const known = driven.get(key) ?? read()
  driven.delete(key)
  driven.set(key, known)
  for (const old of [...driven.keys()].slice(0, -mostDriven)) driven.delete(old)
  known.catch(() => driven.delete(key))
  return known
}

/**
 * The work on its places, with the drives between them.
 * @param key of a search whose drives are kept
 */
export const sited = async (
  actor: Actor,
  state: SeasonState,
  { key, ask = true, ...posing }: Posing & { key?: string; ask?: boolean } = {},
): Promise<Sited> => {
  const read = () => drivesOf(actor, state, placesOf(state.crews, state.jobs, posing.lawns ?? []), ask)
  const travelTimes = await (key === undefined ? read() : keptDrives(key, read))
  return { ...pose(state, posing), travelTimes }
}

const drivesOf = async (
  actor: Actor,
  { day, timeZone, crews, estimate }: SeasonState,
  points: readonly Point[],
  ask: boolean,
): Promise<Matrix> => {
  const departure = { day, minute: departMinute, timeZone }
  if (ask) await fetchTravelTimes(actor, points, { departure, hubs: crews.length })
  return readSharedTravelTimes(actor, points, { estimate, departure })
}

const execute = async (
  actor: Actor,
  id: string,
  state: SeasonState,
  wish: WhatIf | null,
  effort: number | undefined,
): Promise<void> => {
  const sendHeartbeat = setInterval(() => {
    void heartbeat(actor, id).then(
      (stop) => stop && live.get(id)?.stop(),
      () => undefined,
    )
  }, heartbeatMs)
  try {
    const began = performance.now()
    const work = await sited(actor, state, wish ? {} : { key: id })
    const wished = wish && changed(state, wish)
    const other = wished && (await sited(actor, wished.state, wished))
    const thinking = thinkAbout(actor.businessId, {
      kind: 'search',
      work,
      other: other ?? null,
      seed: 1,
      limitMs,
      effort,
    })
    const entry = live.get(id)
    if (entry) entry.stop = thinking.stop
    thinking.onUpdate((update) => {
      const known = live.get(id)
      if (known) known.progress = update
    })
    const { kind: _, ...found } = (await thinking.done) as SearchAnswer
    // The best days with and without a change can only be compared when both were searched for.
    if (wish && found.stopped)
      throw conflict(
        'It was stopped before the days with and without the change could be compared. Nothing was changed.',
      )
    const result = {
      ...found,
      crews: wished?.state.crews ?? state.crews,
      tookMs: Math.round(performance.now() - began),
    }
    await withTenant(actor, (db) =>
      setEnd(db, id, {
        status: 'ready',
        result: JSON.stringify(result),
        // Nothing is saved by leaving lawns out.
        savedSeconds:
          wish && found.unplaced.length > 0 ? null : found.before.driving.seconds - found.after.driving.seconds,
        unplaced: found.unplaced.length,
      }),
    )
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, runId: id }, 'a search for a season failed')
    const message =
      error instanceof AppError
        ? error.message
        : 'The search could not be finished. Nothing was changed; please try again.'
    await withTenant(actor, (db) => setEnd(db, id, { status: 'failed', error: message })).catch((cause) =>
      log.error({ err: cause, runId: id }, 'the end of a search could not be written'),
    )
  } finally {
    clearInterval(sendHeartbeat)
    live.delete(id)
  }
}

const setEnd = async (
  db: TenantDb,
  id: string,
  end:
    | { status: 'ready'; result: string; savedSeconds: number | null; unplaced: number }
    | { status: 'failed'; error: string },
): Promise<void> => {
  await db
    .updateTable('seasonRuns')
    .set({ ...end, progress: null, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await publishChange(db, 'season', [id])
}

/** Says that the search goes on and how far it is; answers whether another process asked it to stop. */
const heartbeat = (actor: Actor, id: string): Promise<boolean> =>
  withTenant(actor, async (db) => {
    const progress = live.get(id)?.progress
    const row = await db
      .updateTable('seasonRuns')
      .set({ heartbeatAt: clock.iso(), ...(progress ? { progress: JSON.stringify(progress) } : {}) })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .where('status', '=', 'running')
      .returning('stopAsked')
      .executeTakeFirst()
    return row?.stopAsked ?? false
  })

/** Ends a search with the best so far. One that is over already stays as it ended. */
export const stopRun = async (actor: Actor, id: string): Promise<SeasonRun> => {
  await withTenant(actor, async (db) => {
    const { status, kind } = await getRunRow(db, id)
    if (runRefusals.stop({ status, kind, staleCount: 0, openMoves: 0 }) === null)
      await db
        .updateTable('seasonRuns')
        .set({ stopAsked: true })
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .execute()
  })
  live.get(id)?.stop()
  return withTenant(actor, (db) => getRun(db, actor, id))
}

/** Ends the searches of this process with words, before its database goes. */
export const closeRuns = async (): Promise<void> => {
  const over = [...live.values()].map((run) => run.over)
  await closePools()
  await Promise.allSettled(over)
}
