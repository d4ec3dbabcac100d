import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { keyset } from '../../../../platform/db/cursor.ts'
import { containing } from '../../../../platform/db/like.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../../shared/can.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { notFound } from '../../../../shared/errors.ts'
import { requireCustomer } from '../../../customers/server/queries.ts'
import { waitingConversations } from '../../../notifications/server/queries.ts'
import type { messagesApi } from '../../contract.ts'
import type { MessageChannel, MessageStatus } from '../../rules.ts'
import { listMessagesById } from '../../server/queries.ts'
import {
  type ConversationNote,
  type ConversationRecord,
  conversationsApi,
  type ThreadItem,
  type ThreadPage,
} from '../contract.ts'
import { type ConversationAction, type ConversationFilterState, conversationRefusals, stateOf } from '../rules.ts'

const needs: Record<ConversationAction, Need> = conversationsApi

/** Somebody who is in the office now: whoever left has no conversation any more, without anybody taking it from them. */
export const inOffice = (alias: string): RawBuilder<SqlBool> => {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<SqlBool>`(${of('role')} in ('Owner', 'Admin') and ${of('status')} = 'active' and ${of('archivedAt')} is null
    and (${of('role')} = 'Owner' or 'customers' = any(${of('permissions')})))`
}

/** Who can be given a conversation: who of the office may write to customers. */
export const listConversationPeople = (db: TenantDb): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.name'])
    .where('u.businessId', '=', db.businessId)
    .where(inOffice('u'))
    .orderBy(sql`lower(u.name)`)
    .orderBy('u.id')
    .limit(200)
    .execute()

type ListFilter = {
  cursor?: string
  limit: number
  search?: string
  unread?: boolean
  state: ConversationFilterState
  whose: 'all' | 'mine' | 'nobody'
}

/** Conversations `v` of `talk` in a state at an instant; who never had anything done to theirs has no row and is open. */
const isIn: Record<ListFilter['state'], (now: string) => RawBuilder<SqlBool>> = {
  all: () => sql`true`,
  waiting: () => sql`talk.waits`,
  open: (now) => sql`v.closed_at is null and (v.snoozed_until is null or v.snoozed_until <= ${now}::timestamptz)`,
  snoozed: (now) => sql`v.snoozed_until > ${now}::timestamptz`,
  done: () => sql`v.closed_at is not null`,
}

type Counts = {
  waitingCount: number
  mineWaitingCount: number
  mineCount: number
  mineSnoozedCount: number
  snoozedCount: number
}

/** Texts `m` with somebody who is no customer; what signs a customer in to their portal is nobody's to read. */
const unknownNumber = (
  businessId: string,
) => sql`m.business_id = ${businessId} and m.customer_id is null and m.channel = 'sms'
    and m.user_id is null and m.entity_type is distinct from 'portal'`

/** What stands at the filters; of what anybody has or that rests, so many rows as there are of those. */
const countTalks = async (db: TenantDb, actor: Actor, now: string): Promise<Counts> => {
  const { rows } = await sql<Counts>`
    with waiting as (select coalesce(customer_id::text, address) as key from ${waitingConversations(db, now)} w),
    v as (
      select t.customer_id::text as key, t.assignee_id, t.snoozed_until, t.closed_at from conversations t
      where t.business_id = ${db.businessId} and (t.assignee_id = ${actor.userId} or t.snoozed_until is not null)
        and (exists (select from messages m where m.business_id = t.business_id and m.customer_id = t.customer_id
            and (m.purpose <> 'account' or m.channel = 'sms'))
          or exists (select from conversation_notes n where n.business_id = t.business_id and n.customer_id = t.customer_id))
      union all
      select t.address, t.assignee_id, t.snoozed_until, t.closed_at from number_conversations t
      where t.business_id = ${db.businessId} and (t.assignee_id = ${actor.userId} or t.snoozed_until is not null)
        and exists (select from messages m where ${unknownNumber(db.businessId)} and m.address = t.address)
    )
    select (select count(*)::int from waiting) as "waitingCount",
      count(*) filter (where v.assignee_id = ${actor.userId} and v.key in (select key from waiting))::int as "mineWaitingCount",
      count(*) filter (where v.assignee_id = ${actor.userId} and ${isIn.open(now)})::int as "mineCount",
      count(*) filter (where v.assignee_id = ${actor.userId} and ${isIn.snoozed(now)})::int as "mineSnoozedCount",
      count(*) filter (where ${isIn.snoozed(now)})::int as "snoozedCount"
    from v`.execute(db)
  return rows[0] ?? { waitingCount: 0, mineWaitingCount: 0, mineCount: 0, mineSnoozedCount: 0, snoozedCount: 0 }
}

