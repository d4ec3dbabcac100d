import { config } from '../../../platform/config.ts'
import { geocoderSetup, travelSetup } from '../../../platform/geo/engines.ts'
import { getPlansProblem } from '../../subscriptions/server/queries.ts'
import { type IntegrationState, integrationsOf } from '../rules.ts'

/** What this process is connected to. */
export const listIntegrations = async (): Promise<{ production: boolean; items: IntegrationState[] }> => ({
  production: config.production,
  items: integrationsOf({
    ...config,
    travel: travelSetup(),
    geocoding: geocoderSetup(),
    plansProblem: await getPlansProblem(),
  }),
})
