import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTokenOf, signedFilePath } from '../../../../platform/links.ts'
import { paths } from '../../../../shared/paths.ts'
import { isClosedTx, todayOf } from '../../../businesses/server/queries.ts'
import { findCardTaker } from '../../../payments/connect/server/queries.ts'
import type { Choice, QuoteStatus } from '../../rules.ts'
import type { SentContent } from '../../server/queries.ts'
import { type PageState, pageState } from '../rules.ts'

export type QuotePage = {
  quoteId: string
  revisionId: string
  number: number
  revision: number
  state: PageState
  content: SentContent
  language: 'en' | 'es'
  customer: string
  place: string
  business: {
    name: string
    color: string
    logoUrl: string | null
    phone: string | null
    email: string | null
  }
  /** The page of the version that was sent last, where this is an older one. */
  newerPath: string | null
  signature: {
    way: string
    signer: string
    signedAt: string
    choice: Choice
    totalCents: number
    depositCents: number
  } | null
  depositPaidCents: number
  takesCards: boolean
  /** Whether a payment would be real money. */
  livemode: boolean
  photos: string[]
  askedWords: string | null
  /** It is the next season of work that runs: `auto` goes on by itself after that day. */
  renewal: { auto: boolean; answerBy: string | null } | null
  timeZone: string
}

/** A version of a quote as its link shows it; null where there is none, or its business was closed. */
export const findQuotePage = async (db: TenantDb, revisionId: string): Promise<QuotePage | null> => {
  if (await isClosedTx(db)) return null
  const row = await db
    .selectFrom('quoteRevisions as r')
    .innerJoin('quotes as q', (x) => x.onRef('q.businessId', '=', 'r.businessId').onRef('q.id', '=', 'r.quoteId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'q.businessId').onRef('c.id', '=', 'q.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'q.businessId').onRef('p.id', '=', 'q.propertyId'),
    )
    .innerJoin('businesses as b', 'b.businessId', 'q.businessId')
    .where('r.businessId', '=', db.businessId)
    .where('r.id', '=', revisionId)
    .select([
      'q.id as quoteId',
      'q.number',
      'q.status',
      'q.revision as current',
      'r.revision',
      'r.content',
      'c.name as customer',
      'c.language',
      'p.street',
      'p.city',
      'p.state',
      'p.zip',
      'b.name as businessName',
      'b.brandColor',
      'b.logoFileId',
      'b.phone',
      'b.email',
      'b.timeZone',
    ])
    .select([
      sql<string>`(select n.id from quote_revisions n where n.business_id = q.business_id and n.quote_id = q.id order by n.revision desc limit 1)`.as(
        'latestId',
      ),
      sql<number>`(select max(n.revision) from quote_revisions n where n.business_id = q.business_id and n.quote_id = q.id)`.as(
        'latest',
      ),
      sql<number>`coalesce((select sum(y.amount_cents - y.refunded_cents) from payments y
        where y.business_id = q.business_id and y.quote_id = q.id and y.status = 'succeeded'), 0)::float8`.as(
        'paidCents',
      ),
      sql<string | null>`(select e.words from quote_events e where e.business_id = q.business_id and e.quote_id = q.id
        and e.kind = 'changes_requested' order by e.at desc limit 1)`.as('askedWords'),
      sql<
        string | null
      >`(select u.mode from renewals n join renewal_runs u on u.business_id = n.business_id and u.id = n.run_id
        where n.business_id = q.business_id and n.quote_id = q.id)`.as('renewalMode'),
    ])
    .executeTakeFirst()
  if (!row) return null
  const content = row.content as unknown as SentContent
  const state = pageState({
    status: row.status as QuoteStatus,
    own: row.revision,
    latest: row.latest,
    current: row.current,
    validUntil: content.validUntil,
    today: await todayOf(db),
  })
  const signature =
    state === 'approved'
      ? await db
          .selectFrom('quoteSignatures')
          .select(['way', 'signer', 'signedAt', 'choice', 'totalCents', 'depositCents', 'revision'])
          .where('businessId', '=', db.businessId)
          .where('quoteId', '=', row.quoteId)
          .executeTakeFirst()
      : undefined
  const taker = await findCardTaker(db)
  return {
    quoteId: row.quoteId,
    revisionId,
    number: row.number,
    revision: row.revision,
    // what was signed is another version: its own link shows it
    state: signature && signature.revision !== row.revision ? 'newer' : state,
    content,
    language: row.language === 'es' ? 'es' : 'en',
    customer: row.customer,
    place: [row.street, [row.city, [row.state, row.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')]
      .filter(Boolean)
      .join(', '),
    business: {
      name: row.businessName,
      color: row.brandColor,
      logoUrl: row.logoFileId ? signedFilePath(db.businessId, row.logoFileId) : null,
      phone: row.phone,
      email: row.email,
    },
    newerPath: row.latestId === revisionId ? null : paths.quote(linkTokenOf(db, 'quote', row.latestId)),
    signature: signature ? { ...signature, choice: signature.choice as unknown as Choice } : null,
    depositPaidCents: row.paidCents,
    takesCards: taker !== null,
    livemode: taker?.provider.livemode ?? true,
    photos: content.photoIds.map((id) => signedFilePath(db.businessId, id)),
    askedWords: state === 'changes' ? row.askedWords : null,
    renewal: row.renewalMode ? { auto: row.renewalMode === 'auto', answerBy: content.validUntil } : null,
    timeZone: row.timeZone,
  }
}
