import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Actor, hasPermission, userIdOf, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { keyset, mostCounted } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { phoneDigits } from '../../../shared/phone.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { type Corner, squareFeetOf } from '../../customers/areas/rules.ts'
import { findDuplicatesTx } from '../../customers/server/queries.ts'
import { findSuppression } from '../../messages/server/queries.ts'
import {
  type Board,
  businessLeadsApi,
  type ChosenWork,
  type LeadDuplicates,
  type LeadFilter,
  type LeadItem,
  type LeadRecord,
  type LeadRequest,
} from '../contract.ts'
import { type LeadAction, leadRefusals, type Stage, stages, type Tie } from '../rules.ts'

const itemColumns = sql`l.id, l.name, l.email, l.phone, l.street, l.unit, l.city, l.state, l.zip, l.wants, l.source, l.stage, l.stage_at as "stageAt",
  l.lost_reason as "lostReason", l.next_action as "nextAction", l.next_action_on as "nextActionOn", l.replied_at as "repliedAt", l.asked_at as "askedAt", l.out_of_area as "outOfArea", l.price_low_cents as "priceLowCents", l.price_high_cents as "priceHighCents", l.created_at as "createdAt",
  l.version,
  case when a.id is null then null else jsonb_build_object('id', a.id, 'name', a.name) end as assignee,
  case when c.id is null then null else jsonb_build_object('id', c.id, 'name', c.name) end as customer,
  coalesce(at.place, '') as "customerPlace", l.request_count as "requestCount", again.wants as "lastWants",
  case when tied.id is null then null else jsonb_build_object('id', tied.id, 'name', tied.name, 'stage', tied.stage, 'by', tied.by) end as tied`
/** One lead with the same of something; each look goes into its own index. */
const tiedBy = (by: Tie, where: RawBuilder<unknown>) => sql`
  (select o.id, o.name, o.stage, ${by}::text as by from business_leads o
    where o.business_id = l.business_id and ${where} and o.id <> l.id and o.stage <> 'lost' limit 1)`
const joined = sql`business_leads l
  left join users a on a.business_id = l.business_id and a.id = l.assignee_id
  left join customers c on c.business_id = l.business_id and c.id = l.customer_id
  left join lateral (select concat_ws(', ', nullif(p.street, ''), nullif(p.city, '')) as place from properties p
    where p.business_id = l.business_id and p.customer_id = l.customer_id and p.archived_at is null and l.street = '' order by p.id limit 1) at on true
  left join lateral (select q.wants from lead_requests q
    where q.business_id = l.business_id and q.lead_id = l.id and l.request_count > 1 order by q.id desc limit 1) again on true
  left join lateral (${tiedBy('phone', sql`o.phone = l.phone`)} union all ${tiedBy('email', sql`o.email = l.email`)}
    union all ${tiedBy('address', sql`l.street <> '' and o.address_key = l.address_key`)} limit 1) tied on true`

/** What a visitor was told it would cost is money: seen by who sees prices. */
const shownTo = <T extends Pick<LeadItem, 'priceLowCents' | 'priceHighCents'>>(who: Actor, item: T): T =>
  hasPermission(who, 'money') ? item : { ...item, priceLowCents: null, priceHighCents: null }

type Where = { filter: Omit<LeadFilter, 'stage'> & { stage?: Stage | undefined }; today: string }

const matching = (db: TenantDb, { filter, today }: Where): RawBuilder<SqlBool> => {
  const parts: RawBuilder<unknown>[] = [sql`l.business_id = ${db.businessId}`]
  if (filter.stage) parts.push(sql`l.stage = ${filter.stage}`)
  if (filter.source) parts.push(sql`l.source = ${filter.source}`)
  if (filter.assigneeId === 'none') parts.push(sql`l.assignee_id is null`)
  else if (filter.assigneeId) parts.push(sql`l.assignee_id = ${filter.assigneeId}::uuid`)
  if (filter.area === 'out') parts.push(sql`l.out_of_area`)
  if (filter.due === 'reply') parts.push(sql`l.stage = 'new' and l.replied_at is null`)
  if (filter.due === 'today')
    parts.push(sql`l.next_action_on <= ${today}::date and l.stage <> 'won' and l.stage <> 'lost'`)
  if (filter.search) {
    const word = containing(filter.search)
    const digits = phoneDigits(filter.search)
    parts.push(sql`(l.name ilike ${word} or l.email ilike ${word} or l.street ilike ${word} or l.city ilike ${word} or l.wants ilike ${word}
      ${digits.length >= 3 ? sql`or l.phone like ${`%${digits}%`}` : sql``})`)
  }
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`
}

const orders = {
  created: [{ of: sql`l.id`, type: 'uuid' }],
  name: [
    { of: sql`name_order(l.name)`, type: 'text' },
    { of: sql`l.id`, type: 'uuid' },
  ],
  next: [
    { of: sql`coalesce(l.next_action_on, '9999-12-31'::date)`, type: 'day' },
    { of: sql`l.id`, type: 'uuid' },
  ],
} as const

const countOf = async (db: TenantDb, where: RawBuilder<SqlBool>): Promise<number | null> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select 1 from business_leads l where ${where} limit ${mostCounted + 1}) found`.execute(
    db,
  )
  const n = rows[0]?.n ?? 0
  return n > mostCounted ? null : n
}

