import { sql } from 'kysely'
import { type Actor, hasPermission, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { nextNumber } from '../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { bookRefusal } from '../../customers/rules.ts'
import { assertCrewTx } from '../../employees/server/queries.ts'
import { budgetMinutesFor, priceFor } from '../../services/rules.ts'
import { getServices } from '../../services/server/queries.ts'
import { deleteVisitsOfJobsTx } from '../../visits/server/commands.ts'
import type { ChangePreview, JobChange, JobDraft, JobRecord, LineDraft } from '../contract.ts'
import { frequencyOf, type Recurrence } from '../rules.ts'
import { materializeVisitsTx } from '../schedule/server/commands.ts'
import { getCalendar, type PlannedLine } from '../schedule/server/queries.ts'
import { type Resync, resyncVisitsTx } from '../schedule/server/resync.ts'
import { type JobVerb, jobRefusals, nextJobStatus } from '../states/rules.ts'
import { getJob } from './queries.ts'

const rowsPerInsert = 1000

export type NewJob = {
  customerId: string
  propertyId: string
  title: string
  instructions: string
  poNumber: string
  billing: 'per_visit' | 'flat' | 'none'
  crewId: string | null
  startOn: Day
  endOn: Day | null
  status: 'draft' | 'active'
  batchId: string | null
  lines: PlannedLine[]
}

const lineRow = (line: PlannedLine) => ({
  serviceId: line.serviceId,
  description: line.description,
  quantity: line.quantity,
  unitPriceCents: line.unitPriceCents,
  budgetMinutes: line.budgetMinutes,
  recurrence: line.recurrence === null ? null : JSON.stringify(line.recurrence),
  onceOn: line.onceOn,
  updatedAt: clock.iso(),
})

/** Makes jobs with their lines and the visits of their first twelve weeks. Returns their ids in the order given. */
export const createJobsTx = async (
  db: TenantDb,
  who: Who,
  specs: readonly NewJob[],
  options: { includePast?: boolean } = {},
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
  await materializeVisitsTx(db, ids, options)
  await publishChange(db, 'jobs', ids)
  return ids
}

const moneyRefused = () =>
  new AppError(
    'forbidden',
    'Setting a price needs the permission for money. Leave the price to the rule, or ask the owner.',
  )

type Priced = { squareFeet: number | null; difficulty: number }
type OldLine = {
  id: string
  serviceId: string
  unitPriceCents: number
  budgetMinutes: number
  onceOn: Day | null
  recurrence: Recurrence | null
}

/**
 * Prices lines by rule where no price was given. A price is for who may handle money to give: were the right one taken from others,
 * they could guess it.
 */
const priceLines = async (
  db: TenantDb,
  who: Who,
  place: Priced,
  drafts: readonly LineDraft[],
  old: ReadonlyMap<string, OldLine> = new Map(),
): Promise<(PlannedLine & { id: string | undefined })[]> => {
  const money = who.kind === 'system' || hasPermission(who, 'money')
  if (!money && drafts.some((line) => line.unitPriceCents !== undefined)) throw moneyRefused()
  const services = new Map(
    (
      await getServices(
        db,
        drafts.map((line) => line.serviceId),
      )
    ).map((s) => [s.id, s]),
  )
  return drafts.map((line, index) => {
    const service = services.get(line.serviceId)
    const before = line.id === undefined ? undefined : old.get(line.id)
    if (!service || (line.id !== undefined && !before)) throw notFound(service ? 'line' : 'service')
    if (service.archivedAt !== null && !before)
      throw conflict(`${service.name} is archived. Restore it to book it again.`)
    const rule = priceFor(service.priceRule, { ...place, frequency: frequencyOf(line.recurrence) })
    const kept = before?.serviceId === line.serviceId ? before : undefined
    const unitPriceCents = line.unitPriceCents ?? kept?.unitPriceCents ?? rule.cents
    if (unitPriceCents === null)
      throw invalid([
        {
          path: `lines.${index}.unitPriceCents`,
          message: money
            ? 'This property has no lawn size yet. Add it, or type a price.'
            : 'This property has no lawn size yet. Add it, so that the rule can price the work.',
        },
      ])
    return {
      id: line.id,
      serviceId: line.serviceId,
      description: line.description,
      quantity: line.quantity,
      unitPriceCents,
      budgetMinutes:
        line.budgetMinutes ?? kept?.budgetMinutes ?? budgetMinutesFor(service, { ...place, quantity: line.quantity }),
      recurrence: inItsWeeks(line, before),
      onceOn: line.onceOn,
    }
  })
}

/** The new rule of a line in the weeks that it always counted: biweekly work changes between A and B only when that is what was asked for. */
const inItsWeeks = (line: LineDraft, before: OldLine | undefined): Recurrence | null =>
  line.recurrence && before?.recurrence && !line.movesPhase
    ? { ...line.recurrence, phaseOn: before.recurrence.phaseOn }
    : line.recurrence

const lockPlace = async (db: TenantDb, propertyId: string) => {
  const place = await db
    .selectFrom('properties')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.businessId', '=', 'properties.businessId')
        .onRef('customers.id', '=', 'properties.customerId'),
    )
    .where('properties.businessId', '=', db.businessId)
    .where('properties.id', '=', propertyId)
    .select([
      'properties.customerId',
      'properties.lawnSquareFeet as squareFeet',
      'properties.difficulty',
      'properties.archivedAt',
      'customers.archivedAt as customerArchivedAt',
    ])
    .forShare('properties')
    .executeTakeFirst()
  if (!place) throw notFound('property')
  return place
}

