import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue, taskName } from '../../../../platform/tasks/task.ts'
import { instantAt } from '../../../../shared/dates.ts'
import { AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { notifyOffice, notifyUsers } from '../../../notifications/server/commands.ts'
import { byHand } from '../../rules.ts'
import type { ConversationNote, ConversationRecord } from '../contract.ts'
import { foldedState, type SnoozeWish, snoozeProblem, snoozeUntil, stateOf } from '../rules.ts'
import { getConversation, getNote, listConversationPeople } from './queries.ts'

/** Says that a conversation rests no more; the work stands in tasks.ts. */
export const wakeTask = taskName({
  name: 'messages.wake',
  payload: z.object({ customerId: z.uuid(), until: z.string() }),
})

const nameOf = async (db: TenantDb, customerId: string): Promise<string> => {
  const row = await db
    .selectFrom('customers')
    .select('name')
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw notFound('customer')
  return row.name
}

const find = (db: TenantDb, customerId: string) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .forUpdate()
    .executeTakeFirst()
type Row = NonNullable<Awaited<ReturnType<typeof find>>>
type Changes = Partial<Pick<Row, 'assigneeId' | 'snoozedUntil' | 'snoozedBy' | 'closedAt' | 'closedBy' | 'unanswered'>>

/** The row of a conversation, which nobody else changes until the transaction ends. @throws not_found */
const lock = async (db: TenantDb, customerId: string): Promise<Row> => {
  await nameOf(db, customerId)
  await db
    .insertInto('conversations')
    .values({ businessId: db.businessId, customerId, version: 0, updatedAt: clock.iso() })
    .onConflict((c) => c.columns(['businessId', 'customerId']).doNothing())
    .execute()
  const row = await find(db, customerId)
  if (!row) throw notFound('conversation')
  return row
}

const set = async (db: TenantDb, row: Pick<Row, 'customerId' | 'version'>, changes: Changes): Promise<void> => {
  await db
    .updateTable('conversations')
    .set({ ...changes, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', row.customerId)
    .execute()
  await publishChange(db, 'messages')
}

/** Nothing is typed into a conversation: who sees what it has become presses again, or not. @throws version_conflict */
export const requireSeen = (row: Pick<Row, 'version'>, seen: number): void => {
  if (row.version !== seen)
    throw new AppError('version_conflict', 'Somebody changed this conversation a moment ago. Look and press again.', {
      details: { version: row.version },
    })
}

/** @throws validation_failed for somebody who is not there to be given anything */
export const requireInOffice = async (db: TenantDb, userId: string | null): Promise<void> => {
  if (userId !== null && !(await listConversationPeople(db)).some(({ id }) => id === userId))
    throw invalid([
      { path: 'userId', message: 'This person is not in the office. Choose somebody else. Nothing was changed.' },
    ])
}

/** The instant that somebody wants it to rest until. @throws validation_failed */
export const restUntil = (until: SnoozeWish, timeZone: string): string => {
  const problem = typeof until === 'string' ? null : snoozeProblem(until, clock.now(), timeZone)
  if (problem) throw invalid([{ path: 'until', message: problem }])
  const at =
    typeof until === 'string' ? snoozeUntil(until, clock.now(), timeZone) : instantAt(until.day, until.minute, timeZone)
  if (at === null)
    throw invalid([{ path: 'until', message: 'Today is almost over. Choose tomorrow morning. Nothing was changed.' }])
  return at
}

const noSnooze = { snoozedUntil: null, snoozedBy: null }
const notClosed = { closedAt: null, closedBy: null }

/** Gives a conversation to somebody, who is told; to whom it is given already, nothing changes. @throws not_found, version_conflict */
export const assignConversation = (
  actor: Actor,
  customerId: string,
  { userId, version }: { userId: string | null; version: number },
): Promise<ConversationRecord> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, customerId)
    if (row.assigneeId === userId) return getConversation(db, actor, customerId)
    requireSeen(row, version)
    await requireInOffice(db, userId)
    await set(db, row, { assigneeId: userId })
    await audit(
      db,
      actor,
      'conversation.assign',
      { type: 'customer', id: customerId },
      { before: { assigneeId: row.assigneeId }, after: { assigneeId: userId } },
    )
    if (userId !== null && userId !== actor.userId)
      await notifyUsers(db, [userId], {
        type: 'sms',
        title: `${actor.name} gave you the conversation with ${await nameOf(db, customerId)}`,
        customerId,
        path: linkTo.thread(customerId),
        dedupeKey: `conversation:${customerId}:assigned:${row.version + 1}`,
      })
    return getConversation(db, actor, customerId)
  })

