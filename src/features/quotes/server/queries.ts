import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { type Key, keyset } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { linkTokenOf, signedFilePath } from '../../../platform/links.ts'
import { admits, canOf, type Need } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { loadedWageCents } from '../../businesses/rules.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { bedSquareFeetOf, edgeFeetOf, listAreaSizes } from '../../customers/areas/server/queries.ts'
import { listRecipients } from '../../customers/contacts/server/queries.ts'
import { getUsualWage } from '../../employees/wages/server/queries.ts'
import { findExempt } from '../../invoices/exemptions/server/queries.ts'
import { taxPlaceOf } from '../../invoices/rules.ts'
import { listTaxRules } from '../../invoices/server/queries.ts'
import { findCardTaker } from '../../payments/connect/server/queries.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { quoteBillingApi } from '../billing/contract.ts'
import { billRefusal } from '../billing/rules.ts'
import { findQuoteInvoice, isBilled } from '../billing/server/queries.ts'
import { type QuoteContent, type QuoteRecord, type QuoteSummary, QuoteView, quotesApi } from '../contract.ts'
import { quoteDepositsApi } from '../deposits/contract.ts'
import { type DepositAction, depositRefusals } from '../deposits/rules.ts'
import { depositFacts, findDepositPayment, readDepositUses } from '../deposits/server/queries.ts'
import { findRenewalOfQuote } from '../renewals/server/rows.ts'
import {
  type Choice,
  type QuoteAction,
  type QuoteStatus,
  type QuoteTaxes,
  quoteRefusals,
  quoteStatuses,
} from '../rules.ts'

type ListQuery = z.output<(typeof quotesApi)['list']['query']>

const statusesOf: Record<QuoteView, readonly QuoteStatus[] | null> = {
  all: null,
  draft: ['draft'],
  noted: ['draft'],
  waiting: ['sent', 'viewed'],
  changes: ['changes_requested'],
  approved: ['approved'],
  lost: ['declined', 'expired'],
  converted: ['converted'],
  archived: ['archived'],
}

/** What of a quote's deposit has come, in cents. */
const paidOf = sql<number>`coalesce((select sum(p.amount_cents - p.refunded_cents) from payments p
  where p.business_id = q.business_id and p.quote_id = q.id and p.status = 'succeeded'), 0)::float8`

const rowsOf = (db: TenantDb) =>
  db
    .selectFrom('quotes as q')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'q.businessId').onRef('c.id', '=', 'q.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'q.businessId').onRef('p.id', '=', 'q.propertyId'),
    )
    .leftJoin('users as s', (x) => x.onRef('s.businessId', '=', 'q.businessId').onRef('s.id', '=', 'q.sellerId'))
    .where('q.businessId', '=', db.businessId)
    .select([
      'q.id',
      'q.number',
      'q.revision',
      'q.title',
      'q.status',
      'q.customerId',
      'c.name as customerName',
      'q.propertyId',
      'p.street',
      'p.city',
      'q.totalCents',
      'q.depositCents',
      'q.validUntil',
      's.name as sellerName',
      // once it was sent it is the office's own
      sql<boolean>`q.is_crew_draft and q.revision = 1`.as('isCrewDraft'),
      'q.sentAt',
      'q.viewedAt',
      'q.createdAt',
    ])
    .select(paidOf.as('depositPaidCents'))

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

const summaryOf = ({ customerId, customerName, propertyId, street, city, ...row }: Row): QuoteSummary => ({
  ...row,
  status: row.status as QuoteStatus,
  customer: { id: customerId, name: customerName },
  property: { id: propertyId, street, city },
})

const key: Key[] = [{ of: sql.ref('q.number') as RawBuilder<unknown>, type: 'int' }]

/** A quote `q` that was invoiced as a whole becomes no job: nothing of it waits for one. */
const notInvoiced = sql`not ${isBilled}`

/** What "All" shows. */
const listed = quoteStatuses.filter((status) => status !== 'archived')

