import { hasPermission } from '../../../platform/actor.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { searchApi } from '../contract.ts'
import { search } from './queries.ts'

export const searchEndpoints = serve(
  'search',
  searchApi,
)({
  find: async ({ actor, query }) => ({
    results: await withTenant(actor, (db) =>
      search(db, query.q, { money: hasPermission(actor, 'money'), schedule: hasPermission(actor, 'schedule') }),
    ),
  }),
})
