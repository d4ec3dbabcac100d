import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { quoteDaysApi } from '../contract.ts'
import { setQuoteRules } from './commands.ts'
import { getBestDays, getQuoteRules } from './queries.ts'

export const quoteDaysEndpoints = serve(
  'quoteDays',
  quoteDaysApi,
)({
  best: ({ actor, params }) => withTenant(actor, (db) => getBestDays(db, params.id)),
  rules: ({ actor }) => withTenant(actor, getQuoteRules),
  setRules: ({ actor, body }) => setQuoteRules(actor, body),
})
