import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { dashboardApi, mostNeeds } from '../contract.ts'
import { listNeeds } from '../needs/server/queries.ts'
import { getDay } from './queries.ts'

export const dashboardEndpoints = serve(
  'dashboard',
  dashboardApi,
)({
  needs: ({ actor }) => withTenant(actor, async (db) => ({ items: (await listNeeds(db, actor)).slice(0, mostNeeds) })),
  get: async ({ actor }) => {
    // Two connections: what needs a person is half of all that is asked, and nobody waits for one half after the other.
    const [day, needs] = await Promise.all([
      withTenant(actor, (db) => getDay(db, actor)),
      withTenant(actor, (db) => listNeeds(db, actor)),
    ])
    return { ...day, needs: needs.slice(0, 8), needCount: needs.length }
  },
})
