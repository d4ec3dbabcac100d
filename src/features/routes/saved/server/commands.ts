import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { type Day, weekdayOf } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { assertCrewTx } from '../../../employees/server/queries.ts'
import { getWorkCalendar } from '../../../visits/server/queries.ts'
import { recordChange } from '../../server/changes/steps.ts'
import { lockDay } from '../../server/day/day-guards.ts'
import { ordersOf } from '../../server/day/planning-context.ts'
import { readPlanningContext } from '../../server/day/read-day.ts'
import { savePlan } from '../../server/plan/save-plan.ts'
import { getDayPlan } from '../../server/queries.ts'
import type { SavedRoute } from '../contract.ts'
import { appliedTo, applyRefusal, getSavedRoute, getSavedRow } from './queries.ts'

const entity = (id: string) => ({ type: 'saved_route', id })

/** Keeps the stops of a crew's day for its weekday: those that were done already come first, as they were driven. */
export const saveDay = (actor: Actor, input: { name: string; day: Day; crewId: string }): Promise<SavedRoute> =>
  withTenant(actor, async (db) => {
    await assertCrewTx(db, input.crewId)
    const context = await readPlanningContext(db, input.day)
    const open = ordersOf(context).get(input.crewId) ?? []
    const jobIds = [
      ...context.begunOf(input.crewId).map((visit) => visit.jobId),
      ...open.flatMap((id) => context.byId.get(id)?.jobId ?? []),
    ]
    if (jobIds.length === 0)
      throw conflict('This crew has no stops on that day. Pick a day that it drives, then save it.')
    const id = newId()
    await db
      .insertInto('savedRoutes')
      .values({
        businessId: db.businessId,
        id,
        name: input.name,
        weekday: weekdayOf(input.day),
        crewId: input.crewId,
        jobIds: [...new Set(jobIds)],
        createdBy: actor.userId,
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .execute()
    await audit(db, actor, 'savedRoute.create', entity(id), { after: input })
    await publishChange(db, 'routes', [id])
    return getSavedRoute(db, actor, id)
  })

const lockSaved = async (db: TenantDb, id: string, version: number): Promise<void> => {
  const row = await db
    .selectFrom('savedRoutes')
    .select('version')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('saved route')
  requireVersion(row, version, 'this saved route')
}

type Fields = Partial<{ name: string; weekday: number; crewId: string; jobIds: string[]; removedAt: string | null }>

const write = async (db: TenantDb, actor: Actor, id: string, verb: string, fields: Fields): Promise<SavedRoute> => {
  await db
    .updateTable('savedRoutes')
    .set((eb) => ({ ...fields, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await audit(db, actor, `savedRoute.${verb}`, entity(id), { after: fields })
  await publishChange(db, 'routes', [id])
  return getSavedRoute(db, actor, id)
}

export const changeSavedRoute = (
  actor: Actor,
  id: string,
  { version, ...fields }: { name: string; weekday: number; crewId: string; jobIds: string[]; version: number },
): Promise<SavedRoute> =>
  withTenant(actor, async (db) => {
    await lockSaved(db, id, version)
    await assertCrewTx(db, fields.crewId)
    const jobIds = [...new Set(fields.jobIds)]
    const known = await db
      .selectFrom('jobs')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', 'in', jobIds)
      .execute()
    if (known.length < jobIds.length)
      throw invalid([{ path: 'jobIds', message: 'A job of this route is not there any more. Open it anew.' }])
    return write(db, actor, id, 'change', { ...fields, jobIds })
  })

export const removeSavedRoute = (actor: Actor, id: string, version: number, back = false): Promise<SavedRoute> =>
  withTenant(actor, async (db) => {
    await lockSaved(db, id, version)
    return write(db, actor, id, back ? 'restore' : 'remove', { removedAt: back ? null : clock.iso() })
  })

/** Puts a saved route on a day as it is now; Undo of the plan takes it back. Applied twice it changes nothing the second time. */
export const applySavedRoute = (actor: Actor, id: string, day: Day) =>
  withTenant(actor, async (db) => {
    const row = await getSavedRow(db, id)
    refuse(row.removed ? 'This saved route was removed. Nothing was changed.' : null)
    const first = await readPlanningContext(db, day)
    refuse(applyRefusal(first, row.crewId))
    await lockDay(db, first)
    const context = await readPlanningContext(db, day)
    const { orders, crewIds } = appliedTo(context, row, await getWorkCalendar(db, day))
    const { before, after } = await savePlan(db, context, orders, { crewIds })
    const changed = after.length > 0
    if (changed) {
      await recordChange(db, actor, day, { kind: 'saved', label: `Apply ${row.name}`, days: [day], before, after })
      await audit(db, actor, 'savedRoute.apply', entity(id), { after: { day, stops: after.length } })
    }
    return { plan: await getDayPlan(db, actor, day), changed }
  })
