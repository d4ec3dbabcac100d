import type { FastifyReply, FastifyRequest } from 'fastify'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { AppError } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { leadsApi } from '../contract.ts'
import { type FormProblem, leadProblems } from '../rules.ts'
import { checkedLead, createLead, findReader, recordPageView, unsubscribeLead } from './commands.ts'
import { checkedMessage, receiveContact } from './contact.ts'

const hour = 3600

/** Which words of a page without JavaScript say what was wrong; its anchors are `problem-…` (`formProblems`). */
const problemOf = ({ status, errors }: AppError): FormProblem => {
  if (status === 429) return 'busy'
  const [first] = errors ?? []
  if (first?.message === leadProblems.missing) return 'missing'
  return first?.path === 'phone' || first?.path === 'email' ? first.path : 'other'
}

const isPlainForm = (request: FastifyRequest): boolean =>
  /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '')

/**
 * A page without JavaScript sends a plain form and expects a page: it is led back, to the thanks or to the words that say what is wrong.
 * Everybody else gets the answer itself.
 */
const answerForm = async <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  to: { page: string; done: string },
  work: () => Promise<T>,
): Promise<T> => {
  if (!isPlainForm(request)) return work()
  try {
    await work()
    return reply.redirect(`${to.page}#${to.done}`, 303) as never
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return reply.redirect(`${to.page}#problem-${problemOf(error)}`, 303) as never
  }
}

const marks = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid'] as const

/** Where the visitor of a plain form came from: no script reads it, so it stands in the address of the page that sent the form. */
const attributed = <B extends Partial<Record<(typeof marks)[number], string>>>(request: FastifyRequest, body: B): B => {
  const { referer } = request.headers
  if (!isPlainForm(request) || !referer || !URL.canParse(referer)) return body
  const query = new URL(referer).searchParams
  const found = marks.flatMap((mark) => (body[mark] ? [] : [[mark, (query.get(mark) ?? '').slice(0, 300)] as const]))
  return { ...body, ...Object.fromEntries(found) }
}

export const leadsEndpoints = serve(
  'leads',
  leadsApi,
)({
  create: ({ body, request, reply }) =>
    answerForm(request, reply, { page: paths.landing, done: 'thanks' }, async () => {
      // A typo is no try, and a whole office or carrier stands behind one address: what is counted is a contact, and floods.
      const { email } = checkedLead(body)
      await countUse(`leads:${request.ip}:${email}`, 20, hour)
      await countUse(`leads:${request.ip}`, 500, hour)
      const { leadId, token } = await createLead(attributed(request, body))
      return { leadId, token }
    }),
  contact: ({ body, request, reply }) =>
    answerForm(request, reply, { page: paths.contact, done: 'sent' }, async () => {
      const { email } = checkedMessage(body)
      await countUse(`contact:${request.ip}:${email}`, 20, hour)
      await countUse(`contact:${request.ip}`, 200, hour)
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
