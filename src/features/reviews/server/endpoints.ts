import type { FastifyReply } from 'fastify'
import { withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { findLink } from '../../../platform/links.ts'
import { AppError } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { publicReviewsApi, reviewSettingsApi, reviewsApi } from '../contract.ts'
import { noReviewHtml, reviewHtml, type Typed } from '../page/server/page.ts'
import { reviewWords } from '../page/server/words.ts'
import { longestWords, plainWords } from '../rules.ts'
import {
  answerReview,
  editReply,
  handleReview,
  hideReview,
  keepReviewHidden,
  replyToReview,
  saveReviewSettings,
  showReview,
  withdrawReply,
} from './commands.ts'
import {
  findReviewedBusiness,
  findReviewPage,
  getReview,
  getReviewSettings,
  getSummary,
  listPublicReviews,
  listReviews,
} from './queries.ts'

export const reviewsEndpoints = serve(
  'reviews',
  reviewsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listReviews(db, actor, query)),
  summary: ({ actor }) => withTenant(actor, getSummary),
  get: ({ actor, params }) => withTenant(actor, (db) => getReview(db, actor, params.id)),
  reply: ({ actor, params, body }) => replyToReview(actor, params.id, body),
  editReply: ({ actor, params, body }) => editReply(actor, params.id, body),
  withdrawReply: ({ actor, params, body }) => withdrawReply(actor, params.id, body.version),
  handle: ({ actor, params, body }) => handleReview(actor, params.id, body.version),
  hide: ({ actor, params, body }) => hideReview(actor, params.id, body),
  show: ({ actor, params, body }) => showReview(actor, params.id, body.version),
  keepHidden: ({ actor, params, body }) => keepReviewHidden(actor, params.id, body.version),
})

export const reviewSettingsEndpoints = serve(
  'review-settings',
  reviewSettingsApi,
)({
  get: ({ actor }) => withTenant(actor, getReviewSettings),
  save: ({ actor, body }) => saveReviewSettings(actor, body),
})

const send = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(html)

const open = async (token: string) => {
  const link = await findLink('review', token)
  const page = link && (await withTenant(link, (db) => findReviewPage(db, link.entityId)))
  return link && page && !page.business.closedAt ? { link, page } : null
}

const languageOf = (wished: string | undefined, customers: string): Language =>
  wished === 'en' || wished === 'es' ? wished : customers === 'es' ? 'es' : 'en'

/** What is wrong with an answer, where it stands; null where nothing is. */
const problemOf = (typed: Typed, language: Language): Typed | null => {
  const t = reviewWords[language]
  if (!/^[1-5]$/.test(typed.stars ?? '')) return { ...typed, stars: '', problem: t.starsNeeded, wrong: 'stars' }
  if ((typed.words ?? '').length > longestWords) return { ...typed, problem: t.tooLong, wrong: 'words' }
  if (typed.where !== 'page' && typed.where !== 'them') return { ...typed, problem: t.whereNeeded, wrong: 'where' }
  return null
}

export const publicReviewsEndpoints = serve(
  'public-reviews',
  publicReviewsApi,
)({
  list: async ({ params, query, request }) => {
    const found = await findReviewedBusiness(params.slug)
    await countUse(`reviews-look:${found.businessId}:${request.ip}`, 300, 3600)
    return withTenant(found, (db) => listPublicReviews(db, query.cursor))
  },
  page: async ({ params, query, request, reply }) => {
    await countUse(`review-look:${request.ip}`, 120, 600)
    const found = await open(params.token)
    if (!found) return send(reply.code(404), noReviewHtml())
    return send(reply, reviewHtml(found.page, params.token, languageOf(query.lang, found.page.language)))
  },
  answer: async ({ params, body, request, reply }) => {
    // before anything is looked up, whatever link it is
    await countUse(`review-answer:${request.ip}`, 60, 600)
    const found = await open(params.token)
    if (!found) return send(reply.code(404), noReviewHtml())
    const language = languageOf(body.lang, found.page.language)
    const show = async (status: number, typed: Typed) => {
      const now = await open(params.token)
      return now
        ? send(reply.code(status), reviewHtml(now.page, params.token, language, typed))
        : send(reply.code(404), noReviewHtml())
    }
    const words = plainWords(body.words ?? '')
    const typed: Typed = { stars: body.stars ?? '', words, where: body.where ?? '' }
    const problem = problemOf(typed, language)
    if (problem) return show(422, problem)
    try {
      // by link, wherever it is pressed: each change is news to the office
      await countUse(`review:${found.link.entityId}`, 12, 86_400)
      await answerReview(found.link.businessId, found.link.entityId, {
        stars: Number(typed.stars),
        words,
        published: typed.where === 'page',
        language,
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return show(error.status, {
        ...typed,
        problem: error.code === 'state_conflict' ? reviewWords[language].closed : error.message,
      })
    }
    const asked = language === found.page.language ? '' : `?lang=${language}`
    return reply.redirect(`${paths.review(params.token)}${asked}`, 303)
  },
})
