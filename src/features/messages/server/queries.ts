import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { countUpTo, keyset } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { signedFilePath, smallFilePath } from '../../../platform/links.ts'
import { canOf } from '../../../shared/can.ts'
import { dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { toE164 } from '../../../shared/phone.ts'
import { limitsOf } from '../../billing/rules.ts'
import { type Contact, type Message, type MessageDetail, messagesApi, type Photo } from '../contract.ts'
import { type Channel, type MessageFacts, type MessageStatus, messageRefusals, stopWords } from '../rules.ts'
import { findAskedAddress } from './refusals/queries.ts'

export type ListFilter = {
  cursor?: string
  limit: number
  customerId?: string
  address?: string
  account?: boolean
  channel?: Channel
  status?: MessageStatus
  search?: string
}

/** A file of a message; its kind and size stand with what came by mail. */
export type Attachment = { fileId: string; name: string; mime?: string; byteCount?: number }

const isPhoto = ({ mime }: Attachment): boolean => mime === undefined || mime.startsWith('image/')

// Both are asked only of the few messages that did not arrive.
const addressReason = sql<string | null>`case when messages.status in ('failed', 'unknown', 'suppressed') then (
  select s.reason from suppressions s where s.business_id = messages.business_id and s.channel = messages.channel
  and s.address = messages.address and (s.purpose = 'all' or messages.purpose = 'marketing') limit 1) end`
const wasResent = sql<boolean>`messages.status in ('failed', 'unknown', 'suppressed') and exists (
  select 1 from messages n where n.business_id = messages.business_id and n.dedupe_key = 'resend:' || messages.id::text)`

const columns = (db: TenantDb, of: 'messages' = 'messages') =>
  db
    .selectFrom(of)
    .leftJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'messages.businessId').onRef('customers.id', '=', 'messages.customerId'),
    )
    .where('messages.businessId', '=', db.businessId)
    .select([
      'messages.id',
      'messages.channel',
      'messages.direction',
      'messages.purpose',
      'messages.customerId',
      'customers.name as customerName',
      'messages.address',
      'messages.subject',
      'messages.bodyText',
      'messages.status',
      'messages.reason',
      'messages.segments',
      'messages.runAfter',
      'messages.sentAt',
      'messages.deliveredAt',
      'messages.createdAt',
      'messages.stoppedReason',
      'messages.stopDoubt',
      'messages.notKept',
    ])
    // what goes with mail of ours is asked for with the mail
    .select(
      sql<
        Attachment[]
      >`case when messages.channel <> 'email' or messages.direction = 'inbound' then messages.attachments else '[]' end`.as(
        'attached',
      ),
    )
    .select([addressReason.as('addressReason'), wasResent.as('wasResent')])

type Row = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>

/** Photos that somebody sent, by addresses that open for a span. */
export const photosOf = (businessId: string, attachments: readonly Attachment[]): Photo[] =>
  attachments.filter(isPhoto).map(({ fileId, name, mime }) => ({
    id: fileId,
    // what a text brought has no name of its own
    ...(mime ? { name } : {}),
    url: signedFilePath(businessId, fileId),
    smallUrl: smallFilePath(businessId, fileId),
  }))

/** What somebody mailed that is no photo, by addresses that open for a span. */
export const filesOf = (businessId: string, attachments: readonly Attachment[]): Message['files'] =>
  attachments
    .filter((one) => !isPhoto(one))
    .map(({ fileId, name, byteCount }) => ({
      name,
      url: signedFilePath(businessId, fileId),
      byteCount: byteCount ?? 0,
    }))