/** How many messages a search reads the words of, and as many internal notes; the newest ones (decision 030). */
const mostSearched = 20_000

const searchedTo = async (db: TenantDb, table: 'messages' | 'conversationNotes'): Promise<string | null> => {
  const [last, older] = await db
    .selectFrom(table)
    .select('createdAt')
    .where('businessId', '=', db.businessId)
    .orderBy('id', 'desc')
    .offset(mostSearched - 1)
    .limit(2)
    .execute()
  return older && last ? last.createdAt : null
}

/** Since when a search looks at the words of all messages and all notes; null where it looks at all that were ever written. */
const findSearchedTo = async (db: TenantDb): Promise<string | null> =>
  [await searchedTo(db, 'messages'), await searchedTo(db, 'conversationNotes')]
    .filter((at) => at !== null)
    .sort()
    .at(-1) ?? null

/** About so many characters of a note stand before what was found in it. */
const beforeFound = 40

/** The beginning of a note, or what is around the word that was looked for. */
const noteWords = (body: string, search: string | undefined): string => {
  const at = search ? body.toLowerCase().indexOf(search.toLowerCase()) : -1
  const from = at - beforeFound
  const whole = body.lastIndexOf(' ', from) + 1
  const words = from > 0 ? `…${body.slice(from - whole < beforeFound ? whole : from)}` : body
  return words.slice(0, 200)
}

