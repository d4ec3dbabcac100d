import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { savedRoutesApi } from '../contract.ts'
import { applySavedRoute, changeSavedRoute, removeSavedRoute, saveDay } from './commands.ts'
import { listSavedRoutes, readDifferences } from './queries.ts'
import { findCandidates } from './stops.ts'

export const savedRoutesEndpoints = serve(
  'savedRoutes',
  savedRoutesApi,
)({
  list: ({ actor }) => withTenant(actor, async (db) => ({ items: await listSavedRoutes(db, actor) })),
  create: ({ actor, body }) => saveDay(actor, body),
  update: ({ actor, params, body }) => changeSavedRoute(actor, params.id, body),
  remove: ({ actor, params, body }) => removeSavedRoute(actor, params.id, body.version),
  restore: ({ actor, params, body }) => removeSavedRoute(actor, params.id, body.version, true),
  candidates: async ({ actor, params, query }) => ({
    items: await withTenant(actor, (db) => findCandidates(db, actor, params.id, query.q)),
  }),
  differences: ({ actor, params, query }) => withTenant(actor, (db) => readDifferences(db, params.id, query.day)),
  apply: ({ actor, params, body }) => applySavedRoute(actor, params.id, body.day),
})