/** How many there are of each view, each up to 1,000, and what is with customers. */
const countViews = async (db: TenantDb) => {
  const { rows } = await sql<{ status: QuoteStatus; count: number; cents: number; openCents: number }>`
    select s.status, count(x.total_cents)::int as count, coalesce(sum(x.total_cents), 0)::float8 as cents,
      coalesce(sum(x.total_cents) filter (where x.waits), 0)::float8 as open_cents
    from unnest(array['draft', 'sent', 'viewed', 'changes_requested', 'approved', 'declined', 'expired', 'converted', 'archived']) as s(status)
    left join lateral (select q.total_cents, s.status <> 'approved' or ${notInvoiced} as waits from quotes q where q.business_id = ${db.businessId} and q.status = s.status
      order by q.number desc limit 1000) x on true group by 1`.execute(db)
  const sum = (statuses: readonly QuoteStatus[] | null, of: 'count' | 'cents' | 'openCents') =>
    rows.reduce((all, row) => ((statuses ?? listed).includes(row.status) ? all + row[of] : all), 0)
  const noted = await sql<{ count: number }>`select count(*)::int as count from (
    select 1 from quotes q where q.business_id = ${db.businessId} and q.is_crew_draft and q.status = 'draft' and q.revision = 1 limit 1000) x`.execute(
    db,
  )
  const counts = Object.fromEntries(QuoteView.options.map((view) => [view, sum(statusesOf[view], 'count')]))
  return {
    counts: { ...counts, noted: noted.rows[0]?.count ?? 0 } as Record<QuoteView, number>,
    waitingCents: sum(['sent', 'viewed', 'changes_requested'], 'cents'),
    approvedCents: sum(['approved'], 'openCents'),
  }
}

export const listQuotes = async (db: TenantDb, { view, search, customerId, cursor, limit }: ListQuery) => {
  const pages = keyset(key, { order: 'desc', cursor, limit })
  let query = rowsOf(db).select(pages.values.as('cursorKeys')).where(pages.beyond)
  const statuses = statusesOf[view]
  if (statuses) query = query.where('q.status', 'in', [...statuses])
  else query = query.where('q.status', '!=', 'archived')
  if (view === 'noted') query = query.where('q.isCrewDraft', '=', true).where('q.revision', '=', 1)
  if (customerId) query = query.where('q.customerId', '=', customerId)
  if (search) {
    const like = containing(search)
    const digits = /^(?:q-)?(\d{1,9})$/i.exec(search.trim())?.[1]
    query = query.where((eb) =>
      eb.or([
        eb('c.name', 'ilike', like),
        eb('p.street', 'ilike', like),
        eb('q.title', 'ilike', like),
        ...(digits ? [eb('q.number', '=', Number(digits))] : []),
      ]),
    )
  }
  const found = await query.orderBy(pages.order).limit(pages.limit).execute()
  const { items, nextCursor } = pages.page(found)
  return { items: items.map((row) => summaryOf(row as Row)), nextCursor, ...(await countViews(db)) }
}

/** By what a quote for a property is taxed today. */
export const getTaxes = async (db: TenantDb, propertyId: string): Promise<QuoteTaxes> => {
  const row = await db
    .selectFrom('properties as p')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'p.businessId').onRef('c.id', '=', 'p.customerId'))
    .where('p.businessId', '=', db.businessId)
    .where('p.id', '=', propertyId)
    .select(['p.state', 'p.city', 'p.zip', 'c.id', 'c.taxExempt', 'c.billingState', 'c.billingCity', 'c.billingZip'])
    .executeTakeFirst()
  if (!row) throw notFound('property')
  const exempt = await findExempt(db, [row])
  const day = await todayOf(db)
  return { rules: await listTaxRules(db), place: taxPlaceOf(row, row), exempt: exempt(row.id, day), day }
}

/** What was sent of a quote last, as it was. */
export const findRevision = async (db: TenantDb, quoteId: string) => {
  const row = await db
    .selectFrom('quoteRevisions')
    .select(['id', 'revision', 'content', 'sentAt'])
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { ...row, content: row.content as unknown as SentContent } : null
}

/** What a customer was sent: the words, the prices and the taxes of that day. */
export type SentContent = QuoteContent & {
  title: string
  validUntil: string | null
  tax: QuoteTaxes
}

/** To whom of a customer a quote can go. */
export const getQuoteReach = async (db: TenantDb, customerId: string) => {
  const { language } = await db
    .selectFrom('customers')
    .select('language')
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const people = (await listRecipients(db, [customerId], 'quotes'))(customerId)
  return {
    language: language === 'es' ? ('es' as const) : ('en' as const),
    emails: people.flatMap(({ email }) => email ?? []),
    phones: people.flatMap(({ phone }) => phone ?? []),
    people,
  }
}

/** What an hour of one person costs the business; null for who may not see wages. */
export const laborCentsFor = async (db: TenantDb, actor: Actor): Promise<number | null> => {
  if (!hasPermission(actor, 'payroll')) return null
  const { defaultWageCents, burdenPercent } = await getUsualWage(db)
  return loadedWageCents(defaultWageCents, burdenPercent)
}

