import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

/** local: a stand-in of ours works; connected: the real provider; off: nothing works, and the sentence says what is missing. */
export const Integration = z.object({
  id: z.enum(['payments', 'mail', 'sms', 'signin', 'books', 'push', 'files', 'maps', 'travel']),
  name: z.string(),
  mode: z.enum(['local', 'connected', 'off']),
  /** What happens now, in one sentence. */
  now: z.string(),
  /** What would have to be set for the real thing, or null. */
  missing: z.string().nullable(),
  /** Where to look at the stand-in, or null. */
  path: z.string().nullable(),
})
export type Integration = z.output<typeof Integration>

export const integrationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/integrations',
    access: 'office',
    permission: 'settings',
    response: z.object({ items: z.array(Integration), production: z.boolean() }),
    summary: 'How each outside service is reached right now',
  }),
}
