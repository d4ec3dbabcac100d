import { sql } from 'kysely'
import { type Actor, systemActor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { nextNumber } from '../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { invalid } from '../../../shared/errors.ts'
import { bookRefusal } from '../../customers/rules.ts'
import { assertCrewTx } from '../../employees/server/queries.ts'
import { getServices } from '../../services/server/queries.ts'
import { deleteVisitsOfJobsTx, finishPastVisitsTx } from '../../visits/server/commands.ts'
import type { ChangePreview, JobDraft, JobRecord } from '../contract.ts'
import { checkDays, lineRow, lockPlace, priceLines } from '../lines/server/commands.ts'
import { joinPriceChangesTx } from '../prices/server/ahead.ts'
import { materializeVisitsTx } from '../schedule/server/commands.ts'
import { getCalendar, type PlannedLine } from '../schedule/server/queries.ts'
import { type Resync, resyncVisitsTx } from '../schedule/server/resync.ts'
import { type JobVerb, jobRefusals, nextJobStatus } from '../states/rules.ts'
import { freeTermsOfCrewTx } from '../terms/server/commands.ts'
import { getJob } from './queries.ts'
import { lockJob } from './row.ts'

const rowsPerInsert = 1000

export type NewJob = {
  customerId: string
  propertyId: string
  title: string
  instructions: string
  poNumber: string
  keepDay?: boolean
  billing: 'per_visit' | 'flat' | 'none'
  crewId: string | null
  startOn: Day
  endOn: Day | null
  status: 'draft' | 'active' | 'paused'
  pausedUntil?: Day | null
  batchId: string | null
  /** The program that it was made from, and the year of its first window. */
  programId?: string
  programYear?: number
  programRenews?: boolean
  /** The import that brought it. */
  importId?: string
  lines: PlannedLine[]
}

/** Makes jobs with their lines and the visits of their first twelve weeks. Returns their ids in the order given. */
export const createJobsTx = async (
  db: TenantDb,
  who: Who,
  specs: readonly NewJob[],
  options: { includePast?: boolean; quoteId?: string | undefined } = {},
): Promise<string[]> => {
  if (specs.length === 0) return []
  const now = clock.iso()
  const first = await nextNumber(db, 'job', specs.length)
  const jobs = specs.map(({ lines, ...spec }, index) => ({
    row: {
      businessId: db.businessId,
      id: newId(),
      number: first + index,
      ...spec,
      ...(options.quoteId ? { quoteId: options.quoteId } : {}),
      createdBy: userIdOf(who),
      createdAt: now,
      updatedAt: now,
    },
    lines,
  }))
  const lines = jobs.flatMap(({ row, lines }) =>
    lines.map((line, position) => ({
      businessId: db.businessId,
      id: newId(),
      jobId: row.id,
      ...lineRow(line),
      nextUnitPriceCents: line.nextUnitPriceCents ?? null,
      nextPriceOn: line.nextPriceOn ?? null,
      laterPrices: JSON.stringify(line.laterPrices ?? []),
      position,
      createdAt: now,
    })),
  )
  for (let at = 0; at < jobs.length; at += rowsPerInsert)
    await db
      .insertInto('jobs')
      .values(jobs.slice(at, at + rowsPerInsert).map((job) => job.row))
      .execute()
  for (let at = 0; at < lines.length; at += rowsPerInsert)
    await db
      .insertInto('jobLines')
      .values(lines.slice(at, at + rowsPerInsert))
      .execute()
  const ids = jobs.map((job) => job.row.id)
  await joinPriceChangesTx(db, ids)
  await materializeVisitsTx(db, ids, { includePast: options.includePast ?? false })
  await publishChange(db, 'jobs', ids)
  await tellBooked(
    db,
    jobs.flatMap(({ row }) => (row.status === 'active' ? [row] : [])),
    options.quoteId,
  )
  return ids
}

const placesPerEvent = 200

/** Work is booked at these places of customers. */
const tellBooked = async (
  db: TenantDb,
  jobs: readonly { customerId: string; propertyId: string }[],
  quoteId?: string,
): Promise<void> => {
  const places = new Map(
    jobs.map(({ customerId, propertyId }) => [propertyId, { customerId, propertyId, quoteId: quoteId ?? null }]),
  )
  const all = [...places.values()]
  for (let at = 0; at < all.length; at += placesPerEvent)
    await emit(db, 'job.booked', { booked: all.slice(at, at + placesPerEvent), at: clock.iso() })
}

export const createJobTx = async (
  db: TenantDb,
  who: Who,
  draft: JobDraft,
  {
    quoteId,
    ...program
  }: Pick<NewJob, 'programId' | 'programYear' | 'programRenews'> & { quoteId?: string | undefined } = {},
): Promise<string> => {
  const { today } = await getCalendar(db)
  checkDays(draft, draft.lines, { today, ...(draft.includePast ? { earliest: null } : {}) })
  const place = await lockPlace(db, draft.propertyId)
  refuse(bookRefusal(place) ?? bookRefusal({ archivedAt: place.customerArchivedAt }))
  await assertCrewTx(db, draft.crewId)
  // The rounds of a program have the prices that the business gave it, whoever puts it on.
  const lines = await priceLines(db, program.programId ? systemActor(db.businessId) : who, place, draft.lines)
  const names = await getServices(
    db,
    lines.map((line) => line.serviceId),
  )
  const { includePast, pastDone, draft: isDraft, propertyId, ...rest } = draft
  const title =
    draft.title ||
    lines
      .map((l) => names.find((n) => n.id === l.serviceId)?.name)
      .join(', ')
      .slice(0, 160)
  const [id = ''] = await createJobsTx(
    db,
    who,
    [
      {
        ...rest,
        title,
        propertyId,
        customerId: place.customerId,
        status: isDraft ? 'draft' : 'active',
        batchId: null,
        ...program,
        lines,
      },
    ],
    { includePast, quoteId },
  )
  if (includePast && pastDone && !isDraft) await finishPastVisitsTx(db, who, id, today)
  await audit(db, who, 'job.create', { type: 'job', id }, { after: { title, startOn: draft.startOn } })
  return id
}

/** Books work at a property. @throws AppError not_found, state_conflict, validation_failed, forbidden */
export const createJob = (who: Actor, draft: JobDraft): Promise<JobRecord> =>
  withTenant(who, async (db) => getJob(db, who, await createJobTx(db, who, draft)))

/** Moves jobs through the state machine; their open visits follow. @throws AppError not_found, state_conflict */
export const actOnJobTx = async (
  db: TenantDb,
  who: Who,
  id: string,
  verb: JobVerb,
  options: { until?: Day | null } = {},
): Promise<ChangePreview> => {
  const job = await lockJob(db, id)
  refuse(jobRefusals[verb](job), { status: job.status })
  const status = nextJobStatus(job.status, verb) ?? job.status
  const { today } = await getCalendar(db)
  const until = verb === 'pause' ? (options.until ?? null) : null
  if (until !== null && until <= today) throw invalid([{ path: 'until', message: 'Choose a day after today.' }])
  await db
    .updateTable('jobs')
    .set({
      status,
      pausedUntil: until,
      canceledAt: status === 'canceled' ? clock.iso() : null,
      ...(job.status === 'draft' && status === 'active' ? { activatedAt: clock.iso() } : {}),
      version: job.version + 1,
      updatedAt: clock.iso(),
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  const over = status === 'completed' || status === 'canceled'
  const resync: Resync = { fromOn: today, past: over ? 'remove' : 'keep' }
  const result = await resyncVisitsTx(db, who, [id], resync)
  await audit(db, who, `job.${verb}`, { type: 'job', id }, { before: { status: job.status }, after: { status, until } })
  await publishChange(db, 'jobs', [id])
  if (job.status === 'draft' && status === 'active') await tellBooked(db, [job])
  return result
}

export const actOnJob = (who: Actor, id: string, verb: JobVerb, options: { until?: Day | null }): Promise<JobRecord> =>
  withTenant(who, async (db) => {
    await actOnJobTx(db, who, id, verb, options)
    return getJob(db, who, id)
  })

/** Jobs that were planned for a crew wait for another one. */
export const freeJobsOfCrewTx = async (db: TenantDb, crewId: string): Promise<void> => {
  const freed = await db
    .updateTable('jobs')
    .set((eb) => ({ crewId: null, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('crewId', '=', crewId)
    .returning('id')
    .execute()
  await freeTermsOfCrewTx(db, crewId)
  if (freed.length === 0) return
  await publishChange(
    db,
    'jobs',
    freed.map((job) => job.id),
  )
}

/** Cancels many jobs on which nobody has worked, all at once. */
export const cancelUntouchedJobsTx = async (db: TenantDb, who: Who, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const jobs = sql<string>`any(${[...ids]}::uuid[])`
  await db
    .updateTable('jobs')
    .set((eb) => ({ status: 'canceled', pausedUntil: null, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', jobs)
    .execute()
  await deleteVisitsOfJobsTx(db, ids)
  // What a crew was sent is left: those are undone one by one.
  const sent = await db
    .selectFrom('visits')
    .select('jobId')
    .distinct()
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobs)
    .where('status', 'in', ['scheduled', 'unscheduled'])
    .execute()
  const { today } = await getCalendar(db)
  await resyncVisitsTx(
    db,
    who,
    sent.map((row) => row.jobId),
    { fromOn: today, past: 'remove' },
  )
  await publishChange(db, 'jobs', ids)
  await publishChange(db, 'visits')
}
