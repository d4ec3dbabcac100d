import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { type Day, dayOf } from '../../../shared/dates.ts'
import { invalid } from '../../../shared/errors.ts'
import { assertCrewTx, livingCrewTx } from '../../employees/server/queries.ts'
import type { Visit } from '../contract.ts'
import { crewOffMessage, dayRefusal, licenseRefusal } from '../days/rules.ts'
import { getWorkCalendar } from '../days/server/queries.ts'
import type { NoteField } from '../notes/rules.ts'
import { isTerminal, statusLabel, visitRefusals } from '../rules.ts'
import { extraPartOf } from './extras/commands.ts'
import { type Finish, finishVisitTx, type Skip, skipVisitTx } from './onsite/commands.ts'
import { endOfWork, type FinishTimes, instantsOf, keepLinesTx } from './onsite/finish.ts'
import { tellAddedTx, tellMovedTx } from './onsite/place.ts'
import { takeDayPricesTx } from './prices/commands.ts'
import { getVisit } from './queries.ts'
import { compareRoutesTx, followRoute, markRoutesChangedTx } from './route/commands.ts'
import {
  entity,
  lockVisit,
  placeless,
  stateAfter,
  tellFollowed,
  uncharged,
  workCentsOf,
  writeVisit,
} from './row/commands.ts'
import { freeOccurrence } from './schedule/commands.ts'
import { checkOfficeSkip } from './skips/queries.ts'
import { recordDeed, recordRebooked } from './undo/commands.ts'

export { coverVisitsTx, putOnInvoicesTx, type Settlement, settleVisitTx, takeOffInvoiceTx } from './billing/commands.ts'
export {
  checkVisitTx,
  enRouteVisitTx,
  finishVisitTx,
  noteVisitTx,
  pauseVisitTx,
  saveWorkTx,
  skipVisitTx,
  startVisitTx,
  takeCrewTimesTx,
  unskipVisitTx,
} from './onsite/commands.ts'
export { workWhereDoneTx } from './onsite/place.ts'
export {
  freeVisitsOfCrewTx,
  type PlanRow,
  pinVisitTx,
  placeColumns,
  placeVisitTx,
  writePlanTx,
} from './plan/commands.ts'
export { rebudgetLinesTx, repriceLinesTx } from './prices/commands.ts'
export {
  compareRoutesTx,
  markRoutesChangedTx,
  type Place,
  publishRouteTx,
  saveRouteTotalsTx,
} from './route/commands.ts'
export { type LockedVisit, lockVisit } from './row/commands.ts'
export {
  changeVisitTx,
  createVisitsTx,
  deleteVisitsOfJobsTx,
  deleteVisitsTx,
  freeOccurrence,
  type NewVisit,
  type Rewritten,
  renameOccurrenceTx,
  rescheduleVisitsTx,
  rescheduleVisitTx,
  settleUndatedTx,
  type VisitLine,
} from './schedule/commands.ts'

export {
  countStrayedTx,
  type KeptVisit,
  madeByChangeTx,
  putVisitsBackTx,
  takeVisitsTx,
  type VisitChanges,
  visitChanges,
} from './snapshot/commands.ts'
export { undoVisit, undoVisitTx } from './undo/commands.ts'

/** What the office does to visits; each answers the whole new record, and can be taken back by `undoVisit`. */

const published = (visit: { publishedDay: Day | null; publishedCrewId: string | null }) => ({
  day: visit.publishedDay,
  crewId: visit.publishedCrewId,
})

export type Move = { day: Day | null; crewId: string | null; version?: number }

/** Another day or crew for a visit that nobody works on yet; without a day it waits to be scheduled. */
export const moveVisit = (actor: Actor, visitId: string, to: Move): Promise<Visit> =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    requireVersion(visit, to.version, 'this visit')
    stateAfter(visit, to.day === null ? 'unschedule' : 'move')
    await assertCrewTx(db, to.crewId)
    if (visit.day === to.day && visit.crewId === to.crewId) return getVisit(db, actor, visitId)
    if (to.day !== null) await refuseDayTx(db, to.day, to.crewId, { from: visit.day, visitId })
    await moveVisitTx(db, actor, visitId, to)
    return getVisit(db, actor, visitId)
  })