/** Lets a conversation rest. @throws not_found, version_conflict, invalid */
export const snoozeConversation = (
  actor: Actor,
  customerId: string,
  { until, version }: { until: SnoozeWish; version: number },
): Promise<ConversationRecord> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, customerId)
    const at = restUntil(until, actor.timeZone)
    if (row.snoozedUntil !== null && Date.parse(row.snoozedUntil) === Date.parse(at))
      return getConversation(db, actor, customerId)
    requireSeen(row, version)
    await set(db, row, { snoozedUntil: at, snoozedBy: actor.userId, ...notClosed })
    // one that waits for an earlier time is replaced
    await enqueue(db, wakeTask, { customerId, until: at }, { key: customerId, runAt: at })
    await audit(db, actor, 'conversation.snooze', { type: 'customer', id: customerId }, { after: { until: at } })
    return getConversation(db, actor, customerId)
  })

/** Nothing is to be done about it; again changes nothing. @throws not_found, version_conflict */
export const closeConversation = (actor: Actor, customerId: string, version: number): Promise<ConversationRecord> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, customerId)
    if (row.closedAt === null) {
      requireSeen(row, version)
      await set(db, row, { closedAt: clock.iso(), closedBy: actor.userId, ...noSnooze })
      await audit(db, actor, 'conversation.close', { type: 'customer', id: customerId })
    }
    return getConversation(db, actor, customerId)
  })

/** Opens what rests or is done; again changes nothing. @throws not_found, version_conflict */
export const reopenConversation = (actor: Actor, customerId: string, version: number): Promise<ConversationRecord> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, customerId)
    if (row.closedAt !== null || row.snoozedUntil !== null) {
      requireSeen(row, version)
      await set(db, row, { ...noSnooze, ...notClosed })
      await audit(db, actor, 'conversation.reopen', { type: 'customer', id: customerId })
    }
    return getConversation(db, actor, customerId)
  })

/** Who hears that a conversation is open again: who has it, else who let it rest or closed it; the whole office where both are gone. */
const tellOpen = async (db: TenantDb, row: Row, title: string, key: string): Promise<void> => {
  const people = await listConversationPeople(db)
  const whose = [row.assigneeId, row.snoozedBy, row.closedBy].find((id) => people.some((person) => person.id === id))
  const notice = {
    type: 'sms' as const,
    title,
    customerId: row.customerId,
    path: linkTo.thread(row.customerId),
    dedupeKey: `conversation:${row.customerId}:${key}`,
  }
  if (whose) await notifyUsers(db, [whose], notice)
  else await notifyOffice(db, notice)
}

/** Of one rest: a later one until the same instant is another. */
const wokeKey = ({ version }: Row, until: string): string => `woke:${Date.parse(until)}:${version}`

/** The time that a conversation was to rest until has come. It has been open since then for everybody who looks; this says so, once. */
export const wakeConversationTx = async (db: TenantDb, customerId: string): Promise<void> => {
  const row = await find(db, customerId)
  // woken before, or snoozed anew until later
  if (!row?.snoozedUntil || Date.parse(row.snoozedUntil) > clock.nowMs()) return
  await set(db, row, noSnooze)
  await tellOpen(
    db,
    row,
    `The conversation with ${await nameOf(db, customerId)} is back`,
    wokeKey(row, row.snoozedUntil),
  )
}

