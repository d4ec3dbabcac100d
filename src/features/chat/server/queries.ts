import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { admits } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { type ChatMessage, type ChatThread, chatApi } from '../contract.ts'
import { excerpt, type ThreadKind, threadRefusals } from '../rules.ts'
import { findThread, isOffice, listOwnThreads, type SeenThread, visible } from './sight.ts'

export { findThread }

/** So many of the newest messages are looked at for what a person has not read. */
const mostUnread = 100

type LastRow = { text: string; photos: number; by: string | null; office: boolean; at: string }

const lastOf = (row: LastRow | undefined): ChatThread['last'] =>
  row ? { text: excerpt(row.text, row.photos), by: row.by ?? '', office: row.office, at: row.at } : null

const toThread = (actor: Actor, thread: SeenThread, last: ChatThread['last'], unreadCount: number): ChatThread => {
  const closed = threadRefusals.write(thread)
  return {
    id: thread.id,
    kind: thread.kind,
    name: thread.name,
    color: thread.color,
    gone: thread.gone,
    lastNumber: thread.lastNumber,
    version: thread.version,
    last,
    unreadCount,
    // a phone writes by its commands, which a visitor of the tour cannot send either
    can: { write: closed === null && (isOffice(actor) ? admits(actor, chatApi.send) : !actor.readOnly) },
    closed,
  }
}

/** The newest message that a person sees, and how many they have not read. */
const standOf = async (db: TenantDb, actor: Actor, thread: SeenThread) => {
  const newest = await sql<{ number: number; unread: number }>`
    select max(c.number) as number, count(*) filter (where c.author_id is distinct from ${actor.userId}
      and c.number > coalesce((select r.read_number from chat_readers r where r.business_id = ${db.businessId} and r.thread_id = ${thread.id}
        and r.user_id = ${actor.userId}), 0))::int as unread
    from (select c.* from ${visible(db, thread, { beyond: sql`true`, limit: mostUnread })}
      order by c.on_day desc, c.number desc limit ${mostUnread}) c`.execute(db)
  const { number = null, unread = 0 } = newest.rows[0] ?? {}
  const { rows } = await sql<LastRow>`
    select c.text, cardinality(c.photo_ids) as photos, u.name as by, c.from_office as office, c.written_at as at
    from chat_messages c left join users u on u.business_id = c.business_id and u.id = c.author_id
    where c.business_id = ${db.businessId} and c.thread_id = ${thread.id} and c.number = ${number}`.execute(db)
  return { last: lastOf(rows[0]), unread, number: number ?? 0 }
}

/** A thread as this person sees it. @throws not_found */
export const getThread = async (db: TenantDb, actor: Actor, id: string): Promise<ChatThread> => {
  const thread = await findThread(db, actor, id)
  if (!thread) throw notFound('conversation')
  return shownThread(db, actor, thread)
}

const shownThread = async (db: TenantDb, actor: Actor, thread: SeenThread): Promise<ChatThread> => {
  const { last, unread, number } = await standOf(db, actor, thread)
  return toThread(actor, { ...thread, lastNumber: number }, last, thread.byOffice ? thread.officeUnread : unread)
}

export type ThreadFilter = {
  search?: string | undefined
  unread: boolean
  cursor?: string | undefined
  limit: number
}

type ThreadRow = Omit<SeenThread, 'spans' | 'byOffice' | 'onCrew'> & Partial<LastRow> & { cursorKeys: string[] }

const listOfOffice = async (db: TenantDb, actor: Actor, filter: ThreadFilter) => {
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sql`t.last_at`, type: 'instant' },
      { of: sql`t.id`, type: 'uuid' },
    ],
    { ...filter, order: 'desc' },
  )
  const { rows } = await sql<ThreadRow>`
    select t.id, t.kind, coalesce(u.name, k.name, '') as name, k.color, t.last_number as "lastNumber", t.version, t.office_unread as "officeUnread",
      coalesce(u.status = 'disabled' or u.archived_at is not null, k.archived_at is not null, false) as gone,
      coalesce(u.role <> 'Employee', false) as "joinedOffice",
      c.text, cardinality(c.photo_ids) as photos, a.name as by, c.from_office as office, c.written_at as at, ${values} as "cursorKeys"
    from chat_threads t
    left join users u on u.business_id = t.business_id and u.id = t.user_id
    left join crews k on k.business_id = t.business_id and k.id = t.crew_id
    left join chat_messages c on c.business_id = t.business_id and c.thread_id = t.id and c.number = t.last_number
    left join users a on a.business_id = c.business_id and a.id = c.author_id
    where t.business_id = ${db.businessId} and ${beyond}
      and ${filter.unread ? sql`t.office_unread > 0` : sql`true`}
      and ${filter.search ? sql`coalesce(u.name, k.name, 'Everybody') ilike ${containing(filter.search)}` : sql`true`}
    order by ${order} limit ${limit}`.execute(db)
  const { unread } = await db
    .selectFrom('chatThreads')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('officeUnread'), sql<number>`0`).as('unread'))
    .where('businessId', '=', db.businessId)
    .where('officeUnread', '>', 0)
    .executeTakeFirstOrThrow()
  const { items, nextCursor } = page(rows)
  return {
    items: items.map((row) => {
      const last = row.at === null || row.at === undefined ? null : lastOf(row as LastRow)
      return toThread(actor, { ...row, spans: [], byOffice: true, onCrew: false }, last, row.officeUnread)
    }),
    nextCursor,
    unreadCount: Number(unread),
  }
}