/** Moves a visit to a day and crew that the caller has found open to it. @returns its version for `undoVisitTx` */
export const moveVisitTx = async (
  db: TenantDb,
  actor: Actor,
  visitId: string,
  to: { day: Day | null; crewId: string | null },
): Promise<number> => {
  const visit = await lockVisit(db, visitId)
  const status = stateAfter(visit, to.day === null ? 'unschedule' : 'move')
  return recordDeed(db, actor, visitId, 'move', async () => {
    await writeVisit(db, visit, {
      status,
      day: to.day,
      crewId: to.crewId,
      movedFrom: visit.movedFrom ?? visit.day,
      ...placeless,
      enRouteAt: null,
      locked: true,
    })
    await takeDayPricesTx(db, [{ id: visitId, from: visit.day }])
    await markRoutesChangedTx(db, [visit, published(visit), to])
    if (visit.publishedDay === dayOf(clock.now(), actor.timeZone)) await tellMovedTx(db, visit, to)
    await tellAddedTx(db, visit, to)
    return { day: to.day, crewId: to.crewId }
  })
}

const skillsOf = async (db: TenantDb, visitId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('visitLines as l')
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'l.businessId').onRef('s.id', '=', 'l.serviceId'))
    .where('l.businessId', '=', db.businessId)
    .where('l.visitId', '=', visitId)
    .select('s.skills')
    .execute()
  return rows.flatMap((row) => row.skills)
}

/**
 * Whoever puts a visit on a day asks here; `visitId`: what it needs a license for is looked at too. One that only changes its crew stays on its day, whatever day that is.
 * @throws AppError state_conflict for a day on which the business or the crew does not work
 */
export const refuseDayTx = async (
  db: TenantDb,
  day: Day,
  crewId: string | null,
  { from = null, visitId }: { from?: Day | null; visitId?: string } = {},
): Promise<void> => {
  const calendar = await getWorkCalendar(db, day)
  const crew = calendar.crews.find((one) => one.id === crewId)
  const needed = visitId && crew?.licenses.length ? await skillsOf(db, visitId) : []
  const why =
    (day === from ? crew && crewOffMessage(crew, day) : dayRefusal(calendar, day, crewId)) ??
    licenseRefusal(calendar, needed, day, crewId)
  refuse(why ? `${why} Nothing was changed; pick another day.` : null)
}

/** The visit will not be. @throws AppError 409 once somebody works on it */
export const cancelVisitTx = async (
  db: TenantDb,
  who: Who,
  visitId: string,
  reason = '',
  change: { skipReason?: string } = {},
): Promise<void> => {
  const { status } = await lockVisit(db, visitId)
  await cancelVisitRow(db, visitId, change)
  await audit(db, who, 'visit.cancel', entity(visitId), { before: { status }, after: { reason } })
}

const cancelVisitRow = async (db: TenantDb, visitId: string, change: { skipReason?: string } = {}): Promise<void> => {
  const visit = await lockVisit(db, visitId)
  await writeVisit(db, visit, { ...change, status: stateAfter(visit, 'cancel') })
  await markRoutesChangedTx(db, [visit, published(visit)])
  await followRoute(db, visit)
}

export const cancelVisit = (
  actor: Actor,
  visitId: string,
  input: { reason: string; version?: number },
): Promise<Visit> =>
  withTenant(actor, async (db) => {
    requireVersion(await lockVisit(db, visitId), input.version, 'this visit')
    await recordDeed(db, actor, visitId, 'cancel', async () => {
      await cancelVisitRow(db, visitId)
      return { reason: input.reason }
    })
    return getVisit(db, actor, visitId)
  })

/** Work that a billing plan was settled with stays as it was counted. */
const settledPlanRefusal = async (db: TenantDb, visitId: string): Promise<string | null> => {
  const settled = await db
    .selectFrom('billingPlanDeliveries as d')
    .innerJoin('billingPlans as p', (x) => x.onRef('p.businessId', '=', 'd.businessId').onRef('p.id', '=', 'd.planId'))
    .where('d.businessId', '=', db.businessId)
    .where('d.visitId', '=', visitId)
    .where('p.status', '=', 'settled')
    .select('p.name')
    .executeTakeFirst()
  return settled
    ? `This visit was settled with the billing plan "${settled.name}". Take that settlement back first, or give a credit. Nothing was changed.`
    : null
}

