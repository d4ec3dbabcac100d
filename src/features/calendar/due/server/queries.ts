import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { getDayPlan } from '../../../routes/server/queries.ts'
import type { DueVisit } from '../../contract.ts'
import { cardFor, listCards } from '../../server/cards.ts'

/** Visits without a day that are listed; the others wait in the list of jobs. */
const listed = 60

/** What has no crew on a day or before it, with the places where it fits, and what has no day at all. */
export const listDue = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
): Promise<{ day: Day; items: DueVisit[]; total: number }> => {
  const plan = await getDayPlan(db, actor, day)
  const card = cardFor(actor)
  const ids = plan.unplaced.map((visit) => visit.visitId)
  const rows = ids.length ? await listCards(db, sql`v.id = any(${ids}::uuid[])`) : []
  const waiting = await listCards(db, sql`v.day is null and v.status = 'unscheduled'`, listed)
  const { n } = await db
    .selectFrom('visits')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('businessId', '=', db.businessId)
    .where('day', 'is', null)
    .where('status', '=', 'unscheduled')
    .executeTakeFirstOrThrow()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const placed = plan.unplaced.flatMap((unplaced): DueVisit[] => {
    const row = byId.get(unplaced.visitId)
    const { daysLate, places, reason } = unplaced
    return row ? [{ ...card(row), daysLate, places, reason }] : []
  })
  return {
    day,
    items: [
      ...placed,
      ...waiting.map((row) => ({ ...card(row), daysLate: 0, places: [], reason: 'It has no day yet.' })),
    ],
    total: placed.length + Number(n),
  }
}
