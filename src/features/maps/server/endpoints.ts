import { config } from '../../../platform/config.ts'
import { serve } from '../../../platform/http/serve.ts'
import { mapsApi } from '../contract.ts'

export const mapsEndpoints = serve(
  'maps',
  mapsApi,
)({
  settings: async () => config.maps.shown,
  visitorSettings: async () => config.maps.shown,
})
