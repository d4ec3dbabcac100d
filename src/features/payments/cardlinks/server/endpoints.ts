import { withTenant } from '../../../../platform/db/tenant.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { findLink } from '../../../../platform/links.ts'
import { AppError } from '../../../../shared/errors.ts'
import { sendPage, statementLinkOf } from '../../statement/server/endpoints.ts'
import { goneHtml, goToPayHtml } from '../../statement/server/page.ts'
import { cardLinksApi } from '../contract.ts'
import { cardLinkPath } from '../rules.ts'
import { addRequestTx, leaveCard, sendCardLink, syncRequest } from './commands.ts'
import { cardHtml, noCardHtml } from './page.ts'
import { getCardPage } from './queries.ts'

const pageOf = async (token: string) => {
  const link = await findLink('card', token)
  const page = link && (await withTenant(link, (db) => getCardPage(db, link.entityId)))
  return link && page ? { link, page } : null
}

export const cardLinksEndpoints = serve(
  'payments',
  cardLinksApi,
)({
  send: ({ actor, params, body }) => sendCardLink(actor, params.id, body),
  page: async ({ params, query, request, reply }) => {
    const isBack = query.done === '1'
    const link = isBack ? await findLink('card', params.token) : null
    if (link) {
      await countUse(`sync:${link.entityId}:${request.ip}`, 60, 600)
      await syncRequest(link.businessId, link.entityId)
    }
    const found = await pageOf(params.token)
    if (!found) return sendPage(reply.code(404), noCardHtml())
    return sendPage(reply, cardHtml(found.page, params.token, { isBack, problem: null }))
  },
  leave: async ({ params, body, request, reply }) => {
    const found = await pageOf(params.token)
    if (!found) return sendPage(reply.code(404), noCardHtml())
    const { link } = found
    try {
      await countUse(`pay:${link.entityId}:${request.ip}`, 30, 600)
      const path = cardLinkPath(params.token)
      const { url } = await leaveCard(link.businessId, link.entityId, { path, ip: request.ip, ...body })
      return sendPage(reply, goToPayHtml(url, found.page.language))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const now = (await pageOf(params.token)) ?? found
      return sendPage(
        reply.code(error.status),
        cardHtml(now.page, params.token, { isBack: false, problem: error.message }),
      )
    }
  },
  ofStatement: async ({ params, request, reply }) => {
    const link = await statementLinkOf(params.token)
    if (!link) return sendPage(reply.code(404), goneHtml())
    await countUse(`card:${link.customerId}:${request.ip}`, 10, 600)
    const { path } = await withTenant(link, (db) => addRequestTx(db, link.customerId, null))
    return reply.redirect(path, 303)
  },
})
