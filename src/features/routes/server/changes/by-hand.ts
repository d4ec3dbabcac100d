import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { refuse } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { lockVisit, type PlanRow, pinVisitTx, placeVisitTx, refuseDayTx } from '../../../visits/server/commands.ts'
import { stopRefusals } from '../../rules.ts'
import { assertCrews, assertOpen, lockDay } from '../day/day-guards.ts'
import { ordersOf } from '../day/planning-context.ts'
import { readPlanningContext } from '../day/read-day.ts'
import { listPlanRows, savePlan } from '../plan/save-plan.ts'
import { bestPlace } from '../plan/unplaced.ts'
import { getDayPlan } from '../queries.ts'
import { recordChange } from './steps.ts'

export type Move = {
  visitId: string
  crewId: string | null
  position?: number | undefined
  day?: Day | undefined
  version?: number | undefined
}

/** Puts a visit exactly where it was dropped. Nothing else is moved; what that breaks is told. */
export const moveStop = (actor: Actor, to: Move) =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, to.visitId)
    requireVersion(visit, to.version, 'this visit')
    const day = to.day ?? visit.day
    if (!day) throw conflict('This visit waits for a day. Give it one, then put it on a route.')
    refuse(stopRefusals.move(visit), { status: visit.status })
    const first = await readPlanningContext(db, day)
    assertOpen(day, first.data.today)
    if (to.crewId !== null) assertCrews(first, [to.crewId])
    if (visit.day !== day || visit.crewId !== to.crewId)
      await refuseDayTx(db, day, to.crewId, { from: visit.day, visitId: to.visitId })
    await lockDay(db, first)
    const was = await rowOf(db, to.visitId)
    const elsewhere = visit.day !== day
    // First it leaves its old day and state, so that the plan of the new day sees an open visit.
    await placeVisitTx(db, visit, { day, crewId: to.crewId })
    const context = await readPlanningContext(db, day)
    const orders = ordersOf(context)
    for (const [crewId, ids] of orders)
      orders.set(
        crewId,
        ids.filter((id) => id !== to.visitId),
      )
    const target = to.crewId === null ? null : orders.get(to.crewId)!
    if (target && to.crewId) {
      const behind = context.begunOf(to.crewId).length
      const at = to.position === undefined ? bestPlace(context, to.crewId, target, to.visitId) : to.position - behind
      target.splice(Math.max(0, at), 0, to.visitId)
    }
    const crewIds = [to.crewId, visit.crewId].filter((id): id is string => id !== null && orders.has(id))
    const { before, after } = await savePlan(db, context, orders, { crewIds })
    const changed = before.some((row) => row.id === to.visitId)
    const now = await rowOf(db, to.visitId)
    const rest = <T extends { id: string }>(rows: T[]) => rows.filter((row) => row.id !== to.visitId)
    const left = elsewhere && visit.day && visit.day >= context.data.today ? await refreshDay(db, visit.day) : noRows
    if (changed || !sameRow(was, now)) {
      const street = context.byId.get(to.visitId)?.street ?? 'the stop'
      const label = to.crewId === null ? `Take ${street} off its crew` : `Move ${street}`
      await recordChange(db, actor, day, {
        kind: 'move',
        label,
        days: visit.day && visit.day >= context.data.today ? [day, visit.day] : [day],
        before: [was, ...rest(before), ...rest(left.before)],
        after: [now, ...rest(after), ...rest(left.after)],
      })
      await audit(
        db,
        actor,
        'route.move',
        { type: 'visit', id: to.visitId },
        {
          before: { day: was.day, crewId: was.crewId, position: was.position },
          after: { day, crewId: to.crewId, position: to.position },
        },
      )
    }
    const plan = await getDayPlan(db, actor, day)
    const crew = plan.crews.find((c) => c.crewId === to.crewId)
    return { plan, violations: crew?.violations.map((v) => v.text) ?? [] }
  })

type Rows = { before: PlanRow[]; after: PlanRow[] }
const noRows: Rows = { before: [], after: [] }

/** A day that lost a visit: its routes are sequenced anew. */
const refreshDay = async (db: TenantDb, day: Day): Promise<Rows> => {
  const context = await readPlanningContext(db, day)
  return savePlan(db, context, ordersOf(context), {})
}

const rowOf = async (db: TenantDb, visitId: string): Promise<PlanRow> => {
  const [row] = await listPlanRows(db, [visitId])
  if (!row) throw notFound('visit')
  return row
}

const sameRow = (a: PlanRow, b: PlanRow): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Keeps a stop with its crew and in its order when the day is optimized, or lets it go again. */
export const pinStop = (actor: Actor, visitId: string, pinned: boolean) =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    refuse(stopRefusals.pin(visit), { status: visit.status })
    if (!visit.day) throw conflict('This visit waits for a day. Give it one, then pin it.')
    if (pinned && !visit.crewId) throw conflict('Give the visit a crew first: a pin keeps it there.')
    const context = await readPlanningContext(db, visit.day)
    assertOpen(visit.day, context.data.today)
    const was = await rowOf(db, visitId)
    if (was.pinned !== pinned) {
      await pinVisitTx(db, visitId, pinned)
      const label = `${pinned ? 'Pin' : 'Unpin'} ${context.byId.get(visitId)?.street ?? 'the stop'}`
      await recordChange(db, actor, visit.day, {
        kind: 'pin',
        label,
        days: [visit.day],
        before: [was],
        after: [{ ...was, pinned }],
      })
      await publishChange(db, 'routes', [], { days: [visit.day] })
    }
    return { plan: await getDayPlan(db, actor, visit.day) }
  })
