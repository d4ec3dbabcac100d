import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Actor, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { livingCrewTx } from '../../../employees/server/queries.ts'
import { type KeptVisit, madeByChangeTx, putVisitsBackTx, type VisitChanges } from '../../../visits/server/commands.ts'
import { materializeVisitsTx } from '../../schedule/server/commands.ts'
import { getCalendar } from '../../schedule/server/queries.ts'
import { removeVisitsTx } from '../../schedule/server/remove.ts'
import type { BulkUndone } from '../contract.ts'
import { getJobEdit } from './queries.ts'
import {
  type JobFields,
  type JobWas,
  jobFields,
  keptFields,
  type LineFields,
  lineFields,
  type TakenJob,
  takeJobsTx,
} from './row.ts'

const shownKept = 100

/** Of a change that left every visit where it is, what it did not write of a line may be another by now. */
const keepsPlaces = ({ visits }: JobWas): boolean =>
  visits.gone.length === 0 && visits.made.length === 0 && visits.changed.every(({ place }) => !place)

const lineParts = ['price', 'recurrence', 'budgetMinutes'] as const

/** What of a line a change wrote. Minutes were not always kept. */
const writtenOf = ([before, after]: JobWas['lines'][number]['fields']): readonly (keyof LineFields)[] => {
  const [was, is] = [keptFields(before), keptFields(after)]
  return lineParts.filter((part) => !isDeepStrictEqual(was[part], is[part]))
}

/** Whether somebody changed of a job what the change had written. Other fields of it may be new: they stay. */
const changedSince = (job: TakenJob, was: JobWas): boolean => {
  const {
    job: [before, after],
    lines,
  } = was
  const whole: readonly (keyof LineFields)[] = keepsPlaces(was) ? [] : ['price', 'recurrence']
  const now = jobFields(job)
  const touched = (Object.keys(after) as (keyof JobFields)[]).filter((key) => before[key] !== after[key])
  return (
    touched.some((key) => now[key] !== after[key]) ||
    lines.some(({ id, fields }) => {
      const line = job.lines.find((one) => one.id === id)
      if (!line) return true
      const [made, is] = [keptFields(fields[1]), lineFields(line)]
      return [...whole, ...writtenOf(fields)].some((part) => !isDeepStrictEqual(is[part], made[part]))
    })
  )
}

