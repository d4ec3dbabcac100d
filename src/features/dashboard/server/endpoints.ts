import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { dashboardApi } from '../contract.ts'
import { getDashboard } from './queries.ts'

export const dashboardEndpoints = serve(
  'dashboard',
  dashboardApi,
)({
  get: ({ actor }) => withTenant(actor, (db) => getDashboard(db, actor)),
})
