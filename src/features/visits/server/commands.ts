import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { assertCrewTx } from '../../employees/server/queries.ts'
import type { Visit } from '../contract.ts'
import { visitRefusals } from '../rules.ts'
import { type Finish, finishVisitTx, type Skip, skipVisitTx } from './onsite/commands.ts'
import { getVisit } from './queries.ts'
import { followRoute, markRoutesChangedTx } from './route/commands.ts'
import { lockVisit, placeless, scopeOf, stateAfter, writeVisit } from './row/commands.ts'

export { putOnInvoicesTx, type Settlement, settleVisitTx, takeOffInvoiceTx } from './billing/commands.ts'
export {
  checkVisitTx,
  enRouteVisitTx,
  finishVisitTx,
  noteVisitTx,
  pauseVisitTx,
  saveWorkTx,
  skipVisitTx,
  startVisitTx,
  unskipVisitTx,
} from './onsite/commands.ts'
export { freeVisitsOfCrewTx, type PlanRow, pinVisitTx, placeVisitTx, writePlanTx } from './plan/commands.ts'
export {
  compareRoutesTx,
  markRoutesChangedTx,
  publishRouteTx,
  saveRouteTotalsTx,
} from './route/commands.ts'
export { lockVisit } from './row/commands.ts'
export {
  createVisitsTx,
  deleteVisitsOfJobsTx,
  deleteVisitsTx,
  type NewVisit,
  rescheduleVisitTx,
  type VisitLine,
} from './schedule/commands.ts'

/** What the office does to visits; each answers the whole new record. */

const entity = (id: string) => ({ type: 'visit', id })

const published = (visit: { publishedDay: Day | null; publishedCrewId: string | null }) => ({
  day: visit.publishedDay,
  crewId: visit.publishedCrewId,
})

export type Move = { day: Day | null; crewId: string | null; version?: number }

/** Another day or crew for a visit that nobody works on yet; without a day it waits to be scheduled. */
export const moveVisitTx = async (db: TenantDb, who: Who, visitId: string, to: Move): Promise<void> => {
  const visit = await lockVisit(db, visitId)
  requireVersion(visit, to.version, 'this visit')
  const status = stateAfter(visit, to.day === null ? 'unschedule' : 'move')
  await assertCrewTx(db, to.crewId)
  if (visit.day === to.day && visit.crewId === to.crewId) return
  await db
    .updateTable('visits')
    .set((eb) => ({
      status,
      day: to.day,
      crewId: to.crewId,
      movedFrom: visit.movedFrom ?? visit.day,
      ...placeless,
      enRouteAt: null,
      locked: true,
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .execute()
  await markRoutesChangedTx(db, [visit, published(visit), to])
  await publishChange(db, 'visits', [visitId], scopeOf(visit, to))
  await audit(db, who, 'visit.move', entity(visitId), {
    before: { day: visit.day, crewId: visit.crewId },
    after: { day: to.day, crewId: to.crewId },
  })
}

export const moveVisit = (actor: Actor, visitId: string, to: Move): Promise<Visit> =>
  withTenant(actor, async (db) => {
    await moveVisitTx(db, actor, visitId, to)
    return getVisit(db, actor, visitId)
  })

/** The visit will not be. @throws AppError 409 once somebody works on it */
export const cancelVisitTx = async (
  db: TenantDb,
  who: Who,
  visitId: string,
  reason = '',
  change: { skipReason?: string } = {},
): Promise<void> => {
  const visit = await lockVisit(db, visitId)
  await writeVisit(db, visit, { ...change, status: stateAfter(visit, 'cancel') })
  await markRoutesChangedTx(db, [visit, published(visit)])
  await followRoute(db, visit)
  await audit(db, who, 'visit.cancel', entity(visitId), { before: { status: visit.status }, after: { reason } })
}

export const cancelVisit = (
  actor: Actor,
  visitId: string,
  input: { reason: string; version?: number },
): Promise<Visit> =>
  withTenant(actor, async (db) => {
    requireVersion(await lockVisit(db, visitId), input.version, 'this visit')
    await cancelVisitTx(db, actor, visitId, input.reason)
    return getVisit(db, actor, visitId)
  })

/** Opens a finished visit again, as paused with its time kept, before it is on an invoice. */
export const reopenVisit = (
  actor: Actor,
  visitId: string,
  input: { reason: string; version?: number },
): Promise<Visit> =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    requireVersion(visit, input.version, 'this visit')
    const status = stateAfter(visit, 'reopen')
    refuse(visitRefusals.reopen(visit))
    await writeVisit(db, visit, { status, finishedAt: null, finishedBy: null })
    await followRoute(db, visit)
    await audit(db, actor, 'visit.reopen', entity(visitId), {
      before: { finishedAt: visit.finishedAt },
      after: { reason: input.reason },
    })
    return getVisit(db, actor, visitId)
  })

/** The office marks a visit as finished for a crew without its phone. */
export const finishVisit = (
  actor: Actor,
  visitId: string,
  input: Finish & { minutes?: number; version?: number },
): Promise<Visit> =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    requireVersion(visit, input.version, 'this visit')
    await finishVisitTx(db, actor, visit, input)
    await audit(db, actor, 'visit.finish', entity(visitId), { before: { status: visit.status } })
    return getVisit(db, actor, visitId)
  })

export const skipVisit = (actor: Actor, visitId: string, input: Skip & { version?: number }): Promise<Visit> =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    requireVersion(visit, input.version, 'this visit')
    await skipVisitTx(db, actor, visit, input)
    await audit(db, actor, 'visit.skip', entity(visitId), { after: { reason: input.reason } })
    return getVisit(db, actor, visitId)
  })

/**
 * A day that the job's rule did not and will not name: the free days before the skipped one are behind the rule, so neither a coming occurrence
 * is taken nor this visit made twice.
 */
const freeOccurrence = async (db: TenantDb, jobId: string, before: Day): Promise<Day> => {
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
    ])
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirstOrThrow()
  const id = newId()
  const crewId = to.crewId === undefined ? source.crewId : to.crewId
  const now = clock.iso()
  await db
    .insertInto('visits')
    .values({
      businessId: db.businessId,
      id,
      ...source,
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
    .execute()
  if (lines.length)
    await db
      .insertInto('visitLines')
      .values(lines.map((line) => ({ ...line, businessId: db.businessId, id: newId(), visitId: id })))
      .execute()
  await writeVisit(db, visit, { rebookedAs: id })
  await markRoutesChangedTx(db, [{ day: to.day, crewId }])
  await publishChange(db, 'visits', [id], { days: [to.day], crewIds: [crewId] })
  if (userIdOf(who)) await audit(db, who, 'visit.rebook', entity(visitId), { after: { day: to.day, visitId: id } })
  return id
}

export const rebookVisit = (actor: Actor, visitId: string, to: { day: Day; crewId?: string | null }): Promise<Visit> =>
  withTenant(actor, async (db) => getVisit(db, actor, await rebookVisitTx(db, actor, visitId, to)))
