import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { costingApi } from '../contract.ts'
import { listCosts, listCostVisits } from './queries.ts'

export const costingEndpoints = serve(
  'costing',
  costingApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listCosts(db, actor, query)),
  visits: ({ actor, query }) => withTenant(actor, (db) => listCostVisits(db, actor, query)),
})
