import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { wagesApi } from '../contract.ts'
import { setWageFrom } from './commands.ts'
import { getWages } from './queries.ts'

export const wagesEndpoints = serve(
  'wages',
  wagesApi,
)({
  list: ({ actor, params }) => withTenant(actor, (db) => getWages(db, actor, params.id)),
  set: ({ actor, params, body }) => setWageFrom(actor, params.id, body),
})
