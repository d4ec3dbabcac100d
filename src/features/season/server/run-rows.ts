import { sql } from 'kysely'
import type { z } from 'zod'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import type { BulkSummary } from '../../jobs/bulk/contract.ts'
import { listEditsUndone } from '../../jobs/bulk/server/queries.ts'
import type { SeasonPlace, WhatIf } from '../contract.ts'
import type { SearchAnswer, SeasonUpdate } from './season-task.ts'
import type { SeasonState } from './state.ts'

/** Searches and what was taken over of them, as they are stored. */

export type StoredResult = Omit<SearchAnswer, 'kind'> & {
  /** Crews of a what-if that are not the business's. */
  crews: SeasonState['crews']
  tookMs: number
}

export type RunRow = {
  id: string
  kind: 'plan' | 'whatif'
  label: string
  request: z.output<typeof WhatIf> | null
  status: 'running' | 'ready' | 'failed'
  stopAsked: boolean
  progress: SeasonUpdate | null
  state: SeasonState
  result: StoredResult | null
  error: string | null
  createdAt: string
  createdByName: string | null
}

/** A process that searches says so every second; one that has been silent for this long is gone. */
const silentMs = 20_000
export const lostMessage = 'The search was cut off before it was done. Nothing was changed; start it again.'

const isLost = (row: { status: string; heartbeatAt: string }): boolean =>
  row.status === 'running' && clock.nowMs() - Date.parse(row.heartbeatAt) > silentMs

const rows = (db: TenantDb) =>
  db
    .selectFrom('seasonRuns as r')
    .leftJoin('users as u', (j) => j.onRef('u.businessId', '=', 'r.businessId').onRef('u.id', '=', 'r.createdBy'))
    .where('r.businessId', '=', db.businessId)

/** @throws AppError not_found */
export const getRunRow = async (db: TenantDb, id: string): Promise<RunRow> => {
  const row = await rows(db).where('r.id', '=', id).selectAll('r').select('u.name as createdByName').executeTakeFirst()
  if (!row) throw notFound('season plan')
  const lost = isLost(row)
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    request: row.request as RunRow['request'],
    status: lost ? 'failed' : row.status,
    stopAsked: row.stopAsked,
    progress: row.progress as SeasonUpdate | null,
    state: row.state as unknown as SeasonState,
    result: row.result as unknown as StoredResult | null,
    error: lost ? lostMessage : row.error,
    createdAt: row.createdAt,
    createdByName: row.createdByName,
  }
}

const shown = 12

/** The last searches without what they hold. */
export const listRunRows = async (db: TenantDb) => {
  const found = await rows(db)
    .select([
      'r.id',
      'r.kind',
      'r.label',
      'r.status',
      'r.heartbeatAt',
      'r.request',
      'r.createdAt',
      'u.name as createdByName',
    ])
    .select((eb) => [
      sql<number | null>`(${eb.ref('r.result')} #>> '{before,driving,seconds}')::int`.as('beforeSeconds'),
      sql<number | null>`(${eb.ref('r.result')} #>> '{after,driving,seconds}')::int`.as('afterSeconds'),
    ])
    .orderBy('r.createdAt', 'desc')
    .orderBy('r.id', 'desc')
    .limit(shown)
    .execute()
  return found.map(({ heartbeatAt, beforeSeconds, afterSeconds, status, ...row }) => ({
    ...row,
    status: isLost({ status, heartbeatAt }) ? ('failed' as const) : status,
    savedSecondsYear: beforeSeconds !== null && afterSeconds !== null ? beforeSeconds - afterSeconds : null,
  }))
}

/** The search that runs now, if its process still lives. */
export const runningRun = async (db: TenantDb) =>
  (await listRunRows(db)).find((row) => row.status === 'running') ?? null

export type StoredMove = { jobId: string; from: SeasonPlace; to: SeasonPlace }

export type AcceptanceRow = {
  id: string
  runId: string
  editId: string
  fromOn: Day
  moves: StoredMove[]
  summary: BulkSummary
  lettersAt: string | null
  createdAt: string
  byName: string | null
  /** Jobs on which it was taken back. */
  undone: ReadonlySet<string>
  /** What it wrote over is still kept. */
  known: boolean
}

const acceptances = (db: TenantDb) =>
  db
    .selectFrom('seasonAcceptances as a')
    .leftJoin('users as u', (j) => j.onRef('u.businessId', '=', 'a.businessId').onRef('u.id', '=', 'a.createdBy'))
    .where('a.businessId', '=', db.businessId)
    .select([
      'a.id',
      'a.runId',
      'a.editId',
      'a.fromOn',
      'a.moves',
      'a.summary',
      'a.lettersAt',
      'a.createdAt',
      'u.name as byName',
    ])

type Stored = Awaited<ReturnType<ReturnType<typeof acceptances>['execute']>>

const read = async (db: TenantDb, stored: Stored): Promise<AcceptanceRow[]> => {
  const edits = await listEditsUndone(
    db,
    stored.map((row) => row.editId),
  )
  return stored.map((row) => ({
    ...row,
    moves: row.moves as unknown as StoredMove[],
    summary: row.summary as unknown as BulkSummary,
    undone: edits.get(row.editId) ?? new Set(),
    known: edits.has(row.editId),
  }))
}

/** What was taken over of a plan, the first one first. */
export const listAcceptances = async (db: TenantDb, runId: string): Promise<AcceptanceRow[]> =>
  read(db, await acceptances(db).where('a.runId', '=', runId).orderBy('a.createdAt').orderBy('a.id').execute())

/** @throws AppError not_found */
export const getAcceptance = async (db: TenantDb, id: string): Promise<AcceptanceRow> => {
  const [row] = await read(db, await acceptances(db).where('a.id', '=', id).execute())
  if (!row) throw notFound('step of the season plan')
  return row
}

/** Who moved by these steps and was not taken back, by job. */
export const standingMoves = (list: readonly AcceptanceRow[]): Map<string, StoredMove> => {
  const standing = new Map<string, StoredMove>()
  for (const { moves, undone } of list)
    for (const move of moves) if (!undone.has(move.jobId)) standing.set(move.jobId, move)
  return standing
}
