import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { travelApi } from '../contract.ts'
import { applyRoadsFit } from './commands.ts'
import { getRoadsFit } from './fit.ts'

export const travelEndpoints = serve(
  'travel',
  travelApi,
)({
  fit: ({ actor }) => withTenant(actor, getRoadsFit),
  applyFit: ({ actor, body }) => applyRoadsFit(actor, body),
})
