import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { travelApi } from '../contract.ts'
import { applyTravelFit } from './commands.ts'
import { getTravelFit } from './fit.ts'

export const travelEndpoints = serve(
  'travel',
  travelApi,
)({
  fit: ({ actor }) => withTenant(actor, getTravelFit),
  applyFit: ({ actor, body }) => applyTravelFit(actor, body),
})