/** For the office every thread in which something was said; for a crew member their own few. */
export const listThreads = async (
  db: TenantDb,
  actor: Actor,
  filter: ThreadFilter,
): Promise<{ items: ChatThread[]; nextCursor: string | null; unreadCount: number }> => {
  if (isOffice(actor)) return listOfOffice(db, actor, filter)
  const items: ChatThread[] = []
  for (const thread of await listOwnThreads(db, actor)) items.push(await shownThread(db, actor, thread))
  return { items, nextCursor: null, unreadCount: items.reduce((sum, { unreadCount }) => sum + unreadCount, 0) }
}

type MessageRow = {
  id: string
  threadId: string
  number: number
  text: string
  authorId: string | null
  author: string | null
  office: boolean
  at: string
  arrivedAt: string
  visitId: string | null
  street: string | null
  day: string | null
  photoIds: string[]
}

const messageColumns = sql`
  c.id, c.thread_id as "threadId", c.number, c.text, c.author_id as "authorId", u.name as author, c.from_office as office, c.written_at as at,
  c.created_at as "arrivedAt", c.visit_id as "visitId", p.street, v.day, c.photo_ids as "photoIds"`
const messageJoins = sql`
  left join users u on u.business_id = c.business_id and u.id = c.author_id
  left join visits v on v.business_id = c.business_id and v.id = c.visit_id
  left join properties p on p.business_id = v.business_id and p.id = v.property_id`

type ReadRow = { number: number; count: number; first: ChatMessage['readBy'] }

/** Who read messages first: of what the office wrote those on the crews, of what a crew wrote everybody but its author. */
const listReadsOf = async (
  db: TenantDb,
  threadId: string,
  numbers: readonly number[],
): Promise<Map<number, ReadRow>> => {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<ReadRow>`
    select c.number, count(*)::int as count,
      to_json((array_agg(json_build_object('name', split_part(u.name, ' ', 1), 'at', x.read_at) order by x.read_at, u.id))[1:3]) as first
    from chat_messages c
    join chat_readers r on r.business_id = c.business_id and r.thread_id = c.thread_id and r.read_number >= c.number
      and r.user_id is distinct from c.author_id
    join users u on u.business_id = r.business_id and u.id = r.user_id and (not c.from_office or u.role = 'Employee')
    cross join lateral (
      select o.read_at from chat_reads o where o.business_id = r.business_id and o.thread_id = r.thread_id and o.user_id = r.user_id
        and o.up_to_number >= c.number order by o.up_to_number limit 1) x
    where c.business_id = ${db.businessId} and c.thread_id = ${threadId} and c.number = any(${sql.val([...numbers])}::int[])
    group by c.number`.execute(db)
  return new Map(rows.map((row) => [row.number, row]))
}

const toMessages = async (db: TenantDb, rows: readonly MessageRow[], withReads: boolean): Promise<ChatMessage[]> => {
  const [first] = rows
  if (!first) return []
  const ids = rows.filter(({ photoIds }) => photoIds.length > 0).map(({ id }) => id)
  const photos = ids.length
    ? await db
        .selectFrom('chatPhotos')
        .select(['id', 'fileId'])
        .where('businessId', '=', db.businessId)
        .where('messageId', 'in', ids)
        .execute()
    : []
  const files = new Map(photos.map(({ id, fileId }) => [id, fileId]))
  const reads = withReads
    ? await listReadsOf(
        db,
        first.threadId,
        rows.map(({ number }) => number),
      )
    : new Map<number, ReadRow>()
  return rows.map((row) => {
    const read = reads.get(row.number)
    return {
      id: row.id,
      threadId: row.threadId,
      number: row.number,
      text: row.text,
      by: { id: row.authorId, name: row.author ?? '', office: row.office },
      at: row.at,
      arrivedAt: row.arrivedAt,
      visit: row.visitId && row.street !== null ? { id: row.visitId, street: row.street, day: row.day } : null,
      photos: row.photoIds.map((id) => {
        const fileId = files.get(id)
        return { id, url: fileId ? signedFilePath(db.businessId, fileId) : null }
      }),
      readBy: (read?.first ?? []).map(({ name, at }) => ({ name, at: new Date(at).toISOString() })),
      readCount: read?.count ?? 0,
    }
  })
}

/** Of what everybody reads only the office is told who did. */
const showsReads = (actor: Actor, kind: ThreadKind): boolean => isOffice(actor) || kind !== 'everybody'