/** One row for each customer or unknown number, by the message that its row says. */
export const listConversations = async (
  db: TenantDb,
  actor: Actor,
  filter: ListFilter,
): Promise<ResponseOf<typeof messagesApi.conversations>> => {
  type Found = {
    key: string
    id: string
    customerId: string | null
    customerName: string | null
    address: string
    channel: MessageChannel | 'note'
    direction: 'inbound' | 'outbound'
    subject: string
    bodyText: string
    status: MessageStatus
    createdAt: string
    unread: number
    assigneeId: string | null
    assigneeName: string | null
    snoozedUntil: string | null
    closedAt: string | null
    cursorKeys: string[]
  }
  const { beyond, order, values, limit, page } = keyset([{ of: sql`talk.shown_id`, type: 'uuid' }], {
    ...filter,
    order: 'desc',
  })
  const search = filter.search ? containing(filter.search) : null
  const business = db.businessId
  const now = clock.iso()
  const unknown = unknownNumber(business)
  // what came in and nobody read, of whom the list has
  const unreadOf = sql`from messages
      where business_id = ${business} and direction = 'inbound' and opened_at is null
        and (purpose <> 'account' or channel = 'sms')
        and (customer_id is not null or (channel = 'sms' and user_id is null and entity_type is distinct from 'portal'))`
  // of the newest messages and notes those with the words, the newest one of each conversation
  const worded = search
    ? sql`select distinct on (1) coalesce(w.customer_id::text, w.address) as key, w.id from (
          select n.customer_id, n.address, n.id
          from (select * from messages m where m.business_id = ${business} order by m.id desc limit ${mostSearched}) n
          where (n.purpose <> 'account' or n.channel = 'sms') and (n.body_text ilike ${search} or n.subject ilike ${search})
          union all
          select n.customer_id, n.address, n.id
          from (select * from conversation_notes o where o.business_id = ${business} order by o.id desc limit ${mostSearched}) n
          where n.body ilike ${search}) w
        order by 1, w.id desc`
    : sql`select null::text as key, null::uuid as id where false`
  // The newest message of each: one look into an index for a customer and for an unknown number, however long they have been writing.
  const { rows } = await sql<Found>`
    with recursive unknown as (
      (select m.address, m.id from messages m where ${unknown} order by m.address desc, m.id desc limit 1)
      union all
      select n.address, n.id from unknown u cross join lateral (
        select m.address, m.id from messages m where ${unknown} and m.address < u.address order by m.address desc, m.id desc limit 1) n
    ), whoever as (
      select coalesce(customer_id::text, address) as key, customer_id from ${waitingConversations(db, now)} w
    ), newest as (
      select k.id::text as key, coalesce(last.id, note.id) as last_id
      from customers k left join lateral (
        select m.id from messages m
        where m.business_id = ${business} and m.customer_id = k.id and (m.purpose <> 'account' or m.channel = 'sms')
        order by m.id desc limit 1) last on true
      -- where nothing was written yet but notes of the office, the newest of them stands for it
      left join lateral (
        select n.id from conversation_notes n
        where last.id is null and n.business_id = ${business} and n.customer_id = k.id
        order by n.id desc limit 1) note on true
      where coalesce(last.id, note.id) is not null and k.business_id = ${business} ${filter.state === 'waiting' ? sql`and k.id in (select customer_id from whoever)` : sql``}
      union all select address, id from unknown
    ), unread as (
      select coalesce(customer_id::text, address) as key, count(*) as unread, (array_agg(id order by id desc))[1] as unread_id ${unreadOf} group by 1
    ), worded as (${worded}
    ), talk as materialized (
      select newest.key, unread.unread, worded.id is not null as has_words, newest.key in (select key from whoever) as waits,
        coalesce(worded.id, unread.unread_id, newest.last_id) as shown_id
      from newest left join unread on unread.key = newest.key left join worded on worded.key = newest.key
    )
    select talk.key, talk.shown_id as id, c.id as customer_id, c.name as customer_name, coalesce(m.address, n.address, c.phone, c.email, '') as address,
      coalesce(m.channel, 'note') as channel, coalesce(m.direction, 'outbound') as direction, coalesce(m.subject, '') as subject,
      coalesce(m.body_text, n.body) as body_text, coalesce(m.status, 'sent') as status, coalesce(m.created_at, n.created_at) as created_at, coalesce(talk.unread, 0) as unread,
      u.id as assignee_id, u.name as assignee_name, v.snoozed_until, v.closed_at, ${values} as cursor_keys
    from talk
    left join lateral (select * from messages l where l.business_id = ${business} and l.id = talk.shown_id limit 1) m on true
    left join conversation_notes n on n.business_id = ${business} and n.id = talk.shown_id
    left join customers c on c.business_id = ${business} and c.id = coalesce(m.customer_id, n.customer_id)
    left join lateral (
      select t.assignee_id, t.snoozed_until, t.closed_at from conversations t where t.business_id = ${business} and t.customer_id = c.id
      union all
      select t.assignee_id, t.snoozed_until, t.closed_at from number_conversations t
      where t.business_id = ${business} and c.id is null and t.address = coalesce(m.address, n.address)) v on true
    left join users u on u.business_id = ${business} and u.id = v.assignee_id and ${inOffice('u')}
    where ${beyond}
      and ${filter.unread ? sql`talk.unread > 0` : sql`true`}
      and ${isIn[filter.state](now)}
      and ${filter.whose === 'mine' ? sql`u.id = ${actor.userId}` : filter.whose === 'nobody' ? sql`u.id is null` : sql`true`}
      and ${search ? sql`(talk.has_words or c.name ilike ${search} or m.address ilike ${search})` : sql`true`}
    order by ${order} limit ${limit}`.execute(db)
  const { rows: counts } = await sql<{ messages: number; conversations: number; hasAny: boolean }>`
    select count(*)::int as messages, count(distinct coalesce(customer_id::text, address))::int as conversations,
      (exists (select from messages m where m.business_id = ${business} and m.customer_id is not null and (m.purpose <> 'account' or m.channel = 'sms'))
        or exists (select from messages m where ${unknown})
        or exists (select from conversation_notes n where n.business_id = ${business})) as "hasAny"
    ${unreadOf}`.execute(db)
  const [count] = counts
  const { items, nextCursor } = page(rows)
  return {
    items: items.map((row) => ({
      key: row.key,
      customer: row.customerId ? { id: row.customerId, name: row.customerName ?? '' } : null,
      address: row.address,
      last: {
        channel: row.channel,
        direction: row.direction,
        text:
          row.channel === 'note'
            ? noteWords(row.bodyText, filter.search)
            : (row.channel === 'email' && row.subject ? row.subject : row.bodyText).slice(0, 200),
        status: row.status,
        createdAt: row.createdAt,
      },
      unreadCount: Number(row.unread),
      state: stateOf(row, clock.nowMs()),
      assignee: row.assigneeId ? { id: row.assigneeId, name: row.assigneeName ?? '' } : null,
      snoozedUntil: stateOf(row, clock.nowMs()) === 'snoozed' ? row.snoozedUntil : null,
    })),
    nextCursor,
    unreadCount: count?.messages ?? 0,
    unreadConversationCount: count?.conversations ?? 0,
    hasAny: count?.hasAny ?? false,
    ...(await countTalks(db, actor, now)),
    lookedBackTo: search ? await findSearchedTo(db) : null,
  }
}

