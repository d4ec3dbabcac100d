import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, daysBetween } from '../../../../shared/dates.ts'
import type { Undated } from '../../../jobs/rules.ts'
import { listWaiting } from '../../../routes/fill/server/queries.ts'
import { getDayPlan } from '../../../routes/server/queries.ts'
import type { DueVisit } from '../../contract.ts'
import { cardFor, listCards } from '../../server/cards.ts'

type WaitingRow = { id: string; undated: Undated | null; lateOn: Day | null }

const waitingOf = ({ undated, lateOn }: WaitingRow, today: Day): NonNullable<DueVisit['waiting']> => ({
  kind: undated?.kind ?? 'other',
  name: undated?.kind === 'step' ? undated.name : null,
  opensOn: undated?.kind === 'step' ? undated.opensOn : undated?.kind === 'waiting' ? undated.fromOn : null,
  closesOn: lateOn,
  daysLate: lateOn === null ? 0 : Math.max(0, daysBetween(lateOn, today)),
})

/** What has no crew on a day or before it and what has no day at all, each with the places where it fits. */
export const listDue = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
): Promise<{ day: Day; items: DueVisit[]; total: number; undo: { id: string; label: string } | null }> => {
  const waiting = await listWaiting<Undated>(db)
  const waitingIds = waiting.map((row) => row.id)
  const plan = await getDayPlan(db, actor, day, undefined, waitingIds)
  const card = cardFor(actor)
  const ids = [...new Set([...plan.unplaced.map((visit) => visit.visitId), ...waitingIds])]
  const rows = ids.length ? await listCards(db, sql`v.id = any(${ids}::uuid[])`, { today: plan.today, shown: day }) : []
  const { n } = await db
    .selectFrom('visits')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('businessId', '=', db.businessId)
    .where('day', 'is', null)
    .where('status', '=', 'unscheduled')
    .executeTakeFirstOrThrow()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const found = new Map(plan.unplaced.map((visit) => [visit.visitId, visit]))
  const placed = plan.unplaced.flatMap((unplaced): DueVisit[] => {
    const row = waitingIds.includes(unplaced.visitId) ? undefined : byId.get(unplaced.visitId)
    const { daysLate, places, reason } = unplaced
    return row ? [{ ...card(row), waiting: null, daysLate, places, reason }] : []
  })
  const withoutDay = waiting.flatMap((one): DueVisit[] => {
    const row = byId.get(one.id)
    if (!row) return []
    const standing = waitingOf(one, plan.today)
    const { places = [], reason = null } = found.get(one.id) ?? {}
    return [{ ...card(row), waiting: standing, daysLate: standing.daysLate, places, reason }]
  })
  const undo = plan.can.change ? plan.undo : null
  return { day, items: [...placed, ...withoutDay], total: placed.length + Number(n), undo }
}
