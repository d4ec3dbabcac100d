import { config } from '../../../platform/config.ts'
import { type IntegrationState, integrationsOf } from '../rules.ts'

/** What this process is connected to. */
export const listIntegrations = (): { production: boolean; items: IntegrationState[] } => ({
  production: config.production,
  items: integrationsOf(config),
})
