import { config } from '../../platform/config.ts'
import { serve } from '../../platform/http/serve.ts'
import { newId } from '../../platform/ids.ts'
import { postSigned, takeLocalWebhook } from '../webhooks.ts'
import { localPhoneApi } from './contract.ts'
import { phoneWebhooks } from './processor.ts'

export const localPhoneEndpoints = serve(
  'localPhone',
  localPhoneApi,
)({
  webhook: ({ request }) => takeLocalWebhook(phoneWebhooks, request),
  state: async () => ({ mailLeaves: config.smtpUrl !== undefined }),
  act: async ({ actor, body, request }) => {
    await postSigned(request.server, localPhoneApi.webhook.path, { ...body, businessId: actor.businessId, id: newId() })
    return { posted: true }
  },
})
