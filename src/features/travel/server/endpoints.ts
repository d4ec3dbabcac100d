import { withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { travelApi } from '../contract.ts'
import { applyTravelFit } from './commands.ts'
import { getTravelFit } from './fit.ts'
import { findWays } from './ways.ts'

export const travelEndpoints = serve(
  'travel',
  travelApi,
)({
  ways: async ({ actor, body }) => {
    await countUse(`ways:${actor.userId}`, 60, 60)
    return findWays(actor.businessId, body.ways)
  },
  fit: ({ actor }) => withTenant(actor, getTravelFit),
  applyFit: ({ actor, body }) => applyTravelFit(actor, body),
})
