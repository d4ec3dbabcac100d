import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { feeApi } from '../contract.ts'
import { payFee, returnFromFee, sendFeeLink } from './commands.ts'

export const feeEndpoints = serve(
  'fee',
  feeApi,
)({
  pay: async ({ params, request }) => {
    await countUse(`fee:${request.ip}`, 30, 600)
    return payFee(params.token)
  },
  sync: async ({ params, request }) => {
    await countUse(`fee-sync:${request.ip}`, 60, 600)
    return returnFromFee(params.token)
  },
  send: ({ params }) => sendFeeLink(params.leadId),
})