/** A page of leads. */
export const listLeads = async (
  db: TenantDb,
  who: Actor,
  query: LeadFilter & { sort: keyof typeof orders; order: 'asc' | 'desc'; cursor?: string | undefined; limit: number },
): Promise<{ items: LeadItem[]; nextCursor: string | null; total: number | null }> => {
  const where = matching(db, { filter: query, today: await todayOf(db) })
  const { beyond, order, values, limit, page } = keyset(orders[query.sort], query)
  const { rows } = await sql<LeadItem & { cursorKeys: string[] }>`
    select ${itemColumns}, ${values} as "cursorKeys" from ${joined} where ${where} and ${beyond} order by ${order} limit ${limit}`.execute(
    db,
  )
  const { items, nextCursor } = page(rows)
  return { items: items.map((item) => shownTo(who, item)), nextCursor, total: await countOf(db, where) }
}

/** The newest of each stage, so many of each as asked for. */
export const getBoard = async (
  db: TenantDb,
  who: Actor,
  { search, source, assigneeId, due, area, ...lengths }: Omit<LeadFilter, 'stage'> & Record<Stage, number>,
): Promise<Board> => {
  const today = await todayOf(db)
  const columns: Board['columns'] = []
  for (const stage of stages) {
    const where = matching(db, { filter: { search, source, assigneeId, due, area, stage }, today })
    const length = lengths[stage]
    const { rows } = await sql<LeadItem>`
      select ${itemColumns} from ${joined} where ${where} order by l.stage_at desc, l.id desc limit ${length + 1}`.execute(
      db,
    )
    columns.push({
      stage,
      count: await countOf(db, where),
      items: rows.slice(0, length).map((item) => shownTo(who, item)),
      hasMore: rows.length > length,
    })
  }
  return { columns }
}

export const countLeads = async (db: TenantDb, who: Who) => {
  const today = await todayOf(db)
  const count = (extra: RawBuilder<SqlBool>) => countOf(db, sql<SqlBool>`l.business_id = ${db.businessId} and ${extra}`)
  const open = sql`l.stage in ('new', 'contacted', 'quoted')`
  return {
    all: await count(sql`true`),
    open: await count(sql`${open}`),
    reply: await count(sql`l.stage = 'new' and l.replied_at is null`),
    today: await count(sql`l.next_action_on <= ${today}::date and l.stage <> 'won' and l.stage <> 'lost'`),
    mine: await count(sql`${open} and l.assignee_id = ${userIdOf(who)}::uuid`),
  }
}

/** Owners and Admins, whom a lead can be given to. */
export const listOfficePeople = async (db: TenantDb): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('role', 'in', ['Owner', 'Admin'])
    .where('status', '!=', 'disabled')
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .limit(200)
    .execute()

const needs: Record<LeadAction, Need> = {
  update: businessLeadsApi.update,
  move: businessLeadsApi.move,
  note: businessLeadsApi.note,
  text: businessLeadsApi.sendText,
  mail: businessLeadsApi.sendEmail,
  convert: businessLeadsApi.convert,
}

const closedFor = async (db: TenantDb, channel: 'sms' | 'email', address: string | null): Promise<string | null> => {
  const found = address ? await findSuppression(db, channel, address) : null
  return found?.purpose === 'all' ? found.reason : null
}

const mostRequests = 20

/** Each time that they asked, the newest first. */
const listRequests = (db: TenantDb, leadId: string): Promise<LeadRequest[]> =>
  db
    .selectFrom('leadRequests')
    .select(['id', 'at', 'name', 'email', 'phone', 'street', 'unit', 'city', 'state', 'zip', 'lawnSquareFeet', 'wants'])
    .select(['source', 'sourceDetail', 'priceLowCents', 'priceHighCents'])
    .where('businessId', '=', db.businessId)
    .where('leadId', '=', leadId)
    .orderBy('id', 'desc')
    .limit(mostRequests)
    .execute()

const findChosen = async (db: TenantDb, leadId: string): Promise<ChosenWork[]> => {
  const row = await db
    .selectFrom('leadRequests')
    .select('chosen')
    .where('businessId', '=', db.businessId)
    .where('leadId', '=', leadId)
    .where('chosen', '<>', '[]')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.chosen ?? []) as ChosenWork[]
}

