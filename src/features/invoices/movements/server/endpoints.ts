import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { movementsApi } from '../contract.ts'
import { listMovements } from './queries.ts'

export const movementsEndpoints = serve(
  'movements',
  movementsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listMovements(db, query)),
})