/**
 * A customer wrote: what rested or was done is open again, in the transaction in which the message comes in. It always makes a new version, so that
 * who presses Done or Snooze over a thread without this message is refused.
 * @param asks a person wrote it, who waits for an answer; not a word to the machine, as STOP
 */
export const hearCustomerTx = async (
  db: TenantDb,
  customerId: string,
  messageId: string,
  asks: boolean,
): Promise<void> => {
  const row = await lock(db, customerId)
  await set(db, row, { ...noSnooze, ...notClosed, ...(asks ? { unanswered: true } : {}) })
  if (row.snoozedUntil === null && row.closedAt === null) return
  // a snooze that was over is told of by its task, or here, never by both
  const key = row.snoozedUntil === null ? `heard:${messageId}` : wokeKey(row, row.snoozedUntil)
  await tellOpen(db, row, `${await nameOf(db, customerId)} wrote: the conversation is open again`, key)
}

type Brought = Pick<Row, 'assigneeId' | 'snoozedUntil' | 'snoozedBy' | 'closedAt' | 'closedBy'>

/** A number that was nobody's is this customer's: what was done with its conversation holds for theirs, as where two records become one. */
export const takeOverTx = async (db: TenantDb, customerId: string, brought: Brought): Promise<void> => {
  const before = (await find(db, customerId)) ?? null
  const row = before ?? (await lock(db, customerId))
  const assigneeId = row.assigneeId ?? brought.assigneeId
  // an open one asks for nothing by itself: what in it is unread opens the customer's, and says so
  if (stateOf(brought, clock.nowMs()) === 'open') {
    if (assigneeId !== row.assigneeId) await set(db, row, { assigneeId })
    return
  }
  // somebody without a conversation has none that would be open
  const { snoozedUntil, closed } = foldedState(before ?? brought, brought, clock.nowMs())
  await set(db, row, {
    assigneeId,
    snoozedUntil,
    snoozedBy: snoozedUntil === null ? null : (row.snoozedBy ?? brought.snoozedBy),
    closedAt: closed ? (row.closedAt ?? brought.closedAt) : null,
    closedBy: closed ? (row.closedBy ?? brought.closedBy) : null,
  })
  if (snoozedUntil !== null)
    await enqueue(db, wakeTask, { customerId, until: snoozedUntil }, { key: customerId, runAt: snoozedUntil })
}

/** Somebody of the office is about to write by hand: one at a time in a conversation, so that the next one sees what the first wrote. @throws not_found */
export const beginAnswerTx = async (db: TenantDb, customerId: string): Promise<void> => {
  await lock(db, customerId)
}

/**
 * Somebody of the office wrote by hand: the customer waits no more. An answer out of what is done leaves it done, unless something of theirs is still
 * unread in it. It makes no version: who presses Done over it means the conversation with the answer just as well.
 */
export const answerCustomerTx = async (db: TenantDb, customerId: string): Promise<void> => {
  const row = await find(db, customerId)
  if (!row) return
  const unread =
    row.closedAt !== null &&
    (await db
      .selectFrom('messages')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', customerId)
      .where('direction', '=', 'inbound')
      .where('openedAt', 'is', null)
      .limit(1)
      .executeTakeFirst())
  if (unread) await set(db, row, { ...notClosed, unanswered: false })
  else if (row.unanswered)
    await db
      .updateTable('conversations')
      .set({ unanswered: false })
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', customerId)
      .execute()
}

/** Says anew whether a customer waits for an answer, after messages became theirs or went to another record. */
export const recountUnansweredTx = async (db: TenantDb, customerId: string): Promise<void> => {
  const { rows } = await sql<{ direction: string }>`
    select direction from messages where business_id = ${db.businessId} and customer_id = ${customerId}
      and ((direction = 'inbound' and reason is null) or (direction = 'outbound' and dedupe_key like ${`${byHand}%`}))
    order by id desc limit 1`.execute(db)
  const unanswered = rows[0]?.direction === 'inbound'
  const row = unanswered ? await lock(db, customerId) : await find(db, customerId)
  if (!row || row.unanswered === unanswered) return
  await db
    .updateTable('conversations')
    .set({ unanswered })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .execute()
}

