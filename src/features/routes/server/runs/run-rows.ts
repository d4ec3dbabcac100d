import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../../shared/can.ts'
import { addDays, type Day, daysBetween } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { type RouteRun, type RouteTotals, type RunResult, routesApi } from '../../contract.ts'
import { type RunAction, runRefusals } from '../../rules.ts'
import {
  isBegun,
  type OffReason,
  type Orders,
  ordersOf,
  type PlanningContext,
  splitCrewDay,
} from '../day/planning-context.ts'
import { totalsFor } from '../plan/totals.ts'

/** Searches and proposals as they are stored. */

export type StoredPlan = {
  /** Visits and crew-days by the numbers that progress speaks in. */
  visits: string[]
  crewDays: string[]
  /** Open stops in their order, once they are known. */
  days?: { day: Day; crews: { crewId: string; visitIds: string[] }[] }[]
  off?: { crewId: string; day: Day; reason: OffReason }[]
  skipped?: string[]
}

const needs: Record<RunAction, Need> = routesApi

export type RunRow = Omit<RouteRun, 'can' | 'visitIds' | 'crewDays' | 'startedAt' | 'startedByName'> & {
  plan: StoredPlan | null
  request: unknown
  fingerprint: string | null
  stopAsked: boolean
  createdAt: string
  createdByName: string | null
}

/** A process that searches says so every second; one that has been silent for this long is gone. */
const staleMs = 20_000
export const lostMessage = 'The search was cut off before it was done. The plan is as it was; start it again.'

/** Whether the process behind a running search has been silent for too long. */
export const isLost = (row: { status: string; heartbeatAt: string }): boolean =>
  row.status === 'running' && clock.nowMs() - Date.parse(row.heartbeatAt) > staleMs

const rows = (db: TenantDb) =>
  db
    .selectFrom('routeRuns as r')
    .leftJoin('users as u', (j) => j.onRef('u.businessId', '=', 'r.businessId').onRef('u.id', '=', 'r.createdBy'))
    .where('r.businessId', '=', db.businessId)
    .selectAll('r')
    .select('u.name as createdByName')

type Stored = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

const asRow = (row: Stored): RunRow => {
  const lost = isLost(row)
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    firstDay: row.firstDay,
    lastDay: row.lastDay,
    status: lost ? 'failed' : row.status,
    apply: row.apply,
    error: lost ? lostMessage : row.error,
    result: row.result as RunResult | null,
    plan: row.plan as StoredPlan | null,
    request: row.request,
    fingerprint: row.fingerprint,
    stopAsked: row.stopAsked,
    createdAt: row.createdAt,
    createdByName: row.createdByName,
  }
}

/** @throws AppError not_found */
export const getRunRow = async (db: TenantDb, id: string): Promise<RunRow> => {
  const row = await rows(db).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('search')
  return asRow(row)
}

/** Searches under way and proposals on any of these days, newest first. */
export const openRuns = async (db: TenantDb, firstDay: Day, lastDay: Day): Promise<RunRow[]> =>
  (
    await rows(db)
      .where('r.firstDay', '<=', lastDay)
      .where('r.lastDay', '>=', firstDay)
      .where('r.status', 'in', ['running', 'proposed'])
      .orderBy('r.createdAt', 'desc')
      .limit(20)
      .execute()
  ).map(asRow)

/** A run as a person may see it: costs only for who may see payroll. */
export const runFor = (row: RunRow, actor: Actor): RouteRun => {
  const { plan, result } = row
  const seen = (totals: RouteTotals) => totalsFor(actor, totals)
  const running = row.status === 'running'
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    firstDay: row.firstDay,
    lastDay: row.lastDay,
    status: row.status,
    apply: row.apply,
    startedAt: row.createdAt,
    startedByName: row.createdByName,
    error: row.error,
    result: result && {
      ...result,
      before: seen(result.before),
      after: seen(result.after),
      booked: seen(result.booked),
      ...(result.evenness
        ? {
            evenness: {
              ...result.evenness,
              choices: result.evenness.choices.map((c) =>
                hasPermission(actor, 'payroll') ? c : { ...c, moreCents: null },
              ),
            },
          }
        : {}),
      days: result.days.map((d) => ({ ...d, before: seen(d.before), after: seen(d.after), booked: seen(d.booked) })),
    },
    visitIds: running ? (plan?.visits ?? []) : [],
    crewDays: running ? (plan?.crewDays ?? []).map(splitCrewDay) : [],
    can: canOf(actor, needs, runRefusals, row),
  }
}

export const getRun = async (db: TenantDb, actor: Actor, id: string): Promise<RouteRun> =>
  runFor(await getRunRow(db, id), actor)

/** What is going on with a day now: a search, or a proposal that waits for a yes. */
export const currentRun = async (db: TenantDb, actor: Actor, day: Day): Promise<RouteRun | null> => {
  const open = (await openRuns(db, day, day)).filter((row) => row.status === 'running' || row.status === 'proposed')
  const run = open.find((row) => row.status === 'running') ?? open[0]
  return run ? runFor(run, actor) : null
}

/** Every day from the first to the last. */
export const daysOf = (first: Day, last: Day): Day[] =>
  Array.from({ length: daysBetween(first, last) + 1 }, (_, i) => addDays(first, i))

/** The orders of each day as a proposal has them; what has begun or is gone since is left out. */
export const proposedOrders = (contexts: readonly PlanningContext[], plan: StoredPlan): Map<Day, Orders> =>
  new Map(
    contexts.map((context) => {
      const orders: Orders = new Map(ordersOf(context))
      const planned = plan.days?.find((d) => d.day === context.data.day)
      for (const { crewId, visitIds } of planned?.crews ?? []) {
        if (!orders.has(crewId)) continue
        orders.set(
          crewId,
          visitIds.filter((id) => {
            const visit = context.byId.get(id)
            return visit !== undefined && !isBegun(visit)
          }),
        )
      }
      return [context.data.day, orders]
    }),
  )
