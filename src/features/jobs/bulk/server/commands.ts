import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Actor, hasPermission, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { lineCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { listChosen } from '../../../customers/server/bulk/queries.ts'
import { assertCrewTx } from '../../../employees/server/queries.ts'
import { countStrayedTx, rebudgetLinesTx, takeVisitsTx, visitChanges } from '../../../visits/server/commands.ts'
import { listUnlicensed } from '../../../visits/server/queries.ts'
import { changeJobTx } from '../../change/server/commands.ts'
import type { ChangePreview, JobChange, LineDraft } from '../../contract.ts'
import { checkFar } from '../../lines/server/commands.ts'
import type { Calendar } from '../../rules.ts'
import { getCalendar } from '../../schedule/server/queries.ts'
import { actOnJobTx } from '../../server/commands.ts'
import { listMatchingJobIds } from '../../server/queries.ts'
import type { Bulk, BulkEdit, BulkPreview, BulkSummary } from '../contract.ts'
import {
  type BulkOutcome,
  type BulkReason,
  bulkLimit,
  bulkOutcome,
  type KeptChange,
  type MinutesChange,
  monthCents,
  type PlacesChange,
  reasonText,
} from '../rules.ts'
import { getJobEdit, listRecurringJobs } from './queries.ts'
import { type JobWas, jobFields, lineFields, pricedOn, type TakenJob, takeJobsTx } from './row.ts'

export { undoJobEditTx } from './undo.ts'

/** More would not fit one action; a list of all customers of a filter is cut there, too. */
const mostCustomers = 1000

const listIdsOf = async (db: TenantDb, choice: Exclude<Bulk['choice'], { ids: unknown }>) => {
  if ('filter' in choice) return { ids: await listMatchingJobIds(db, choice.filter, bulkLimit + 1), without: null }
  const customerIds = await listChosen(db, choice.customers, mostCustomers + 1)
  if (customerIds.length > mostCustomers)
    throw invalid([
      { path: 'choice', message: 'At most 1,000 customers at a time. Choose fewer. Nothing was changed.' },
    ])
  if ('ids' in choice.customers && customerIds.length < new Set(choice.customers.ids).size) throw notFound('customer')
  return listRecurringJobs(db, customerIds, bulkLimit + 1)
}

const chosenTx = async (
  db: TenantDb,
  choice: Bulk['choice'],
): Promise<{ ids: string[]; without: BulkPreview['without'] }> => {
  if ('ids' in choice) return { ids: [...new Set(choice.ids)], without: null }
  const { ids, without } = await listIdsOf(db, choice)
  if (ids.length > bulkLimit)
    throw invalid([
      {
        path: 'choice',
        message: `More than ${bulkLimit} jobs match, and at most ${bulkLimit} are changed at a time. ${'filter' in choice ? 'Narrow the list, by crew for instance.' : 'Choose fewer customers.'} Nothing was changed.`,
      },
    ])
  return { ids, without }
}

const check = async (db: TenantDb, who: Actor, change: KeptChange, { today }: Calendar): Promise<void> => {
  if (change.kind === 'price' && !hasPermission(who, 'money'))
    throw new AppError('forbidden', 'Changing prices needs the permission for money. Ask the owner.')
  if (change.kind === 'crew') await assertCrewTx(db, change.crewId)
  if (change.kind === 'assign' && change.crew) await assertCrewTx(db, change.crew.id)
  if (change.kind === 'places')
    for (const crewId of new Set(Object.values(change.places).map((place) => place.crewId)))
      await assertCrewTx(db, crewId)
  if ('fromOn' in change) checkFar(change.fromOn, today, 'change.fromOn')
  const past = (path: string) => invalid([{ path: `change.${path}`, message: 'Choose a day that is still to come.' }])
  if (change.kind === 'pause' && change.until !== null && change.until <= today) throw past('until')
  if (change.kind === 'end' && change.lastOn !== null && change.lastOn < today) throw past('lastOn')
}

/** A line as it is; its price is only said where it changes, because not everybody who changes a day may give one. */
const draftOf = (line: TakenJob['lines'][number], outcome: Extract<BulkOutcome, { reason: null }>): LineDraft => {
  const cents = outcome.prices?.get(line.id)
  const { id, serviceId, description, quantity, onceOn, undated } = line
  return {
    ...{ id, serviceId, description, quantity, onceOn, undated },
    budgetMinutes: outcome.minutes?.get(id) ?? line.budgetMinutes,
    ...(cents === undefined ? {} : { unitPriceCents: cents }),
    recurrence: outcome.rules?.get(line.id) ?? line.recurrence,
    movesPhase: outcome.movesPhase ?? false,
  }
}

const applyTx = async (
  db: TenantDb,
  who: Actor,
  job: TakenJob,
  change: KeptChange,
  outcome: Extract<BulkOutcome, { reason: null }>,
): Promise<ChangePreview> => {
  if (outcome.verb)
    return actOnJobTx(db, who, job.id, outcome.verb, change.kind === 'pause' ? { until: change.until } : {})
  const from = 'fromOn' in change && change.fromOn !== null ? { fromOn: change.fromOn } : {}
  const input: JobChange = {
    version: job.version,
    scope: 'this_and_following',
    includeMoved: false,
    ...from,
    ...(outcome.rules || outcome.prices || outcome.minutes
      ? { lines: job.lines.map((line) => draftOf(line, outcome)) }
      : {}),
    ...(outcome.crewId === undefined ? {} : { crewId: outcome.crewId }),
    ...(outcome.endOn === undefined ? {} : { endOn: outcome.endOn }),
  }
  const done = await changeJobTx(db, who, job.id, input)
  return outcome.minutes ? rebudgetTx(db, job, outcome.minutes, done) : done
}

/** Visits that somebody put elsewhere keep their place: their minutes are the work's all the same. */
const rebudgetTx = async (
  db: TenantDb,
  job: TakenJob,
  minutes: ReadonlyMap<string, number>,
  done: ChangePreview,
): Promise<ChangePreview> => {
  const lines = job.lines.flatMap(({ id, serviceId, budgetMinutes }) => {
    const to = minutes.get(id)
    return to === undefined ? [] : [{ jobLineId: id, serviceId, from: budgetMinutes, to }]
  })
  const moved = new Set(await rebudgetLinesTx(db, lines, await todayOf(db)))
  return {
    ...done,
    changed: done.changed + moved.size,
    kept: done.kept.filter((visit) => !moved.has(visit.visitId)),
  }
}

const visitCents = (job: TakenJob): number =>
  job.lines.reduce((sum, line) => sum + lineCents(line.quantity, line.unitPriceCents), 0)

const wasOf = (before: TakenJob, after: TakenJob, visits: JobWas['visits']): JobWas => ({
  job: [jobFields(before), jobFields(after)],
  horizon: { horizonOn: before.horizonOn, nextOn: before.nextOn },
  lines: before.lines.flatMap((line) => {
    const now = after.lines.find((one) => one.id === line.id)
    return now && !(isDeepStrictEqual(lineFields(line), lineFields(now)) && line.dueOn === now.dueOn)
      ? [{ id: line.id, fields: [lineFields(line), lineFields(now)] as [never, never], dueOn: line.dueOn }]
      : []
  }),
  visits,
})

type Done = { preview: BulkPreview; was: Map<string, JobWas> }

/** Does a change of many jobs and says what it did: a preview is the same, rolled back. */
const editTx = async (
  db: TenantDb,
  who: Actor,
  { choice, change }: { choice: Bulk['choice']; change: KeptChange },
): Promise<Done> => {
  const calendar = await getCalendar(db)
  await check(db, who, change, calendar)
  const { ids, without } = await chosenTx(db, choice)
  const jobs = await takeJobsTx(db, ids, calendar.today)
  if ('ids' in choice && jobs.length < ids.length) throw notFound('job')
  const outcomes = new Map(jobs.map((job) => [job.id, bulkOutcome(job, change)]))
  const meant = jobs.filter((job) => outcomes.get(job.id)?.reason === null).map((job) => job.id)
  const lackedBefore = await listUnlicensed(db, meant)
  const before = await takeVisitsTx(db, meant, calendar.today)
  const results = new Map<string, ChangePreview>()
  for (const job of jobs) {
    const outcome = outcomes.get(job.id)
    if (outcome?.reason === null) results.set(job.id, await applyTx(db, who, job, change, outcome))
  }
  const after = new Map((await takeJobsTx(db, meant, calendar.today)).map((job) => [job.id, job]))
  const visitsAfter = await takeVisitsTx(db, meant, calendar.today)
  const lacked = new Set(lackedBefore.map((one) => one.key))
  const lacks = (await listUnlicensed(db, meant)).filter((one) => !lacked.has(one.key))
  const was = new Map<string, JobWas>()
  for (const job of jobs) {
    const now = after.get(job.id)
    if (now) was.set(job.id, wasOf(job, now, visitChanges(before, visitsAfter, job.id)))
  }
  const sum = (count: (one: ChangePreview) => number) => [...results.values()].reduce((n, one) => n + count(one), 0)
  // Prices are those of the day from which the change counts.
  const counts =
    'fromOn' in change && change.fromOn !== null && change.fromOn > calendar.today ? change.fromOn : calendar.today
  const priced = (job: TakenJob) => pricedOn(job, counts)
  const month = (list: readonly TakenJob[]) =>
    list.reduce((cents, job) => cents + monthCents(priced(job), calendar.today), 0)
  const goesOn = ({ id }: TakenJob) => {
    const outcome = outcomes.get(id)
    return !(outcome?.reason === null && outcome.endOn)
  }
  const placed = [...was.values()].flatMap(({ visits }) => [
    ...visits.changed.filter((v) => v.place).map((v) => v.id),
    ...visits.gone.map((v) => v.id),
  ])
  const money = hasPermission(who, 'money')
  const summary: BulkSummary = {
    jobs: meant.length,
    visits: {
      changed: sum((r) => r.changed),
      moved: sum((r) => r.moved),
      created: sum((r) => r.created),
      removed: sum((r) => r.removed),
      kept: sum((r) => r.kept.length),
    },
    month: {
      beforeCents: month(jobs.filter((job) => after.has(job.id))),
      afterCents: month([...after.values()].filter(goesOn)),
    },
    told: {
      visits: sum((r) => r.told.length),
      crews: [...new Set([...results.values()].flatMap((r) => r.told.map((t) => t.crewName)))].toSorted(),
      customers: await countStrayedTx(db, placed),
    },
  }
  const items = jobs
    .map((job) => {
      const { created = 0, changed = 0, removed = 0 } = results.get(job.id) ?? {}
      const reason = outcomes.get(job.id)?.reason ?? null
      return {
        jobId: job.id,
        number: job.number,
        customerName: job.customerName,
        title: job.title,
        street: job.street,
        reason,
        beforeCents: money ? visitCents(priced(job)) : null,
        afterCents: money ? visitCents(priced(after.get(job.id) ?? job)) : null,
        visits: created + changed + removed,
      }
    })
    .toSorted((a, b) => Number(a.reason === null) - Number(b.reason === null) || a.number - b.number)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([jobs.map((job) => [job.id, job.version]), summary.visits, summary.month]))
    .digest('base64url')
  const unlicensed = lacks[0] ? { visits: lacks.length, example: lacks[0].text } : null
  return { preview: { ...summary, matching: jobs.length, without, items, unlicensed, fingerprint }, was }
}

