import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { dayOf } from '../../../shared/dates.ts'
import { routesApi } from '../contract.ts'
import { moveStop, optimiseDay, pinStop, publishDay, undoChange } from './commands.ts'
import { getDayPlan, listSaved, listWeek } from './queries.ts'
import { askForRoads } from './roads.ts'

export const routesEndpoints = serve(
  'routes',
  routesApi,
)({
  day: ({ actor, query }) =>
    withTenant(actor, async (db) => {
      const plan = await getDayPlan(db, actor, query.day ?? dayOf(clock.now(), actor.timeZone))
      if (plan.editable && plan.estimated !== 'none') await askForRoads(db, plan.day)
      return plan
    }),
  week: async ({ actor, query }) => ({
    items: await withTenant(actor, (db) => listWeek(db, query.day ?? dayOf(clock.now(), actor.timeZone))),
  }),
  saved: ({ actor, query }) => withTenant(actor, (db) => listSaved(db, query)),
  optimise: ({ actor, body }) => optimiseDay(actor, body),
  move: ({ actor, body }) => moveStop(actor, body),
  pin: ({ actor, body }) => pinStop(actor, body.visitId, body.pinned),
  undo: ({ actor, body }) => undoChange(actor, body.day, body.changeId),
  publish: ({ actor, body }) => publishDay(actor, body.day, body.crewIds),
})
