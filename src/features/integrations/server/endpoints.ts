import { serve } from '../../../platform/http/serve.ts'
import { integrationsApi } from '../contract.ts'
import { listIntegrations } from './queries.ts'

export const integrationsEndpoints = serve(
  'integrations',
  integrationsApi,
)({
  list: async () => listIntegrations(),
})
