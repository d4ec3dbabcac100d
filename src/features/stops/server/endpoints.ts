import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { stopsApi } from '../contract.ts'
import { saveStopSettings } from './commands.ts'
import { getStopSettings } from './queries.ts'

export const stopsEndpoints = serve(
  'stops',
  stopsApi,
)({
  settings: ({ actor }) => withTenant(actor, getStopSettings),
  saveSettings: ({ actor, body }) => saveStopSettings(actor, body),
})
