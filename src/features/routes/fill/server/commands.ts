import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { refuse } from '../../../../shared/can.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import { lockVisit, type PlanRow, placeVisitTx } from '../../../visits/server/commands.ts'
import { stopRefusals } from '../../rules.ts'
import { recordChange } from '../../server/changes/steps.ts'
import { assertCrews, assertOpen, entity, lockDay } from '../../server/day/day-guards.ts'
import { readPlanningContext } from '../../server/day/read-day.ts'
import { listPlanRows, savePlan } from '../../server/plan/save-plan.ts'
import { getDayPlan } from '../../server/queries.ts'
import { weatherFor, weatherNotes } from '../../server/rain/preview.ts'
import { fillOrders } from './places.ts'
import { readFacts } from './queries.ts'

type Wish = { visitId: string; version: number; crewId: string }

/** Who was faster, and that the list says by now what is left. */
const overtakenWords = async (db: TenantDb, actor: Actor, day: Day): Promise<string> => {
  const last = await db
    .selectFrom('routeChanges as c')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'c.businessId').onRef('u.id', '=', 'c.createdBy'))
    .where('c.businessId', '=', db.businessId)
    .where('c.days', '@>', sql<Day[]>`array[${day}]::date[]`)
    .where('c.undoneAt', 'is', null)
    .select(['u.name', 'c.createdBy'])
    .orderBy('c.createdAt', 'desc')
    .executeTakeFirst()
  const who = last?.createdBy === actor.userId ? 'you did in another window' : `${last?.name ?? 'somebody'} was faster`
  return `Nothing was placed: ${who}, and a visit of this list is not as it was. The list shows what is left now.`
}

/** Puts what somebody said yes to on a day, all of it or nothing; over a change that was not seen nothing is placed. One step to undo. */
export const fillDay = (actor: Actor, day: Day, wishes: readonly Wish[]) =>
  withTenant(actor, async (db) => {
    const first = await readPlanningContext(db, day)
    assertOpen(day, first.data.today)
    assertCrews(
      first,
      wishes.map((one) => one.crewId),
    )
    const ids = wishes.map((one) => one.visitId).sort()
    const visits = []
    for (const visitId of ids) {
      const visit = await lockVisit(db, visitId)
      if (visit.version !== wishes.find((one) => one.visitId === visitId)?.version)
        throw conflict(await overtakenWords(db, actor, day))
      refuse(stopRefusals.move(visit), { status: visit.status })
      if (visit.crewId !== null && visit.day !== null) throw conflict(await overtakenWords(db, actor, day))
      visits.push(visit)
    }
    await lockDay(db, first)
    const was = await listPlanRows(db, ids)
    const facts = await readFacts(db, day, first.data.today, ids)
    for (const visit of visits) await placeVisitTx(db, visit, { day, crewId: null })
    const context = await readPlanningContext(db, day)
    const filled = await fillOrders(context, facts, {
      crewOf: new Map(wishes.map((one) => [one.visitId, one.crewId])),
      notes: weatherNotes(await weatherFor(db, [context])),
    })
    const [left] = filled.left
    if (left)
      throw conflict(
        `${context.byId.get(left.visitId)?.street ?? 'A visit'} does not fit any more: ${left.reason} Nothing was placed; look at the day anew.`,
      )
    const { before, after } = await savePlan(db, context, filled.orders, { crewIds: wishes.map((one) => one.crewId) })
    const rest = (rows: readonly PlanRow[]) => rows.filter((row) => !ids.includes(row.id))
    const count = ids.length === 1 ? '1 visit' : `${ids.length} visits`
    await recordChange(db, actor, day, {
      kind: 'move',
      label: `Fill ${formatDay(day)}: ${count}`,
      days: [day],
      before: [...was, ...rest(before)],
      after: [...(await listPlanRows(db, ids)), ...rest(after)],
    })
    await audit(db, actor, 'route.fill', entity(null), { after: { day, visits: wishes } })
    return { plan: await getDayPlan(db, actor, day), placed: ids.length }
  })
