import { prospectsPlace } from '../../features/desk/photos/server/queries.ts'
import { config } from '../../platform/config.ts'
import { serve } from '../../platform/http/serve.ts'
import { invalid } from '../../shared/errors.ts'
import { keepMedium } from '../phone/media.ts'
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
  addMedium: async ({ body, query }) => {
    if (!(body instanceof Uint8Array)) throw invalid([{ path: 'photo', message: 'This is not a picture.' }])
    return { ref: await keepMedium(prospectsPlace, body), mime: query.mime }
  },
  act: async ({ body, request }) => {
    await playProspect(request.server, body)
    return { posted: true }
  },
})
