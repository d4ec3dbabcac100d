import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { publishProgress } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { log } from '../../../../platform/log.ts'
import { refuse } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import { AppError, conflict } from '../../../../shared/errors.ts'
import type { RouteProgress, RouteRun, RunResult } from '../../contract.ts'
import { writeStops } from '../../proposals/rules.ts'
import { runRefusals } from '../../rules.ts'
import { doEffects, recordChange } from '../changes/steps.ts'
import { entity, lockDays } from '../day/day-guards.ts'
import { fetchTravelTimesFor } from '../day/fetch-travel-times.ts'
import type { PlanningContext } from '../day/planning-context.ts'
import { readPlanningContexts } from '../day/read-day.ts'
import { savePlans } from '../plan/save-plan.ts'
import { rainFactsOf, weatherFor, weatherNotes } from '../rain/preview.ts'
import type { PlanUpdate } from '../search/plan-task.ts'
import { closePlanning, islandsFor, planningPool } from '../search/planning.ts'
import { resultOf, storedPlan } from './proposal.ts'
import { getRun, getRunRow, openRuns, proposedOrders, type RunRow, runFor, type StoredPlan } from './run-rows.ts'
import { fingerprint, type Ready, type Spec } from './specs.ts'

/** A search from its start to the plan or the proposal that it ends in. It runs in this process; screens follow it by the stream of events. */

const heartbeatMs = 1_000
/** The database's way of telling carries 8,000 bytes. */
const mostMessage = 7_400

/** Searches of this process: how to stop them, and when they are over. */
const live = new Map<string, { stop: () => void; over: Promise<void> }>()

const fingerprintOf = (contexts: readonly PlanningContext[]): string =>
  createHash('sha256').update(fingerprint(contexts)).digest('base64url')

type Started = { run: RouteRun } | { id: string; ready: Ready; fingerprint: string }

/**
 * Starts a search, or joins the same one when it runs already: a second click, another tab.
 * @throws AppError conflict while another search is on one of the days
 */