/** Whose conversation a note stands in: a customer's, or a number's that nobody knows. */
type About = { customerId: string } | { address: string }

/** Puts a note into a conversation that is there. */
export const addNoteTx = async (db: TenantDb, actor: Actor, about: About, text: string): Promise<ConversationNote> => {
  const id = newId()
  await db
    .insertInto('conversationNotes')
    .values({ businessId: db.businessId, id, ...about, body: text, userId: userIdOf(actor), createdAt: clock.iso() })
    .execute()
  const note = await getNote(db, actor, id)
  await audit(db, actor, 'conversation.note', recordOf(note), 'address' in about ? { after: about } : {})
  await tellNote(db, note)
  return note
}

const recordOf = ({ customerId }: ConversationNote): { type: string; id: string | null } => ({
  type: customerId === null ? 'number' : 'customer',
  id: customerId,
})

const tellNote = async (db: TenantDb, { customerId }: ConversationNote): Promise<void> => {
  await publishChange(db, 'messages')
  if (customerId !== null) await publishChange(db, 'customers', [customerId])
}

export const addConversationNote = (actor: Actor, customerId: string, text: string): Promise<ConversationNote> =>
  withTenant(actor, async (db) => {
    await nameOf(db, customerId)
    return addNoteTx(db, actor, { customerId }, text)
  })

/** @throws not_found, state_conflict for who did not write it */
export const removeConversationNote = (actor: Actor, id: string): Promise<{ id: string }> =>
  withTenant(actor, async (db) => {
    const note = await getNote(db, actor, id)
    if (!note.can.remove) throw conflict('Only who wrote a note takes it out. Nothing was changed.')
    await db.deleteFrom('conversationNotes').where('businessId', '=', db.businessId).where('id', '=', id).execute()
    const { address, text } = note
    await audit(db, actor, 'conversation.removeNote', recordOf(note), {
      before: { ...(address === null ? {} : { address }), text },
    })
    await tellNote(db, note)
    return { id }
  })

/** Internal notes on numbers are a customer's now, as the numbers are. */
export const giveNotesTx = async (db: TenantDb, addresses: readonly string[], customerId: string): Promise<void> => {
  await db
    .updateTable('conversationNotes')
    .set({ customerId, address: null })
    .where('businessId', '=', db.businessId)
    .where('address', 'in', [...addresses])
    .execute()
}

/** Internal notes of a customer become another's, all of them or those named: both are the same person. Returns which. */
export const moveConversationNotesTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('conversationNotes')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Two records of a customer become one: so do their conversations, whose person is the first of both who is still in the office. What is taken apart
 * again keeps what it is by then.
 */
export const foldConversationTx = async (db: TenantDb, goneId: string, keptId: string): Promise<void> => {
  const gone = (await find(db, goneId)) ?? null
  const before = (await find(db, keptId)) ?? null
  if (!gone && !before) return recountUnansweredTx(db, keptId)
  const { snoozedUntil, closed } = foldedState(before, gone, clock.nowMs())
  const kept = before ?? (await lock(db, keptId))
  const people = await listConversationPeople(db)
  await set(db, kept, {
    assigneeId:
      [kept.assigneeId, gone?.assigneeId].find((id) => people.some((person) => person.id === id)) ?? kept.assigneeId,
    snoozedUntil,
    snoozedBy: snoozedUntil === null ? null : (kept.snoozedBy ?? gone?.snoozedBy ?? null),
    closedAt: closed ? (kept.closedAt ?? gone?.closedAt ?? null) : null,
    closedBy: closed ? (kept.closedBy ?? gone?.closedBy ?? null) : null,
  })
  if (snoozedUntil !== null)
    await enqueue(db, wakeTask, { customerId: keptId, until: snoozedUntil }, { key: keptId, runAt: snoozedUntil })
  // nobody is told of a conversation that is part of another one now
  if (gone) await set(db, gone, noSnooze)
  await recountUnansweredTx(db, goneId)
  await recountUnansweredTx(db, keptId)
}
