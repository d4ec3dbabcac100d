import { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { enqueue, taskName } from '../../../../platform/tasks/task.ts'
import { notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { notifyOffice, notifyUsers } from '../../../notifications/server/commands.ts'
import type { ConversationNote, ConversationRecord } from '../../conversations/contract.ts'
import type { SnoozeWish } from '../../conversations/rules.ts'
import {
  addNoteTx,
  giveNotesTx,
  requireInOffice,
  requireSeen,
  restUntil,
  takeOverTx,
} from '../../conversations/server/commands.ts'
import { listConversationPeople } from '../../conversations/server/queries.ts'
import { getNumberConversation, requireNumber } from './queries.ts'

/** Says that a conversation rests no more; the work stands in tasks.ts. */
export const wakeNumberTask = taskName({
  name: 'messages.wakeNumber',
  payload: z.object({ address: z.string(), until: z.string() }),
})

const find = (db: TenantDb, address: string) =>
  db
    .selectFrom('numberConversations')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('address', '=', address)
    .forUpdate()
    .executeTakeFirst()
type Row = NonNullable<Awaited<ReturnType<typeof find>>>
type Changes = Partial<Pick<Row, 'assigneeId' | 'snoozedUntil' | 'snoozedBy' | 'closedAt' | 'closedBy' | 'unanswered'>>

/** The row of a conversation, which nobody else changes until the transaction ends. */
const lock = async (db: TenantDb, address: string): Promise<Row> => {
  await db
    .insertInto('numberConversations')
    .values({ businessId: db.businessId, address, version: 0, updatedAt: clock.iso() })
    .onConflict((c) => c.columns(['businessId', 'address']).doNothing())
    .execute()
  const row = await find(db, address)
  if (!row) throw notFound('conversation')
  return row
}

const set = async (db: TenantDb, row: Pick<Row, 'address' | 'version'>, changes: Changes): Promise<void> => {
  await db
    .updateTable('numberConversations')
    .set({ ...changes, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('address', '=', row.address)
    .execute()
  await publishChange(db, 'messages')
}

const noSnooze = { snoozedUntil: null, snoozedBy: null }
const notClosed = { closedAt: null, closedBy: null }

/** Does something with the row that is seen; null: it is so already. */
const change = (
  actor: Actor,
  address: string,
  { version, action }: { version: number; action: string },
  become: (db: TenantDb, row: Row) => Promise<Changes | null>,
  after: (db: TenantDb, row: Row, changes: Changes) => Promise<void> = async () => {},
): Promise<ConversationRecord> =>
  withTenant(actor, async (db) => {
    await requireNumber(db, address)
    const row = await lock(db, address)
    const changes = await become(db, row)
    if (changes) {
      requireSeen(row, version)
      await set(db, row, changes)
      await audit(db, actor, `conversation.${action}`, { type: 'number', id: null }, { after: { address, ...changes } })
      await after(db, row, changes)
    }
    return getNumberConversation(db, actor, address)
  })

/** Gives a conversation to somebody, who is told; to whom it is given already, nothing changes. @throws not_found, version_conflict */
export const assignNumber = (
  actor: Actor,
  address: string,
  { userId, version }: { userId: string | null; version: number },
): Promise<ConversationRecord> =>
  change(
    actor,
    address,
    { version, action: 'assign' },
    async (db, row) => {
      if (row.assigneeId === userId) return null
      requireSeen(row, version)
      await requireInOffice(db, userId)
      return { assigneeId: userId }
    },
    async (db, row) => {
      if (userId === null || userId === actor.userId) return
      await notifyUsers(db, [userId], {
        type: 'sms',
        title: `${actor.name} gave you the conversation with ${formatPhone(address)}`,
        path: linkTo.thread(address),
        dedupeKey: `conversation:${address}:assigned:${row.version + 1}`,
      })
    },
  )

/** Lets a conversation rest. @throws not_found, version_conflict, invalid */
export const snoozeNumber = (
  actor: Actor,
  address: string,
  { until, version }: { until: SnoozeWish; version: number },
): Promise<ConversationRecord> =>
  change(
    actor,
    address,
    { version, action: 'snooze' },
    async (_, row) => {
      const at = restUntil(until, actor.timeZone)
      return row.snoozedUntil !== null && Date.parse(row.snoozedUntil) === Date.parse(at)
        ? null
        : { snoozedUntil: at, snoozedBy: actor.userId, ...notClosed }
    },
    // one that waits for an earlier time is replaced
    async (db, _, { snoozedUntil }) => {
      if (snoozedUntil)
        await enqueue(db, wakeNumberTask, { address, until: snoozedUntil }, { key: address, runAt: snoozedUntil })
    },
  )

/** Nothing is to be done about it; again changes nothing. @throws not_found, version_conflict */
export const closeNumber = (actor: Actor, address: string, version: number): Promise<ConversationRecord> =>
  change(actor, address, { version, action: 'close' }, async (_, row) =>
    row.closedAt === null ? { closedAt: clock.iso(), closedBy: actor.userId, ...noSnooze } : null,
  )

/** Opens what rests or is done; again changes nothing. @throws not_found, version_conflict */
export const reopenNumber = (actor: Actor, address: string, version: number): Promise<ConversationRecord> =>
  change(actor, address, { version, action: 'reopen' }, async (_, row) =>
    row.closedAt !== null || row.snoozedUntil !== null ? { ...noSnooze, ...notClosed } : null,
  )

/** @throws not_found for a number that wrote nothing, or is a customer's */
export const addNumberNote = (actor: Actor, address: string, text: string): Promise<ConversationNote> =>
  withTenant(actor, async (db) => {
    await requireNumber(db, address)
    return addNoteTx(db, actor, { address }, text)
  })

/** Who hears that it is open again: who has it, else who let it rest or closed it; the whole office where both are gone. */
const tellOpen = async (db: TenantDb, row: Row, title: string, key: string): Promise<void> => {
  const people = await listConversationPeople(db)
  const whose = [row.assigneeId, row.snoozedBy, row.closedBy].find((id) => people.some((person) => person.id === id))
  const { address } = row
  const notice = {
    type: 'sms' as const,
    title,
    path: linkTo.thread(address),
    dedupeKey: `conversation:${address}:${key}`,
  }
  if (whose) await notifyUsers(db, [whose], notice)
  else await notifyOffice(db, notice)
}

const wokeKey = ({ version }: Row, until: string): string => `woke:${Date.parse(until)}:${version}`

/** The time that a conversation was to rest until has come; this says so, once. */
export const wakeNumberTx = async (db: TenantDb, address: string): Promise<void> => {
  const row = await find(db, address)
  // woken before, snoozed anew until later, or a customer's by now
  if (!row?.snoozedUntil || Date.parse(row.snoozedUntil) > clock.nowMs()) return
  await set(db, row, noSnooze)
  await tellOpen(db, row, `The conversation with ${formatPhone(address)} is back`, wokeKey(row, row.snoozedUntil))
}

/**
 * An unknown number wrote: what rested or was done is open again, and a press over a thread without this message is refused.
 * @param asks a person wrote it, who waits for an answer; not a word to the machine, as STOP
 */
export const hearNumberTx = async (db: TenantDb, address: string, messageId: string, asks: boolean): Promise<void> => {
  const row = await lock(db, address)
  await set(db, row, { ...noSnooze, ...notClosed, ...(asks ? { unanswered: true } : {}) })
  if (row.snoozedUntil === null && row.closedAt === null) return
  const key = row.snoozedUntil === null ? `heard:${messageId}` : wokeKey(row, row.snoozedUntil)
  await tellOpen(db, row, `${formatPhone(address)} wrote: the conversation is open again`, key)
}

/** Somebody of the office texted a number by hand, from its lead: it waits no more. It makes no version, as with a customer. */
export const answerNumberTx = async (db: TenantDb, address: string): Promise<void> => {
  const answered = await db
    .updateTable('numberConversations')
    .set({ unanswered: false })
    .where('businessId', '=', db.businessId)
    .where('address', '=', address)
    .where('unanswered', '=', true)
    .executeTakeFirst()
  if (answered.numUpdatedRows > 0n) await publishChange(db, 'messages')
}

/** Numbers are a customer's now: whose their conversation was, until when it rests and what was noted goes with them. */
export const giveNumbersTx = async (db: TenantDb, addresses: readonly string[], customerId: string): Promise<void> => {
  if (addresses.length === 0) return
  const rows = await db
    .deleteFrom('numberConversations')
    .where('businessId', '=', db.businessId)
    .where('address', 'in', [...addresses])
    .returningAll()
    .execute()
  for (const row of rows) await takeOverTx(db, customerId, row)
  await giveNotesTx(db, addresses, customerId)
}
