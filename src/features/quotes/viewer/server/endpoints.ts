import type { FastifyReply } from 'fastify'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { sendPdf } from '../../../../platform/http/pdf.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { findLink } from '../../../../platform/links.ts'
import { AppError } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { payDeposit, syncOpenDeposit } from '../../deposits/server/commands.ts'
import { type Choice, type LostReason, lostReasons } from '../../rules.ts'
import { readStrokes } from '../../signing/rules.ts'
import { printQuote, signQuote } from '../../signing/server/commands.ts'
import { quotePageApi } from '../contract.ts'
import { isMachine } from '../rules.ts'
import { askForChanges, declineByCustomer, seeQuote } from './commands.ts'
import { goToPayHtml, noQuoteHtml, quoteHtml, type Said } from './page.ts'
import { findQuotePage, type QuotePage } from './queries.ts'
import { viewerTexts } from './texts.ts'

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

const send = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(html)

const pageOf = async (token: string): Promise<{ link: Link; page: QuotePage } | null> => {
  const link = await findLink('quote', token)
  const page = link && (await withTenant(link, (db) => findQuotePage(db, link.entityId)))
  return link && page && page.state !== 'closed' ? { link, page } : null
}

/** What was ticked on the page. */
const choiceOf = (fields: Record<string, string>): Choice => ({
  packageId: fields.package ?? null,
  lineIds: Object.keys(fields).flatMap((name) => (name.startsWith('option-') ? [name.slice(7)] : [])),
  prepay: fields.prepay === '1',
})

/** The page as it stands now, whatever was asked before. */
const show = async (reply: FastifyReply, token: string, wished: Choice | null, said: Said = {}) => {
  const now = await pageOf(token)
  return now ? send(reply, quoteHtml(now.page, token, wished, said)) : send(reply.code(404), noQuoteHtml())
}

const mostLooks = 8

const page = async ({
  params,
  query,
  request,
  reply,
}: {
  params: { token: string }
  query: {
    paid?: number | undefined
    package?: string | undefined
    options?: string | undefined
    prepay?: string | undefined
  }
  request: { ip: string }
  reply: FastifyReply
}) => {
  const { token } = params
  const wished =
    query.package !== undefined || query.options !== undefined
      ? {
          packageId: query.package ?? null,
          lineIds: (query.options ?? '').split(',').filter(Boolean),
          prepay: query.prepay === '1',
        }
      : null
  if (query.paid === undefined) return show(reply, token, wished)
  const link = await findLink('quote', token)
  if (!link) return send(reply.code(404), noQuoteHtml())
  await countUse(`sync:${link.entityId}:${request.ip}`, 60, 600)
  const waits = await syncOpenDeposit(link.businessId, link.entityId)
  return show(reply, token, wished, { look: query.paid, waits: waits && query.paid < mostLooks })
}

/** Does what a form of the page asks for; a refusal is said on the page as it stands now. */
const act = async (
  { params, request, reply }: { params: { token: string }; request: { ip: string }; reply: FastifyReply },
  name: string,
  said: (error: AppError) => { wished: Choice | null; said: Said },
  work: (link: Link, page: QuotePage) => Promise<unknown>,
) => {
  const found = await pageOf(params.token)
  if (!found) return send(reply.code(404), noQuoteHtml())
  try {
    await countUse(`${name}:${found.link.entityId}:${request.ip}`, 30, 600)
    return await work(found.link, found.page)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { wished, said: words } = said(error)
    return show(reply.code(error.status), params.token, wished, words)
  }
}

const problem =
  (more: Said = {}, wished: Choice | null = null) =>
  (error: AppError) => ({ wished, said: { ...more, problem: error.message } })

const isReason = (text: string | undefined): text is LostReason =>
  lostReasons.some((one) => one === text && one !== 'no_answer')

export const quotePageEndpoints = serve(
  'quotes',
  quotePageApi,
)({
  page,
  view: page,
  seen: async ({ params, request, reply }) => {
    const link = await findLink('quote', params.token)
    if (!link) return send(reply.code(404), noQuoteHtml())
    if (!isMachine(request.headers['user-agent'] ?? '')) {
      await countUse(`seen:${link.entityId}:${request.ip}`, 60, 600)
      await seeQuote(link.businessId, link.entityId)
    }
    return reply.code(204).send()
  },
  choose: async ({ params, body, reply }) => {
    if (!(await pageOf(params.token))) return send(reply.code(404), noQuoteHtml())
    const { packageId, lineIds, prepay } = choiceOf(body)
    const query = new URLSearchParams({
      ...(packageId === null ? {} : { package: packageId }),
      options: lineIds.join(','),
      ...(prepay ? { prepay: '1' } : {}),
    })
    return reply.redirect(`${paths.quote(params.token)}?${query}`, 303)
  },
  sign: (call) => {
    const { body, params, request, reply } = call
    const wished = choiceOf(body)
    const signer = (body.signer ?? '').trim().slice(0, 120)
    return act(call, 'sign', problem({ typedName: signer }, wished), async (link, at) => {
      const t = viewerTexts[at.language]
      if (signer.length < 2) return show(reply.code(422), params.token, wished, { problem: t.nameNeeded })
      if (body.agree !== '1')
        return show(reply.code(422), params.token, wished, { problem: t.agreeNeeded, typedName: signer })
      const strokes = readStrokes(body.strokes ?? '')
      await signQuote(link.businessId, link.entityId, {
        choice: wished,
        expectedCents: Number(body.expected),
        way: strokes.length > 0 ? 'drawn' : 'typed',
        signer,
        strokes,
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? '',
      })
      return reply.redirect(paths.quote(params.token), 303)
    })
  },
  ask: (call) =>
    act(call, 'ask', problem({ wrong: 'ask' }), async (link, at) => {
      const words = (call.body.words ?? '').trim().slice(0, 2000)
      if (words.length < 3)
        return show(call.reply.code(422), call.params.token, null, {
          problem: viewerTexts[at.language].askNeeded,
          wrong: 'ask',
        })
      await askForChanges(link.businessId, link.entityId, words)
      return call.reply.redirect(paths.quote(call.params.token), 303)
    }),
  decline: (call) =>
    act(call, 'decline', problem({ wrong: 'no' }), async (link, at) => {
      const { reason, words = '' } = call.body
      if (!isReason(reason))
        return show(call.reply.code(422), call.params.token, null, {
          problem: viewerTexts[at.language].reasonNeeded,
          wrong: 'no',
        })
      await declineByCustomer(link.businessId, link.entityId, { reason, words: words.trim().slice(0, 1000) })
      return call.reply.redirect(paths.quote(call.params.token), 303)
    }),
  pay: (call) =>
    act(call, 'pay', problem(), async (link, at) => {
      if (at.depositPaidCents > 0) return call.reply.redirect(paths.quote(call.params.token), 303)
      const { url } = await payDeposit(link.businessId, link.entityId, call.params.token)
      return send(call.reply, goToPayHtml(url, at.language))
    }),
  again: async ({ params, reply }) => reply.redirect(paths.quote(params.token), 303),
  pdf: async ({ params, request, reply }) => {
    const found = await pageOf(params.token)
    if (!found) return send(reply.code(404), noQuoteHtml())
    await countUse(`pdf:${found.link.entityId}:${request.ip}`, 30, 600)
    const { name, pdf } = await printQuote(found.link.businessId, found.page.quoteId)
    return sendPdf(reply, name, pdf)
  },
})
