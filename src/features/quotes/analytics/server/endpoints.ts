import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { quoteAnalyticsApi } from '../contract.ts'
import { getAnalytics } from './queries.ts'

export const quoteAnalyticsEndpoints = serve(
  'quotes',
  quoteAnalyticsApi,
)({ get: ({ actor, query }) => withTenant(actor, (db) => getAnalytics(db, query.days)) })
