import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { emit, touch } from '../../../platform/events/events.ts'
import type { Day } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { notifyUsers } from '../../notifications/server/commands.ts'
import { crewsToPublish, publishedTitle } from '../rules.ts'
import { assertCrews, assertOpen, entity, lockDay } from './day-guards.ts'
import { layOutDay } from './lay-out.ts'
import { ordersOf } from './policy.ts'
import { getDayPlan } from './queries.ts'
import { readGround } from './read-day.ts'
import { savePlan } from './save-plan.ts'

/** Sends crews their day: they see it, and each member is told once for each time that it changed. */
export const publishDay = (actor: Actor, day: Day, crewIds: readonly string[] | undefined) =>
  withTenant(actor, async (db) => {
    const ground = await readGround(db, day)
    assertOpen(day, ground.data.today)
    assertCrews(ground, crewIds)
    await lockDay(db, ground)
    const fresh = await readGround(db, day)
    await savePlan(db, fresh, ordersOf(fresh), { crewIds: fresh.data.crews.map((c) => c.id) })
    const routes = await db
      .selectFrom('routes')
      .select(['id', 'crewId', 'status', 'dirty', 'version'])
      .where('businessId', '=', db.businessId)
      .where('day', '=', day)
      .orderBy('id')
      .forUpdate()
      .execute()
    const laid = layOutDay(fresh, ordersOf(fresh))
    const waiting = crewsToPublish(
      laid.map(({ crew, stops }) => {
        const row = routes.find((r) => r.crewId === crew.id)
        return { crewId: crew.id, status: row?.status ?? null, dirty: row?.dirty ?? false, ordered: true, stops }
      }),
    ).filter((id) => !crewIds || crewIds.includes(id))
    const published: { crewId: string; stops: number; told: number }[] = []
    for (const { crew, stops } of laid.filter((route) => waiting.includes(route.crew.id))) {
      const row = routes.find((r) => r.crewId === crew.id)
      if (!row) continue
      await copyPlan(db, day, crew.id)
      await db
        .updateTable('routes')
        .set((eb) => ({
          status: stops.some((s) => s.begun) ? (stops.every((s) => s.begun) ? row.status : 'started') : 'published',
          dirty: false,
          publishedAt: clock.iso(),
          publishedBy: actor.userId,
          version: eb('version', '+', 1),
          updatedAt: clock.iso(),
        }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', row.id)
        .execute()
      const first = stops.find((s) => !s.begun)?.startMinute ?? null
      const title = publishedTitle({ day, stops: stops.length, firstMinute: first, again: row.status !== 'planned' })
      await notifyUsers(
        db,
        crew.members.map((m) => m.userId),
        {
          type: 'job',
          title,
          content:
            row.status === 'planned'
              ? ''
              : 'The office changed the order or the stops. Look at your day before you drive on.',
          path: paths.employeeDashboard,
          dedupeKey: `route:${row.id}:${row.version + 1}`,
        },
      )
      await emit(db, 'route.published', { routeId: row.id, crewId: crew.id, day })
      await audit(db, actor, 'route.publish', entity(row.id), { after: { day, crewId: crew.id, stops: stops.length } })
      published.push({ crewId: crew.id, stops: stops.length, told: crew.members.length })
    }
    if (published.length) {
      await touch(
        db,
        'routes',
        routes.map((r) => r.id),
      )
      await touch(db, 'visits')
    }
    return { plan: await getDayPlan(db, actor, day), published }
  })

/** The plan becomes what the crew was sent; a stop that left the route leaves their list. */
const copyPlan = async (db: TenantDb, day: Day, crewId: string): Promise<void> => {
  await sql`
    update visits set published_day = null, published_crew_id = null, published_position = null,
      published_start_minute = null, published_drive_seconds = null
    where business_id = ${db.businessId} and published_day = ${day} and published_crew_id = ${crewId}
      and not (day is not distinct from ${day}::date and crew_id is not distinct from ${crewId}::uuid)`.execute(db)
  await sql`
    update visits set published_day = day, published_crew_id = crew_id, published_position = position,
      published_start_minute = planned_start_minute, published_drive_seconds = planned_drive_seconds
    where business_id = ${db.businessId} and day = ${day} and crew_id = ${crewId}
      and status not in ('cancelled', 'unscheduled')`.execute(db)
}
