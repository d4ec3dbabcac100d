import { serve } from '../../../platform/http/serve.ts'
import { weatherApi } from '../contract.ts'
import { lookAtWeather, markDay } from './commands.ts'

export const weatherEndpoints = serve(
  'weather',
  weatherApi,
)({
  get: ({ actor, query }) => lookAtWeather(actor, query),
  mark: ({ actor, body }) => markDay(actor, body),
})
