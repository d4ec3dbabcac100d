import type { FastifyRequest } from 'fastify'
import { serve } from '../../../../platform/http/serve.ts'
import { notFound } from '../../../../shared/errors.ts'
import { campaignReadsApi } from '../contract.ts'
import { readClick, readOpen, type Visitor } from './commands.ts'

const visitorOf = (request: FastifyRequest): Visitor => ({
  method: request.method,
  userAgent: String(request.headers['user-agent'] ?? ''),
})

const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

export const campaignReadsEndpoints = serve(
  'campaign-reads',
  campaignReadsApi,
)({
  open: async ({ params, request, reply }) => {
    if (!(await readOpen(params.business, params.token, visitorOf(request)))) throw notFound('picture')
    return reply
      .header('cache-control', 'no-store, private')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/gif')
      .send(pixel)
  },
  click: async ({ params, request, reply }) => {
    const url = await readClick(params.business, params.token, visitorOf(request))
    if (!url) throw notFound('link')
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 302)
  },
})
