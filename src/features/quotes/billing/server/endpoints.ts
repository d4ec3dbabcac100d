import { serve } from '../../../../platform/http/serve.ts'
import { quoteBillingApi } from '../contract.ts'
import { billQuote } from './commands.ts'

export const quoteBillingEndpoints = serve(
  'quotes',
  quoteBillingApi,
)({
  bill: ({ actor, params, once }) => billQuote(actor, params.id, once),
})