export const startRun = async (actor: Actor, spec: Spec): Promise<RouteRun> => {
  const started = await withTenant(actor, async (db): Promise<Started> => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`route-run ${db.businessId}`}, 0))`.execute(db)
    const [first = '', last = ''] = [spec.days[0], spec.days.at(-1)]
    const open = await openRuns(db, first, last)
    const running = open.filter((run) => run.status === 'running')
    const same = running.find((run) => isSame(run.request, spec.request))
    if (same) return { run: runFor(same, actor) }
    const [other] = running
    if (other)
      throw conflict(
        `These days are being planned right now${other.createdByName ? ` by ${other.createdByName}` : ''}. Wait a moment, or press Stop there.`,
      )
    const ready = spec.prepare(await readPlanningContexts(db, spec.days))
    const id = newId()
    const days = ready.contexts.map((g) => g.data.day)
    const now = clock.iso()
    // An older proposal for these days is for a plan that will be another one.
    await setStatus(
      db,
      open.map((run) => run.id),
      { status: 'dismissed' },
    )
    const plan: StoredPlan = {
      visits: ready.searchInput?.visitIds ?? [],
      crewDays: ready.searchInput?.problem.crewDays.map((c) => c.id) ?? [],
    }
    await db
      .insertInto('routeRuns')
      .values({
        businessId: db.businessId,
        id,
        kind: spec.kind,
        label: ready.label,
        firstDay: days[0] ?? first,
        lastDay: days.at(-1) ?? last,
        request: JSON.stringify(spec.request),
        apply: spec.apply,
        heartbeatAt: now,
        plan: JSON.stringify(plan),
        createdBy: actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await publishChange(db, 'routes', [id])
    return { id, ready, fingerprint: fingerprintOf(ready.contexts) }
  })
  if ('run' in started) return started.run
  const over = execute(actor, spec, started)
  const known = live.get(started.id)
  if (known) live.set(started.id, { ...known, over })
  return withTenant(actor, (db) => getRun(db, actor, started.id))
}

/** Rows of jsonb come back with their keys in another order. */
const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) =>
    v && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  )

type Going = { id: string; ready: Ready; fingerprint: string }

const execute = async (actor: Actor, spec: Spec, going: Going): Promise<void> => {
  const { id } = going
  live.set(id, { stop: () => undefined, over: Promise.resolve() })
  const sendHeartbeat = setInterval(() => {
    void heartbeat(actor, id).then(
      (stop) => stop && live.get(id)?.stop(),
      () => undefined,
    )
  }, heartbeatMs)
  try {
    const roads = await fetchTravelTimesFor(actor, spec.days)
    await search(actor, spec, roads ? await prepared(actor, spec, id) : going, 1)
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, runId: id }, 'a search for a plan failed')
    const message =
      error instanceof AppError
        ? error.message
        : 'The search could not be finished. The plan is as it was; please try again.'
    await withTenant(actor, async (db) => {
      await setStatus(db, [id], { status: 'failed', error: message })
      await publishChange(db, 'routes', [id])
    }).catch((cause) => log.error({ err: cause, runId: id }, 'the end of a search could not be written'))
  } finally {
    clearInterval(sendHeartbeat)
    live.delete(id)
  }
}

const search = async (actor: Actor, spec: Spec, going: Going, attempt: number): Promise<void> => {
  const { id, ready } = going
  const began = performance.now()
  let answer: Parameters<typeof resultOf>[0]['answer'] & {
    plan: { routes: { crewDayId: string; visitIds: string[] }[] }
  } = {
    kept: spec.kind === 'optimize',
    unserved: [],
    iterations: 0,
    stopped: false,
    choices: null,
    plan: { routes: [] },
  }
  if (ready.task) {
    const islands = islandsFor(ready.task)
    const planning = planningPool().run(actor.businessId, { ...ready.task, islands }, islands)
    live.set(id, { stop: planning.stop, over: live.get(id)?.over ?? Promise.resolve() })
    let telling = false
    planning.onUpdate((update) => {
      if (telling) return
      telling = true
      void notify(actor, id, ready, update).then(
        () => (telling = false),
        () => (telling = false),
      )
    })
    answer = await planning.done
  }
  const { contexts, crewIds, closed, off, skipped } = ready
  const plan: StoredPlan = {
    visits: [],
    crewDays: [],
    days: storedPlan(contexts, crewIds, answer.plan, closed, ready.rain?.held),
    off,
    skipped,
  }
  const after = proposedOrders(contexts, plan)
  const tookMs = Math.round(performance.now() - began)
  const { rain } = ready
  const book = rain ? await withTenant(actor, (db) => weatherFor(db, contexts)) : null
  const { result: found, changes } = await resultOf({
    contexts,
    after,
    crewIds,
    answer,
    evenness: ready.task?.evenness ?? 'cost',
    skipped,
    tookMs,
    ...(book ? { notesOf: weatherNotes(book) } : {}),
  })
  const facts =
    rain && book && (await withTenant(actor, (db) => rainFactsOf(db, rain, { contexts, after, changes, book })))
  const result: RunResult = facts
    ? { ...found, rain: facts, customersToNotify: facts.tells.texts + facts.tells.emails + facts.tells.unreached }
    : found
  const status = answer.kept ? 'kept' : spec.apply ? 'applied' : 'proposed'
  const saved = await withTenant(actor, async (db) => {
    if (status === 'applied') {
      const fits = await applyTx(db, actor, {
        ...spec,
        id,
        label: ready.label,
        plan,
        fingerprint: going.fingerprint,
        tookMs,
      })
      if (!fits) return false
    }
    await finish(db, id, { status, plan, fingerprint: going.fingerprint, result })
    await publishChange(db, 'routes', [id])
    return true
  })
  if (saved) return
  if (attempt >= 3)
    throw conflict(
      'The day changed while it was being planned. Nothing was changed; look at it and press Optimize again.',
    )
  await search(actor, spec, await prepared(actor, spec, id), attempt + 1)
}

/** The search as the days are now. */
const prepared = async (actor: Actor, spec: Spec, id: string): Promise<Going> => {
  const ready = await withTenant(actor, async (db) => spec.prepare(await readPlanningContexts(db, spec.days)))
  return { id, ready, fingerprint: fingerprintOf(ready.contexts) }
}

const notify = (actor: Actor, id: string, { task, searchInput }: Ready, update: PlanUpdate): Promise<void> => {
  const numbers = new Map(searchInput?.visitIds.map((visitId, i) => [visitId, i]))
  const found = new Map(update.routes.map((route) => [route.crewDayId, route.stops]))
  const stops = writeStops(
    (task?.problem.crewDays ?? []).map((crewDay) =>
      (found.get(crewDay.id) ?? []).flatMap(({ visitId, startMinute }) => {
        const visit = numbers.get(visitId)
        return visit === undefined ? [] : [{ visit, startMinute }]
      }),
    ),
  )
  const { routes: _, costCents, ...rest } = update
  const progress: RouteProgress = { runId: id, ...rest, stops: stops.length > mostMessage ? null : stops }
  return withTenant(actor, (db) => publishProgress(db, progress, { costCents }))
}

/** Says that the search goes on; answers whether another process asked it to stop. */
const heartbeat = (actor: Actor, id: string): Promise<boolean> =>
  withTenant(actor, async (db) => {
    const row = await db
      .updateTable('routeRuns')
      .set({ heartbeatAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .returning('stopAsked')
      .executeTakeFirst()
    return row?.stopAsked ?? true
  })

type End = { status: RouteRun['status']; error?: string }

const setStatus = async (db: TenantDb, ids: readonly string[], end: End): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('routeRuns')
    .set({ ...end, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .execute()
}

const finish = async (
  db: TenantDb,
  id: string,
  end: End & { plan: StoredPlan; fingerprint: string; result: RunResult },
): Promise<void> => {
  await db
    .updateTable('routeRuns')
    .set({
      status: end.status,
      plan: JSON.stringify(end.plan),
      fingerprint: end.fingerprint,
      result: JSON.stringify(end.result),
      updatedAt: clock.iso(),
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
}

type Applied = {
  id: string
  kind: RouteRun['kind']
  label: string
  plan: StoredPlan
  fingerprint: string
  tookMs: number
  /** Rain: the customers hear of it. */
  tell?: boolean
}

/** Makes a found plan the plan, with one step for Undo. False when the days are not what they were. */
const applyTx = async (
  db: TenantDb,
  actor: Actor,
  { id, kind, label, plan, fingerprint, tookMs, tell = false }: Applied,
): Promise<boolean> => {
  const days = (plan.days ?? []).map((d) => d.day)
  await lockDays(db, await readPlanningContexts(db, days))
  const contexts = await readPlanningContexts(db, days)
  if (fingerprintOf(contexts) !== fingerprint) return false
  const planned = proposedOrders(contexts, plan)
  // A visit that is skipped stays where it is: it is not the plan that drops it.
  for (const context of contexts)
    for (const visitId of plan.skipped ?? []) {
      const visit = context.data.visits.find((v) => v.id === visitId)
      if (visit?.crewId) planned.get(context.data.day)?.get(visit.crewId)?.push(visitId)
    }
  const crewIds = [...new Set((plan.days ?? []).flatMap((d) => d.crews.map((c) => c.crewId)))]
  const { before, after } = await savePlans(
    db,
    contexts.map((context) => ({ context, orders: planned.get(context.data.day) ?? new Map() })),
    { tookMs, crewIds },
  )
  const effects = { off: plan.off ?? [], skipped: plan.skipped ?? [], ...(kind === 'rain' ? { told: tell } : {}) }
  await doEffects(db, actor, effects)
  if (after.length || effects.off.length || effects.skipped.length)
    // Named as the search, so that who sees one end can take back that one and no other.
    await recordChange(db, actor, days[0] as Day, { kind, label, days, before, after, effects }, id)
  await audit(
    db,
    actor,
    `route.${kind === 'optimize' ? 'optimize' : kind === 'rain' ? 'rain' : 'crewOut'}`,
    entity(null),
    {
      after: { runId: id, days: [days[0], days.at(-1)], visits: after.length },
    },
  )
  return true
}

/** Ends a search with the best so far. One that is over already stays as it ended. */
export const stopRun = async (actor: Actor, id: string): Promise<RouteRun> => {
  const run = await withTenant(actor, async (db) => {
    const row = await getRunRow(db, id)
    if (runRefusals.stopRun(row) === null)
      await db
        .updateTable('routeRuns')
        .set({ stopAsked: true })
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .execute()
    return runFor(row, actor)
  })
  live.get(id)?.stop()
  return run
}

const lockRun = async (db: TenantDb, id: string): Promise<RunRow> => {
  await db
    .selectFrom('routeRuns')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return getRunRow(db, id)
}

/** Makes a proposal the plan. @throws AppError conflict when the days changed since, or it is no proposal any more */
export const applyRun = (actor: Actor, id: string, { tell }: { tell: boolean }): Promise<RouteRun> =>
  withTenant(actor, async (db) => {
    const run = await lockRun(db, id)
    if (run.status === 'applied') return runFor(run, actor)
    refuse(runRefusals.applyRun(run))
    if (!run.plan || !run.fingerprint) throw new Error(`The proposal ${id} has no plan.`)
    const fits = await applyTx(db, actor, {
      id,
      kind: run.kind,
      label: run.label,
      plan: run.plan,
      fingerprint: run.fingerprint,
      tookMs: run.result?.tookMs ?? 0,
      tell,
    })
    if (!fits)
      throw conflict(
        'These days changed since the proposal was made. Nothing was changed; search again to plan what is there now.',
      )
    await setStatus(db, [id], { status: 'applied' })
    await publishChange(db, 'routes', [id])
    return getRun(db, actor, id)
  })

export const dismissRun = (actor: Actor, id: string): Promise<RouteRun> =>
  withTenant(actor, async (db) => {
    const run = await lockRun(db, id)
    if (runRefusals.dismissRun(run) === null) await setStatus(db, [id], { status: 'dismissed' })
    await publishChange(db, 'routes', [id])
    return getRun(db, actor, id)
  })

/** Ends the searches of this process with words, before its database goes. */
export const closeRuns = async (): Promise<void> => {
  const over = [...live.values()].map((run) => run.over)
  await closePlanning()
  await Promise.allSettled(over)
}