const needs: Record<QuoteAction, Need> = {
  edit: quotesApi.update,
  send: quotesApi.send,
  resend: quotesApi.resend,
  revise: quotesApi.revise,
  approve: quotesApi.approve,
  decline: quotesApi.decline,
  convert: quotesApi.convert,
  archive: quotesApi.archive,
  copy: quotesApi.copy,
}

const depositNeeds: Record<DepositAction, Need> = {
  record: quoteDepositsApi.record,
  keep: quoteDepositsApi.keep,
  refund: correctionsApi.refundPayment,
}

const mostEvents = 60

type QuoteEvent = QuoteRecord['events'][number]

/** What happened to a quote, newest first: its own events, and the invoices that were made from it as a whole. */
const listEvents = async (db: TenantDb, quoteId: string, revision: number): Promise<QuoteEvent[]> => {
  const own = await db
    .selectFrom('quoteEvents as e')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'e.businessId').onRef('u.id', '=', 'e.userId'))
    .where('e.businessId', '=', db.businessId)
    .where('e.quoteId', '=', quoteId)
    .select(['e.id', 'e.kind', 'e.revision', 'e.words', 'e.at', 'u.name as byName'])
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(mostEvents)
    .execute()
  const { rows: bills } = await sql<Omit<QuoteEvent, 'revision'>>`
    select i.id, 'invoiced' as kind, 'INV-' || i.number as words, i.created_at as at, u.name as by_name
      from invoices i left join users u on u.business_id = i.business_id and u.id = i.created_by
      where i.business_id = ${db.businessId} and i.quote_id = ${quoteId}
    union all select a.id, 'invoice_voided', 'INV-' || i.number, a.at, u.name
      from invoices i join audit_log a on a.business_id = i.business_id and a.entity_type = 'invoice' and a.entity_id = i.id and a.action = 'invoice.void'
      left join users u on u.business_id = a.business_id and u.id = a.actor_id
      where i.business_id = ${db.businessId} and i.quote_id = ${quoteId}
    order by at desc limit ${mostEvents}`.execute(db)
  return [...own, ...bills.map((one) => ({ ...one, revision }))].sort((a, b) =>
    a.at < b.at ? 1 : a.at > b.at ? -1 : 0,
  )
}

/** The jobs that a quote became. */
const listJobs = (db: TenantDb, quoteId: string) =>
  db
    .selectFrom('jobs')
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .select(['id', 'number', 'title', 'status'])
    .orderBy('number')
    .execute()

const findSignature = (db: TenantDb, quoteId: string) =>
  db
    .selectFrom('quoteSignatures as s')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 's.businessId').onRef('u.id', '=', 's.userId'))
    .where('s.businessId', '=', db.businessId)
    .where('s.quoteId', '=', quoteId)
    .select([
      's.way',
      's.signer',
      's.signedAt',
      's.ip',
      's.userAgent',
      's.note',
      's.totalCents',
      's.pdfHash',
      's.termsHash',
      'u.name as byName',
    ])
    .executeTakeFirst()

/** Until when a text of a quote is held back; null where none waits. */
const getTextWait = async (db: TenantDb, id: string): Promise<string | null> =>
  (
    await db
      .selectFrom('messages')
      .select((eb) => eb.fn.max('runAfter').as('until'))
      .where('businessId', '=', db.businessId)
      .where('entityType', '=', 'quote')
      .where('entityId', '=', id)
      .where('channel', '=', 'sms')
      .where('status', '=', 'held')
      .executeTakeFirst()
  )?.until ?? null

