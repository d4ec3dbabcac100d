import type { FastifyReply } from 'fastify'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { findLink } from '../../../platform/links.ts'
import { noticesApi } from '../contract.ts'
import { openVisitPage, wantNotice } from './commands.ts'
import { gonePageHtml, visitPageHtml } from './page/page.ts'
import { findVisitPage, type VisitPage } from './page/queries.ts'
import { getCustomerNotices } from './queries.ts'

const pageOf = async (token: string): Promise<VisitPage | null> => {
  const link = await findLink('visit', token)
  return link && withTenant({ businessId: link.businessId }, (db) => findVisitPage(db, link.entityId))
}

const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(html)

export const noticesEndpoints = serve(
  'notices',
  noticesApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getCustomerNotices(db, params.id)),
  update: ({ actor, params, body }) => wantNotice(actor, params.id, body),
  link: ({ actor, params }) => openVisitPage(actor, params.visitId),
  page: async ({ params, reply }) => {
    const page = await pageOf(params.token)
    return page ? sendPage(reply, visitPageHtml(page)) : sendPage(reply.code(404), gonePageHtml())
  },
})
