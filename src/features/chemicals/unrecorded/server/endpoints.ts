import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { unrecordedApi } from '../contract.ts'
import { settleUnrecorded } from './commands.ts'
import { listUnrecorded } from './queries.ts'

export const unrecordedEndpoints = serve(
  'unrecorded',
  unrecordedApi,
)({
  list: ({ actor, query }) => withTenant(actor, async (db) => ({ items: await listUnrecorded(db, query.visitId) })),
  settle: ({ actor, params, body }) => settleUnrecorded(actor, params.id, body.note),
})