const putJobBack = async (db: TenantDb, job: TakenJob, was: JobWas): Promise<void> => {
  const [before, after] = was.job
  const touched = Object.fromEntries(
    Object.entries(before).filter(([key]) => before[key as never] !== after[key as never]),
  )
  if (touched.crewId) touched.crewId = await livingCrewTx(db, touched.crewId)
  await db
    .updateTable('jobs')
    .set({ ...touched, ...was.horizon, version: job.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', job.id)
    .execute()
  for (const { id, fields, dueOn } of was.lines)
    await db
      .updateTable('jobLines')
      .set({
        ...(writtenOf(fields).includes('price')
          ? { ...fields[0].price, laterPrices: JSON.stringify(fields[0].price.laterPrices ?? []) }
          : {}),
        ...(writtenOf(fields).includes('recurrence')
          ? { recurrence: fields[0].recurrence === null ? null : JSON.stringify(fields[0].recurrence) }
          : {}),
        ...(fields[0].budgetMinutes !== undefined && writtenOf(fields).includes('budgetMinutes')
          ? { budgetMinutes: fields[0].budgetMinutes }
          : {}),
        dueOn,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
}

/** Visits that a nightly walk made by the changed rules since, beyond where they reached before: they are made anew by the old ones. */
const madeSince = (db: TenantDb, jobIds: readonly string[], made: readonly { id: string }[], at: string) =>
  db
    .selectFrom('visits')
    .select(['id', 'publishedDay'])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
    .where('createdAt', '>', at)
    .where('origin', '=', 'rule')
    .where('version', '=', 1)
    .where('status', '=', 'scheduled')
    .where('invoiceId', 'is', null)
    .where('id', '<>', sql<string>`all(${made.map((v) => v.id)}::uuid[])`)
    .execute()

/** Newer changes of many that still hold on jobs of a change, by job: the newest, which is to be undone before it. */
const newerEdits = async (db: TenantDb, id: string, at: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('jobEditJobs as a')
    .innerJoin('jobEditJobs as b', (x) => x.onRef('b.businessId', '=', 'a.businessId').onRef('b.jobId', '=', 'a.jobId'))
    .innerJoin('jobEdits as e', (x) => x.onRef('e.businessId', '=', 'b.businessId').onRef('e.id', '=', 'b.editId'))
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'e.businessId').onRef('u.id', '=', 'e.createdBy'))
    .where('a.businessId', '=', db.businessId)
    .where('a.editId', '=', id)
    .where('a.undoneAt', 'is', null)
    .where('b.undoneAt', 'is', null)
    .where('e.createdAt', '>', at)
    .select(['a.jobId', 'e.createdAt', 'u.name as byName'])
    .orderBy('e.createdAt')
    .execute()
  const zone = await timeZoneOf(db)
  return new Map(
    rows.map((row) => [
      row.jobId,
      `by ${row.byName ?? 'somebody'} on ${formatDay(dayOf(row.createdAt, zone))} at ${formatTime(row.createdAt, zone)}`,
    ]),
  )
}

/** Why nothing of a change can be put back, with what is to be undone before it. */
const nothingBack = (newer: ReadonlyMap<string, string>) => {
  const last = [...newer.values()].at(-1)
  return conflict(
    last
      ? `These jobs were changed together again ${last}. Undo that change first. Nothing was changed.`
      : 'Each of these jobs was changed since, so there is nothing to take back. Nothing was changed.',
  )
}

type Kept = KeptVisit | { jobId: string; day: null; why: string }

/**
 * Takes a change of many jobs back as it was. What somebody changed since is not written over, part by part, and is named; a job that stays can be
 * taken back later, once what came after it is gone.
 * @throws AppError not_found, state_conflict when it was undone already, or when nothing of it can be put back: then it can be undone later
 */
export const undoJobEditTx = async (db: TenantDb, who: Actor, id: string): Promise<BulkUndone> => {
  const edit = await db
    .selectFrom('jobEdits')
    .select(['undoneAt', 'createdAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!edit) throw notFound('change')
  if (edit.undoneAt !== null) throw conflict('This was undone already. Nothing was changed.')
  const rows = await db
    .selectFrom('jobEditJobs')
    .select(['jobId', 'was'])
    .where('businessId', '=', db.businessId)
    .where('editId', '=', id)
    .where('undoneAt', 'is', null)
    .orderBy('jobId')
    .execute()
  const newer = await newerEdits(db, id, edit.createdAt)
  const jobs = new Map(
    (
      await takeJobsTx(
        db,
        rows.map((row) => row.jobId),
        (
          await getCalendar(db)
        ).today,
      )
    ).map((job) => [job.id, job]),
  )
  const kept: Kept[] = []
  const back: string[] = []
  const visits: VisitChanges = { changed: [], gone: [], made: [] }
  for (const { jobId, was: stored } of rows) {
    const job = jobs.get(jobId)
    const was = stored as unknown as JobWas
    if (!job || changedSince(job, was)) {
      const since = newer.get(jobId)
      const why = since ? `was changed with others ${since}: undo that first` : 'was changed since'
      kept.push({ jobId, day: null, why })
      continue
    }
    await putJobBack(db, job, was)
    for (const part of ['changed', 'gone', 'made'] as const) visits[part].push(...(was.visits[part] as never[]))
    back.push(jobId)
  }
  if (back.length === 0) throw nothingBack(newer)
  await removeVisitsTx(db, who, await madeSince(db, back, visits.made, edit.createdAt))
  const { going, kept: stay } = await madeByChangeTx(db, visits.made)
  await removeVisitsTx(db, who, going)
  kept.push(...stay, ...(await putVisitsBackTx(db, visits)))
  // Nights that went by since are made up for by the old rules.
  await materializeVisitsTx(db, back)
  await db
    .updateTable('jobEditJobs')
    .set({ undoneAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('editId', '=', id)
    .where('jobId', '=', sql<string>`any(${back}::uuid[])`)
    .execute()
  if (back.length === rows.length)
    await db
      .updateTable('jobEdits')
      .set({ undoneAt: clock.iso(), undoneBy: userIdOf(who) })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
  await audit(
    db,
    who,
    'job.edit-many.undo',
    { type: 'jobEdit', id },
    { after: { jobs: back.length, kept: kept.length } },
  )
  await emit(db, 'jobs.editUndone', { editId: id })
  await publishChange(db, 'jobs', back)
  const named = await namesOf(db, kept.slice(0, shownKept))
  return { ...(await getJobEdit(db, who, id)), restoredJobs: back.length, kept: named, keptCount: kept.length }
}

export const undoJobEdit = (who: Actor, id: string): Promise<BulkUndone> =>
  withTenant(who, (db) => undoJobEditTx(db, who, id))

const namesOf = async (db: TenantDb, kept: readonly Kept[]): Promise<BulkUndone['kept']> => {
  if (kept.length === 0) return []
  const rows = await db
    .selectFrom('jobs as j')
    .innerJoin('customers as c', (join) =>
      join.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'),
    )
    .select(['j.id', 'j.number', 'c.name as customerName'])
    .where('j.businessId', '=', db.businessId)
    .where('j.id', '=', sql<string>`any(${[...new Set(kept.map((one) => one.jobId))]}::uuid[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return kept.flatMap((one) => {
    const job = byId.get(one.jobId)
    return job ? [{ ...one, number: job.number, customerName: job.customerName }] : []
  })
}
