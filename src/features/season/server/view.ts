import { type Actor, hasPermission } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { weekdayNames } from '../../../shared/dates.ts'
import { placedSlot } from '../../jobs/slots/rules.ts'
import { onSiteMinutes } from '../../visits/rules.ts'
import {
  type SeasonAcceptance,
  type SeasonLawn,
  type SeasonLoad,
  type SeasonPlace,
  type SeasonRun,
  type SeasonSum,
  seasonApi,
} from '../contract.ts'
import {
  type AcceptanceAction,
  acceptanceRefusals,
  changesSince,
  newWorkText,
  overWhy,
  type RunAction,
  runRefusals,
  whyMove,
} from '../rules.ts'
import { jobOfSlot } from './problem.ts'
import {
  type AcceptanceRow,
  getRunRow,
  listAcceptances,
  type RunRow,
  type StoredResult,
  standingMoves,
} from './run-rows.ts'
import type { Judged } from './season-task.ts'
import { readState, type SeasonState } from './state.ts'
import { listTold, type Told } from './told.ts'

/** A search as a person may see it. */

const warningOf = (state: SeasonState, id: string, crewId: string): string | null => {
  const crew = state.crews.find((one) => one.id === crewId)
  const services = state.jobs.find((job) => job.jobId === jobOfSlot(id))?.services ?? []
  return crew ? newWorkText(services, crew) : null
}

const runNeeds: Record<RunAction, Need> = { stop: seasonApi.stop, accept: seasonApi.accept }
const acceptanceNeeds: Record<AcceptanceAction, Need> = { undo: seasonApi.undo, send: seasonApi.send }

const mostLeft = 100
const mostStale = 8

const sumOf = ({ driving, cycleWeeks, routes }: Judged, weeks: number, seesCost: boolean): SeasonSum => {
  const mean = (of: (route: Judged['routes'][number]) => number): number =>
    routes.reduce((sum, route) => sum + of(route), 0) / cycleWeeks
  const tenth = (n: number): number => Math.round(n * 10) / 10
  return {
    driveSecondsWeek: Math.round(driving.seconds / weeks),
    driveSecondsYear: driving.seconds,
    driveMetersYear: driving.meters,
    driveCentsYear: seesCost ? driving.cents : null,
    overSecondsWeek: Math.round(mean((route) => route.overSeconds)),
    stopsWeek: tenth(mean((route) => route.propertyIds.length)),
    crewDaysWeek: tenth(mean(() => 1)),
  }
}

const loadsOf = (state: SeasonState, { before, after, crews, stopped }: StoredResult): SeasonLoad[] => {
  const beatOf = ({ crewId, day }: { crewId: string; day: number }): string => `${crewId} ${day}`
  const jobs = new Map(state.jobs.map((job) => [job.jobId, job]))
  const people = new Map(crews.map((crew) => [crew.id, crew.people]))
  const whyOf = (beat: string): string | null => {
    const full = after.routes
      .filter((route) => beatOf(route) === beat && route.overSeconds > 0)
      .toSorted((a, b) => b.overSeconds - a.overSeconds)[0]
    if (!full) return null
    const stops = full.propertyIds.flatMap((id) => {
      const [job, at] = [jobs.get(jobOfSlot(id)), Number(id.split('#')[1] ?? 0)]
      const minutes = job?.slots[at]?.minutes
      return job && minutes !== undefined
        ? [{ keeps: job.keeps !== null, seconds: onSiteMinutes(minutes, people.get(full.crewId) ?? 1) * 60 }]
        : []
    })
    const kept = stops.filter((stop) => stop.keeps)
    return overWhy({
      roomSeconds: full.roomSeconds,
      kept: { jobs: kept.length, seconds: kept.reduce((sum, stop) => sum + stop.seconds, 0) },
      longest: Math.max(0, ...stops.map((stop) => stop.seconds)),
      stopped,
    })
  }
  const side = ({ routes, cycleWeeks }: Judged, beat: string): SeasonLoad['before'] => {
    const own = routes.filter((route) => beatOf(route) === beat)
    const fullest = own.toSorted((a, b) => b.driveSeconds + b.workSeconds - a.driveSeconds - a.workSeconds)[0]
    return {
      stops: fullest?.propertyIds.length ?? 0,
      fullestSeconds: fullest ? fullest.driveSeconds + fullest.workSeconds : 0,
      driveSeconds: Math.round(own.reduce((sum, route) => sum + route.driveSeconds, 0) / cycleWeeks),
    }
  }
  const beats = new Map([...before.routes, ...after.routes].map((route) => [beatOf(route), route]))
  return [...beats].map(([beat, { crewId, day, roomSeconds }]) => ({
    crewId,
    day,
    roomSeconds,
    before: side(before, beat),
    after: side(after, beat),
    overWhy: whyOf(beat),
  }))
}

const lawnsOf = (state: SeasonState, result: StoredResult): SeasonLawn[] => {
  const slots = new Map(result.slots)
  return state.jobs.flatMap((job) => {
    const [slot, ...others] = job.slots
    if (!slot) return []
    const from: SeasonPlace = { crewId: job.crewId, day: slot.weekday, week: slot.week }
    const { jobId, customerId, name: customerName, title, street, neighborhood, lat, lng, keeps } = job
    const to = slots.get(jobId) ?? from
    return [
      {
        jobId,
        customerId,
        customerName,
        title,
        street,
        neighborhood,
        lat,
        lng,
        keeps,
        everyWeeks: slot.everyWeeks,
        alsoOn: [...new Set(others.map((one) => one.weekday))].filter((day) => day !== slot.weekday),
        from,
        to,
      },
    ]
  })
}

