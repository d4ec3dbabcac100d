import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { refuse } from '../../../../shared/can.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { Scope } from '../../../../shared/topics.ts'
import { isTerminal, nextStatus, type VisitStatus, type VisitVerb, verbRefusal } from '../../rules.ts'
import { elsewhere, lockFamily, rebookedAs } from '../family/queries.ts'
import { noteMovedTx } from '../told/commands.ts'

const columns = [
  'id',
  'status',
  'version',
  'day',
  'crewId',
  'publishedDay',
  'publishedCrewId',
  'startedAt',
  'intervalStartedAt',
  'finishedAt',
  'workedSeconds',
  'people',
  'note',
  'customerNote',
  'sawNote',
  'didNote',
  'expectNote',
  'nextNote',
  'invoiceId',
  'movedFrom',
  'priceCents',
  'billable',
  'skipChargeCents',
  'jobId',
] as const

export const entity = (id: string) => ({ type: 'visit', id })

export const jobEnded =
  sql<boolean>`exists (select 1 from jobs j where j.business_id = visits.business_id and j.id = visits.job_id
  and (j.status in ('completed', 'canceled') or j.archived_at is not null))`.as('jobEnded')

/** Whether work of its job waits for a visit to be done. */
const followed =
  sql<boolean>`exists (select 1 from job_lines l where l.business_id = visits.business_id and l.job_id = visits.job_id
  and (l.due_on is not null or l.undated is not null) and l.archived_at is null)`.as('followed')

/** Whether its work counts, or would count once it is finished, against what a customer pays by month or ahead. */
const onPlan =
  sql<boolean>`(exists (select 1 from billing_plan_deliveries d where d.business_id = visits.business_id and d.visit_id = visits.id)
  or exists (select 1 from visit_lines l join billing_plan_lines c on c.business_id = l.business_id and c.job_line_id = l.job_line_id
    join billing_plans p on p.business_id = c.business_id and p.id = c.plan_id and p.status = 'active'
    where l.business_id = visits.business_id and l.visit_id = visits.id))`.as('onPlan')

/** A visit without a place in the order of a day. */
export const placeless = { position: null, pinned: false, plannedStartMinute: null, plannedDriveSeconds: null } as const

/** Takes a visit for a change of its state, and with it all that were booked in its place or it in theirs. */
export const lockVisit = async (db: TenantDb, visitId: string) => {
  await lockFamily(db, visitId)
  const row = await db
    .selectFrom('visits')
    .select([
      ...columns,
      rebookedAs('visits').as('rebookedAs'),
      jobEnded,
      followed,
      onPlan,
      elsewhere('visits').as('elsewhere'),
    ])
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  if (!row) throw notFound('visit')
  return row
}

/** What the work of a visit costs by its lines, whatever its price says while it is skipped. */
export const workCentsOf = async (db: TenantDb, visitId: string): Promise<number> => {
  const { cents } = await db
    .selectFrom('visitLines')
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    .select(sql<number>`coalesce(sum(round(quantity * unit_price_cents)), 0)::int`.as('cents'))
    .executeTakeFirstOrThrow()
  return cents
}

/** What taking a skip back writes: its charge goes, and the visit costs its work again. */
export const uncharged = async (
  db: TenantDb,
  visit: { id: string; skipChargeCents: number | null },
): Promise<{ skipChargeCents?: null; priceCents?: number }> =>
  visit.skipChargeCents === null ? {} : { skipChargeCents: null, priceCents: await workCentsOf(db, visit.id) }

export type LockedVisit = Awaited<ReturnType<typeof lockVisit>>

/** The state after a verb. @throws AppError state_conflict when the visit's state does not have it */
export const stateAfter = (visit: Pick<LockedVisit, 'status'>, verb: VisitVerb): VisitStatus => {
  refuse(verbRefusal(verb)(visit), { status: visit.status })
  return nextStatus(verb, visit.status) ?? visit.status
}

type VisitChange = Partial<{
  status: VisitStatus
  enRouteAt: string | null
  startedAt: string | null
  intervalStartedAt: string | null
  finishedAt: string | null
  workedSeconds: number
  people: number
  skipReason: string | null
  skipChargeCents: number | null
  skipNote: string
  note: string
  customerNote: string
  sawNote: string
  didNote: string
  expectNote: string
  nextNote: string
  officeNote: string
  checklist: string | null
  untickedReason: string
  finishedBy: string | null
  day: string | null
  crewId: string | null
  movedFrom: string | null
  priceCents: number
  budgetMinutes: number
  billable: boolean
  locked: boolean
  position: null
  pinned: boolean
  plannedStartMinute: null
  plannedDriveSeconds: null
}>

type Placed = Pick<LockedVisit, 'day' | 'crewId' | 'publishedDay' | 'publishedCrewId'>

/** The days and crews whose plan shows a visit, as it was and as it will be. */
export const scopeOf = (visit: Placed, to: { day?: string | null; crewId?: string | null } = {}): Scope => ({
  days: [visit.day, visit.publishedDay, to.day],
  crewIds: [visit.crewId, visit.publishedCrewId, to.crewId],
})

/** Tells who waits for a visit that it came to its end, or back from it. */
export const tellSettled = async (
  db: TenantDb,
  visit: Pick<LockedVisit, 'id' | 'jobId' | 'status' | 'followed'>,
  status: VisitStatus,
): Promise<void> => {
  if (isTerminal(visit.status) !== isTerminal(status)) await tellFollowed(db, visit)
}

/** Tells the job of a visit that the open day of what follows it is to be found again. */
export const tellFollowed = async (
  db: TenantDb,
  visit: Pick<LockedVisit, 'id' | 'jobId' | 'followed'>,
): Promise<void> => {
  if (visit.followed) await emit(db, 'visit.settled', { visitId: visit.id, jobId: visit.jobId })
}

/** Writes a change of one visit, raises its version and refreshes open screens. */
export const writeVisit = async (
  db: TenantDb,
  visit: Placed & Pick<LockedVisit, 'id' | 'jobId' | 'status' | 'followed' | 'onPlan'>,
  change: VisitChange,
): Promise<void> => {
  await db
    .updateTable('visits')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', visit.id)
    .execute()
  if (change.status) await tellSettled(db, visit, change.status)
  if (visit.onPlan && (change.status ?? change.priceCents ?? change.billable) !== undefined)
    await emit(db, 'visit.counted', { visitId: visit.id })
  const day = change.day ?? visit.day
  // Days here are never ahead of UTC: an evening is taken for late, and nobody finds anything to do.
  if ((change.status ?? visit.status) === 'completed' || visit.status === 'completed')
    if (day && day < clock.iso().slice(0, 10)) await emit(db, 'visit.workChanged', { visitId: visit.id })
  if (change.day !== undefined || change.status === 'canceled') await noteMovedTx(db, [visit.id])
  await publishChange(db, 'visits', [visit.id], scopeOf(visit, change))
}
