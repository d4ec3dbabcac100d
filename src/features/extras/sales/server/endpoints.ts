import type { FastifyReply } from 'fastify'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { findLink } from '../../../../platform/links.ts'
import { salePageApi } from '../contract.ts'
import { answerSale } from './commands.ts'
import { saleGoneHtml, saleHtml } from './page.ts'
import { findAskedSale } from './queries.ts'

const send = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(html)

const show = async (reply: FastifyReply, token: string): Promise<FastifyReply> => {
  const link = await findLink('extra', token)
  const sale = link && (await withTenant(link, (db) => findAskedSale(db, link.entityId)))
  return sale ? send(reply, saleHtml(sale)) : send(reply.code(404), saleGoneHtml())
}

export const salePageEndpoints = serve(
  'extras',
  salePageApi,
)({
  page: ({ params, reply }) => show(reply, params.token),
  answer: async ({ params, body, request, reply }) => {
    const link = await findLink('extra', params.token)
    if (link && (body.answer === 'yes' || body.answer === 'no')) {
      await countUse(`extra:${link.entityId}:${request.ip}`, 20, 600)
      await answerSale(link.businessId, link.entityId, {
        yes: body.answer === 'yes',
        signer: body.name ?? '',
        ip: request.ip,
      })
    }
    return show(reply, params.token)
  },
})
