import { type Expression, type SqlBool, sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { ProspectsDb } from '../../../platform/db/prospects.ts'
import { absoluteUrl } from '../../../platform/links.ts'
import { addDays, dayOf, instantAt } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { phoneDigits } from '../../../shared/phone.ts'
import { type CallKind, callTitles, isDayOff } from '../../prospects/calls/rules.ts'
import type { LeadSource, LeadStatus } from '../../prospects/rules.ts'
import type { Analytics, DeskSettings, Lead, LeadFilter, TemplateEntry, TrackedMessage } from '../contract.ts'
import { templatesOf } from '../contract.ts'
import { type Came, listCame } from '../photos/server/queries.ts'
import { defaultTemplates, type Placeholders, rateOf, type Template, type TemplateKey } from '../rules.ts'

type Condition = Expression<SqlBool>

const searched = (text: string): Condition => {
  const like = containing(text)
  const digits = phoneDigits(text)
  return digits.length >= 4
    ? sql<SqlBool>`(l.name ilike ${like} or l.email ilike ${like} or regexp_replace(l.phone, '\\D', '', 'g') like ${containing(digits)})`
    : sql<SqlBool>`(l.name ilike ${like} or l.email ilike ${like} or exists (select 1 from prospects.messages m
        where m.lead_id = l.id and m.deleted_at is null and m.purpose <> 'internal' and (m.body_text ilike ${like} or m.subject ilike ${like})))`
}

/** What leads are looked for, wherever the page begins. */
type Wanted = Omit<LeadFilter, 'cursor' | 'limit' | 'conversations'> & Pick<Partial<LeadFilter>, 'conversations'>

const conditionsOf = (filter: Wanted, timeZone: string): Condition[] => [
  ...(filter.status ? [sql<SqlBool>`l.status = ${filter.status}`] : []),
  ...(filter.source ? [sql<SqlBool>`l.source = ${filter.source}`] : []),
  ...(filter.campaign ? [sql<SqlBool>`l.campaign = ${filter.campaign}`] : []),
  ...(filter.dateFrom ? [sql<SqlBool>`l.created_at >= ${instantAt(filter.dateFrom, 0, timeZone)}`] : []),
  ...(filter.dateTo ? [sql<SqlBool>`l.created_at < ${instantAt(addDays(filter.dateTo, 1), 0, timeZone)}`] : []),
  ...(filter.conversations ? [sql<SqlBool>`l.last_message_at is not null`] : []),
  ...(filter.search ? [searched(filter.search)] : []),
]

const all = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** What a filter asks for, of `prospects.leads l`. */
export const leadsWhere = async (db: ProspectsDb, filter: Wanted): Promise<Condition> => {
  const { timeZone } = await db.selectFrom('settings').select('timeZone').executeTakeFirstOrThrow()
  return all(conditionsOf(filter, timeZone))
}

type LeadRow = {
  id: string
  name: string
  email: string
  phone: string
  phoneE164: string | null
  source: string
  campaign: string
  status: string
  createdAt: string
  utmSource: string
  utmMedium: string
  utmCampaign: string
  utmContent: string
  utmTerm: string
  userAgent: string
  platform: string
  language: string
  screenResolution: string
  viewport: string
  landingTime: string | null
  referrer: string
  isMobile: boolean
  currentUrl: string
  timeZone: string | null
  accountAt: string | null
  customerAt: string | null
  lastMessageAt: string | null
  seenAt: string | null
}

type MessageRow = {
  id: string
  leadId: string
  channel: string
  direction: string
  address: string
  subject: string
  bodyText: string
  status: string
  reason: string | null
  notKept: string | null
  sentAt: string | null
  deliveredAt: string | null
  readAt: string | null
  openedAt: string | null
  openCount: number
  clickedAt: string | null
  clickCount: number
  createdAt: string
  runAfter: string | null
}

/** Messages of one lead and channel that a list carries; older ones are in the conversation's own call. */
const inList = 100

const messagesOf = async (db: ProspectsDb, leadIds: readonly string[], most = inList): Promise<MessageRow[]> => {
  if (leadIds.length === 0) return []
  const { rows } = await sql<MessageRow>`
    select id, lead_id, channel, direction, address, subject, body_text, status, reason, not_kept, sent_at, delivered_at, read_at,
      opened_at, open_count, clicked_at, click_count, created_at, run_after
    from (select m.*, row_number() over (partition by lead_id, channel order by created_at desc, id desc) as nth
      from prospects.messages m
      where lead_id = any(${leadIds}::uuid[]) and deleted_at is null and purpose <> 'internal') newest
    where nth <= ${most} order by created_at desc, id desc`.execute(db)
  return rows
}

/** A message as the desk shows it; a mail has opens and clicks, a text has only been read or not. */
const trackedOf = (row: MessageRow, email: string, came: Map<string, Came>): TrackedMessage => ({
  ...(came.get(row.id) ?? { photos: [], files: [] }),
  notKept: row.notKept,
  _id: row.id,
  direction: row.direction as TrackedMessage['direction'],
  sentAt: row.sentAt ?? row.createdAt,
  message: row.bodyText,
  delivered: row.deliveredAt !== null,
  deliveredAt: row.deliveredAt,
  failed: row.status === 'failed',
  read: row.readAt !== null,
  reason: row.reason,
  waitsUntil:
    ['pending', 'held'].includes(row.status) && row.runAfter && row.runAfter > clock.iso() ? row.runAfter : null,
  state: row.status === 'sending' ? 'pending' : (row.status as TrackedMessage['state']),
  otherAddress: row.channel === 'email' && row.direction === 'inbound' && row.address !== email ? row.address : null,
  ...(row.channel === 'email'
    ? {
        subject: row.subject,
        opened: row.openedAt !== null,
        openedAt: row.openedAt,
        openCount: row.openCount,
        clicked: row.clickedAt !== null,
        clickedAt: row.clickedAt,
        clickCount: row.clickCount,
      }
    : {}),
})

const suppressionLabel = (row: { purpose: string; reason: string } | undefined): string | null =>
  row ? (row.purpose === 'all' ? row.reason : `${row.reason} from offers`) : null

/** A lead that nobody has opened, or whose answer came after that. */
const unreadOf = ({ seenAt }: LeadRow, messages: readonly MessageRow[]): Lead['unread'] => {
  if (seenAt === null) return 'lead'
  return messages.some((one) => one.direction === 'inbound' && one.createdAt > seenAt) ? 'answer' : null
}

const withMessages = async (db: ProspectsDb, rows: readonly LeadRow[], most?: number): Promise<Lead[]> => {
  const ids = rows.map((row) => row.id)
  const found = await messagesOf(db, ids, most)
  const messages = Map.groupBy(found, (message) => message.leadId)
  const came = await listCame(
    db,
    found.flatMap(({ id, direction }) => (direction === 'inbound' ? id : [])),
  )
  const addresses = [...rows.map((row) => row.email), ...rows.flatMap((row) => (row.phoneE164 ? [row.phoneE164] : []))]
  const suppressed = addresses.length
    ? await db
        .selectFrom('suppressions')
        .select(['channel', 'address', 'purpose', 'reason'])
        .where('address', 'in', addresses)
        .orderBy('purpose')
        .execute()
    : []
  const calls = ids.length
    ? await db
        .selectFrom('calls')
        .select(['leadId', (eb) => eb.fn.min('startsAt').as('at')])
        .where('leadId', 'in', ids)
        .where('status', '=', 'booked')
        .where('startsAt', '>', clock.iso())
        .groupBy('leadId')
        .execute()
    : []
  return rows.map((row) => {
    const own = messages.get(row.id) ?? []
    const of = (channel: string) =>
      own.filter((message) => message.channel === channel).map((message) => trackedOf(message, row.email, came))
    const suppressionOf = (channel: string, address: string | null) =>
      suppressionLabel(suppressed.find((one) => one.channel === channel && one.address === address))
    return {
      _id: row.id,
      name: row.name,
      email: row.email,
      phone: row.phone,
      source: row.source as LeadSource,
      campaign: row.campaign,
      status: row.status as LeadStatus,
      createdAt: row.createdAt,
      emailTracking: of('email'),
      smsTracking: of('sms'),
      utm_source: row.utmSource,
      utm_medium: row.utmMedium,
      utm_campaign: row.utmCampaign,
      utm_content: row.utmContent,
      utm_term: row.utmTerm,
      userAgent: row.userAgent,
      platform: row.platform,
      language: row.language,
      screenResolution: row.screenResolution,
      viewport: row.viewport,
      landingTime: row.landingTime,
      referrer: row.referrer,
      isMobile: row.isMobile,
      currentUrl: row.currentUrl,
      timeZone: row.timeZone,
      hasAccount: row.accountAt !== null,
      isCustomer: row.customerAt !== null,
      emailSuppressed: suppressionOf('email', row.email),
      smsSuppressed: row.phoneE164 ? suppressionOf('sms', row.phoneE164) : 'The number on file takes no texts',
      unread: unreadOf(row, own),
      nextCallAt: calls.find((call) => call.leadId === row.id)?.at ?? null,
    }
  })
}

/** Leads by filter: the newest first, or in conversations the one with the newest message. */
export const listLeads = async (
  db: ProspectsDb,
  filter: LeadFilter,
): Promise<{ leads: Lead[]; nextCursor: string | null; total: number }> => {
  const conditions = await leadsWhere(db, filter)
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sql.ref(filter.conversations ? 'l.last_message_at' : 'l.created_at'), type: 'instant' },
      { of: sql`l.id`, type: 'uuid' },
    ],
    { ...filter, order: 'desc' },
  )
  const { rows } = await sql<LeadRow & { cursorKeys: string[] }>`
    select l.*, ${values} as cursor_keys from prospects.leads l where ${all([conditions, beyond])}
    order by ${order} limit ${limit}`.execute(db)
  const counted = await sql<{
    total: number
  }>`select count(*) as total from prospects.leads l where ${conditions}`.execute(db)
  const { items, nextCursor } = page(rows)
  return {
    leads: await withMessages(db, items),
    nextCursor,
    total: counted.rows[0]?.total ?? 0,
  }
}