/** One quote as the office sees it. @throws not_found */
export const getQuote = async (db: TenantDb, actor: Actor, id: string): Promise<QuoteRecord> => {
  const row = await rowsOf(db)
    .where('q.id', '=', id)
    .select(['q.content', 'q.note', 'q.source', 'q.choice', 'q.lostReason', 'q.jobId', 'q.followOn', 'q.version'])
    .select(['p.lawnSquareFeet', 'p.difficulty'])
    .select([bedSquareFeetOf('p').as('bedSquareFeet'), edgeFeetOf('p').as('edgeFeet')])
    .executeTakeFirst()
  if (!row) throw notFound('quote')
  const { content: kept, note, source, choice, lostReason, jobId, followOn, version } = row
  const { lawnSquareFeet, bedSquareFeet, edgeFeet, difficulty } = row
  const content = kept as unknown as QuoteContent
  const summary = summaryOf(row)
  const sent = await findRevision(db, id)
  const tax = sent && summary.status !== 'draft' ? sent.content.tax : await getTaxes(db, row.propertyId)
  const { people: _, ...reach } = await getQuoteReach(db, row.customerId)
  const areas = (await listAreaSizes(db, [row.propertyId])).get(row.propertyId) ?? []
  const signature = await findSignature(db, id)
  const renewal = await findRenewalOfQuote(db, id)
  const invoice = await findQuoteInvoice(db, id)
  return {
    ...summary,
    content,
    note,
    source,
    choice: choice as unknown as Choice | null,
    lostReason,
    jobId,
    followOn,
    billing: {
      can:
        billRefusal({ ...summary, isRenewal: Boolean(renewal), invoice }) === null &&
        admits(actor, quoteBillingApi.bill),
      invoice,
    },
    renewal: renewal ? { runId: renewal.runId, jobNumber: renewal.jobNumber, startsOn: renewal.startsOn } : null,
    reach,
    textWaitsUntil: await getTextWait(db, id),
    takesCards: (await findCardTaker(db)) !== null,
    publicPath: sent ? paths.quote(linkTokenOf(db, 'quote', sent.id)) : null,
    place: { lawnSquareFeet, bedSquareFeet, edgeFeet, difficulty, areas },
    tax: tax as QuoteRecord['tax'],
    laborCents: await laborCentsFor(db, actor),
    photos: content.photoIds.map((photoId) => ({ id: photoId, url: signedFilePath(db.businessId, photoId) })),
    signature: signature ? { ...signature, way: signature.way as 'typed' } : null,
    events: await listEvents(db, id, summary.revision),
    jobs: await listJobs(db, id),
    deposit: await findDepositPayment(db, id),
    depositUses: await readDepositUses(db, id),
    depositCan: canOf(actor, depositNeeds, depositRefusals, await depositFacts(db, { ...summary, jobId })),
    can: canOf(actor, needs, quoteRefusals, summary),
    version,
  }
}

/** So many of a kind are shown at once. */
const mostToAct = 20

/**
 * Quotes that wait for somebody of the office: noted by a crew (`words` is who), changes asked, signed and neither job nor invoice, with a customer for a day more at the
 * most, and seasons whose notice never arrived (`words` is why). A renewal that books itself is not among the signed ones, unless something holds it up.
 */
export const listQuotesToAct = async (db: TenantDb, today: string) => {
  const { rows } = await sql<{
    id: string
    number: number
    why: 'changes_requested' | 'approved' | 'expiring' | 'noted' | 'undelivered'
    customer: string
    street: string
    words: string | null
    validUntil: string | null
    totalCents: number
  }>`
    select x.id, x.number, x.why, c.name as customer, p.street, x.words, x.valid_until as "validUntil", x.total_cents::float8 as "totalCents"
    from (
      (select q.*, 'changes_requested' as why, (select e.words from quote_events e where e.business_id = q.business_id and e.quote_id = q.id
          and e.kind = 'changes_requested' order by e.at desc limit 1) as words
        from quotes q where q.business_id = ${db.businessId} and q.status = 'changes_requested' order by q.number desc limit ${mostToAct})
      union all
      (select q.*, 'noted', u.name from quotes q left join users u on u.business_id = q.business_id and u.id = q.created_by
        where q.business_id = ${db.businessId} and q.is_crew_draft and q.status = 'draft' and q.revision = 1 order by q.number desc limit ${mostToAct})
      union all
      (select q.*, 'approved', null from quotes q where q.business_id = ${db.businessId} and q.status = 'approved'
        and ${notInvoiced}
        and not exists (select 1 from renewals n where n.business_id = q.business_id and n.quote_id = q.id and n.problem = '')
        order by q.number desc limit ${mostToAct})
      union all
      (select q.*, 'expiring', null from quotes q where q.business_id = ${db.businessId} and q.status in ('sent', 'viewed')
        and q.valid_until between ${today}::date and ${today}::date + 1
        and not exists (select 1 from renewals n where n.business_id = q.business_id and n.quote_id = q.id)
        order by q.valid_until, q.number desc limit ${mostToAct})
      union all
      (select q.*, 'undelivered', n.problem from renewals n join quotes q on q.business_id = n.business_id and q.id = n.quote_id
        join jobs j on j.business_id = n.business_id and j.id = n.job_id
        where n.business_id = ${db.businessId} and n.undelivered and q.status = 'expired' and j.renewed_as is null
        order by q.number desc limit ${mostToAct})
    ) x
    join customers c on c.business_id = x.business_id and c.id = x.customer_id
    join properties p on p.business_id = x.business_id and p.id = x.property_id`.execute(db)
  return rows
}