/** What was asked for together with the price that was told first, and has no part in it. */
const listAfterLook = async (db: TenantDb, leadId: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select s.name from (
      select chosen from lead_requests
      where business_id = ${db.businessId} and lead_id = ${leadId} and price_low_cents is not null order by id limit 1) told
    cross join jsonb_array_elements(told.chosen) with ordinality work(item, at)
    join services s on s.business_id = ${db.businessId} and s.id = (work.item ->> 'serviceId')::uuid
    where (work.item ->> 'afterLook')::boolean order by work.at`.execute(db)
  return rows.map(({ name }) => name)
}

/** One lead. @throws AppError not_found */
export const getLead = async (db: TenantDb, actor: Actor, id: string): Promise<LeadRecord> => {
  const { rows } = await sql<
    Omit<
      LeadRecord,
      'can' | 'smsSuppressed' | 'emailSuppressed' | 'requests' | 'others' | 'drawnSquareFeet' | 'chosen' | 'afterLook'
    > & {
      drawnRing: Corner[] | null
    }
  >`
    select ${itemColumns}, l.source_detail as "sourceDetail", l.lost_note as "lostNote", l.stage_by as "stageBy", l.latitude, l.longitude,
      l.lawn_square_feet as "lawnSquareFeet", l.drawn_ring as "drawnRing", l.converted_at as "convertedAt",
      case when r.id is null then null else jsonb_build_object('id', r.id, 'name', r.name) end as "referredBy"
    from ${joined} left join customers r on r.business_id = l.business_id and r.id = l.referred_by
    where l.business_id = ${db.businessId} and l.id = ${id}::uuid`.execute(db)
  const [found] = rows
  if (!found) throw notFound('lead')
  const { drawnRing, ...rest } = found
  const row = { ...rest, drawnSquareFeet: drawnRing ? squareFeetOf([drawnRing]) : null }
  return {
    ...shownTo(actor, row as typeof row & LeadItem),
    requests: row.requestCount > 1 ? (await listRequests(db, id)).map((one) => shownTo(actor, one)) : [],
    chosen: await findChosen(db, id),
    afterLook: await listAfterLook(db, id),
    others: (await findLeadDuplicates(db, { ...row, exceptId: id })).leads,
    smsSuppressed: await closedFor(db, 'sms', row.phone),
    emailSuppressed: await closedFor(db, 'email', row.email),
    can: canOf(actor, needs, leadRefusals, { ...row, customerId: row.convertedAt ? (row.customer?.id ?? null) : null }),
  }
}

export type Probe = {
  phone: string | null
  email: string | null
  street: string
  unit?: string
  city: string
  zip: string
  exceptId?: string | undefined
}

/** Who may be the same person: leads and customers with the same phone, e-mail or address. */
export const findLeadDuplicates = async (db: TenantDb, probe: Probe): Promise<LeadDuplicates> => {
  const { phone, email, street, unit = '', city, zip } = probe
  const { rows } = await sql<LeadDuplicates['leads'][number]>`
    with hit as (
      select id, 'phone' as how from business_leads where business_id = ${db.businessId} and phone = ${phone}
      union all select id, 'email' from business_leads where business_id = ${db.businessId} and email = ${email}
      union all select id, 'address' from business_leads where business_id = ${db.businessId} and ${street} <> ''
        and address_key = address_key(${street}, ${unit}, ${city}, ${zip}))
    select l.id, l.name, l.stage, array_agg(distinct hit.how) as matches from hit
    join business_leads l on l.business_id = ${db.businessId} and l.id = hit.id
    where ${probe.exceptId ?? null}::uuid is null or l.id <> ${probe.exceptId ?? null}::uuid
    group by l.business_id, l.id order by count(*) desc, l.id desc limit 5`.execute(db)
  const customers = (await findDuplicatesTx(db, [{ phone, email, street, unit, city, zip }])).get(0) ?? []
  return { leads: rows, customers }
}

export type WaitingLead = { id: string; name: string; wants: string; askedAt: string; assignee: string | null }

/** Leads that nobody answered for so long, the oldest first. */
export const listUnanswered = async (db: TenantDb, minutes: number, limit: number): Promise<WaitingLead[]> => {
  const before = new Date(clock.nowMs() - minutes * 60_000).toISOString()
  const { rows } = await sql<WaitingLead>`
    select l.id, l.name, l.wants, l.asked_at as "askedAt", split_part(a.name, ' ', 1) as assignee
    from business_leads l left join users a on a.business_id = l.business_id and a.id = l.assignee_id
    where l.business_id = ${db.businessId} and l.replied_at is null and l.stage = 'new' and l.asked_at < ${before}::timestamptz
    order by l.id limit ${limit}`.execute(db)
  return rows
}

export type DueLead = { id: string; name: string; nextAction: string; nextActionOn: string; assignee: string | null }

/** Open leads whose next step is due, the longest due first. */
export const listDueLeads = async (db: TenantDb, today: string, limit: number): Promise<DueLead[]> => {
  const { rows } = await sql<DueLead>`
    select l.id, l.name, l.next_action as "nextAction", l.next_action_on as "nextActionOn", split_part(a.name, ' ', 1) as assignee
    from business_leads l left join users a on a.business_id = l.business_id and a.id = l.assignee_id
    where l.business_id = ${db.businessId} and l.next_action_on <= ${today}::date and l.stage <> 'won' and l.stage <> 'lost'
    order by l.next_action_on, l.id limit ${limit}`.execute(db)
  return rows
}
