import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { liveboardApi } from '../contract.ts'
import { getLiveBoard } from './queries.ts'

export const liveboardEndpoints = serve(
  'liveboard',
  liveboardApi,
)({ now: ({ actor }) => withTenant(actor, (db) => getLiveBoard(db, actor)) })
