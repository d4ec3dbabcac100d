import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { messageLogApi } from '../contract.ts'
import { listMessageLog } from './queries.ts'

export const messageLogEndpoints = serve(
  'message-log',
  messageLogApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listMessageLog(db, query)),
})
