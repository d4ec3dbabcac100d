import { sql } from 'kysely'
import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict } from '../../../../shared/errors.ts'
import { livingCrewTx } from '../../../employees/server/queries.ts'
import type { Visit } from '../../contract.ts'
import { undoRefusal } from '../../rules.ts'
import { placeColumns } from '../plan/commands.ts'
import { getVisit } from '../queries.ts'
import { compareRoutesTx, followRoute, markRoutesChangedTx } from '../route/commands.ts'
import {
  entity,
  type LockedVisit,
  lockVisit,
  placeless,
  scopeOf,
  tellFollowed,
  tellSettled,
  writeVisit,
} from '../row/commands.ts'
import { deleteVisitsTx } from '../schedule/commands.ts'
import { noteMovedTx } from '../told/commands.ts'

/** What the office did to a visit last is taken back, exactly: what it wrote over stands in the audit log beside it. */

const columns = [
  'status',
  ...placeColumns,
  'enRouteAt',
  'startedAt',
  'intervalStartedAt',
  'finishedAt',
  'finishedBy',
  'workedSeconds',
  'people',
  'skipReason',
  'skipChargeCents',
  'skipNote',
  'note',
  'customerNote',
  'sawNote',
  'didNote',
  'expectNote',
  'nextNote',
  'officeNote',
  'untickedReason',
  'checklist',
  'priceCents',
  'budgetMinutes',
] as const

const lineColumns = [
  'id',
  'jobLineId',
  'serviceId',
  'description',
  'quantity',
  'unitPriceCents',
  'budgetMinutes',
  'position',
  'extraId',
  'title',
  'titleEs',
] as const

const stateOf = (db: TenantDb, visitId: string) =>
  db
    .selectFrom('visits')
    .select(columns)
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirstOrThrow()

const linesOf = (db: TenantDb, visitId: string) =>
  db
    .selectFrom('visitLines')
    .select(lineColumns)
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    .orderBy('position')
    .orderBy('id')
    .execute()

type Before = Awaited<ReturnType<typeof stateOf>> & { lines: Awaited<ReturnType<typeof linesOf>> }

const versionOf = async (db: TenantDb, visitId: string): Promise<number> =>
  (
    await db
      .selectFrom('visits')
      .select('version')
      .where('businessId', '=', db.businessId)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow()
  ).version

export type Deed = 'move' | 'cancel' | 'finish' | 'skip' | 'reopen' | 'note' | 'words'

/** Does something to a visit and keeps what it wrote over, for the history and for Undo. @returns the version that it has now */
export const recordDeed = async (
  db: TenantDb,
  who: Who,
  visitId: string,
  deed: Deed,
  work: () => Promise<object>,
): Promise<number> => {
  const before: Before = { ...(await stateOf(db, visitId)), lines: await linesOf(db, visitId) }
  const version = await versionOf(db, visitId)
  const said = await work()
  const now = await versionOf(db, visitId)
  if (now !== version)
    await audit(db, who, `visit.${deed}`, entity(visitId), { before, after: { ...said, version: now } })
  return now
}

/** Notes on a visit that it was made for another one, so that it can be taken back. */
export const recordRebooked = (db: TenantDb, who: Who, visitId: string, forVisitId: string): Promise<void> =>
  audit(db, who, 'visit.rebooked', entity(visitId), { after: { visitId: forVisitId, version: 1 } })

type Last = { action: string; before: Before; after: { version?: number; visitId?: string } }

const lastDeed = async (db: TenantDb, visitId: string): Promise<Last | undefined> => {
  const { rows } = await sql<Last>`select action, before, after from audit_log
    where business_id = ${db.businessId} and entity_type = 'visit' and entity_id = ${visitId}
    order by at desc, id desc limit 1`.execute(db)
  return rows[0]
}

const restore = async (db: TenantDb, visit: LockedVisit, before: Before): Promise<void> => {
  const { lines, checklist, ...state } = before
  // A crew that was archived meanwhile gets nothing back.
  const crewId = await livingCrewTx(db, state.crewId)
  await db
    .updateTable('visits')
    .set((eb) => ({
      ...state,
      ...(checklist === undefined ? {} : { checklist: checklist && JSON.stringify(checklist) }),
      ...(crewId === state.crewId ? {} : { ...placeless, crewId }),
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', visit.id)
    .execute()
  await tellSettled(db, visit, state.status)
  if (lines.length > 0)
    await db
      .insertInto('visitLines')
      .values(lines.map((line) => ({ ...line, businessId: db.businessId, visitId: visit.id })))
      .onConflict((c) =>
        // a move may have taken the visit to the other side of a new price
        c.columns(['businessId', 'id']).doUpdateSet((eb) => ({ unitPriceCents: eb.ref('excluded.unitPriceCents') })),
      )
      .execute()
  await noteMovedTx(db, [visit.id])
  await followRoute(db, visit)
  for (const day of new Set([visit.day, visit.publishedDay, state.day])) if (day) await compareRoutesTx(db, day)
  await publishChange(db, 'visits', [visit.id], scopeOf(visit, state))
}

/** The visit that was booked in place of another goes; one that its crew was sent stays on their list as canceled. */
const unbook = async (db: TenantDb, visit: LockedVisit, forVisitId: string): Promise<void> => {
  const source = await lockVisit(db, forVisitId)
  if (visit.publishedDay === null) {
    await deleteVisitsTx(db, [visit.id])
    await publishChange(db, 'visits', [visit.id], scopeOf(visit))
  } else await writeVisit(db, visit, { status: 'canceled' })
  await markRoutesChangedTx(db, [visit])
  await writeVisit(db, source, {})
  await tellFollowed(db, source)
}

/**
 * Takes back what the office did to a visit last. Of a visit that was booked for another one that other is answered.
 * @throws AppError version_conflict, state_conflict when anything happened to it since, or to its job or the visit that stands for it
 */
export const undoVisit = (actor: Actor, visitId: string, input: { version: number }): Promise<Visit> =>
  withTenant(actor, async (db) => getVisit(db, actor, await undoVisitTx(db, actor, visitId, input.version)))

/** As `undoVisit`. @returns the visit that stands now */
export const undoVisitTx = async (db: TenantDb, actor: Who, visitId: string, version: number): Promise<string> => {
  const visit = await lockVisit(db, visitId)
  requireVersion(visit, version, 'this visit')
  const last = await lastDeed(db, visitId)
  if (last?.after?.version !== visit.version)
    throw conflict('Nothing is left to undo on this visit, or it was changed since. It stays as it is.')
  const forVisitId = last.action === 'visit.rebooked' ? last.after.visitId : undefined
  if (forVisitId) await unbook(db, visit, forVisitId)
  else {
    refuse(undoRefusal({ ...visit, before: last.before.status }))
    await restore(db, visit, last.before)
  }
  await audit(db, actor, 'visit.undo', entity(forVisitId ?? visitId), { after: { undone: last.action } })
  return forVisitId ?? visitId
}
