import type { FastifyReply, FastifyRequest } from 'fastify'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { AppError } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { leadsApi } from '../contract.ts'
import { createLead, findReader, recordPageView, unsubscribeLead } from './commands.ts'
import { receiveContact } from './contact.ts'

const hour = 3600

/**
 * A page without JavaScript sends a plain form and expects a page: it is led back, to the thanks or to the words that say what is missing.
 * Everybody else gets the answer itself.
 */
const answerForm = async <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  to: { done: string; problem: string },
  work: () => Promise<T>,
): Promise<T> => {
  if (!/^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '')) return work()
  try {
    await work()
    return reply.redirect(to.done, 303) as never
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return reply.redirect(to.problem, 303) as never
  }
}

export const leadsEndpoints = serve(
  'leads',
  leadsApi,
)({
  create: ({ body, request, reply }) =>
    answerForm(request, reply, { done: `${paths.landing}#thanks`, problem: `${paths.landing}#problem` }, async () => {
      await countUse(`leads:${request.ip}`, 10, hour)
      const { leadId, token } = await createLead(body)
      return { leadId, token }
    }),
  contact: ({ body, request, reply }) =>
    answerForm(request, reply, { done: `${paths.contact}#sent`, problem: `${paths.contact}#problem` }, async () => {
      await countUse(`contact:${request.ip}`, 10, hour)
      await receiveContact(body)
      return { received: true as const }
    }),
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
