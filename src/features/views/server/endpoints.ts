import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { viewsApi } from '../contract.ts'
import { changeView, removeView, saveView, setDefaultView } from './commands.ts'
import { listViews } from './queries.ts'

export const viewsEndpoints = serve(
  'views',
  viewsApi,
)({
  list: async ({ actor, query }) => ({ items: await withTenant(actor, (db) => listViews(db, actor, query.hub)) }),
  create: ({ actor, body }) => saveView(actor, body),
  update: ({ actor, params, body }) => changeView(actor, params.id, body),
  remove: ({ actor, params }) => removeView(actor, params.id),
  setDefault: ({ actor, body }) => setDefaultView(actor, body.hub, body.viewId),
})
