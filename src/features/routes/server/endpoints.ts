import type { FastifyInstance } from 'fastify'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { dayOf } from '../../../shared/dates.ts'
import { routesApi } from '../contract.ts'
import {
  applyRun,
  closeRuns,
  crewBackTx,
  dismissRun,
  moveStop,
  pinStop,
  publishDay,
  redoChange,
  startRun,
  stopRun,
  undoChange,
} from './commands.ts'
import { askForTravelTimes } from './day/fetch-travel-times.ts'
import { compareDays, currentRun, getDayPlan, getRun, listSaved, listWeek } from './queries.ts'
import { crewOutSpec, optimizeSpec, rainSpec } from './runs/specs.ts'

const served = serve(
  'routes',
  routesApi,
)({
  day: async ({ actor, query }) => {
    const day = query.day ?? dayOf(clock.now(), actor.timeZone)
    const plan = await withTenant(actor, (db) => getDayPlan(db, actor, day, query.runId))
    if (plan.can.change && plan.estimated !== 'none') await askForTravelTimes(actor, plan.day)
    return plan
  },
  week: async ({ actor, query }) => ({
    items: await withTenant(actor, (db) => {
      const today = dayOf(clock.now(), actor.timeZone)
      return listWeek(db, query.day ?? today, today)
    }),
  }),
  saved: ({ actor, query }) => withTenant(actor, (db) => listSaved(db, query)),
  optimize: async ({ actor, body }) => ({ run: await startRun(actor, optimizeSpec(body)) }),
  rain: async ({ actor, body }) => ({ run: await startRun(actor, rainSpec(body)) }),
  crewOut: async ({ actor, body }) => ({ run: await startRun(actor, crewOutSpec(body)) }),
  crewBack: ({ actor, body }) =>
    withTenant(actor, async (db) => {
      await crewBackTx(db, actor, body.day, body.crewId)
      return { plan: await getDayPlan(db, actor, body.day) }
    }),
  currentRun: async ({ actor, query }) => ({ run: await withTenant(actor, (db) => currentRun(db, actor, query.day)) }),
  run: ({ actor, params }) => withTenant(actor, (db) => getRun(db, actor, params.id)),
  stopRun: ({ actor, params }) => stopRun(actor, params.id),
  applyRun: ({ actor, params, body }) => applyRun(actor, params.id, body),
  dismissRun: ({ actor, params }) => dismissRun(actor, params.id),
  compare: ({ actor, query }) => withTenant(actor, (db) => compareDays(db, actor, query)),
  move: ({ actor, body }) => moveStop(actor, body),
  pin: ({ actor, body }) => pinStop(actor, body.visitId, body.pinned),
  undo: async ({ actor, body }) => {
    const { label, ...rest } = await undoChange(actor, body.day, body.changeId)
    return { plan: await withTenant(actor, (db) => getDayPlan(db, actor, body.day)), undone: label, ...rest }
  },
  redo: async ({ actor, body }) => {
    const { label, kept } = await redoChange(actor, body.day, body.changeId)
    return { plan: await withTenant(actor, (db) => getDayPlan(db, actor, body.day)), redone: label, kept }
  },
  publish: ({ actor, body }) => publishDay(actor, body.day, body.crewIds),
})

/** The endpoints of routes; a server that closes ends its searches with words before its database goes. */
export const routesEndpoints = Object.assign(
  async (app: FastifyInstance) => {
    app.addHook('preClose', closeRuns)
    await served(app, {})
  },
  { contract: served.contract, feature: served.feature },
)
