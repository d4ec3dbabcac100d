import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { hideReasons, longestWords, plainWords, reviewActions, reviewFilters } from './rules.ts'

const rules = {
  enabled: z.boolean(),
  delayHours: z
    .number({ error: 'A number of hours.' })
    .int('A whole number of hours.')
    .min(1, 'At least one hour.')
    .max(168, 'At most a week.'),
  everyDays: z
    .number({ error: 'A number of days.' })
    .int('A whole number of days.')
    .min(30, 'At least 30 days.')
    .max(730, 'At most two years.'),
  /** Where a review on Google is written; empty where there is no such place. */
  googleUrl: z
    .string()
    .trim()
    .max(500, 'At most 500 characters.')
    .regex(/^$|^https:\/\/[^\s/]+\.[^\s/]+(\/\S*)?$/, 'Copy the whole address, beginning with https://'),
}

export const ReviewSettings = z.object({ ...rules, version: z.number().int() })
export type ReviewSettings = z.output<typeof ReviewSettings>

export const Review = z.object({
  id: z.uuid(),
  customerId: z.uuid(),
  customerName: z.string(),
  /** Null where the visit is gone; what was said of it stays. */
  visitId: z.uuid().nullable(),
  jobId: z.uuid().nullable(),
  visitDay: z.string().nullable(),
  stars: z.number().int(),
  words: z.string(),
  /** As the public page names them. */
  author: z.string(),
  city: z.string(),
  /** Its customer wants it on the page. */
  published: z.boolean(),
  answeredAt: z.string(),
  changedAt: z.string().nullable(),
  handledAt: z.string().nullable(),
  reply: z.string(),
  repliedAt: z.string().nullable(),
  repliedByName: z.string().nullable(),
  /** The reply was written before stars or words were changed. */
  repliedBefore: z.boolean(),
  hiddenReason: z.enum(hideReasons).nullable(),
  hiddenNote: z.string(),
  hiddenAt: z.string().nullable(),
  hiddenByName: z.string().nullable(),
  hiddenChangedAt: z.string().nullable(),
  version: z.number().int(),
  /** What who asked may do with it now. */
  can: z.record(z.enum(reviewActions), z.boolean()),
})
export type Review = z.output<typeof Review>

const counts = {
  /** With one digit, cut and never rounded up; null without a review. */
  average: z.number().nullable(),
  count: z.number().int(),
  /** How many of 1 to 5 stars. */
  counts: z.array(z.number().int()).length(5),
}

export const ReviewSummary = z.object({
  ...counts,
  enabled: z.boolean(),
  pageOn: z.boolean(),
  /** In the last 90 days. */
  askedCount: z.number().int(),
  answeredCount: z.number().int(),
})
export type ReviewSummary = z.output<typeof ReviewSummary>

export const PublicReviews = z.object({
  ...counts,
  items: z.array(
    z.object({
      id: z.uuid(),
      author: z.string(),
      city: z.string(),
      stars: z.number().int(),
      words: z.string(),
      language: z.enum(['en', 'es']),
      /** The day on the business's calendar. */
      day: z.string(),
      reply: z.string(),
      replyDay: z.string().nullable(),
      repliedBefore: z.boolean(),
    }),
  ),
  nextCursor: z.string().nullable(),
})
export type PublicReviews = z.output<typeof PublicReviews>

const params = z.object({ id: z.uuid() })
const version = z.number().int()
const reads = { access: 'office', permission: 'customers' } as const
const changes = { ...reads, needsSubscription: true, idempotent: true } as const
const replyBody = z.object({
  words: z
    .string()
    .transform(plainWords)
    .pipe(z.string().min(1, 'Write your reply.').max(longestWords, 'At most 2,000 characters.')),
  version,
})
const hides = { access: 'owner', idempotent: true } as const

export const reviewsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/reviews',
    ...reads,
    query: z.object({ show: z.enum(reviewFilters).default('all'), ...page(30) }),
    response: z.object({ items: z.array(Review), nextCursor: z.string().nullable() }),
    summary: 'What customers said of their visits, the newest first',
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/reviews/summary',
    ...reads,
    response: ReviewSummary,
    summary: 'Average and counts as the public page shows them, and how many of those asked answered',
  }),
  get: endpoint({ method: 'GET', path: '/api/reviews/:id', ...reads, params, response: Review, summary: 'One review' }),
  reply: endpoint({
    method: 'POST',
    path: '/api/reviews/:id/reply',
    ...changes,
    params,
    body: replyBody,
    response: Review,
    summary: 'The one public reply of the business',
  }),
  editReply: endpoint({
    method: 'PATCH',
    path: '/api/reviews/:id/reply',
    ...changes,
    params,
    body: replyBody,
    response: Review,
    summary: 'Other words in place of the reply',
  }),
  withdrawReply: endpoint({
    method: 'POST',
    path: '/api/reviews/:id/withdraw-reply',
    ...reads,
    idempotent: true,
    params,
    body: z.object({ version }),
    response: Review,
    summary: 'Takes the reply back',
  }),
  handle: endpoint({
    method: 'POST',
    path: '/api/reviews/:id/handle',
    ...changes,
    params,
    body: z.object({ version }),
    response: Review,
    summary: 'Somebody took care of a low review',
  }),
  hide: endpoint({
    method: 'POST',
    path: '/api/reviews/:id/hide',
    ...hides,
    params,
    body: z.object({
      reason: z.enum(hideReasons, 'Choose why.'),
      note: z.string().trim().min(5, 'Say in a few words what is wrong with it.').max(500, 'At most 500 characters.'),
      version,
    }),
    response: Review,
    summary: 'Takes a review off the public page for a stated reason, which is kept; few stars are none',
  }),
  show: endpoint({
    method: 'POST',
    path: '/api/reviews/:id/show',
    ...hides,
    params,
    body: z.object({ version }),
    response: Review,
    summary: 'Puts a hidden review back on the public page',
  }),
  keepHidden: endpoint({
    method: 'POST',
    path: '/api/reviews/:id/keep-hidden',
    ...hides,
    params,
    body: z.object({ version }),
    response: Review,
    summary: 'A review that was changed since it was hidden was looked at again, and stays hidden for the same reason',
  }),
}

export const reviewSettingsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/review-settings',
    access: 'office',
    response: ReviewSettings,
    summary: 'Whether and when customers are asked for a review',
  }),
  save: endpoint({
    method: 'PATCH',
    path: '/api/review-settings',
    access: 'office',
    permission: 'settings',
    needsSubscription: true,
    idempotent: true,
    body: z.object(rules).partial().extend({ version }),
    response: ReviewSettings,
  }),
}

const token = z.object({ token: z.string().max(100) })

/** What strangers reach: the page of a private link, and what stands on a business's public page. */
export const publicReviewsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/public/businesses/:slug/reviews',
    access: 'public',
    params: z.object({ slug: z.string().max(100) }),
    query: z.object({ cursor: z.string().max(4000).optional() }),
    response: PublicReviews,
    summary: 'The reviews on a public page, the newest first',
  }),
  page: endpoint({
    method: 'GET',
    path: '/review/:token',
    access: 'public',
    params: token,
    query: z.object({ lang: z.enum(['en', 'es']).optional().catch(undefined) }),
    response: z.any(),
    summary: 'The private page on which a customer says how a visit was, whole without a script',
  }),
  answer: endpoint({
    method: 'POST',
    path: '/review/:token',
    access: 'public',
    form: true,
    params: token,
    body: z.record(z.string().max(40), z.string().max(20_000)),
    response: z.any(),
    summary: 'The answer, or another one in its place while it can be changed',
  }),
}