type Span = { startOn: Day; endOn: Day | null }

/** A single day lies within the job, and what is new does not lie in the past unless asked. */
const checkDays = (
  { startOn, endOn }: Span,
  lines: readonly { id?: string | undefined; onceOn: Day | null }[],
  earliest: Day | null,
  before: ReadonlyMap<string, OldLine> = new Map(),
): void => {
  if (endOn !== null && endOn < startOn) throw invalid([{ path: 'endOn', message: 'The end comes before the start.' }])
  for (const [index, { id, onceOn }] of lines.entries()) {
    if (onceOn === null || (id !== undefined && before.get(id)?.onceOn === onceOn)) continue
    const path = `lines.${index}.onceOn`
    if (earliest !== null && onceOn < earliest) throw invalid([{ path, message: 'This day is past.' }])
    if (onceOn < startOn) throw invalid([{ path, message: 'This day is before the start of the job.' }])
    if (endOn !== null && onceOn > endOn) throw invalid([{ path, message: 'This day is after the end of the job.' }])
  }
}

export const createJobTx = async (db: TenantDb, who: Who, draft: JobDraft): Promise<string> => {
  const { today } = await getCalendar(db)
  checkDays(draft, draft.lines, draft.includePast ? null : today)
  const place = await lockPlace(db, draft.propertyId)
  refuse(bookRefusal(place) ?? bookRefusal({ archivedAt: place.customerArchivedAt }))
  await assertCrewTx(db, draft.crewId)
  const lines = await priceLines(db, who, place, draft.lines)
  const names = await getServices(
    db,
    lines.map((line) => line.serviceId),
  )
  const { includePast, draft: isDraft, propertyId, ...rest } = draft
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
        lines,
      },
    ],
    { includePast },
  )
  await audit(db, who, 'job.create', { type: 'job', id }, { after: { title, startOn: draft.startOn } })
  return id
}

/** Books work at a property. @throws AppError not_found, state_conflict, validation_failed, forbidden */
export const createJob = (who: Actor, draft: JobDraft): Promise<JobRecord> =>
  withTenant(who, async (db) => getJob(db, who, await createJobTx(db, who, draft)))

const lockJob = async (db: TenantDb, id: string) => {
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!job) throw notFound('job')
  return job
}

const writeLinesTx = async (
  db: TenantDb,
  who: Who,
  job: Span & { id: string; propertyId: string },
  drafts: readonly LineDraft[],
  today: Day,
) => {
  const jobId = job.id
  const old = await db
    .selectFrom('jobLines')
    .select(['id', 'serviceId', 'unitPriceCents', 'budgetMinutes', 'onceOn', 'recurrence'])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('archivedAt', 'is', null)
    .execute()
  const before = new Map(old.map((line) => [line.id, { ...line, recurrence: line.recurrence as Recurrence | null }]))
  checkDays(job, drafts, today, before)
  const lines = await priceLines(db, who, await lockPlace(db, job.propertyId), drafts, before)
  const now = clock.iso()
  for (const [position, { id, ...line }] of lines.entries()) {
    const row = { ...lineRow(line), position }
    if (id === undefined)
      await db
        .insertInto('jobLines')
        .values({ businessId: db.businessId, id: newId(), jobId, ...row, createdAt: now })
        .execute()
    else
      await db.updateTable('jobLines').set(row).where('businessId', '=', db.businessId).where('id', '=', id).execute()
  }
  const kept = new Set(lines.map((line) => line.id))
  const gone = old.filter((line) => !kept.has(line.id)).map((line) => line.id)
  if (gone.length > 0)
    await db
      .updateTable('jobLines')
      .set({ archivedAt: now, updatedAt: now })
      .where('businessId', '=', db.businessId)
      .where('id', 'in', gone)
      .execute()
}