/**
 * Opens a finished visit again, as paused with its time kept, before it is on an invoice; puts one that was skipped or canceled back on its
 * day. A finished one needs a reason, because its money waits to be billed.
 */
export const reopenVisit = (
  actor: Actor,
  visitId: string,
  input: { reason: string; version?: number },
): Promise<Visit> =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    requireVersion(visit, input.version, 'this visit')
    const next = stateAfter(visit, 'reopen')
    refuse(visitRefusals.reopen(visit))
    refuse(await settledPlanRefusal(db, visitId))
    if (visit.status === 'completed' && input.reason === '')
      throw invalid([{ path: 'reason', message: 'Say why, so that the others understand.' }])
    await recordDeed(db, actor, visitId, 'reopen', async () => {
      const crewId = await livingCrewTx(db, visit.crewId)
      await writeVisit(db, visit, {
        status: next === 'scheduled' && visit.day === null ? 'unscheduled' : next,
        finishedAt: null,
        finishedBy: null,
        intervalStartedAt: null,
        ...(visit.status === 'completed' ? {} : { skipReason: null, skipNote: '', ...(await uncharged(db, visit)) }),
        ...(crewId === visit.crewId ? {} : { ...placeless, crewId }),
      })
      await followRoute(db, visit)
      for (const day of new Set([visit.day, visit.publishedDay])) if (day) await compareRoutesTx(db, day)
      return { reason: input.reason }
    })
    return getVisit(db, actor, visitId)
  })

export type OfficeFinish = Finish & FinishTimes & { lineIds?: string[]; version?: number }

/** The office marks a visit as finished for a crew without its phone. */
/** The visits of a job before a day were done on their days: nobody worked by the clock, the money is of those days. */
export const finishPastVisitsTx = async (db: TenantDb, who: Who, jobId: string, before: Day): Promise<void> => {
  const visits = await db
    .selectFrom('visits')
    .select(['id', 'day'])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('status', '=', 'scheduled')
    .where('day', '<', before)
    .orderBy('day')
    .execute()
  for (const { id, day } of visits) {
    if (day === null) continue
    const at = await endOfWork(db, day)
    await recordDeed(db, who, id, 'finish', async () => {
      await finishVisitTx(db, who, await lockVisit(db, id), { at })
      return {}
    })
  }
}

export const finishVisit = (actor: Actor, visitId: string, input: OfficeFinish): Promise<Visit> =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    requireVersion(visit, input.version, 'this visit')
    stateAfter(visit, 'finish')
    const times = await instantsOf(db, visit, input)
    await recordDeed(db, actor, visitId, 'finish', async () => {
      const change = input.lineIds ? await keepLinesTx(db, visit, input.lineIds) : {}
      await finishVisitTx(db, actor, visit, { ...input, ...times }, change)
      return {}
    })
    return getVisit(db, actor, visitId)
  })

export const skipVisit = (actor: Actor, visitId: string, input: Skip & { version?: number }): Promise<Visit> =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    requireVersion(visit, input.version, 'this visit')
    await checkOfficeSkip(db, input)
    await recordDeed(db, actor, visitId, 'skip', async () => {
      await skipVisitTx(db, actor, visit, input)
      return { reason: input.reason }
    })
    return getVisit(db, actor, visitId)
  })

/** The customer skips a visit themself, by the rules of their portal; `undoVisitTx` takes it back. @returns the version that it has now */
export const skipForCustomerTx = async (
  db: TenantDb,
  who: Who,
  visitId: string,
  input: { reason: string; note: string },
): Promise<number> =>
  recordDeed(db, who, visitId, 'skip', async () => {
    await skipVisitTx(db, who, visitId, { ...input, charge: true })
    return { reason: input.reason, portal: true }
  })

type NotesOfOffice = { note?: string; version?: number } & { [field in NoteField]?: string }

