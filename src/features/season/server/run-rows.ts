import { sql } from 'kysely'
import type { z } from 'zod'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import type { BulkPreview, BulkSummary } from '../../jobs/bulk/contract.ts'
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

const noState: SeasonState = {
  ...{ day: '1970-01-01', timeZone: 'UTC', weeks: 1, mileCents: 0, estimate: { factorSeconds: 1, exponent: 1 } },
  ...{ jobs: [], crews: [], left: [] },
}

/** A search with what it was made of, once it is over: while it goes on it is asked for every second, and nobody looks at that. @throws AppError not_found */
export const getRunRow = async (db: TenantDb, id: string): Promise<RunRow> => {
  const row = await rows(db)
    .where('r.id', '=', id)
    .select(['r.id', 'r.kind', 'r.label', 'r.request', 'r.status', 'r.stopAsked', 'r.heartbeatAt', 'r.progress'])
    .select(['r.result', 'r.error', 'r.createdAt', 'u.name as createdByName'])
    .select((eb) =>
      sql<unknown>`case when ${eb.ref('r.status')} = 'running' then null else ${eb.ref('r.state')} end`.as('state'),
    )
    .executeTakeFirst()
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
    state: (row.state as SeasonState | null) ?? noState,
    result: row.result as unknown as StoredResult | null,
    error: lost ? lostMessage : row.error,
    createdAt: row.createdAt,
    createdByName: row.createdByName,
  }
}

const shown = 12

const listed = (db: TenantDb) =>
  rows(db)
    .select(['r.id', 'r.kind', 'r.label', 'r.status', 'r.heartbeatAt', 'r.request', 'r.createdAt'])
    .select(['u.name as createdByName', 'r.savedSeconds', 'r.unplaced'])
    .orderBy('r.createdAt', 'desc')
    .orderBy('r.id', 'desc')
    .limit(shown)

/** The last searches, and the last ones that were taken over, however many came after them; without what they hold. */
export const listRunRows = async (db: TenantDb) => {
  const last = await listed(db).execute()
  const accepted = await listed(db)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('seasonAcceptances as a')
          .select('a.id')
          .whereRef('a.businessId', '=', 'r.businessId')
          .whereRef('a.runId', '=', 'r.id'),
      ),
    )
    .execute()
  const known = new Set(last.map((row) => row.id))
  return [...last, ...accepted.filter((row) => !known.has(row.id))].map(
    ({ heartbeatAt, savedSeconds, status, ...row }) => ({
      ...row,
      status: isLost({ status, heartbeatAt }) ? ('failed' as const) : status,
      savedSecondsYear: savedSeconds,
    }),
  )
}

/** The search that runs now, if its process still lives. */
export const runningRun = async (db: TenantDb) =>
  (await listRunRows(db)).find((row) => row.status === 'running') ?? null

export type StoredMove = { jobId: string; from: SeasonPlace; to: SeasonPlace }

/** A letter of a step: the key of its messages, and of which jobs it tells that they moved, or that they stay. */
export type StoredLetter = { key: string; jobIds: string[]; kind: 'moves' | 'stays' }

export type AcceptanceRow = {
  id: string
  runId: string
  editId: string
  fromOn: Day
  moves: StoredMove[]
  summary: BulkSummary & { unlicensed?: BulkPreview['unlicensed'] }
  lettersAt: string | null
  letters: StoredLetter[]
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
      'a.letters',
      'a.undoneJobs',
      'a.createdAt',
      'u.name as byName',
    ])

type Stored = Awaited<ReturnType<ReturnType<typeof acceptances>['execute']>>

const read = async (db: TenantDb, stored: Stored): Promise<AcceptanceRow[]> => {
  const edits = await listEditsUndone(
    db,
    stored.map((row) => row.editId),
  )
  return stored.map(({ undoneJobs, ...row }) => ({
    ...row,
    moves: row.moves as unknown as StoredMove[],
    summary: row.summary as unknown as AcceptanceRow['summary'],
    letters: row.letters as unknown as StoredLetter[],
    undone: new Set([...undoneJobs, ...(edits.get(row.editId) ?? [])]),
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

/** The step that a change of many jobs was; null for every other change. */
export const findStepOfEdit = async (db: TenantDb, editId: string): Promise<AcceptanceRow | null> =>
  (await read(db, await acceptances(db).where('a.editId', '=', editId).execute()))[0] ?? null

/** Steps whose letters may still wait for their hour. */
export const listLatelyTold = async (db: TenantDb, since: string): Promise<AcceptanceRow[]> =>
  read(db, await acceptances(db).where('a.lettersAt', '>=', since).execute())

/** Who moved by these steps and was not taken back, by job. */
export const standingMoves = (list: readonly AcceptanceRow[]): Map<string, StoredMove> => {
  const standing = new Map<string, StoredMove>()
  for (const { moves, undone } of list)
    for (const move of moves) if (!undone.has(move.jobId)) standing.set(move.jobId, move)
  return standing
}