const toMessage = (row: Row, actor: Actor): Message => ({
  id: row.id,
  channel: row.channel,
  direction: row.direction,
  purpose: row.purpose,
  customer: row.customerId ? { id: row.customerId, name: row.customerName ?? '' } : null,
  address: row.address,
  subject: row.subject,
  text: row.bodyText,
  status: row.status,
  reason: row.reason,
  segments: row.segments,
  runAfter: row.runAfter,
  sentAt: row.sentAt,
  deliveredAt: row.deliveredAt,
  createdAt: row.createdAt,
  stopDoubt: row.stopDoubt,
  photos: photosOf(actor.businessId, row.attached),
  files: filesOf(actor.businessId, row.attached),
  notKept: row.notKept,
  can: canOf(actor, { resend: messagesApi.resend }, messageRefusals, row),
})

/** How many messages a search looks at: among the newest, and each time that somebody asks to look further back (decision 030). */
const searched = { first: 20_000, further: 100_000 }

const newestOf = (db: TenantDb, filter: ListFilter, beyond: RawBuilder<SqlBool>) => {
  const query = db.selectFrom('messages').where('businessId', '=', db.businessId).where(beyond).orderBy('id', 'desc')
  return filter.customerId ? query.where('customerId', '=', filter.customerId) : query
}

/**
 * A page of messages, newest first. A search reads the words of every message it looks at, so it looks at so many, says how far back that was, and
 * the next page looks further.
 */
export const listMessages = async (
  db: TenantDb,
  actor: Actor,
  filter: ListFilter,
): Promise<{ items: Message[]; nextCursor: string | null; total: number | null; lookedBackTo: string | null }> => {
  // Ids are UUIDv7: newest first is by id.
  const { beyond, order, values, limit, page, after } = keyset([{ of: sql`messages.id`, type: 'uuid' }], {
    ...filter,
    order: 'desc',
  })
  const most = filter.cursor ? searched.further : searched.first
  let query = filter.search
    ? columns(db, newestOf(db, filter, beyond).selectAll().limit(most).as('messages') as unknown as 'messages')
    : columns(db)
  // Mail of the account and texts to a person of the team hold links that sign people in: on one's own computer one sees what one caused oneself.
  const own = filter.account && !config.production && !db.readOnly
  query = query.where((eb) =>
    eb.or([
      eb('messages.purpose', '!=', 'account'),
      eb.and([eb('messages.channel', '=', 'sms'), eb('messages.entityType', 'is', null)]),
      ...(own ? [eb('messages.userId', '=', actor.userId), eb('messages.entityType', '=', 'portal')] : []),
    ]),
  )
  if (filter.address) query = query.where('messages.address', '=', filter.address)
  if (filter.customerId) query = query.where('messages.customerId', '=', filter.customerId)
  if (filter.channel) query = query.where('messages.channel', '=', filter.channel)
  if (filter.status) query = query.where('messages.status', '=', filter.status)
  const pageOf = async (of: typeof query) =>
    page(await of.select(values.as('cursorKeys')).where(beyond).orderBy(order).limit(limit).execute())
  if (!filter.search) {
    const [{ items, nextCursor }, total] = await Promise.all([
      pageOf(query),
      countUpTo(db, query.clearSelect().select('messages.id')),
    ])
    return { items: items.map((row) => toMessage(row, actor)), nextCursor, total, lookedBackTo: null }
  }
  const word = containing(filter.search)
  const { items, nextCursor } = await pageOf(
    query.where((eb) =>
      eb.or([
        eb('messages.subject', 'ilike', word),
        eb('messages.bodyText', 'ilike', word),
        eb('messages.address', 'ilike', word),
        eb('customers.name', 'ilike', word),
      ]),
    ),
  )
  const [last, older] = nextCursor
    ? []
    : await newestOf(db, filter, beyond)
        .select(['id', 'createdAt'])
        .offset(most - 1)
        .limit(2)
        .execute()
  const far = older && last
  return {
    items: items.map((row) => toMessage(row, actor)),
    nextCursor: far ? after([far.id]) : nextCursor,
    total: filter.cursor || nextCursor || far ? null : items.length,
    lookedBackTo: far?.createdAt ?? null,
  }
}