/** Work of today that found no place, with why. */
const inTheWayOf = (state: SeasonState, { unplaced }: StoredResult): NonNullable<SeasonRun['result']>['inTheWay'] => {
  const texts = new Map(unplaced.map(({ id, text }) => [jobOfSlot(id), text]))
  return state.jobs
    .filter((job) => texts.has(job.jobId))
    .slice(0, mostLeft)
    .map(({ jobId, name, street, keeps, slots }) => ({
      jobId,
      customerName: name,
      street,
      why:
        keeps === null
          ? (texts.get(jobId) ?? '')
          : `${keeps}: ${[...new Set(slots.map((slot) => weekdayNames[slot.weekday]))].join(', ')}`,
    }))
}

/** The work as it has to be now for the plan to hold: as it was read, with what was taken over of it since. */
export const expectedOf = (state: SeasonState, list: readonly AcceptanceRow[]): SeasonState => {
  const moved = standingMoves(list)
  return {
    ...state,
    jobs: state.jobs.map((job) => {
      const to = moved.get(job.jobId)?.to
      return to
        ? {
            ...job,
            crewId: to.crewId,
            slots: job.slots.map((slot) => placedSlot(slot, { weekday: to.day, week: to.week })),
          }
        : job
    }),
  }
}

/** What is different now from what a plan is for. */
export const staleOf = async (db: TenantDb, run: RunRow, list: readonly AcceptanceRow[]): Promise<string[]> =>
  run.kind === 'plan' && run.status === 'ready' ? changesSince(expectedOf(run.state, list), await readState(db)) : []

const noLetters = { waiting: 0, left: 0, stayed: 0 }

/** What became of the letters of each step. */
const lettersByStep = async (
  db: TenantDb,
  list: readonly AcceptanceRow[],
): Promise<Map<string, SeasonAcceptance['letters']>> => {
  const found = new Map<string, SeasonAcceptance['letters']>()
  for (const row of list) {
    const told = await listTold(db, row)
    const of = (way: Told['way']) => told.filter((one) => one.way === way).length
    found.set(row.id, { waiting: of('waiting'), left: of('left'), stayed: of(null) })
  }
  return found
}

const acceptanceFor = (actor: Actor, row: AcceptanceRow, letters: SeasonAcceptance['letters']): SeasonAcceptance => {
  const facts = { moves: row.moves.length, undoneMoves: row.undone.size, known: row.known, lettersAt: row.lettersAt }
  return {
    id: row.id,
    fromOn: row.fromOn,
    at: row.createdAt,
    byName: row.byName,
    moves: facts.moves,
    visitsMoved: row.summary.visits.moved,
    visitsKept: row.summary.visits.kept,
    undoneMoves: facts.undoneMoves,
    lettersAt: row.lettersAt,
    letters,
    unlicensed: row.summary.unlicensed ?? null,
    can: canOf(actor, acceptanceNeeds, acceptanceRefusals, facts),
  }
}

export const runFor = (
  actor: Actor,
  run: RunRow,
  list: readonly AcceptanceRow[],
  stale: readonly string[],
  letters: ReadonlyMap<string, SeasonAcceptance['letters']>,
): SeasonRun => {
  const { state, result } = run
  const seesCost = hasPermission(actor, 'payroll')
  const standing = standingMoves(list)
  const openMoves = (result?.moves ?? []).filter((move) => !standing.has(move.id)).length
  const facts = { status: run.status, kind: run.kind, staleCount: stale.length, openMoves }
  return {
    id: run.id,
    kind: run.kind,
    label: run.label,
    status: run.status,
    startedAt: run.createdAt,
    startedByName: run.createdByName,
    error: run.error,
    progress: run.status === 'running' ? run.progress : null,
    result: result && {
      weeks: state.weeks,
      before: sumOf(result.before, state.weeks, seesCost),
      after: sumOf(result.after, state.weeks, seesCost),
      unchanged: result.unchanged && sumOf(result.unchanged, state.weeks, seesCost),
      crews: result.crews.map(({ id, name, color, lat, lng }) => ({ id, name, color, lat, lng })),
      loads: loadsOf(state, result),
      lawns: lawnsOf(state, result),
      moves: result.moves.map(({ id, from, to, near, worthSeconds, relievesSeconds = 0 }) => ({
        jobId: id,
        worthSecondsYear: worthSeconds,
        relievesSecondsYear: relievesSeconds,
        why: whyMove(near, from, to, relievesSeconds),
        warning: from.crewId === to.crewId ? null : warningOf(state, id, to.crewId),
        state: standing.has(id) ? ('accepted' as const) : ('open' as const),
      })),
      left: state.left.slice(0, mostLeft),
      leftCount: state.left.length,
      unplaced: result.unplaced.length,
      inTheWay: inTheWayOf(state, result),
      stopped: result.stopped,
      tookMs: result.tookMs,
    },
    stale: stale.slice(0, mostStale),
    staleCount: stale.length,
    acceptances: list.map((row) => acceptanceFor(actor, row, letters.get(row.id) ?? noLetters)),
    can: canOf(actor, runNeeds, runRefusals, facts),
  }
}

/** @throws AppError not_found */
export const getRun = async (db: TenantDb, actor: Actor, id: string): Promise<SeasonRun> => {
  const run = await getRunRow(db, id)
  const list = run.kind === 'plan' ? await listAcceptances(db, id) : []
  return runFor(actor, run, list, await staleOf(db, run, list), await lettersByStep(db, list))
}
