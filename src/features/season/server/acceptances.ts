import { sql } from 'kysely'
import { type Actor, hasPermission, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { placeJobsTx, undoJobEditTx } from '../../jobs/bulk/server/commands.ts'
import { type Place, weeksBetween } from '../../jobs/slots/rules.ts'
import type { SeasonCheck, SeasonRun } from '../contract.ts'
import { acceptanceRefusals, earliestOf, fromRefusal, overText, runRefusals, staleMessage } from '../rules.ts'
import { thinkAbout } from './pools.ts'
import { pose } from './problem.ts'
import {
  type AcceptanceRow,
  getAcceptance,
  getRunRow,
  listAcceptances,
  listLatelyTold,
  type RunRow,
  standingMoves,
} from './run-rows.ts'
import { sited } from './runs.ts'
import type { CheckAnswer, Slots } from './season-task.ts'
import { lastSentDay } from './state.ts'
import { recallTx } from './told.ts'
import { noteUndoneTx } from './undone.ts'
import { expectedOf, getRun, staleOf } from './view.ts'

/** What is taken over of a plan, and taken back. */

type Open = { run: RunRow; list: AcceptanceRow[]; stale: string[] }

const readOpen = async (db: TenantDb, id: string): Promise<Open> => {
  const run = await getRunRow(db, id)
  const list = run.kind === 'plan' ? await listAcceptances(db, id) : []
  return { run, list, stale: await staleOf(db, run, list) }
}

/** The moves that are meant. @throws AppError not_found for work that the plan does not move, conflict for what moved already */
const movesOf = ({ run, list }: Open, jobIds: readonly string[]) => {
  const standing = standingMoves(list)
  const known = new Map(run.result?.moves.map((move) => [move.id, move]))
  return [...new Set(jobIds)].map((id) => {
    const move = known.get(id)
    if (!move) throw notFound('customer who moves')
    if (standing.has(id))
      throw conflict('Some of these customers moved already, in another tab or by somebody else. Nothing was changed.')
    return move
  })
}

/** Everything that a plan refuses to be taken over for. */
const refuseOpen = (open: Open): void => {
  const { run, list, stale } = open
  const openMoves = (run.result?.moves.length ?? 0) - standingMoves(list).size
  if (run.kind === 'plan' && stale.length > 0) throw conflict(staleMessage(stale, stale.length))
  refuse(runRefusals.accept({ status: run.status, kind: run.kind, staleCount: stale.length, openMoves }))
}

const slotsNow = ({ run, list }: Open): Slots => pose(expectedOf(run.state, list)).today

const think = async (actor: Actor, open: Open, jobIds: readonly string[]): Promise<CheckAnswer> => {
  const { run } = open
  const moves = movesOf(open, jobIds)
  const work = await sited(actor, run.state, { key: run.id, ask: false })
  return (await thinkAbout(actor.businessId, {
    kind: 'check',
    key: run.id,
    work,
    now: slotsNow(open),
    moves: moves.map(({ id, to, worthSeconds, relievesSeconds = 0 }) => ({ id, to, worthSeconds, relievesSeconds })),
    orders: [...(run.result?.before.routes ?? []), ...(run.result?.after.routes ?? [])].map(
      ({ crewId, day, week, propertyIds }) => ({ crewId, day, week, propertyIds }),
    ),
  }).done) as CheckAnswer
}

const overOf = ({ over, cycleWeeks }: CheckAnswer, run: RunRow): SeasonCheck['over'] =>
  over.map((one) => ({
    ...one,
    text: overText(one, run.state.crews.find((crew) => crew.id === one.crewId)?.name ?? 'A crew', cycleWeeks),
  }))

/** So long a letter may wait for its hour. */
const waitingMs = 3 * 86_400_000

/** What was told of these jobs and has not left is not so any more. */
const recallEarlierTx = async (db: TenantDb, jobIds: readonly string[]): Promise<void> => {
  const lately = await listLatelyTold(db, new Date(clock.nowMs() - waitingMs).toISOString())
  for (const row of lately)
    await recallTx(db, row, {
      jobIds: new Set(jobIds),
      kinds: ['moves', 'stays'],
      reason: 'Its day was changed again before it left',
    })
}

/** What taking over some of the moves would bring; nothing is changed. */
export const checkMoves = async (actor: Actor, id: string, jobIds: readonly string[]): Promise<SeasonCheck> => {
  const open = await withTenant(actor, (db) => readOpen(db, id))
  refuseOpen(open)
  const found = await think(actor, open, jobIds)
  return {
    moves: new Set(jobIds).size,
    savedSecondsYear: found.before.seconds - found.after.seconds,
    savedCentsYear: hasPermission(actor, 'payroll') ? found.before.cents - found.after.cents : null,
    over: overOf(found, open.run),
    fitting: found.fitting,
  }
}

const checkDay = async (db: TenantDb, fromOn: Day): Promise<void> => {
  const today = await todayOf(db)
  const message = fromRefusal(fromOn, earliestOf(today, await lastSentDay(db, today)))
  if (message) throw invalid([{ path: 'fromOn', message }])
}

/**
 * Moves customers to where the plan has them, from a day on. The hours of the crews are looked at before; what they are looked at by is looked at
 * again in the transaction that moves.
 * @throws AppError conflict for a plan that is for other work, customers who moved already, crews that have no room
 */
export const acceptMoves = async (
  actor: Actor,
  id: string,
  { jobIds, fromOn }: { jobIds: readonly string[]; fromOn: Day },
  once: (work: () => Promise<SeasonRun>) => Promise<SeasonRun>,
): Promise<SeasonRun> => {
  const open = await withTenant(actor, async (db) => {
    const found = await readOpen(db, id)
    await checkDay(db, fromOn)
    return found
  })
  refuseOpen(open)
  const found = await think(actor, open, jobIds)
  const [over] = overOf(found, open.run)
  if (over)
    throw conflict(
      `${over.text}${found.over.length > 1 ? `, and ${found.over.length - 1} more` : ''}. Nothing was changed: leave some customers out, or take those along who make room.`,
    )
  return once(() => withTenant(actor, (db) => acceptTx(db, actor, id, { jobIds, fromOn, slots: slotsNow(open) })))
}

const lockStepsTx = async (db: TenantDb): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`season-step ${db.businessId}`}, 0))`.execute(db)
}

const acceptTx = async (
  db: TenantDb,
  actor: Actor,
  id: string,
  { jobIds, fromOn, slots }: { jobIds: readonly string[]; fromOn: Day; slots: Slots },
): Promise<SeasonRun> => {
  // One step of a business at a time, whatever plan it is of: the second one sees the work as the first left it.
  await lockStepsTx(db)
  const open = await readOpen(db, id)
  await checkDay(db, fromOn)
  refuseOpen(open)
  const moves = movesOf(open, jobIds)
  if (JSON.stringify(slotsNow(open)) !== JSON.stringify(slots))
    throw conflict('Others of this plan moved in the meantime. Nothing was changed; look at it again.')
  const rhythm = new Map(open.run.state.jobs.map((job) => [job.jobId, job.slots[0]]))
  const places = Object.fromEntries(
    moves.map(({ id: jobId, from, to }): [string, Place] => {
      const everyWeeks = rhythm.get(jobId)?.everyWeeks ?? 1
      const weeks = weeksBetween({ week: from.week, everyWeeks }, to.week)
      return [jobId, { weekday: to.day, weeks, crewId: to.crewId }]
    }),
  )
  const edit = await placeJobsTx(db, actor, { places, fromOn })
  await recallEarlierTx(db, jobIds)
  const acceptanceId = newId()
  await db
    .insertInto('seasonAcceptances')
    .values({
      businessId: db.businessId,
      id: acceptanceId,
      runId: id,
      editId: edit.id,
      fromOn,
      moves: JSON.stringify(moves.map(({ id: jobId, from, to }) => ({ jobId, from, to }))),
      summary: JSON.stringify({ ...edit.summary, unlicensed: edit.unlicensed }),
      createdBy: userIdOf(actor),
      createdAt: clock.iso(),
    })
    .execute()
  await audit(
    db,
    actor,
    'season.accept',
    { type: 'season_acceptance', id: acceptanceId },
    { after: { runId: id, moves: moves.length, fromOn } },
  )
  await publishChange(db, 'season', [id])
  return getRun(db, actor, id)
}

export type Undone = {
  run: SeasonRun
  restoredJobs: number
  told: number
  kept: { customerName: string; day: string | null; why: string }[]
}

/** Takes one step back, as far as nobody changed it since; letters of it that did not leave yet stay here. */
export const undoAcceptance = (actor: Actor, id: string): Promise<Undone> =>
  withTenant(actor, async (db) => {
    await lockStepsTx(db)
    const now = await getAcceptance(db, id)
    refuse(
      acceptanceRefusals.undo({
        moves: now.moves.length,
        undoneMoves: now.undone.size,
        known: now.known,
        lettersAt: now.lettersAt,
      }),
    )
    const undone = await undoJobEditTx(db, actor, now.editId)
    const told = await noteUndoneTx(db, await getAcceptance(db, id))
    await audit(
      db,
      actor,
      'season.undo',
      { type: 'season_acceptance', id },
      { after: { jobs: undone.restoredJobs, kept: undone.keptCount } },
    )
    return {
      run: await getRun(db, actor, now.runId),
      told,
      restoredJobs: undone.restoredJobs,
      kept: undone.kept.map(({ customerName, day, why }) => ({ customerName, day, why })),
    }
  })