/** Messages by their ids, in no order. */
export const listMessagesById = async (db: TenantDb, actor: Actor, ids: readonly string[]): Promise<Message[]> =>
  ids.length === 0
    ? []
    : (
        await columns(db)
          .where('messages.id', 'in', [...ids])
          .execute()
      ).map((row) => toMessage(row, actor))

export const getMessage = async (db: TenantDb, actor: Actor, id: string): Promise<MessageDetail> => {
  const row = await columns(db)
    .where('messages.id', '=', id)
    .select([
      'messages.bodyHtml',
      'messages.fromName',
      'messages.sentFrom',
      'messages.attachments',
      'messages.entityType',
      'messages.userId',
    ])
    .executeTakeFirst()
  // As in the list: who can read a reset link or an invitation can take over the account.
  const opensAnAccount = row?.purpose === 'account' && (row.channel === 'email' || row.entityType !== null)
  const isOpen =
    !opensAnAccount ||
    (!config.production && !db.readOnly && (row?.userId === actor.userId || row?.entityType === 'portal'))
  if (!row || !isOpen) throw notFound('message')
  const attachments = row.attachments as Attachment[]
  const files = attachments.length
    ? await db
        .selectFrom('files')
        .select(['id', 'byteCount'])
        .where('businessId', '=', db.businessId)
        .where(
          'id',
          'in',
          attachments.map((a) => a.fileId),
        )
        .execute()
    : []
  return {
    ...toMessage(row, actor),
    html: row.bodyHtml,
    fromName: row.fromName,
    sentFrom: row.sentFrom,
    attachments: attachments.map((a) => ({
      name: a.name,
      url: signedFilePath(db.businessId, a.fileId),
      byteCount: files.find((f) => f.id === a.fileId)?.byteCount ?? 0,
    })),
  }
}

