import { sql } from 'kysely'
import type { Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { undoRefusal } from '../../rules.ts'
import { hasOtherDay } from '../family/queries.ts'
import { markRoutesChangedTx } from '../route/commands.ts'
import { entity, lockVisit, placeless, stateAfter, uncharged, writeVisit } from '../row/commands.ts'
import { noteMovedTx } from '../told/commands.ts'

/** What the schedule of a job does to its visits; when visits have to be made, changed or taken away is the job's matter. */

export type VisitLine = {
  jobLineId: string | null
  serviceId: string
  description: string
  quantity: number
  unitPriceCents: number
  budgetMinutes: number
}

export type NewVisit = {
  jobId: string
  customerId: string
  propertyId: string
  occurrenceOn: Day
  /** Null for work that nobody has given a day yet. */
  day: Day | null
  /** Left out: the rule of its job named it. */
  origin?: 'undated'
  crewId: string | null
  budgetMinutes: number
  priceCents: number
  billable: boolean
  lines: readonly VisitLine[]
}

const rowsPerInsert = 1000

const insertLines = async (
  db: TenantDb,
  visits: readonly { id: string; lines: readonly VisitLine[] }[],
): Promise<void> => {
  const rows = visits.flatMap(({ id, lines }) =>
    lines.map((line, position) => ({ ...line, businessId: db.businessId, id: newId(), visitId: id, position })),
  )
  for (let at = 0; at < rows.length; at += rowsPerInsert)
    await db
      .insertInto('visitLines')
      .values(rows.slice(at, at + rowsPerInsert))
      .execute()
}

/**
 * A day that the job's rule did not and will not name: the free days before the skipped one are behind the rule, so neither a coming occurrence
 * is taken nor this visit made twice.
 */
export const freeOccurrence = async (db: TenantDb, jobId: string, before: Day): Promise<Day> => {
  const taken = await db
    .selectFrom('visits')
    .select('occurrenceOn')
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('occurrenceOn', '<', before)
    .where('occurrenceOn', '>', addDays(before, -400))
    .execute()
  const days = new Set(taken.map((v) => v.occurrenceOn))
  let day = addDays(before, -1)
  while (days.has(day)) day = addDays(day, -1)
  return day
}

/**
 * Days that a rule names are its own: a visit without days of its own that was noted under one gives way. Otherwise the rule's visit of that day
 * would not be made, and no night would make it again.
 */
const makeWayTx = async (db: TenantDb, visits: readonly NewVisit[]): Promise<void> => {
  const named = visits.filter((visit) => visit.origin === undefined)
  const { rows } = await sql<{ id: string; jobId: string; occurrenceOn: Day }>`
    select v.id, v.job_id as "jobId", v.occurrence_on as "occurrenceOn" from visits v
    join unnest(${named.map((v) => v.jobId)}::uuid[], ${named.map((v) => v.occurrenceOn)}::date[]) as n(job_id, day)
      on v.job_id = n.job_id and v.occurrence_on = n.day
    where v.business_id = ${db.businessId} and v.origin = 'undated' order by v.id for update of v`.execute(db)
  for (const { id, jobId, occurrenceOn } of rows)
    await renameOccurrenceTx(db, id, await freeOccurrence(db, jobId, occurrenceOn))
}

/**
 * Makes visits; a job never gets two for the same day that its rule named. A route that was sent already is marked: its crew does not know
 * of them. Returns how many there were.
 */
export const createVisitsTx = async (db: TenantDb, visits: readonly NewVisit[]): Promise<number> => {
  const now = clock.iso()
  let made = 0
  for (let at = 0; at < visits.length; at += rowsPerInsert) {
    await makeWayTx(db, visits.slice(at, at + rowsPerInsert))
    const rows = visits.slice(at, at + rowsPerInsert).map(({ lines, ...visit }) => ({
      row: {
        ...visit,
        businessId: db.businessId,
        id: newId(),
        status: visit.day === null ? ('unscheduled' as const) : ('scheduled' as const),
        origin: visit.origin ?? ('rule' as const),
        createdAt: now,
        updatedAt: now,
      },
      lines,
    }))
    const inserted = await db
      .insertInto('visits')
      .values(rows.map((r) => r.row))
      .onConflict((c) => c.columns(['businessId', 'jobId', 'occurrenceOn']).doNothing())
      .returning(['id', 'day', 'crewId'])
      .execute()
    const ids = new Set(inserted.map((row) => row.id))
    made += ids.size
    await insertLines(
      db,
      rows.flatMap(({ row, lines }) => (ids.has(row.id) ? [{ id: row.id, lines }] : [])),
    )
    await markRoutesChangedTx(db, inserted)
  }
  return made
}

/** The lines of a visit are these from now on. */
const replaceLines = async (db: TenantDb, visitId: string, lines: readonly VisitLine[]): Promise<void> => {
  await db.deleteFrom('visitLines').where('businessId', '=', db.businessId).where('visitId', '=', visitId).execute()
  await insertLines(db, [{ id: visitId, lines }])
}

export type Rescheduled = Pick<NewVisit, 'day' | 'billable' | 'priceCents' | 'budgetMinutes'> &
  Partial<Pick<NewVisit, 'occurrenceOn' | 'crewId'>> & {
    /** Null leaves the lines as they are. */
    lines: readonly VisitLine[] | null
    /** The day or the crew is another one, so its place in the order is gone. */
    moves: boolean
  }

/**
 * Puts a waiting visit where its schedule has it now, whatever a person had done to its place. One that was canceled stays so while another one
 * stands for it.
 */
export const rescheduleVisitTx = async (db: TenantDb, visitId: string, to: Rescheduled): Promise<void> => {
  const { lines, moves, ...fields } = to
  const written = await db
    .updateTable('visits')
    .set((eb) => ({
      ...fields,
      status: to.day === null ? 'unscheduled' : 'scheduled',
      skipReason: null,
      locked: false,
      movedFrom: null,
      ...(moves ? placeless : {}),
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .where((eb) => eb.or([eb('status', '<>', 'canceled'), sql<boolean>`not ${hasOtherDay('visits')}`]))
    .executeTakeFirst()
  if (moves) await noteMovedTx(db, [visitId])
  if (lines && written.numUpdatedRows > 0n) await replaceLines(db, visitId, lines)
}

/** A visit on the day that it stood for before, with everything that its schedule says of it. */
export type Rewritten = Required<
  Pick<Rescheduled, 'day' | 'crewId' | 'billable' | 'priceCents' | 'budgetMinutes' | 'lines' | 'moves'>
> & {
  id: string
}

/** The same for many visits that stand for the days that they stood for before, in one statement. */
export const rescheduleVisitsTx = async (db: TenantDb, visits: readonly Rewritten[]): Promise<void> => {
  if (visits.length === 0) return
  const rows = visits.map(({ lines: _lines, ...row }) => row)
  const { rows: written } = await sql<{ id: string }>`
    update visits v set day = r.day, crew_id = r."crewId", billable = r.billable, price_cents = r."priceCents",
      budget_minutes = r."budgetMinutes", status = case when r.day is null then 'unscheduled' else 'scheduled' end,
      skip_reason = null, locked = false, moved_from = null,
      position = case when r.moves then null else v.position end, pinned = v.pinned and not r.moves,
      planned_start_minute = case when r.moves then null else v.planned_start_minute end,
      planned_drive_seconds = case when r.moves then null else v.planned_drive_seconds end,
      version = v.version + 1, updated_at = ${clock.iso()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, day date, "crewId" uuid, billable boolean,
      "priceCents" integer, "budgetMinutes" integer, moves boolean)
    where v.business_id = ${db.businessId} and v.id = r.id and (v.status <> 'canceled' or not ${hasOtherDay('v')})
    returning v.id`.execute(db)
  await noteMovedTx(
    db,
    visits.filter((visit) => visit.moves).map((visit) => visit.id),
  )
  const known = new Set(written.map((row) => row.id))
  const other = visits.flatMap(({ id, lines }) => (lines && known.has(id) ? [{ id, lines }] : []))
  if (other.length === 0) return
  await db
    .deleteFrom('visitLines')
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', sql<string>`any(${other.map((one) => one.id)}::uuid[])`)
    .execute()
  await insertLines(db, other)
}

/** A visit that keeps its place stands for another day that its rule names now, so that day is not made beside it. */
export const renameOccurrenceTx = async (db: TenantDb, visitId: string, occurrenceOn: Day): Promise<void> => {
  await db
    .updateTable('visits')
    .set((eb) => ({ occurrenceOn, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .execute()
}

/** Gives one waiting visit contents or a crew of its own; from then on its schedule leaves it alone. */
export const changeVisitTx = async (
  db: TenantDb,
  visitId: string,
  change: { crewId: string | null; priceCents?: number; budgetMinutes?: number; lines?: readonly VisitLine[] },
): Promise<void> => {
  const { lines, ...fields } = change
  const visit = await lockVisit(db, visitId)
  const moves = visit.crewId !== change.crewId
  await writeVisit(db, visit, { ...fields, locked: true, ...(moves ? placeless : {}) })
  if (lines) await replaceLines(db, visitId, lines)
  if (moves && visit.day !== null)
    await markRoutesChangedTx(db, [
      { day: visit.publishedDay, crewId: visit.publishedCrewId },
      { day: visit.day, crewId: visit.crewId },
      { day: visit.day, crewId: change.crewId },
    ])
}

/** What becomes of a visit whose time went by: missed, let go by the office, or to be done all the same. */
export const settleUndatedTx = async (
  db: TenantDb,
  who: Who,
  visitId: string,
  verb: 'miss' | 'forgo' | 'revive',
): Promise<void> => {
  const visit = await lockVisit(db, visitId)
  refuse(verb === 'revive' ? undoRefusal({ ...visit, before: 'unscheduled' }) : null)
  const status = stateAfter(visit, verb)
  const placed = { day: visit.publishedDay, crewId: visit.publishedCrewId }
  await writeVisit(db, visit, {
    status,
    ...(verb === 'revive'
      ? { day: null, crewId: null, skipReason: null, skipNote: '', ...placeless, ...(await uncharged(db, visit)) }
      : {}),
    ...(verb === 'forgo' ? { skipReason: 'not_needed' } : {}),
  })
  await markRoutesChangedTx(db, [visit, placed])
  await audit(db, who, `visit.${verb}`, entity(visitId), { before: { status: visit.status }, after: { status } })
}

/** Deletes visits that no crew was ever sent; they leave without a trace. */
export const deleteVisitsTx = async (db: TenantDb, visitIds: readonly string[]): Promise<void> => {
  if (visitIds.length === 0) return
  await db
    .deleteFrom('visits')
    .where('businessId', '=', db.businessId)
    .where('id', '=', sql<string>`any(${[...visitIds]}::uuid[])`)
    .where('publishedDay', 'is', null)
    .execute()
  await noteMovedTx(db, visitIds)
}

/** The same for everything that waits of whole jobs and is on no invoice. */
export const deleteVisitsOfJobsTx = async (db: TenantDb, jobIds: readonly string[]): Promise<void> => {
  const gone = await db
    .deleteFrom('visits')
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
    .where('status', 'in', ['scheduled', 'unscheduled'])
    .where('publishedDay', 'is', null)
    .where('invoiceId', 'is', null)
    .returning('id')
    .execute()
  await noteMovedTx(
    db,
    gone.map((visit) => visit.id),
  )
}
