import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import type { Once } from '../../../platform/http/idempotency.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { refuse } from '../../../shared/can.ts'
import { dayOf } from '../../../shared/dates.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { linkTo } from '../../../shared/links.ts'
import { addFileTx, storeImage } from '../../files/server/commands.ts'
import { notifyOffice, settleNotice } from '../../notifications/server/commands.ts'
import { pushTx } from '../../push/server/commands.ts'
import type { ChatMessage, ChatThread } from '../contract.ts'
import { excerpt, isSendable, mostAMinute, noticeAfterMinutes, threadRefusals, tidyText } from '../rules.ts'
import { findThread, getMessage, getThread } from './queries.ts'
import { listReaders } from './readers.ts'
import { isOffice, type SeenThread } from './sight.ts'

export const remindOfficeTask = taskName({ name: 'chat.remindOffice', payload: z.object({ threadId: z.uuid() }) })

export type Said = {
  /** Made where it was written. */
  id: string
  text: string
  visitId: string | null
  photoIds: readonly string[]
  /** ISO instant at which it was written, on our clock. */
  at: string
}

/** Whose screens show a thread: those of its person or crew, for what everybody reads all. */
const tell = (db: TenantDb, thread: Pick<SeenThread, 'kind' | 'id'>): Promise<void> =>
  publishChange(db, 'chat', thread.kind === 'everybody' ? [] : [thread.id])

/** Counts a message of a person, before its transaction. @throws too_many_requests: nothing is lost, a phone sends later */
export const countMessage = (actor: Actor): Promise<void> =>
  countUse(`chat:${actor.businessId}:${actor.userId}`, mostAMinute, 60)

/**
 * Puts a message into a thread; who may write there has been asked.
 * @returns false when the id is another message's
 */