/** What decides whether a message may be sent again. @throws AppError not_found */
export const getResendFacts = async (db: TenantDb, id: string): Promise<MessageFacts> => {
  const row = await columns(db).where('messages.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('message')
  return row
}

/** How to get no more, after a text to a number that was never texted; nothing after the others. */
export const stopLine = async (
  db: TenantDb,
  {
    customerId,
    address,
    language,
    messageId,
  }: {
    /** Null for somebody who is no customer. */ customerId: string | null
    address: string
    language: keyof typeof stopWords
    /** Of one that waits and is put in other words: it counts what came before it. */
    messageId?: string | undefined
  },
): Promise<string> => {
  const before = await db
    .selectFrom('messages')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('customerId', customerId === null ? 'is' : '=', customerId)
    .where('address', '=', address)
    .where('channel', '=', 'sms')
    .where('direction', '=', 'outbound')
    .$if(messageId !== undefined, (query) => query.where('id', '<', messageId ?? ''))
    .limit(1)
    .executeTakeFirst()
  return before ? '' : ` ${stopWords[language]}`
}

/** SMS segments that left this month in the business's zone, and the plan's limit (null: none). */
export const smsUsage = async (
  db: TenantDb,
): Promise<{ segmentsUsed: number; segmentLimit: number | null; month: string }> => {
  const business = await db
    .selectFrom('businesses')
    .select(['timeZone', 'planTier'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const month = dayOf(clock.now(), business.timeZone).slice(0, 7)
  const left = await db
    .selectFrom('textMonths')
    .select('segments')
    .where('businessId', '=', db.businessId)
    .where('month', '=', month)
    .executeTakeFirst()
  return { segmentsUsed: left?.segments ?? 0, segmentLimit: limitsOf(business.planTier).messageLimit, month }
}

/** The last word on marketing to an address. */
export const findMarketingConsent = async (
  db: TenantDb,
  channel: Channel,
  address: string,
): Promise<'grant' | 'revoke' | null> => {
  const row = await db
    .selectFrom('consentEvents')
    .select('action')
    .where('businessId', '=', db.businessId)
    .where('channel', '=', channel)
    .where('address', '=', address)
    .where('purpose', '=', 'marketing')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.action ?? null
}

/** Whether an address is shut, and for what; the widest shutting wins. */
export const findSuppression = async (
  db: TenantDb,
  channel: Channel,
  address: string,
): Promise<{ purpose: 'all' | 'marketing'; reason: string } | null> => {
  const rows = await db
    .selectFrom('suppressions')
    .select(['purpose', 'reason'])
    .where('businessId', '=', db.businessId)
    .where('channel', '=', channel)
    .where('address', '=', address)
    .execute()
  const row = rows.find((r) => r.purpose === 'all') ?? rows[0]
  return row ? { purpose: row.purpose, reason: row.reason } : null
}

type Person = { id: string; name: string; email: string | null; phone: string | null }

const toContact = async (db: TenantDb, person: Person): Promise<Contact> => {
  const phone = person.phone ? toE164(person.phone) : null
  const sms = phone ? await findSuppression(db, 'sms', phone) : null
  const mail = person.email ? await findSuppression(db, 'email', person.email) : null
  return {
    ...person,
    phone,
    smsSuppressed: sms?.purpose === 'all' ? sms.reason : null,
    emailSuppressed: mail?.purpose === 'all' ? mail.reason : null,
  }
}

/** How one customer can be written to. @throws not_found */
export const getContact = async (db: TenantDb, customerId: string): Promise<Contact> => {
  const person = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'phone'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!person) throw notFound('customer')
  return toContact(db, person)
}

/** Customers to write to, by name, company, number, e-mail or street. */
export const listPeople = async (db: TenantDb, q: string): Promise<Contact[]> => {
  const word = containing(q)
  const digits = q.replace(/\D/g, '')
  const { rows } = await sql<Person>`
    select id, name, email, phone from customers c
    where business_id = ${db.businessId} and archived_at is null
      and (${q === ''} or name ilike ${word} or company ilike ${word} or email ilike ${word}
        or (${digits.length >= 3} and phone like ${`%${digits}%`})
        or exists (select 1 from properties p where p.business_id = c.business_id and p.customer_id = c.id and p.street ilike ${word}))
    order by lower(name), id
    limit 12`.execute(db)
  const contacts: Contact[] = []
  for (const person of rows) contacts.push(await toContact(db, person))
  return contacts
}

/** What the ledger of consent calls a word that was said by the link of a mail. */
export const unsubscribeSource = 'unsubscribe link'

/** Whether the last word of an address on offers is a no by the link of a mail; a no that came otherwise is not taken back by a link. */
const wasEndedByLink = async (db: TenantDb, address: string): Promise<boolean> => {
  const last = await db
    .selectFrom('consentEvents')
    .select(['action', 'source'])
    .where('businessId', '=', db.businessId)
    .where('channel', '=', 'email')
    .where('address', '=', address)
    .where('purpose', '=', 'marketing')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.action === 'revoke' && last.source === unsubscribeSource
}

/** Whom a link to end offers belongs to, by the customer or the question it was sent to, and whether they have ended them. */
export const getReader = async (
  db: TenantDb,
  entityId: string,
): Promise<{
  address: string
  businessName: string
  language: 'en' | 'es'
  unsubscribed: boolean
  mayKeep: boolean
}> => {
  const business = await db
    .selectFrom('businesses')
    .select('name')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const customer = await db
    .selectFrom('customers')
    .select(['email', 'language'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', entityId)
    .executeTakeFirst()
  const address = customer ? customer.email : await findAskedAddress(db, entityId)
  if (!address) throw notFound('link')
  const suppressed = await findSuppression(db, 'email', address)
  return {
    address,
    businessName: business.name,
    language: customer?.language === 'es' ? 'es' : 'en',
    unsubscribed: suppressed !== null,
    mayKeep: suppressed?.purpose === 'marketing' && (await wasEndedByLink(db, address)),
  }
}
