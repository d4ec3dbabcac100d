import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, daysBetween } from '../../../../shared/dates.ts'
import type { Undated } from '../../../jobs/rules.ts'
import { getDayPlan } from '../../../routes/server/queries.ts'
import type { DueVisit } from '../../contract.ts'
import { cardFor, listCards } from '../../server/cards.ts'

/** Visits without a day that are listed, what closes first before the others; the rest wait in the list of jobs. */
const listed = 60

type WaitingRow = { id: string; undated: Undated | null; lateOn: Day | null }

/** What has no day, by the end of its window. */
const listWaiting = async (db: TenantDb): Promise<WaitingRow[]> => {
  const { rows } = await sql<WaitingRow>`
    select v.id, u.undated, coalesce(u.undated->>'closesOn', u.undated->>'warnOn') as late_on
    from visits v
    left join lateral (
      select jl.undated from visit_lines l join job_lines jl on jl.business_id = l.business_id and jl.id = l.job_line_id
      where l.business_id = v.business_id and l.visit_id = v.id and jl.undated is not null limit 1) u on true
    where v.business_id = ${db.businessId} and v.day is null and v.status = 'unscheduled'
    order by late_on nulls last, v.occurrence_on, v.id limit ${listed}`.execute(db)
  return rows
}

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
): Promise<{ day: Day; items: DueVisit[]; total: number }> => {
  const waiting = await listWaiting(db)
  const waitingIds = waiting.map((row) => row.id)
  const plan = await getDayPlan(db, actor, day, undefined, waitingIds)
  const card = cardFor(actor)
  const ids = [...new Set([...plan.unplaced.map((visit) => visit.visitId), ...waitingIds])]
  const rows = ids.length ? await listCards(db, sql`v.id = any(${ids}::uuid[])`) : []
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
  return { day, items: [...placed, ...withoutDay], total: placed.length + Number(n) }
}