class OnlyLooking extends Error {
  readonly preview: BulkPreview
  constructor(preview: BulkPreview) {
    super('rolled back')
    this.preview = preview
  }
}

/** What a change of many would do: it is done and rolled back, so the answer cannot differ from the deed. */
export const previewJobEdit = async (who: Actor, bulk: Bulk): Promise<BulkPreview> => {
  try {
    return await withTenant(who, async (db) => {
      throw new OnlyLooking((await editTx(db, who, bulk)).preview)
    })
  } catch (error) {
    if (!(error instanceof OnlyLooking)) throw error
    return hasPermission(who, 'money') ? error.preview : { ...error.preview, month: null }
  }
}

const rowsPerInsert = 100

/** Keeps what a change of many wrote over, for its undo. */
const keepEditTx = async (
  db: TenantDb,
  who: Actor,
  change: KeptChange,
  preview: BulkPreview,
  was: ReadonlyMap<string, JobWas>,
): Promise<string> => {
  const { matching: _m, without: _w, items: _i, unlicensed: _u, fingerprint: _f, ...summary } = preview
  const id = newId()
  await db
    .insertInto('jobEdits')
    .values({
      businessId: db.businessId,
      id,
      change: JSON.stringify(change),
      summary: JSON.stringify(summary),
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()
  const rows = [...was].map(([jobId, one]) => ({
    businessId: db.businessId,
    editId: id,
    jobId,
    was: JSON.stringify(one),
  }))
  for (let at = 0; at < rows.length; at += rowsPerInsert)
    await db
      .insertInto('jobEditJobs')
      .values(rows.slice(at, at + rowsPerInsert))
      .execute()
  await audit(
    db,
    who,
    'job.edit-many',
    { type: 'jobEdit', id },
    {
      after: {
        change:
          change.kind === 'places' || change.kind === 'minutes' ? { kind: change.kind, fromOn: change.fromOn } : change,
        jobs: summary.jobs,
      },
    },
  )
  return id
}

/** Changes many jobs in one transaction and keeps what it wrote over. @throws AppError state_conflict when the preview no longer holds */
export const editJobs = (who: Actor, { fingerprint, ...bulk }: Bulk & { fingerprint: string }): Promise<BulkEdit> =>
  withTenant(who, async (db) => {
    const { preview, was } = await editTx(db, who, bulk)
    if (preview.jobs === 0) throw conflict('None of these jobs can be changed like this. Nothing was changed.')
    if (preview.fingerprint !== fingerprint)
      throw conflict(
        'Something changed on these jobs since you looked. Nothing was changed yet: look at the numbers again.',
      )
    return getJobEdit(db, who, await keepEditTx(db, who, bulk.change, preview, was))
  })

/** A change that was made for these jobs alone reaches each of them, or none. */
const refuseLeft = ({ items }: BulkPreview): void => {
  const left = items.find((item) => item.reason !== null)
  if (left)
    throw conflict(
      `${left.customerName}, ${left.street}: ${reasonText[left.reason as BulkReason]}. Nothing was changed.`,
    )
}

/**
 * Gives each of these jobs a place of its own from a day on: one change of many, with the undo of every other one.
 * @returns the change, with how many jobs it reached and the visits that lack a license with their new crew; none of the jobs may be over or gone
 * @throws AppError not_found for a job or a crew that is not there
 */
export const placeJobsTx = async (
  db: TenantDb,
  who: Actor,
  { places, fromOn }: Pick<PlacesChange, 'places' | 'fromOn'>,
): Promise<{ id: string; summary: BulkSummary; unlicensed: BulkPreview['unlicensed'] }> => {
  const change: PlacesChange = { kind: 'places', places, fromOn }
  const { preview, was } = await editTx(db, who, { choice: { ids: Object.keys(places) }, change })
  refuseLeft(preview)
  const { matching: _m, without: _w, items: _i, unlicensed, fingerprint: _f, ...summary } = preview
  return { id: await keepEditTx(db, who, change, preview, was), summary, unlicensed }
}

/**
 * Plans lines of these jobs with other labor minutes from today on: one change of many, with the undo of every other one.
 * @param minutes by job and line
 * @returns the id of the change
 * @throws AppError not_found for a job that is not there, state_conflict for one that is over or has these minutes
 */
export const setMinutesTx = async (db: TenantDb, who: Actor, minutes: MinutesChange['minutes']): Promise<string> => {
  const change: MinutesChange = { kind: 'minutes', minutes, fromOn: null }
  const { preview, was } = await editTx(db, who, { choice: { ids: Object.keys(minutes) }, change })
  refuseLeft(preview)
  return keepEditTx(db, who, change, preview, was)
}
