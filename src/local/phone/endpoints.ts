import { config } from '../../platform/config.ts'
import { serve } from '../../platform/http/serve.ts'
import { newId } from '../../platform/ids.ts'
import { invalid } from '../../shared/errors.ts'
import { postSigned, takeLocalWebhook } from '../webhooks.ts'
import { localPhoneApi } from './contract.ts'
import { keepMedium } from './media.ts'
import { phoneWebhooks } from './processor.ts'

export const localPhoneEndpoints = serve(
  'localPhone',
  localPhoneApi,
)({
  webhook: ({ request }) => takeLocalWebhook(phoneWebhooks, request),
  state: async () => ({ mailLeaves: config.smtpUrl !== undefined }),
  addMedium: async ({ actor, body, query }) => {
    if (!(body instanceof Uint8Array)) throw invalid([{ path: 'photo', message: 'This is not a picture.' }])
    return { ref: await keepMedium(actor.businessId, body), mime: query.mime }
  },
  act: async ({ actor, body, request }) => {
    await postSigned(request.server, localPhoneApi.webhook.path, { ...body, businessId: actor.businessId, id: newId() })
    return { posted: true }
  },
})