/** A page of a thread, newest first. @throws not_found */
export const listMessages = async (
  db: TenantDb,
  actor: Actor,
  threadId: string,
  filter: { cursor?: string | undefined; limit: number },
): Promise<{ thread: ChatThread; items: ChatMessage[]; nextCursor: string | null }> => {
  const thread = await findThread(db, actor, threadId)
  if (!thread) throw notFound('conversation')
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sql`c.on_day`, type: 'day' },
      { of: sql`c.number`, type: 'int' },
    ],
    { ...filter, order: 'desc' },
  )
  const { rows } = await sql<MessageRow & { cursorKeys: string[] }>`
    select ${messageColumns}, ${values} as "cursorKeys" from ${visible(db, thread, { beyond, limit })} ${messageJoins}
    order by ${order} limit ${limit}`.execute(db)
  const { items, nextCursor } = page(rows)
  return {
    thread: await shownThread(db, actor, thread),
    items: await toMessages(db, items, showsReads(actor, thread.kind)),
    nextCursor,
  }
}

/** One message, or null where it was forgotten meanwhile; who may see it is the caller's matter. */
export const findMessage = async (db: TenantDb, id: string): Promise<ChatMessage | null> => {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from chat_messages c ${messageJoins} where c.business_id = ${db.businessId} and c.id = ${id}`.execute(
    db,
  )
  const [message = null] = await toMessages(db, rows, true)
  return message
}

/** The same. @throws not_found */
export const getMessage = async (db: TenantDb, id: string): Promise<ChatMessage> => {
  const message = await findMessage(db, id)
  if (!message) throw notFound('message')
  return message
}

/** Whom the office can write to: everybody, the crews, the people on them. */
export const findPeople = async (db: TenantDb, q: string) => {
  const { rows } = await sql<{ id: string; kind: ThreadKind; name: string; hint: string }>`
    with own as (
      select u.id, u.name, u.phone from users u
      where u.business_id = ${db.businessId} and u.role = 'Employee' and u.status <> 'disabled' and u.archived_at is null)
    select * from (
      select ${db.businessId}::uuid as id, 'everybody' as kind, 'Everybody' as name,
        (select count(*) from own) || case when (select count(*) from own) = 1 then ' person' else ' people' end as hint
      union all
      select c.id, 'crew', c.name, 'Crew' from crews c where c.business_id = ${db.businessId} and c.archived_at is null
      union all
      select own.id, 'person', own.name, 'Person' from own) one
    where ${q ? sql`one.name ilike ${containing(q)}` : sql`true`}
    order by array_position(array['everybody', 'crew', 'person'], one.kind), lower(one.name), one.id limit 50`.execute(
    db,
  )
  return rows
}

/** Who has read a message and when, and whom it has not reached yet. @throws not_found */
export const listReads = async (
  db: TenantDb,
  messageId: string,
): Promise<{ read: { name: string; at: string }[]; waiting: string[] }> => {
  const message = await db
    .selectFrom('chatMessages')
    .innerJoin('chatThreads', (join) =>
      join
        .onRef('chatThreads.businessId', '=', 'chatMessages.businessId')
        .onRef('chatThreads.id', '=', 'chatMessages.threadId'),
    )
    .select([
      'chatMessages.threadId',
      'chatMessages.number',
      'chatMessages.onDay',
      'chatMessages.authorId',
      'chatMessages.fromOffice',
      'chatThreads.kind',
    ])
    .where('chatMessages.businessId', '=', db.businessId)
    .where('chatMessages.id', '=', messageId)
    .executeTakeFirst()
  if (!message) throw notFound('message')
  const { threadId, number, onDay, authorId, fromOffice, kind } = message
  const { rows } = await sql<{ name: string; at: string | null; works: boolean }>`
    select u.name, (
        select o.read_at from chat_reads o where o.business_id = u.business_id and o.thread_id = ${threadId} and o.user_id = u.id
          and o.up_to_number >= ${number} order by o.up_to_number limit 1) as at,
      u.status <> 'disabled' and u.archived_at is null and u.role = 'Employee' and ${
        kind === 'person'
          ? sql`u.id = ${threadId}`
          : kind === 'everybody'
            ? sql`true`
            : sql`exists (select 1 from crew_members m where m.business_id = u.business_id and m.crew_id = ${threadId} and m.user_id = u.id
                and m.valid_from <= ${onDay} and (m.valid_to is null or m.valid_to >= ${onDay}))`
      } as works
    from users u
    where u.business_id = ${db.businessId} and u.id is distinct from ${authorId} and (not ${fromOffice}::boolean or u.role = 'Employee')
    order by lower(u.name), u.id`.execute(db)
  return {
    read: rows.flatMap(({ name, at }) => (at === null ? [] : [{ name, at }])).sort((a, b) => (a.at < b.at ? -1 : 1)),
    waiting: rows.flatMap(({ name, at, works }) => (at === null && works ? [name] : [])),
  }
}
