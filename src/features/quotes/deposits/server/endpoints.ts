import { serve } from '../../../../platform/http/serve.ts'
import { quoteDepositsApi } from '../contract.ts'
import { keepDeposit, recordQuoteDeposit } from './record.ts'

export const quoteDepositsEndpoints = serve(
  'quotes',
  quoteDepositsApi,
)({
  record: ({ actor, params, body, once }) => recordQuoteDeposit(actor, params.id, body, once),
  keep: ({ actor, params }) => keepDeposit(actor, params.id),
})
