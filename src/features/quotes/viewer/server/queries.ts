import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTokenOf, signedFilePath } from '../../../../platform/links.ts'
import { addressLines } from '../../../../shared/address-lines.ts'
import { notFound } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { isClosedTx, todayOf } from '../../../businesses/server/queries.ts'
import { findCardTaker } from '../../../payments/connect/server/queries.ts'
import { findBillOfQuote } from '../../billing/server/queries.ts'
import type { QuoteContent } from '../../contract.ts'
import { readDepositUses } from '../../deposits/server/queries.ts'
import { findRenewalOfQuote } from '../../renewals/server/rows.ts'
import type { Choice, QuoteStatus } from '../../rules.ts'
import { findRevision, getTaxes, type SentContent } from '../../server/queries.ts'
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
  /** Where it went. */
  depositUses: { restCents: number; pays: { number: number; cents: number }[] }
  /** It was invoiced as a whole: the invoice asks for all of it, and nothing is asked for beside it. */
  invoiced: boolean
  takesCards: boolean
  /** Whether a payment would be real money. */
  livemode: boolean
  photos: string[]
  askedWords: string | null
  /** It is the next season of work that runs: `auto` goes on by itself after that day. */
  renewal: { auto: boolean; answerBy: string | null } | null
  timeZone: string
}

/** A quote with its customer, its place and the business that writes it: what stands on the page around the work. */
const aroundOf = (db: TenantDb) =>
  db
    .selectFrom('quotes as q')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'q.businessId').onRef('c.id', '=', 'q.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'q.businessId').onRef('p.id', '=', 'q.propertyId'),
    )
    .innerJoin('businesses as b', 'b.businessId', 'q.businessId')
    .where('q.businessId', '=', db.businessId)
    .select([
      'q.id as quoteId',
      'q.number',
      'q.status',
      'q.revision as current',
      'q.title',
      'q.content as draft',
      'q.validUntil',
      'q.propertyId',
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

type Around = Awaited<ReturnType<ReturnType<typeof aroundOf>['executeTakeFirstOrThrow']>>

const headOf = async (db: TenantDb, row: Around, content: SentContent) => {
  const taker = await findCardTaker(db)
  return {
    quoteId: row.quoteId,
    number: row.number,
    content,
    language: row.language === 'es' ? ('es' as const) : ('en' as const),
    customer: row.customer,
    place: addressLines(row).join(', '),
    business: {
      name: row.businessName,
      color: row.brandColor,
      logoUrl: row.logoFileId ? signedFilePath(db.businessId, row.logoFileId) : null,
      phone: row.phone,
      email: row.email,
    },
    takesCards: taker !== null,
    livemode: taker?.provider.livemode ?? true,
    photos: content.photoIds.map((id) => signedFilePath(db.businessId, id)),
    timeZone: row.timeZone,
  }
}

/** A version of a quote as its link shows it; null where there is none, or its business was closed. */
export const findQuotePage = async (db: TenantDb, revisionId: string): Promise<QuotePage | null> => {
  if (await isClosedTx(db)) return null
  const row = await aroundOf(db)
    .innerJoin('quoteRevisions as r', (x) =>
      x.onRef('r.businessId', '=', 'q.businessId').onRef('r.quoteId', '=', 'q.id'),
    )
    .where('r.id', '=', revisionId)
    .select(['r.revision', 'r.content'])
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
  return {
    ...(await headOf(db, row, content)),
    revisionId,
    revision: row.revision,
    // what was signed is another version: its own link shows it
    state: signature && signature.revision !== row.revision ? 'newer' : state,
    newerPath: row.latestId === revisionId ? null : paths.quote(linkTokenOf(db, 'quote', row.latestId)),
    signature: signature ? { ...signature, choice: signature.choice as unknown as Choice } : null,
    depositPaidCents: row.paidCents,
    depositUses: await readDepositUses(db, row.quoteId),
    invoiced: (await findBillOfQuote(db, row.quoteId)) !== null,
    askedWords: state === 'changes' ? row.askedWords : null,
    renewal: row.renewalMode ? { auto: row.renewalMode === 'auto', answerBy: content.validUntil } : null,
  }
}

/**
 * The page of a quote for who writes it: a draft as its link would show it if it were sent now, anything else as its link shows it.
 * @throws not_found
 */
export const getPreviewPage = async (db: TenantDb, quoteId: string): Promise<QuotePage> => {
  const row = await aroundOf(db).where('q.id', '=', quoteId).executeTakeFirst()
  if (!row) throw notFound('quote')
  const sent = await findRevision(db, quoteId)
  const page = row.status !== 'draft' && sent ? await findQuotePage(db, sent.id) : null
  if (page) return page
  const draft = row.draft as unknown as QuoteContent
  const tax = await getTaxes(db, row.propertyId)
  const renewal = await findRenewalOfQuote(db, quoteId)
  return {
    ...(await headOf(db, row, { ...draft, title: row.title, validUntil: row.validUntil, tax })),
    revisionId: '',
    revision: row.current,
    state: 'open',
    newerPath: null,
    signature: null,
    depositPaidCents: 0,
    depositUses: { restCents: 0, pays: [] },
    invoiced: false,
    askedWords: null,
    renewal: renewal ? { auto: renewal.mode === 'auto', answerBy: row.validUntil } : null,
  }
}
