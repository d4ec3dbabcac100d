import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { findBusinessBySlug, timeZoneOf } from '../../businesses/server/queries.ts'
import { type PublicReviews, type Review, type ReviewSettings, type ReviewSummary, reviewsApi } from '../contract.ts'
import {
  averageOf,
  type HideReason,
  isRepliedBefore,
  lowStars,
  type ReviewAction,
  type ReviewFilter,
  reviewRefusals,
  type StarCounts,
} from '../rules.ts'

type Kept = ReviewSettings & { enabledAt: string | null }

const usual: Kept = { enabled: false, enabledAt: null, delayHours: 24, everyDays: 90, googleUrl: '', version: 0 }

/** Whether and when customers are asked; a business that said nothing asks nobody. */
export const getKept = async (db: TenantDb): Promise<Kept> =>
  (await db
    .selectFrom('reviewSettings')
    .select(['enabled', 'enabledAt', 'delayHours', 'everyDays', 'googleUrl', 'version'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()) ?? usual

export const getReviewSettings = async (db: TenantDb): Promise<ReviewSettings> => {
  const { enabledAt: _, ...settings } = await getKept(db)
  return settings
}

const countsOf = async (db: TenantDb): Promise<StarCounts> => {
  const rows = await db
    .selectFrom('reviewTotals')
    .select(['stars', 'count'])
    .where('businessId', '=', db.businessId)
    .execute()
  const of = (stars: number) => rows.find((row) => row.stars === stars)?.count ?? 0
  return [of(1), of(2), of(3), of(4), of(5)]
}

const countedOf = async (db: TenantDb) => {
  const counts = await countsOf(db)
  return { average: averageOf(counts), count: counts.reduce((sum, one) => sum + one, 0), counts: [...counts] }
}

const needs: Record<ReviewAction, Need> = reviewsApi

type Row = Omit<Review, 'can' | 'hiddenReason' | 'repliedBefore'> & { hiddenReason: HideReason | null }

const columns = sql`r.id, r.customer_id, c.name as customer_name, r.visit_id, v.job_id,
  coalesce(v.day, v.occurrence_on) as visit_day, r.stars, r.words, r.author, r.city, r.published, r.answered_at,
  r.changed_at, r.handled_at, r.reply, r.replied_at, p.name as replied_by_name, r.hidden_reason, r.hidden_note,
  r.hidden_at, h.name as hidden_by_name, r.hidden_changed_at, r.version`
const from = sql`from reviews r
  join customers c on c.business_id = r.business_id and c.id = r.customer_id
  left join visits v on v.business_id = r.business_id and v.id = r.visit_id
  left join users p on p.business_id = r.business_id and p.id = r.replied_by
  left join users h on h.business_id = r.business_id and h.id = r.hidden_by`

const shown = (actor: Actor, row: Row): Review => ({
  ...row,
  repliedBefore: isRepliedBefore(row),
  can: canOf(actor, needs, reviewRefusals, row),
})

/** @throws not_found */
export const getReview = async (db: TenantDb, actor: Actor, id: string): Promise<Review> => {
  const { rows } = await sql<Row>`select ${columns} ${from}
    where r.business_id = ${db.businessId} and r.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('review')
  return shown(actor, rows[0])
}

const only: Record<ReviewFilter, RawBuilder<SqlBool>> = {
  all: sql`true`,
  low: sql`r.stars <= ${sql.lit(lowStars)}`,
  unanswered: sql`r.replied_at is null and r.published`,
  private: sql`not r.published`,
  hidden: sql`r.hidden_at is not null`,
}

/** One page of what customers said, the newest first. */
export const listReviews = async (
  db: TenantDb,
  actor: Actor,
  query: { show: ReviewFilter; cursor?: string | undefined; limit: number },
) => {
  const { beyond, order, values, limit, page } = keyset([{ of: sql`r.id`, type: 'uuid' }], { ...query, order: 'desc' })
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select ${columns}, ${values} as cursor_keys ${from}
    where r.business_id = ${db.businessId} and ${only[query.show]} and ${beyond}
    order by ${order} limit ${limit}`.execute(db)
  const { items, nextCursor } = page(rows)
  return { items: items.map((row) => shown(actor, row)), nextCursor }
}

const spanDays = 90

export const getSummary = async (db: TenantDb): Promise<ReviewSummary> => {
  const { rows } = await sql<{ asked: number; answered: number }>`
    select count(*)::int as asked, count(r.id)::int as answered from review_asks a
    left join reviews r on r.business_id = a.business_id and r.ask_id = a.id
    where a.business_id = ${db.businessId} and a.recalled_at is null
      and a.created_at > ${new Date(clock.nowMs() - spanDays * 86_400_000).toISOString()}`.execute(db)
  const { publicPage } = await db
    .selectFrom('businesses')
    .select('publicPage')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return {
    ...(await countedOf(db)),
    enabled: (await getKept(db)).enabled,
    pageOn: publicPage,
    askedCount: rows[0]?.asked ?? 0,
    answeredCount: rows[0]?.answered ?? 0,
  }
}

const publicPageSize = 8

/** The business behind a public page that is on. @throws not_found */
export const findReviewedBusiness = async (slug: string): Promise<{ businessId: BusinessId }> => {
  const businessId = await findBusinessBySlug(slug)
  if (!businessId) throw notFound('business')
  const { publicPage, closedAt } = await withTenant({ businessId }, (db) =>
    db
      .selectFrom('businesses')
      .select(['publicPage', 'closedAt'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow(),
  )
  if (!publicPage || closedAt) throw notFound('business')
  return { businessId }
}

/** What stands on the public page; nothing of who wrote but first name, initial and city. */
export const listPublicReviews = async (db: TenantDb, cursor?: string): Promise<PublicReviews> => {
  const { beyond, order, values, limit, page } = keyset([{ of: sql`r.id`, type: 'uuid' }], {
    order: 'desc',
    cursor,
    limit: publicPageSize,
  })
  type Shown = Omit<PublicReviews['items'][number], 'day' | 'replyDay' | 'repliedBefore'> & {
    answeredAt: string
    changedAt: string | null
    repliedAt: string | null
    cursorKeys: string[]
  }
  const { rows } = await sql<Shown>`
    select r.id, r.author, r.city, r.stars, r.words, r.language, r.answered_at, r.changed_at,
      r.reply, r.replied_at, ${values} as cursor_keys
    from reviews r
    where r.business_id = ${db.businessId} and r.published and r.hidden_at is null and ${beyond}
    order by ${order} limit ${limit}`.execute(db)
  const { items, nextCursor } = page(rows)
  const zone = await timeZoneOf(db)
  return {
    ...(await countedOf(db)),
    items: items.map(({ answeredAt, changedAt, repliedAt, ...one }) => ({
      ...one,
      day: dayOf(changedAt ?? answeredAt, zone),
      repliedBefore: isRepliedBefore({ changedAt, repliedAt }),
      replyDay: repliedAt ? dayOf(repliedAt, zone) : null,
    })),
    nextCursor,
  }
}

/** Low reviews that nobody of the office took care of. */
export const listLowReviews = async (db: TenantDb, most: number) => {
  const { rows } = await sql<{
    id: string
    name: string
    stars: number
    words: string
    published: boolean
    hidden: boolean
  }>`
    select r.id, c.name, r.stars, r.words, r.published, r.hidden_at is not null as hidden ${from}
    where r.business_id = ${db.businessId} and r.stars <= ${sql.lit(lowStars)} and r.handled_at is null
    order by r.id desc limit ${most}`.execute(db)
  return rows
}

/** Reviews whose customers changed stars or words after the owner hid them: whether the reason still holds is asked again. */
export const listChangedHidden = async (db: TenantDb, most: number) => {
  const { rows } = await sql<{ id: string; name: string; stars: number; words: string }>`
    select r.id, c.name, r.stars, r.words from reviews r
    join customers c on c.business_id = r.business_id and c.id = r.customer_id
    where r.business_id = ${db.businessId} and r.hidden_changed_at is not null and r.published
    order by r.id desc limit ${most}`.execute(db)
  return rows
}

export type ReviewPage = NonNullable<Awaited<ReturnType<typeof findReviewPage>>>

/** What the page behind a private link shows; null where the ask is gone. */
export const findReviewPage = async (db: TenantDb, askId: string) => {
  const { rows } = await sql<{
    expiresAt: string
    recalledAt: string | null
    customer: string
    language: string
    day: string | null
    services: string
    city: string | null
    stars: number | null
    words: string | null
    published: boolean | null
    answeredAt: string | null
    reply: string | null
    repliedAt: string | null
    changedAt: string | null
    hiddenReason: HideReason | null
    hiddenChangedAt: string | null
  }>`
    select a.expires_at, a.recalled_at, c.name as customer, c.language, coalesce(v.day, v.occurrence_on) as day,
      coalesce(p.city, r.city) as city,
      coalesce((select string_agg(distinct s.name, ', ') from visit_lines l
        join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = a.business_id and l.visit_id = a.visit_id), '') as services,
      r.stars, r.words, r.published, r.answered_at, r.reply, r.replied_at, r.changed_at, r.hidden_reason,
      r.hidden_changed_at
    from review_asks a
    join customers c on c.business_id = a.business_id and c.id = a.customer_id
    left join visits v on v.business_id = a.business_id and v.id = a.visit_id
    left join properties p on p.business_id = v.business_id and p.id = v.property_id
    left join reviews r on r.business_id = a.business_id and r.ask_id = a.id
    where a.business_id = ${db.businessId} and a.id = ${askId}`.execute(db)
  const [row] = rows
  if (!row) return null
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'slug', 'phone', 'email', 'brandColor', 'publicPage', 'closedAt', 'timeZone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return { ...row, city: row.city ?? '', business, googleUrl: (await getKept(db)).googleUrl }
}
