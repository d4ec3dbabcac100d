import { serve } from '../../../../platform/http/serve.ts'
import { stopApi } from '../contract.ts'
import { settleStopDoubt } from './commands.ts'

export const stopEndpoints = serve(
  'message-stops',
  stopApi,
)({
  settle: ({ actor, params, body }) => settleStopDoubt(actor, params.id, body.meant),
})
