import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict, notFound } from '../../../shared/errors.ts'
import { linkTo } from '../../../shared/links.ts'
import { notifyOffice, settleNotice } from '../../notifications/server/commands.ts'
import type { Review, ReviewSettings } from '../contract.ts'
import {
  authorOf,
  type HideReason,
  isOnPage,
  lowStars,
  pageState,
  type ReviewAction,
  type ReviewState,
  reviewRefusals,
} from '../rules.ts'
import { findReviewPage, getKept, getReview, getReviewSettings } from './queries.ts'

/** Changes whether and when customers are asked. @throws AppError version_conflict */
export const saveReviewSettings = (
  actor: Actor,
  { version, ...changes }: Partial<Omit<ReviewSettings, 'version'>> & { version: number },
): Promise<ReviewSettings> =>
  withTenant(actor, async (db) => {
    const { version: known, enabledAt, ...before } = await getKept(db)
    requireVersion({ version: known }, version, 'these settings')
    const rules = { ...before, ...changes }
    const values = {
      ...rules,
      // who was visited while it was off is not asked when it goes on
      enabledAt: !rules.enabled ? null : before.enabled ? enabledAt : clock.iso(),
      version: version + 1,
      updatedAt: clock.iso(),
    }
    const saved = await db
      .insertInto('reviewSettings')
      .values({ ...values, businessId: db.businessId })
      .onConflict((c) => c.columns(['businessId']).doUpdateSet(values).where('reviewSettings.version', '=', version))
      .returning('version')
      .executeTakeFirst()
    if (!saved) requireVersion({ version: version + 1 }, version, 'these settings')
    await audit(db, actor, 'reviews.settings', { type: 'business', id: db.businessId }, { before, after: rules })
    await publishChange(db, 'business', [db.businessId])
    return getReviewSettings(db)
  })

type Counted = { stars: number; published: boolean; hiddenAt: string | null }

/** Keeps what the public page counts at what stands on it. */
const countTx = async (db: TenantDb, before: Counted | null, after: Counted): Promise<void> => {
  const moves = [
    ...(before && isOnPage(before) ? [{ stars: before.stars, by: -1 }] : []),
    ...(isOnPage(after) ? [{ stars: after.stars, by: 1 }] : []),
  ]
  if (moves.length === 2 && moves[0]?.stars === moves[1]?.stars) return
  // always the lower stars first, so that two answers at once never wait for each other
  for (const { stars, by } of moves.toSorted((a, b) => a.stars - b.stars))
    await sql`insert into review_totals as t (business_id, stars, count) values (${db.businessId}, ${stars}, ${Math.max(by, 0)})
      on conflict (business_id, stars) do update set count = t.count + ${by}`.execute(db)
}

export type Answer = { stars: number; words: string; published: boolean; language: 'en' | 'es' }

const starsWords = (stars: number): string => (stars === 1 ? '1 star' : `${stars} stars`)