export const sayTx = async (db: TenantDb, actor: Actor, thread: SeenThread, said: Said): Promise<boolean> => {
  const known = await db
    .selectFrom('chatMessages')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', said.id)
    .executeTakeFirst()
  if (known) return false
  const fromOffice = isOffice(actor)
  const now = clock.iso()
  // Its row is the turn of all who write here: numbers go by arrival and none is missing.
  const { lastNumber: number, officeUnread } = await db
    .insertInto('chatThreads')
    .values({
      businessId: db.businessId,
      id: thread.id,
      kind: thread.kind,
      userId: thread.kind === 'person' ? thread.id : null,
      crewId: thread.kind === 'crew' ? thread.id : null,
      lastNumber: 1,
      lastAt: now,
      officeUnread: fromOffice ? 0 : 1,
      createdAt: now,
    })
    .onConflict((c) =>
      c.columns(['businessId', 'id']).doUpdateSet((eb) => ({
        lastNumber: eb('chatThreads.lastNumber', '+', 1),
        lastAt: now,
        officeUnread: eb('chatThreads.officeUnread', '+', fromOffice ? 0 : 1),
        version: eb('chatThreads.version', '+', 1),
      })),
    )
    .returning(['lastNumber', 'officeUnread'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('chatMessages')
    .values({
      businessId: db.businessId,
      id: said.id,
      threadId: thread.id,
      number,
      onDay: dayOf(clock.now(), actor.timeZone),
      authorId: actor.userId,
      fromOffice,
      text: tidyText(said.text),
      visitId: said.visitId,
      photoIds: [...said.photoIds],
      writtenAt: said.at,
      createdAt: now,
    })
    .execute()
  if (!fromOffice && officeUnread === 1)
    await enqueue(
      db,
      remindOfficeTask,
      { threadId: thread.id },
      { key: thread.id, runAt: new Date(clock.nowMs() + noticeAfterMinutes * 60_000).toISOString() },
    )
  const readers = (await listReaders(db, thread, dayOf(clock.now(), actor.timeZone))).filter(
    (id) => id !== actor.userId,
  )
  await pushTx(
    db,
    readers.map((userId) => ({
      userId,
      key: `chat:${said.id}`,
      about: { code: 'chat', from: actor.name },
      path: linkTo.crewChat({ threadId: thread.id }),
      tag: `chat:${thread.id}`,
    })),
  )
  await tell(db, thread)
  return true
}

const assertVisit = async (db: TenantDb, visitId: string | null): Promise<void> => {
  if (visitId === null) return
  const visit = await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  if (!visit) throw notFound('visit')
}

/** The office writes. @throws not_found, state_conflict, validation_failed, too_many_requests */
export const send = async (
  actor: Actor,
  threadId: string,
  { text, visitId, photoIds }: { text: string; visitId: string | null; photoIds: readonly string[] },
  once: Once,
): Promise<ChatMessage> => {
  // what is no conversation counts for nobody
  if (!(await withTenant(actor, (db) => findThread(db, actor, threadId)))) throw notFound('conversation')
  await countMessage(actor)
  return once(() =>
    withTenant(actor, async (db) => {
      const thread = await findThread(db, actor, threadId)
      if (!thread) throw notFound('conversation')
      refuse(threadRefusals.write(thread))
      if (!isSendable({ text, photoCount: photoIds.length }))
        throw invalid([{ path: 'text', message: 'Write something or add a photo first.' }])
      await assertVisit(db, visitId)
      const id = newId()
      await sayTx(db, actor, thread, { id, text, visitId, photoIds: [...new Set(photoIds)], at: clock.iso() })
      return getMessage(db, id)
    }),
  )
}

/** Who of the office reads takes the message off everybody's list there, and the notice of it off their bells. */
const readByOffice = async (db: TenantDb, threadId: string, upTo: number): Promise<void> => {
  const thread = await db
    .selectFrom('chatThreads')
    .select(['officeNumber', 'noticeKey'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', threadId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (thread.officeNumber >= upTo) return
  const { unread } = await db
    .selectFrom('chatMessages')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('businessId', '=', db.businessId)
    .where('threadId', '=', threadId)
    .where('number', '>', upTo)
    .where('fromOffice', '=', false)
    .executeTakeFirstOrThrow()
  const settled = thread.noticeKey !== null && Number(unread) === 0
  await db
    .updateTable('chatThreads')
    .set({ officeNumber: upTo, officeUnread: Number(unread), ...(settled ? { noticeKey: null } : {}) })
    .where('businessId', '=', db.businessId)
    .where('id', '=', threadId)
    .execute()
  if (settled && thread.noticeKey) await settleNotice(db, thread.noticeKey)
}

/** Somebody has read a thread up to a message; what was read before changes nothing. @throws not_found */
export const markRead = (
  actor: Actor,
  threadId: string,
  { upTo, secondsAgo }: { upTo: number; secondsAgo: number },
): Promise<ChatThread> =>
  withTenant(actor, async (db) => {
    const thread = await findThread(db, actor, threadId)
    if (!thread) throw notFound('conversation')
    const readNumber = Math.min(upTo, thread.lastNumber)
    if (readNumber > 0) {
      const further = await db
        .insertInto('chatReaders')
        .values({ businessId: db.businessId, threadId, userId: actor.userId, readNumber })
        .onConflict((c) =>
          c
            .columns(['businessId', 'threadId', 'userId'])
            .doUpdateSet({ readNumber })
            .where('chatReaders.readNumber', '<', readNumber),
        )
        .returning('readNumber')
        .executeTakeFirst()
      if (further) {
        const readAt = new Date(clock.nowMs() - secondsAgo * 1000).toISOString()
        await db
          .insertInto('chatReads')
          .values({ businessId: db.businessId, threadId, userId: actor.userId, upToNumber: readNumber, readAt })
          .execute()
        if (isOffice(actor)) await readByOffice(db, threadId, readNumber)
        if (thread.kind !== 'everybody')
          await db
            .updateTable('chatThreads')
            .set((eb) => ({ version: eb('version', '+', 1) }))
            .where('businessId', '=', db.businessId)
            .where('id', '=', threadId)
            .execute()
        // Who reads what everybody reads is the office's matter: not every phone asks again for every reader.
        await publishChange(db, 'chat', [threadId])
      }
    }
    return getThread(db, actor, threadId)
  })

const findOwn = async (db: TenantDb, actor: Actor, messageId: string) => {
  const message = await db
    .selectFrom('chatMessages')
    .innerJoin('chatThreads as t', (join) =>
      join.onRef('t.businessId', '=', 'chatMessages.businessId').onRef('t.id', '=', 'chatMessages.threadId'),
    )
    .select(['chatMessages.photoIds', 't.id', 't.kind'])
    .where('chatMessages.businessId', '=', db.businessId)
    .where('chatMessages.id', '=', messageId)
    .where('chatMessages.authorId', '=', actor.userId)
    .executeTakeFirst()
  if (!message) throw notFound('message')
  return message
}

const hasPhoto = async (db: TenantDb, messageId: string, photoId: string): Promise<boolean> => {
  const photo = await db
    .selectFrom('chatPhotos')
    .select('messageId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', photoId)
    .executeTakeFirst()
  if (photo && photo.messageId !== messageId) throw conflict('This photo already belongs to another message.')
  return photo !== undefined
}

/** Keeps a photo of one's own message; the same id again answers the first one. @throws not_found, unsupported_media, state_conflict */
export const addChatPhoto = async (
  actor: Actor,
  messageId: string,
  photoId: string,
  bytes: unknown,
): Promise<ChatMessage> => {
  const isKept = await withTenant(actor, async (db) => {
    const { photoIds } = await findOwn(db, actor, messageId)
    if (!photoIds.includes(photoId)) throw notFound('photo')
    return hasPhoto(db, messageId, photoId)
  })
  if (isKept) return withTenant(actor, (db) => getMessage(db, messageId))
  if (!Buffer.isBuffer(bytes) || bytes.byteLength === 0)
    throw new AppError('unsupported_media', 'Send the photo itself, as JPEG, PNG or WebP. Nothing was changed.')
  const image = await storeImage(actor, bytes)
  return withTenant(actor, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`chat-photo:${messageId}`}, 0))`.execute(db)
    const thread = await findOwn(db, actor, messageId)
    if (!(await hasPhoto(db, messageId, photoId))) {
      const fileId = await addFileTx(db, actor, 'photo', image)
      await db
        .insertInto('chatPhotos')
        .values({ businessId: db.businessId, id: photoId, messageId, fileId, createdAt: clock.iso() })
        .execute()
      await db
        .updateTable('chatThreads')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', thread.id)
        .execute()
      await tell(db, thread)
    }
    return getMessage(db, messageId)
  })
}

/** Tells the office of a message that nobody there has read for some minutes, once until they read it. */
export const remindOfficeTx = async (db: TenantDb, threadId: string): Promise<void> => {
  const { rows } = await sql<{
    number: number
    name: string
    text: string
    photos: number
    crew: string | null
    more: number
  }>`
    select c.number, coalesce(u.name, 'Somebody') as name, c.text, cardinality(c.photo_ids) as photos, k.name as crew, t.office_unread - 1 as more
    from chat_threads t
    join lateral (
      select * from chat_messages c where c.business_id = t.business_id and c.thread_id = t.id and c.number > t.office_number and not c.from_office
      order by c.number limit 1) c on true
    left join users u on u.business_id = c.business_id and u.id = c.author_id
    left join crews k on k.business_id = t.business_id and k.id = t.crew_id
    where t.business_id = ${db.businessId} and t.id = ${threadId} and t.office_unread > 0
      and c.created_at <= ${new Date(clock.nowMs() - (noticeAfterMinutes * 60 - 5) * 1000).toISOString()}::timestamptz`.execute(
    db,
  )
  const row = rows[0]
  if (!row) return
  const dedupeKey = `chat:${threadId}:${row.number}`
  await db
    .updateTable('chatThreads')
    .set({ noticeKey: dedupeKey })
    .where('businessId', '=', db.businessId)
    .where('id', '=', threadId)
    .execute()
  await notifyOffice(db, {
    type: 'other',
    topic: 'chat',
    title: row.crew ? `${row.name} wrote in ${row.crew}` : `${row.name} wrote to the office`,
    content: `${excerpt(row.text, row.photos)}${row.more > 0 ? ` (and ${row.more} more)` : ''}`,
    path: linkTo.chat(threadId),
    dedupeKey,
  })
}
