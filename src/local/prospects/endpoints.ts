import { config } from '../../platform/config.ts'
import { serve } from '../../platform/http/serve.ts'
import { takeLocalWebhook } from '../webhooks.ts'
import { localProspectsApi } from './contract.ts'
import { playProspect } from './play.ts'
import { prospectWebhooks } from './processor.ts'
import { listLocalMessages } from './queries.ts'

export const localProspectsEndpoints = serve(
  'localProspects',
  localProspectsApi,
)({
  webhook: ({ request }) => takeLocalWebhook(prospectWebhooks, request),
  outbox: async () => ({ mailLeaves: config.smtpUrl !== undefined, items: await listLocalMessages() }),
  act: async ({ body, request }) => {
    await playProspect(request.server, body)
    return { posted: true }
  },
})
