import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { weatherApi } from '../contract.ts'
import { markDay, wantWeather } from './commands.ts'
import { getWeather } from './queries.ts'

export const weatherEndpoints = serve(
  'weather',
  weatherApi,
)({
  get: async ({ actor, query }) => {
    await wantWeather(actor)
    return withTenant(actor, (db) => getWeather(db, query))
  },
  mark: ({ actor, body }) => markDay(actor, body),
})
