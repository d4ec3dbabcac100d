import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { loadApi } from '../contract.ts'
import { getDayLoads } from './queries.ts'

export const loadEndpoints = serve(
  'load',
  loadApi,
)({
  day: ({ actor, query }) => withTenant(actor, (db) => getDayLoads(db, query.day)),
})