const lockAsk = async (db: TenantDb, askId: string) => {
  const ask = await db
    .selectFrom('reviewAsks')
    .select(['id', 'customerId', 'visitId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', askId)
    .forUpdate()
    .executeTakeFirst()
  const page = ask && (await findReviewPage(db, askId))
  if (!ask || !page) throw notFound('review')
  return { ask, page }
}

/**
 * A customer says how a visit was. Sent twice it is one answer; said otherwise later it takes the place of the first, for some days. Whatever the
 * stars, it stands on the page where they want it; few stars also stand before the office at once.
 * @throws state_conflict where the link takes no answer any more
 */
export const answerReview = (
  businessId: BusinessId,
  askId: string,
  answer: Answer,
): Promise<'first' | 'changed' | 'same'> =>
  withTenant({ businessId }, async (db) => {
    const { ask, page } = await lockAsk(db, askId)
    const state = pageState(page, page.answeredAt, clock.nowMs())
    if (state === 'closed' || state === 'settled') throw conflict('This link takes no answer any more.')
    const before = await db
      .selectFrom('reviews')
      .select(['id', 'stars', 'words', 'published', 'hiddenAt', 'handledAt'])
      .where('businessId', '=', db.businessId)
      .where('askId', '=', askId)
      // whoever hides or shows it meanwhile holds this row: what is counted below is what stands after them
      .forUpdate()
      .executeTakeFirst()
    if (
      before &&
      before.stars === answer.stars &&
      before.words === answer.words &&
      before.published === answer.published
    )
      return 'same'
    const id = before?.id ?? newId()
    const now = clock.iso()
    const by = { author: authorOf(page.customer), city: page.city }
    const isOther = before !== undefined && (before.stars !== answer.stars || before.words !== answer.words)
    if (before)
      await db
        .updateTable('reviews')
        .set((eb) => ({
          ...answer,
          ...by,
          ...(isOther ? { changedAt: now } : {}),
          ...(isOther && before.hiddenAt ? { hiddenChangedAt: now } : {}),
          handledAt: null,
          handledBy: null,
          version: eb('version', '+', 1),
        }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .execute()
    else
      await db
        .insertInto('reviews')
        .values({
          businessId: db.businessId,
          id,
          askId,
          customerId: ask.customerId,
          visitId: ask.visitId,
          ...answer,
          ...by,
          answeredAt: now,
        })
        .execute()
    await countTx(db, before ?? null, { ...answer, hiddenAt: before?.hiddenAt ?? null })
    const low = answer.stars <= lowStars
    await notifyOffice(db, {
      type: 'other',
      title: before
        ? `${page.customer} changed their review to ${starsWords(answer.stars)}`
        : `${page.customer} gave ${starsWords(answer.stars)}`,
      content: answer.words.slice(0, 300) || (low ? 'Without words. A call may help.' : 'Without words.'),
      customerId: ask.customerId,
      path: linkTo.review(id),
      dedupeKey: `review:${id}`,
      again: true,
    })
    await publishChange(db, 'reviews', [id])
    return before ? 'changed' : 'first'
  })

type Locked = ReviewState & { reply: string }

/** Does what somebody of the business may do with a review, under its lock. */
const inReview = (
  actor: Actor,
  action: ReviewAction,
  { id, version }: { id: string; version: number },
  work: (review: Locked, now: string) => Record<string, unknown>,
): Promise<Review> =>
  withTenant(actor, async (db) => {
    const review = await db
      .selectFrom('reviews')
      .select(['stars', 'published', 'handledAt', 'repliedAt', 'reply', 'hiddenAt', 'hiddenChangedAt', 'version'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!review) throw notFound('review')
    refuse(reviewRefusals[action](review))
    requireVersion(review, version, 'this review')
    const change = work(review, clock.iso())
    await db
      .updateTable('reviews')
      .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    if ('hiddenAt' in change) await countTx(db, review, { ...review, hiddenAt: change.hiddenAt as string | null })
    // words that stood in public and stand there no more are kept
    const before = 'reply' in change && review.reply ? { reply: review.reply, repliedAt: review.repliedAt } : undefined
    await audit(db, actor, `review.${action}`, { type: 'review', id }, { ...(before ? { before } : {}), after: change })
    if (action !== 'hide' && action !== 'withdrawReply') await settleNotice(db, `review:${id}`)
    await publishChange(db, 'reviews', [id])
    return getReview(db, actor, id)
  })

const takenCare = (actor: Actor, { stars, handledAt }: ReviewState, now: string) =>
  stars <= lowStars && handledAt === null ? { handledAt: now, handledBy: actor.userId } : {}

/** The one public reply; who replies to a low review has taken care of it. */
export const replyToReview = (actor: Actor, id: string, { words, version }: { words: string; version: number }) =>
  inReview(actor, 'reply', { id, version }, (review, now) => ({
    reply: words,
    repliedAt: now,
    repliedBy: actor.userId,
    ...takenCare(actor, review, now),
  }))

/** Other words in its place; who changes it answers what stands now. */
export const editReply = (actor: Actor, id: string, { words, version }: { words: string; version: number }) =>
  inReview(actor, 'editReply', { id, version }, (review, now) => ({
    reply: words,
    repliedAt: now,
    repliedBy: actor.userId,
    ...takenCare(actor, review, now),
  }))

export const withdrawReply = (actor: Actor, id: string, version: number) =>
  inReview(actor, 'withdrawReply', { id, version }, () => ({ reply: '', repliedAt: null, repliedBy: null }))

export const handleReview = (actor: Actor, id: string, version: number) =>
  inReview(actor, 'handle', { id, version }, (review, now) => takenCare(actor, review, now))

/** Off the page, for a reason that is kept and that the customer reads on theirs. */
export const hideReview = (
  actor: Actor,
  id: string,
  { reason, note, version }: { reason: HideReason; note: string; version: number },
) =>
  inReview(actor, 'hide', { id, version }, (_, now) => ({
    hiddenReason: reason,
    hiddenNote: note,
    hiddenAt: now,
    hiddenBy: actor.userId,
  }))

export const showReview = (actor: Actor, id: string, version: number) =>
  inReview(actor, 'show', { id, version }, () => ({
    hiddenReason: null,
    hiddenNote: '',
    hiddenAt: null,
    hiddenBy: null,
    hiddenChangedAt: null,
  }))

/** The owner looked at it again after its customer changed it: the reason still holds. */
export const keepReviewHidden = (actor: Actor, id: string, version: number) =>
  inReview(actor, 'keepHidden', { id, version }, () => ({ hiddenChangedAt: null }))
