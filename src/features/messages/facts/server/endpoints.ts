import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { customerFactsApi } from '../contract.ts'
import { getCustomerFacts } from './queries.ts'

export const customerFactsEndpoints = serve(
  'customerFacts',
  customerFactsApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getCustomerFacts(db, actor, params.id)),
})
