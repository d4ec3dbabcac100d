import { config } from '../../../platform/config.ts'
import { travelSetup } from '../../../platform/geo/engines.ts'
import { type IntegrationState, integrationsOf } from '../rules.ts'

/** What this process is connected to. */
export const listIntegrations = (): { production: boolean; items: IntegrationState[] } => ({
  production: config.production,
  items: integrationsOf({ ...config, travel: travelSetup() }),
})