/** What is done with the conversation of a customer. @throws not_found */
export const getConversation = async (db: TenantDb, actor: Actor, customerId: string): Promise<ConversationRecord> => {
  const row = await db
    .selectFrom('customers as c')
    .leftJoin('conversations as v', (join) =>
      join.onRef('v.businessId', '=', 'c.businessId').onRef('v.customerId', '=', 'c.id'),
    )
    .leftJoin('users as u', (join) =>
      join.onRef('u.businessId', '=', 'v.businessId').onRef('u.id', '=', 'v.assigneeId').on(inOffice('u')),
    )
    .leftJoin('users as l', (join) =>
      join.onRef('l.businessId', '=', 'v.businessId').onRef('l.id', '=', 'v.assigneeId'),
    )
    .leftJoin('users as s', (join) => join.onRef('s.businessId', '=', 'v.businessId').onRef('s.id', '=', 'v.snoozedBy'))
    .leftJoin('users as d', (join) => join.onRef('d.businessId', '=', 'v.businessId').onRef('d.id', '=', 'v.closedBy'))
    .select([
      'u.id as assigneeId',
      'u.name as assigneeName',
      'l.name as givenName',
      'v.snoozedUntil',
      's.name as snoozedByName',
      'v.closedAt',
      'd.name as closedByName',
      'v.unanswered',
      'v.version',
    ])
    .where('c.businessId', '=', db.businessId)
    .where('c.id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw notFound('customer')
  const state = stateOf(row, clock.nowMs())
  return {
    can: canOf(actor, needs, conversationRefusals, { state }),
    customerId,
    address: null,
    state,
    unanswered: row.unanswered ?? false,
    assignee: row.assigneeId ? { id: row.assigneeId, name: row.assigneeName ?? '' } : null,
    leftName: row.assigneeId === null ? row.givenName : null,
    snoozedUntil: state === 'snoozed' ? row.snoozedUntil : null,
    snoozedByName: state === 'snoozed' ? row.snoozedByName : null,
    closedAt: row.closedAt,
    closedByName: row.closedAt ? row.closedByName : null,
    version: row.version ?? 0,
  }
}

const notesOf = (db: TenantDb) =>
  db
    .selectFrom('conversationNotes as n')
    .leftJoin('users as u', (join) => join.onRef('u.businessId', '=', 'n.businessId').onRef('u.id', '=', 'n.userId'))
    .select(['n.id', 'n.customerId', 'n.address', 'n.body', 'n.userId', 'u.name as byName', 'n.createdAt'])
    .where('n.businessId', '=', db.businessId)

const shownNote = (
  actor: Actor,
  { body, userId, ...note }: Awaited<ReturnType<ReturnType<typeof notesOf>['executeTakeFirstOrThrow']>>,
): ConversationNote => ({
  ...note,
  text: body,
  can: canOf(
    actor,
    { remove: conversationsApi.removeNote },
    { remove: (isOwn: boolean) => (isOwn ? null : 'Only who wrote a note takes it out.') },
    userId === actor.userId,
  ),
})

/** @throws not_found */
export const getNote = async (db: TenantDb, actor: Actor, id: string): Promise<ConversationNote> => {
  const row = await notesOf(db).where('n.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('note')
  return shownNote(actor, row)
}

/** Messages `m` and notes `n` of one conversation, newest first: ids are UUIDv7, so both stand in the order of their time. */
export const readThread = async (
  db: TenantDb,
  actor: Actor,
  of: { messages: RawBuilder<SqlBool>; notes: RawBuilder<SqlBool> },
  query: { cursor?: string | undefined; limit: number },
): Promise<ThreadPage> => {
  const keys = (id: string) => keyset([{ of: sql.ref(id), type: 'uuid' }], { ...query, order: 'desc' })
  const [ofMessage, ofNote, whole] = [keys('m.id'), keys('n.id'), keys('x.id')]
  // what signs a customer in to their portal is nobody's to read
  const { rows } = await sql<{ kind: ThreadItem['kind']; id: string; cursorKeys: string[] }>`
    select x.kind, x.id, ${whole.values} as cursor_keys from (
      (select 'message' as kind, m.id from messages m
        where m.business_id = ${db.businessId} and ${of.messages}
          and (m.purpose <> 'account' or (m.channel = 'sms' and m.entity_type is null)) and ${ofMessage.beyond}
        order by m.id desc limit ${ofMessage.limit})
      union all
      (select 'note', n.id from conversation_notes n
        where n.business_id = ${db.businessId} and ${of.notes} and ${ofNote.beyond}
        order by n.id desc limit ${ofNote.limit})
    ) x order by ${whole.order} limit ${whole.limit}`.execute(db)
  const { items, nextCursor } = whole.page(rows)
  const idsOf = (kind: ThreadItem['kind']) => items.filter((item) => item.kind === kind).map(({ id }) => id)
  const noteIds = idsOf('note')
  const messages = new Map((await listMessagesById(db, actor, idsOf('message'))).map((one) => [one.id, one]))
  const found = noteIds.length === 0 ? [] : await notesOf(db).where('n.id', 'in', noteIds).execute()
  const notes = new Map(found.map((row) => [row.id, shownNote(actor, row)]))
  return {
    items: items.flatMap(({ id }): ThreadItem[] => {
      const [message, note] = [messages.get(id), notes.get(id)]
      return message ? [{ kind: 'message', message }] : note ? [{ kind: 'note', note }] : []
    }),
    nextCursor,
  }
}

/** Messages and notes of a customer, newest first. @throws not_found */
export const listThread = async (
  db: TenantDb,
  actor: Actor,
  customerId: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<ThreadPage> => {
  await requireCustomer(db, customerId)
  return readThread(
    db,
    actor,
    { messages: sql`m.customer_id = ${customerId}`, notes: sql`n.customer_id = ${customerId}` },
    query,
  )
}
