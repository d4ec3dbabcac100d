import { serve } from '../../../platform/http/serve.ts'
import { geocodingApi } from '../contract.ts'
import { lookAgain, lookUp } from './commands.ts'

export const geocodingEndpoints = serve(
  'geocoding',
  geocodingApi,
)({
  find: async ({ actor, body }) => {
    const { point, quality, note } = await lookUp(actor, body)
    return { latitude: point?.lat ?? null, longitude: point?.lng ?? null, quality, note }
  },
  again: ({ actor }) => lookAgain(actor),
})
