import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { touch } from '../../../../platform/events/events.ts'

type OnRoute = {
  publishedDay: string | null
  publishedCrewId: string | null
  day: string | null
  crewId: string | null
}

/** A published route is started with the first stop and closed with the last; a stop that opens again opens it again. */
export const followRoute = async (db: TenantDb, visit: OnRoute): Promise<void> => {
  const { publishedDay: day, publishedCrewId: crewId } = visit
  if (!day || !crewId) return
  const { rows } = await sql<{ id: string }>`
    update routes r set status = p.status, version = r.version + 1, updated_at = ${clock.iso()}
    from (
      select case
        when bool_and(v.status in ('completed', 'skipped', 'cancelled', 'missed')) then 'closed'
        when bool_or(v.status not in ('unscheduled', 'scheduled', 'cancelled')) then 'started'
        else 'published' end as status
      from visits v
      where v.business_id = ${db.businessId} and v.published_day = ${day} and v.published_crew_id = ${crewId}) p
    where r.business_id = ${db.businessId} and r.day = ${day} and r.crew_id = ${crewId}
      and r.status <> 'planned' and r.status <> p.status
    returning r.id`.execute(db)
  if (rows.length)
    await touch(
      db,
      'routes',
      rows.map((r) => r.id),
    )
}

/** The plan of these crews and days is no longer what they were sent. */
export const markRoutesDirty = async (
  db: TenantDb,
  places: readonly { day: string | null; crewId: string | null }[],
): Promise<void> => {
  for (const { day, crewId } of places) {
    if (!day || !crewId) continue
    const changed = await db
      .updateTable('routes')
      .set((eb) => ({ dirty: true, version: eb('version', '+', 1), updatedAt: clock.iso() }))
      .where('businessId', '=', db.businessId)
      .where('day', '=', day)
      .where('crewId', '=', crewId)
      .where('status', '<>', 'planned')
      .where('dirty', '=', false)
      .returning('id')
      .execute()
    if (changed.length)
      await touch(
        db,
        'routes',
        changed.map((r) => r.id),
      )
  }
}
