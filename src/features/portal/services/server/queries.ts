import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { measureOf } from '../../../services/measures/rules.ts'
import { priceFor } from '../../../services/rules.ts'
import { listServices } from '../../../services/server/queries.ts'
import type { VisitStatus } from '../../../visits/rules.ts'
import { type PauseVerdict, pauseVerdict, type RequestKind, type RequestState } from '../../rules.ts'
import { type Door, todayAt } from '../../server/queries.ts'

export type PortalJob = {
  id: string
  title: string
  status: 'active' | 'paused'
  street: string
  pausedUntil: Day | null
  next: { status: VisitStatus; day: Day | null; windowStartMinute: number | null } | null
  pause: PauseVerdict
  /** Paused by the customer here, so that they may end it here. */
  ownPause: boolean
}

/** The work that goes on for a customer, or is paused: what comes back, and rounds of programs. */
export const listJobs = async (db: TenantDb, door: Door, customerId: string, jobId?: string): Promise<PortalJob[]> => {
  const { rows } = await sql<
    Omit<PortalJob, 'next' | 'pause' | 'ownPause'> & {
      nextStatus: VisitStatus | null
      nextDay: Day | null
      nextStart: number | null
      ownPause: boolean
    }
  >`select j.id, j.title, j.status, p.street, j.paused_until as "pausedUntil", n.status as "nextStatus", n.day as "nextDay",
      n.window_start_minute as "nextStart",
      coalesce((select r.status = 'done' from portal_requests r where r.business_id = j.business_id and r.job_id = j.id and r.kind = 'pause'
        order by r.id desc limit 1), false) as "ownPause"
    from jobs j join properties p on p.business_id = j.business_id and p.id = j.property_id
    left join lateral (select v.status, v.day, v.window_start_minute from visits v
      where v.business_id = j.business_id and v.job_id = j.id and v.day >= ${todayAt(door)}::date
        and v.status in ('scheduled', 'en_route', 'in_progress', 'paused') order by v.day, v.id limit 1) n on true
    where j.business_id = ${db.businessId} and j.customer_id = ${customerId} and j.archived_at is null and j.status in ('active', 'paused')
      and ${jobId === undefined ? sql`true` : sql`j.id = ${jobId}::uuid`}
      and exists (select 1 from job_lines l where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null
        and (l.recurrence is not null or l.undated is not null))
    order by p.street, j.number limit 30`.execute(db)
  return rows.map(({ nextStatus, nextDay, nextStart, ...job }) => {
    const next = nextStatus && { status: nextStatus, day: nextDay, windowStartMinute: nextStart }
    return {
      ...job,
      next,
      pause: pauseVerdict(job, next, door.rules, { now: clock.iso(), timeZone: door.timeZone }),
      ownPause: job.status === 'paused' && job.ownPause,
    }
  })
}

/** The lawns of a customer in use: what prices of their work depend on. */
export const listLawns = (db: TenantDb, customerId: string) =>
  db
    .selectFrom('properties')
    .select([
      'id as propertyId',
      'street',
      'unit',
      'city',
      'state',
      'zip',
      'lawnSquareFeet',
      'difficulty',
      bedSquareFeetOf('properties').as('bedSquareFeet'),
      edgeFeetOf('properties').as('edgeFeet'),
    ])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('archivedAt', 'is', null)
    .orderBy('id')
    .limit(50)
    .execute()

export type OfferedService = {
  id: string
  name: string
  description: string
  /** For each property: what the price book says, or null. */
  prices: { propertyId: string; street: string; cents: number | null }[]
}

/** What customers may ask for, priced for their own lawns once. */
export const listOffered = async (db: TenantDb, door: Door, customerId: string): Promise<OfferedService[]> => {
  const { requestsAllowed, serviceIds } = door.rules
  if (!requestsAllowed || serviceIds.length === 0) return []
  const services = (await listServices(db)).filter(({ id }) => serviceIds.includes(id))
  const lawns = await listLawns(db, customerId)
  return services.map(({ id, name, description, priceRule, unit, measuredBy }) => ({
    id,
    name,
    description,
    prices: lawns.map(({ propertyId, street, difficulty, ...sizes }) => ({
      propertyId,
      street,
      // a price an hour or a yard says nothing of what it comes to
      cents:
        unit === 'visit'
          ? priceFor(priceRule, { ...measureOf({ measuredBy }, sizes), difficulty, frequency: 'once' }).cents
          : null,
    })),
  }))
}

export type ListedRequest = {
  id: string
  kind: RequestKind
  status: RequestState
  title: string
  words: string
  answer: string
  until: Day | null
  createdAt: string
}

/** What a customer asked for, the latest first. */
export const listOwnRequests = async (
  db: TenantDb,
  customerId: string,
  kinds: readonly RequestKind[],
): Promise<ListedRequest[]> =>
  db
    .selectFrom('portalRequests')
    .select(['id', 'kind', 'status', 'title', 'words', 'answer', 'until', 'createdAt'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('kind', 'in', [...kinds])
    .orderBy('id', 'desc')
    .limit(10)
    .execute() as Promise<ListedRequest[]>
