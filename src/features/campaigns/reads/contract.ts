import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

const params = z.object({ business: z.string().max(30), token: z.string().max(120) })

/** What a campaign's mail leads to; public, and signed so that nobody else can make one. */
export const campaignReadsApi = {
  open: endpoint({
    method: 'GET',
    path: '/o/:business/:token',
    access: 'public',
    params,
    response: z.any(),
    summary: 'The invisible picture of a campaign’s mail',
  }),
  click: endpoint({
    method: 'GET',
    path: '/c/:business/:token',
    access: 'public',
    params,
    response: z.any(),
    summary: 'A link of a campaign’s mail: leads to the address that stands in the campaign and nowhere else',
  }),
}
