import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import type { Day } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { notifyUsers } from '../../../notifications/server/commands.ts'
import { publishRouteTx } from '../../../visits/server/commands.ts'
import { crewsToPublish, publishedTitle } from '../../rules.ts'
import { assertCrews, assertOpen, entity, lockDay } from '../day/day-guards.ts'
import { ordersOf } from '../day/planning-context.ts'
import { readPlanningContext } from '../day/read-day.ts'
import { savePlan } from '../plan/save-plan.ts'
import { sequenceDay } from '../plan/sequence.ts'
import { getDayPlan } from '../queries.ts'

/** Sends crews their day: they see it, and each member is told once for each time that it changed. */
export const publishDay = (actor: Actor, day: Day, crewIds: readonly string[] | undefined) =>
  withTenant(actor, async (db) => {
    const context = await readPlanningContext(db, day)
    assertOpen(day, context.data.today)
    assertCrews(context, crewIds)
    await lockDay(db, context)
    const fresh = await readPlanningContext(db, day)
    await savePlan(db, fresh, ordersOf(fresh), { crewIds: fresh.data.crews.map((c) => c.id) })
    const routes = await db
      .selectFrom('routes')
      .select(['id', 'crewId', 'status', 'dirty', 'version'])
      .where('businessId', '=', db.businessId)
      .where('day', '=', day)
      .orderBy('id')
      .forUpdate()
      .execute()
    const sequenced = sequenceDay(fresh, ordersOf(fresh))
    const waiting = crewsToPublish(
      sequenced.map(({ crew, stops }) => {
        const row = routes.find((r) => r.crewId === crew.id)
        return { crewId: crew.id, status: row?.status ?? null, dirty: row?.dirty ?? false, ordered: true, stops }
      }),
    ).filter((id) => !crewIds || crewIds.includes(id))
    const published: { crewId: string; stops: number; notified: number }[] = []
    for (const { crew, stops } of sequenced.filter((route) => waiting.includes(route.crew.id))) {
      const row = routes.find((r) => r.crewId === crew.id)
      if (!row) continue
      const begun = stops.filter((s) => s.begun).length
      await publishRouteTx(db, {
        id: row.id,
        day,
        crewId: crew.id,
        status: begun === 0 ? 'published' : begun < stops.length ? 'started' : row.status,
        publishedBy: actor.userId,
      })
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
          crew: { code: 'route', day, stops: stops.length, firstMinute: first, again: row.status !== 'planned' },
          dedupeKey: `route:${row.id}:${row.version + 1}`,
        },
      )
      await emit(db, 'route.published', { routeId: row.id, crewId: crew.id, day })
      await audit(db, actor, 'route.publish', entity(row.id), { after: { day, crewId: crew.id, stops: stops.length } })
      published.push({ crewId: crew.id, stops: stops.length, notified: crew.members.length })
    }
    if (published.length) {
      const scope = { days: [day], crewIds: published.map(({ crewId }) => crewId) }
      await publishChange(
        db,
        'routes',
        routes.map((r) => r.id),
        scope,
      )
      await publishChange(db, 'visits', [], scope)
    }
    return { plan: await getDayPlan(db, actor, day), published }
  })
