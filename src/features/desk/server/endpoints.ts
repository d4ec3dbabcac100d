import type { FastifyRequest } from 'fastify'
import { withProspects } from '../../../platform/db/prospects.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { absoluteUrl } from '../../../platform/links.ts'
import { notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { deskApi } from '../contract.ts'
import {
  readClick,
  readOpen,
  removeMessage,
  saveSettings,
  saveTemplate,
  setLeadStatus,
  writeToLead,
} from './commands.ts'
import { getLead, listLeads, listTemplates, readAnalytics, readSettings } from './queries.ts'

/** One transparent point. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const visitorOf = (request: FastifyRequest) => ({
  method: request.method,
  userAgent: String(request.headers['user-agent'] ?? ''),
})

/** Who has the token cannot use it to write to everybody at once. */
const countSend = (): Promise<void> => countUse('desk:send', 120, 600)

export const deskEndpoints = serve(
  'desk',
  deskApi,
)({
  leads: ({ query }) => withProspects((db) => listLeads(db, query)),
  analytics: () => withProspects(readAnalytics),
  setStatus: ({ params, body }) => setLeadStatus(params.leadId, body.status),
  emails: async ({ params }) => ({
    emailMessages: (await withProspects((db) => getLead(db, params.leadId))).emailTracking,
  }),
  texts: async ({ params }) => ({
    smsMessages: (await withProspects((db) => getLead(db, params.leadId))).smsTracking,
  }),
  sendEmail: async ({ params, body }) => {
    await countSend()
    return writeToLead(params.leadId, { channel: 'email', ...body })
  },
  sendText: async ({ params, body }) => {
    await countSend()
    return writeToLead(params.leadId, { channel: 'sms', ...body })
  },
  removeMessage: ({ params, body }) => removeMessage(params.leadId, body.messageId, body.messageType),
  templates: async () => ({
    items: await withProspects(listTemplates),
    schedulingLink: absoluteUrl(paths.bookCall),
  }),
  saveTemplate: ({ params, body }) => saveTemplate(params.channel, params.key, body),
  settings: () => withProspects(readSettings),
  saveSettings: ({ body }) => saveSettings(body),
  open: async ({ params, request, reply }) => {
    if (!(await readOpen(params.token, visitorOf(request)))) throw notFound('picture')
    return reply
      .header('cache-control', 'no-store, private')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/gif')
      .send(pixel)
  },
  click: async ({ params, request, reply }) => {
    const url = await readClick(params.token, visitorOf(request))
    if (!url) throw notFound('link')
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 302)
  },
})
