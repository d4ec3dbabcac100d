import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { leadsApi } from '../contract.ts'
import { createLead, findReader, recordPageView, unsubscribeLead } from './commands.ts'

const hour = 3600

export const leadsEndpoints = serve(
  'leads',
  leadsApi,
)({
  create: async ({ body, request }) => {
    await countUse(`leads:${request.ip}`, 10, hour)
    const { leadId, token } = await createLead(body)
    return { leadId, token }
  },
  visit: async ({ body, request }) => {
    if (request.headers.dnt === '1' || request.headers['sec-gpc'] === '1') return { stored: false }
    await countUse(`visits:${request.ip}`, 300, hour)
    await recordPageView(body)
    return { stored: true }
  },
  unsubscribeInfo: ({ params }) => findReader(params.token),
  unsubscribe: async ({ params }) => {
    await unsubscribeLead(params.token)
    return { unsubscribed: true }
  },
})
