import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Day } from '../../../../shared/dates.ts'
import { type DayLeft, takeDayPricesTx } from '../prices/commands.ts'
import { markRoutesChangedTx } from '../route/commands.ts'
import { placeless } from '../row/commands.ts'
import { noteMovedTx } from '../told/commands.ts'

/** What the route planner does to visits: their place in a day, and what of it was sent to the crew. */

/** A visit's place in the plan, as Undo puts it back. */
export type PlanRow = {
  id: string
  day: Day | null
  crewId: string | null
  position: number | null
  pinned: boolean
  locked: boolean
  movedFrom: Day | null
  plannedStartMinute: number | null
  plannedDriveSeconds: number | null
}

/** The columns of a place: what Undo has to put back of it. */
export const placeColumns = [
  'day',
  'crewId',
  'position',
  'pinned',
  'locked',
  'movedFrom',
  'plannedStartMinute',
  'plannedDriveSeconds',
] as const satisfies readonly Exclude<keyof PlanRow, 'id'>[]

/** Writes places of visits in one statement. A visit that changes crew or day gets a new version: whoever has it open sees an old one. */
export const writePlanTx = async (db: TenantDb, rows: readonly PlanRow[]): Promise<void> => {
  if (!rows.length) return
  const { rows: left } = await sql<DayLeft>`
    select v.id, v.day as "from" from visits v
    join unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ day }) => day)}::date[]) as n(id, day) on n.id = v.id
    where v.business_id = ${db.businessId} and n.day is distinct from v.day`.execute(db)
  await sql`
    update visits v set day = r.day, crew_id = r."crewId", position = r.position, pinned = r.pinned, locked = r.locked,
      moved_from = r."movedFrom", planned_start_minute = r."plannedStartMinute", planned_drive_seconds = r."plannedDriveSeconds",
      status = case when r.day is null and v.status = 'scheduled' then 'unscheduled'
        when r.day is not null and v.status = 'unscheduled' then 'scheduled' else v.status end,
      version = v.version + case when v.day is distinct from r.day or v.crew_id is distinct from r."crewId" then 1 else 0 end,
      updated_at = ${clock.iso()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, day date, "crewId" uuid, position integer, pinned boolean,
      locked boolean, "movedFrom" date, "plannedStartMinute" integer, "plannedDriveSeconds" integer)
    where v.business_id = ${db.businessId} and v.id = r.id`.execute(db)
  await takeDayPricesTx(db, left)
  await noteMovedTx(
    db,
    rows.map((row) => row.id),
  )
  await publishChange(
    db,
    'visits',
    rows.map((row) => row.id),
  )
}

/** Takes a visit from where it was to a day and a crew; its place in the order comes with the plan that follows. */
export const placeVisitTx = async (
  db: TenantDb,
  visit: { id: string; day: Day | null; crewId: string | null; movedFrom: Day | null },
  to: { day: Day; crewId: string | null },
): Promise<void> => {
  const elsewhere = visit.day !== to.day
  await db
    .updateTable('visits')
    .set((eb) => ({
      day: to.day,
      status: 'scheduled',
      enRouteAt: null,
      ...(elsewhere ? { movedFrom: visit.movedFrom ?? visit.day, locked: true } : {}),
      ...(elsewhere || to.crewId !== visit.crewId
        ? { crewId: to.crewId, position: null, version: eb('version', '+', 1) }
        : {}),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', visit.id)
    .execute()
  if (!elsewhere) return
  await takeDayPricesTx(db, [{ id: visit.id, from: visit.day }])
  await noteMovedTx(db, [visit.id])
}

/** Keeps a visit with its crew and in its order, or lets it go. */
export const pinVisitTx = async (db: TenantDb, visitId: string, pinned: boolean): Promise<void> => {
  await db
    .updateTable('visits')
    .set({ pinned, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .execute()
  await publishChange(db, 'visits', [visitId])
}

/** From a day on the open visits of a crew wait for another one. What it was sent of them is no longer the plan. */
export const freeVisitsOfCrewTx = async (db: TenantDb, crewId: string, from: Day): Promise<void> => {
  const freed = await db
    .updateTable('visits')
    .set((eb) => ({ ...placeless, crewId: null, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('crewId', '=', crewId)
    .where('day', '>=', from)
    .where('status', '=', 'scheduled')
    .returning(['id', 'day'])
    .execute()
  if (freed.length === 0) return
  await markRoutesChangedTx(
    db,
    freed.map(({ day }) => ({ day, crewId })),
  )
  await publishChange(
    db,
    'visits',
    freed.map((visit) => visit.id),
  )
}
