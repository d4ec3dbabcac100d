import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { portalApi } from '../contract.ts'
import { openAccountFor } from './commands.ts'

export const portalEndpoints = serve(
  'portal',
  portalApi,
)({
  createAccount: async ({ body }) => {
    await countUse('portal:accounts', 60, 3600)
    return openAccountFor(body)
  },
})