/** One lead with its whole conversation. @throws not_found */
export const getLead = async (db: ProspectsDb, leadId: string): Promise<Lead> => {
  const row = await db.selectFrom('leads').selectAll().where('id', '=', leadId).executeTakeFirst()
  const [lead] = row ? await withMessages(db, [row], 1000) : []
  if (!lead) throw notFound('lead')
  return lead
}

const week = 7 * 86_400_000

/** The figures of the funnel, over all leads. */
export const readAnalytics = async (db: ProspectsDb): Promise<Analytics> => {
  const since = new Date(clock.nowMs() - week).toISOString()
  const counts = await sql<{ total: number; accounts: number; customers: number; recent: number; unread: number }>`
    select (select count(*) from prospects.leads) as total,
      (select count(*) from prospects.leads where account_at is not null) as accounts,
      (select count(*) from prospects.leads where customer_at is not null) as customers,
      (select count(*) from prospects.leads where created_at >= ${since}) as recent,
      (select count(*) from prospects.leads l where seen_at is null or (last_message_at > seen_at and exists (select 1
        from prospects.messages m where m.lead_id = l.id and m.direction = 'inbound' and m.deleted_at is null
          and m.purpose <> 'internal' and m.created_at > l.seen_at))) as unread`.execute(db)
  const { total = 0, accounts = 0, customers = 0, recent = 0, unread = 0 } = counts.rows[0] ?? {}
  const figures = await sql<
    Record<'emails' | 'tracked' | 'texts' | 'replies' | 'opens' | 'texted' | 'answered' | 'conversations', number>
  >`
    select count(*) filter (where channel = 'email' and direction = 'outbound' and status in ('sent', 'delivered')) as emails,
      count(*) filter (where channel = 'sms' and direction = 'outbound' and status in ('sent', 'delivered')) as texts,
      count(*) filter (where channel = 'sms' and direction = 'inbound') as replies,
      count(*) filter (where channel = 'email' and direction = 'outbound' and status in ('sent', 'delivered')
        and purpose in ('marketing', 'reply')) as tracked,
      count(*) filter (where channel = 'email' and direction = 'outbound' and opened_at is not null) as opens,
      count(distinct lead_id) filter (where channel = 'sms' and direction = 'outbound') as texted,
      count(distinct lead_id) filter (where channel = 'sms' and direction = 'inbound') as answered,
      count(distinct lead_id) as conversations
    from prospects.messages where deleted_at is null and lead_id is not null and purpose <> 'internal'`.execute(db)
  const sums = figures.rows[0]
  const recentLeads = await db
    .selectFrom('leads')
    .select(['id', 'name', 'email', 'createdAt'])
    .where('createdAt', '>=', since)
    .orderBy('createdAt', 'desc')
    .limit(100)
    .execute()
  const campaigns = await sql<{ campaign: string }>`
    select distinct campaign from prospects.leads where campaign <> '' order by 1 limit 200`.execute(db)
  return {
    totalLeads: total,
    registrationConversionRate: rateOf(accounts, total),
    customerConversionRate: rateOf(customers, total),
    recentLeads: recentLeads.map(({ id, ...lead }) => ({ _id: id, ...lead })),
    recentCount: recent,
    unread,
    emailsSent: sums?.emails ?? 0,
    smsSent: sums?.texts ?? 0,
    smsReplies: sums?.replies ?? 0,
    emailOpens: sums?.opens ?? 0,
    emailOpenRate: rateOf(sums?.opens ?? 0, sums?.tracked ?? 0),
    smsResponseRate: rateOf(sums?.answered ?? 0, sums?.texted ?? 0),
    totalConversations: sums?.conversations ?? 0,
    campaigns: campaigns.rows.map((row) => row.campaign),
  }
}