/**
 * What the crew should know on this visit alone: its phones show it, and it goes with the visit. And what the customer and the next crew read of it,
 * which the office puts right before and after the visit.
 * @throws AppError 409 for a note to the crew once the visit is over
 */
export const noteOnVisit = (actor: Actor, visitId: string, input: NotesOfOffice): Promise<Visit> =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    const { note, version, ...words } = input
    requireVersion(visit, version, 'this visit')
    if (Object.keys(words).length > 0)
      await recordDeed(db, actor, visitId, 'words', async () => {
        await writeVisit(db, visit, words)
        return { reason: Object.keys(words).every((field) => field === 'nextNote') ? 'next time' : 'the customer' }
      })
    if (note === undefined) return getVisit(db, actor, visitId)
    refuse(
      isTerminal(visit.status)
        ? `This visit is ${statusLabel(visit.status)}, so nobody would read it. Write it on the job or on another visit.`
        : null,
    )
    await recordDeed(db, actor, visitId, 'note', async () => {
      await writeVisit(db, visit, { officeNote: note })
      return { reason: note }
    })
    return getVisit(db, actor, visitId)
  })

/** A new visit on another day for one that was skipped or missed, with the same lines and price; once. Returns the new visit's id. */
export const rebookVisitTx = async (
  db: TenantDb,
  who: Who,
  visitId: string,
  to: { day: Day; crewId?: string | null },
): Promise<string> => {
  const visit = await lockVisit(db, visitId)
  refuse(visitRefusals.rebook(visit), visit.rebookedAs ? { visitId: visit.rebookedAs } : { status: visit.status })
  if (to.crewId !== undefined) await assertCrewTx(db, to.crewId)
  const source = await db
    .selectFrom('visits')
    .select([
      'jobId',
      'customerId',
      'propertyId',
      'occurrenceOn',
      'crewId',
      'windowStartMinute',
      'windowEndMinute',
      'budgetMinutes',
      'priceCents',
      'billable',
      'officeNote',
    ])
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirstOrThrow()
  const id = newId()
  const crewId = to.crewId === undefined ? await livingCrewTx(db, source.crewId) : to.crewId
  await refuseDayTx(db, to.day, crewId, { visitId })
  const extra = await extraPartOf(db, visitId)
  const now = clock.iso()
  await db
    .insertInto('visits')
    .values({
      businessId: db.businessId,
      id,
      ...source,
      // A skip that is charged costs its charge; its work costs what it did, without what its crew found or sold that day, nor its labor.
      priceCents: Math.max(
        0,
        (visit.skipChargeCents === null ? source.priceCents : await workCentsOf(db, visitId)) - extra.cents,
      ),
      budgetMinutes: Math.max(0, source.budgetMinutes - extra.minutes),
      rebookedFrom: visitId,
      crewId,
      day: to.day,
      occurrenceOn: await freeOccurrence(db, source.jobId, source.occurrenceOn),
      status: 'scheduled',
      origin: 'rebook',
      locked: true,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  const lines = await db
    .selectFrom('visitLines')
    .select(['jobLineId', 'serviceId', 'description', 'quantity', 'unitPriceCents', 'budgetMinutes', 'position'])
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    // What its crew found that day is no part of another day.
    .where('extraId', 'is', null)
    .execute()
  if (lines.length)
    await db
      .insertInto('visitLines')
      .values(lines.map((line) => ({ ...line, businessId: db.businessId, id: newId(), visitId: id })))
      .execute()
  await takeDayPricesTx(db, [{ id, from: visit.day ?? source.occurrenceOn }])
  await writeVisit(db, visit, {})
  await tellFollowed(db, visit)
  await markRoutesChangedTx(db, [{ day: to.day, crewId }])
  await publishChange(db, 'visits', [id], { days: [to.day], crewIds: [crewId] })
  if (userIdOf(who)) await audit(db, who, 'visit.rebook', entity(visitId), { after: { day: to.day, visitId: id } })
  await recordRebooked(db, who, id, visitId)
  return id
}

export const rebookVisit = (actor: Actor, visitId: string, to: { day: Day; crewId?: string | null }): Promise<Visit> =>
  withTenant(actor, async (db) => getVisit(db, actor, await rebookVisitTx(db, actor, visitId, to)))