const nothing: ChangePreview = { created: 0, changed: 0, removed: 0, kept: [] }

const changeJobTx = async (db: TenantDb, who: Who, id: string, change: JobChange): Promise<ChangePreview> => {
  const job = await lockJob(db, id)
  requireVersion(job, change.version, 'this job')
  const { today } = await getCalendar(db)
  const touchesVisits =
    change.lines !== undefined ||
    change.crewId !== undefined ||
    change.endOn !== undefined ||
    change.billing !== undefined
  if (touchesVisits) refuse(jobRefusals.reschedule(job), { status: job.status })
  const endOn = change.endOn === undefined ? job.endOn : change.endOn
  const span = { startOn: job.startOn, endOn }
  checkDays(span, [], today)
  if (change.crewId !== undefined) await assertCrewTx(db, change.crewId)
  const fromOn = change.scope === 'this_and_following' && change.fromOn && change.fromOn > today ? change.fromOn : today
  // What comes before the change is made by the old rules first, at the old price.
  if (touchesVisits && fromOn > today && job.status === 'active')
    await materializeVisitsTx(db, [id], { untilDay: addDays(fromOn, -1) })
  if (change.lines) await writeLinesTx(db, who, { id, propertyId: job.propertyId, ...span }, change.lines, today)
  await db
    .updateTable('jobs')
    .set({
      title: change.title ?? job.title,
      instructions: change.instructions ?? job.instructions,
      poNumber: change.poNumber ?? job.poNumber,
      billing: change.billing ?? job.billing,
      crewId: change.crewId === undefined ? job.crewId : change.crewId,
      endOn,
      version: job.version + 1,
      updatedAt: clock.iso(),
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  const result = touchesVisits
    ? await resyncVisitsTx(db, who, [id], {
        fromOn,
        past: change.scope === 'all_open' ? 'reprice' : 'keep',
        includeMoved: change.includeMoved,
        setCrew: change.crewId !== undefined,
      })
    : nothing
  await audit(
    db,
    who,
    'job.update',
    { type: 'job', id },
    {
      before: { title: job.title, crewId: job.crewId, endOn: job.endOn },
      after: { ...change, visits: { created: result.created, changed: result.changed, removed: result.removed } },
    },
  )
  await publishChange(db, 'jobs', [id])
  return result
}

/** Changes a job; open visits within the scope follow, finished ones never do. */
export const changeJob = (who: Actor, id: string, change: JobChange): Promise<JobRecord> =>
  withTenant(who, async (db) => {
    await changeJobTx(db, who, id, change)
    return getJob(db, who, id)
  })

class OnlyLooking extends Error {
  readonly result: ChangePreview
  constructor(result: ChangePreview) {
    super('rolled back')
    this.result = result
  }
}

/** What a change would do: it is done and rolled back, so the answer cannot differ from the deed. */
export const previewJobChange = async (who: Actor, id: string, change: JobChange): Promise<ChangePreview> => {
  try {
    return await withTenant(who, async (db) => {
      throw new OnlyLooking(await changeJobTx(db, who, id, change))
    })
  } catch (error) {
    if (error instanceof OnlyLooking) return error.result
    throw error
  }
}

/** Moves jobs through the state machine; their open visits follow. @throws AppError not_found, state_conflict */
export const actOnJobTx = async (
  db: TenantDb,
  who: Who,
  id: string,
  verb: JobVerb,
  options: { until?: Day | null } = {},
): Promise<void> => {
  const job = await lockJob(db, id)
  refuse(jobRefusals[verb](job), { status: job.status })
  const status = nextJobStatus(job.status, verb) ?? job.status
  const { today } = await getCalendar(db)
  const until = verb === 'pause' ? (options.until ?? null) : null
  if (until !== null && until <= today) throw invalid([{ path: 'until', message: 'Choose a day after today.' }])
  await db
    .updateTable('jobs')
    .set({ status, pausedUntil: until, version: job.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  const over = status === 'completed' || status === 'canceled'
  const resync: Resync = { fromOn: today, past: over ? 'remove' : 'keep' }
  await resyncVisitsTx(db, who, [id], resync)
  await audit(db, who, `job.${verb}`, { type: 'job', id }, { before: { status: job.status }, after: { status, until } })
  await publishChange(db, 'jobs', [id])
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