const defaultOf = (channel: 'email' | 'sms', key: TemplateKey): Template | null =>
  (defaultTemplates[channel] as Partial<Record<TemplateKey, Template>>)[key] ?? null

/** Every template of both channels: as it was changed, else as it comes. */
export const listTemplates = async (db: ProspectsDb): Promise<TemplateEntry[]> => {
  const changed = await db.selectFrom('templates').selectAll().execute()
  return (['email', 'sms'] as const).flatMap((channel) =>
    templatesOf(channel).map((key) => {
      const own = changed.find((row) => row.channel === channel && row.key === key)
      const { subject, message } = own ?? defaultOf(channel, key) ?? { subject: '', message: '' }
      const version = own ? Date.parse(own.updatedAt) : 0
      return { channel, key, subject, message, isChanged: own !== undefined, version }
    }),
  )
}

/** One template. @throws not_found for a key that the channel does not have */
export const getTemplate = async (
  db: ProspectsDb,
  channel: 'email' | 'sms',
  key: TemplateKey,
): Promise<TemplateEntry> => {
  const found = (await listTemplates(db)).find((one) => one.channel === channel && one.key === key)
  if (!found) throw notFound('template')
  return found
}

/** What the product owner decided about calls, admissions and mail. */
export const readSettings = async (db: ProspectsDb): Promise<DeskSettings> => {
  const row = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow()
  const ahead = await db
    .selectFrom('calls')
    .innerJoin('leads', 'leads.id', 'calls.leadId')
    .select(['calls.id as callId', 'leads.name', 'calls.kind', 'calls.startsAt'])
    .where('calls.status', '=', 'booked')
    .where('calls.startsAt', '>', clock.iso())
    .orderBy('calls.startsAt')
    .execute()
  return {
    ...row,
    callHours: row.callHours as DeskSettings['callHours'],
    holidayCalls: ahead
      .filter(({ startsAt }) => isDayOff(row, dayOf(startsAt, row.timeZone)))
      .map(({ kind, ...call }) => ({ ...call, title: callTitles[kind as CallKind] })),
  }
}

/** What the placeholders of a template stand for with one lead. */
export const placeholdersOf = async (
  db: ProspectsDb,
  lead: { id: string; name: string; email: string; timeZone: string | null },
): Promise<Placeholders> => {
  const call = await db
    .selectFrom('calls')
    .select('startsAt')
    .where('leadId', '=', lead.id)
    .where('status', '=', 'booked')
    .where('startsAt', '>', clock.iso())
    .orderBy('startsAt')
    .executeTakeFirst()
  const { timeZone } = await db.selectFrom('settings').select('timeZone').executeTakeFirstOrThrow()
  return {
    name: lead.name,
    email: lead.email,
    schedulingLink: absoluteUrl(paths.bookCall),
    callAt: call?.startsAt ?? null,
    timeZone: lead.timeZone ?? timeZone,
  }
}
