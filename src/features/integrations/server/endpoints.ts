import { config } from '../../../platform/config.ts'
import { serve } from '../../../platform/http/serve.ts'
import { integrationsApi } from '../contract.ts'
import { listIntegrations } from './queries.ts'

export const integrationsEndpoints = serve(
  'integrations',
  integrationsApi,
)({
  list: async () => ({ items: listIntegrations(), production: config.production }),
})
