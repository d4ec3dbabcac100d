import type { FastifyReply } from 'fastify'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { findLink } from '../../../../platform/links.ts'
import { AppError } from '../../../../shared/errors.ts'
import { statementPageApi } from '../contract.ts'
import { payFromStatement, type StatementLink, syncStatement } from './commands.ts'
import { goneHtml, goToPayHtml, type State, statementHtml } from './page.ts'
import { findStatementCustomer, getStatementPage } from './queries.ts'

/** The customer behind the link of a statement, or null. */
export const statementLinkOf = async (token: string): Promise<StatementLink | null> => {
  const link = await findLink('statement', token)
  const customerId = link && (await withTenant(link, (db) => findStatementCustomer(db, link.entityId)))
  return link && customerId ? { businessId: link.businessId, customerId, token } : null
}

/** Answers with a page for somebody who has its address and nothing else. */
export const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(html)

const pageOf = (link: StatementLink) => withTenant(link, (db) => getStatementPage(db, link.customerId))

const draw = async (reply: FastifyReply, link: StatementLink, state: State, portal?: string): Promise<FastifyReply> =>
  sendPage(reply, statementHtml(await pageOf(link), link.token, state, portal))

/** After so many looks, three seconds apart, nobody is kept waiting any more. */
const mostLooks = 8

export const statementPageEndpoints = serve(
  'payments',
  statementPageApi,
)({
  page: async ({ params, query, request, reply }) => {
    const link = await statementLinkOf(params.token)
    if (!link) return sendPage(reply.code(404), goneHtml())
    if (query.paid === undefined) return draw(reply, link, { kind: 'plain' }, query.portal)
    await countUse(`sync:${link.customerId}:${request.ip}`, 60, 600)
    const waits = await syncStatement(link)
    if (waits) return draw(reply, link, query.paid < mostLooks ? { kind: 'waits', look: query.paid } : { kind: 'late' })
    return draw(reply, link, { kind: 'back' })
  },
  pay: async ({ params, body, request, reply }) => {
    const link = await statementLinkOf(params.token)
    if (!link) return sendPage(reply.code(404), goneHtml())
    try {
      await countUse(`pay:${link.customerId}:${request.ip}`, 30, 600)
      const { url } = await payFromStatement(link, body)
      return sendPage(reply, goToPayHtml(url, (await pageOf(link)).language))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return draw(reply.code(error.status), link, {
        kind: 'problem',
        message: error.errors?.[0]?.message ?? error.message,
      })
    }
  },
})
