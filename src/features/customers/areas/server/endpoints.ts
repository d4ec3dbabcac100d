import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { areasApi } from '../contract.ts'
import { saveAreas } from './commands.ts'
import { getAreas } from './queries.ts'

export const areasEndpoints = serve(
  'areas',
  areasApi,
)({
  list: ({ actor, params }) => withTenant(actor, (db) => getAreas(db, params.id)),
  save: ({ actor, params, body }) => saveAreas(actor, params.id, body),
})
