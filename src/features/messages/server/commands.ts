import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, conflict, notFound } from '../../../shared/errors.ts'
import { toE164 } from '../../../shared/phone.ts'
import type { Message } from '../contract.ts'
import { answerCustomerTx, hearCustomerTx, recountUnansweredTx } from '../conversations/server/commands.ts'
import { answerNumberTx, giveNumbersTx } from '../numbers/server/commands.ts'
import { segmentsOf } from '../photos/rules.ts'
import { attachPhotosTx } from '../photos/server/commands.ts'
import { byHand, type Channel, type MessageStatus, messageRefusals, type Purpose } from '../rules.ts'
import { type Attachment, findSuppression, getMessage, getResendFacts, smsUsage } from './queries.ts'
import { requireSeenAnswers } from './seen.ts'

/** Lets one message leave; the work stands in tasks.ts. */
export const sendMessageTask = taskName({
  name: 'messages.send',
  payload: z.object({ messageId: z.uuid() }),
  attempts: 12,
})

export type Outgoing = {
  channel: Channel
  purpose: Purpose
  /** E-mail address or E.164 number. */
  address: string
  /** What makes this effect happen once: `invoice:<id>:sent`. A second wish with the same key changes nothing. */
  dedupeKey: string
  /** Who it is from; the business, unless it is Swath itself that writes. */
  fromName?: string
  subject?: string
  text: string
  html?: string
  attachments?: Attachment[]
  customerId?: string | null
  userId?: string | null
  entity?: { type: string; id: string }
  /** It asks for money of that record, or for an answer, and is recalled when there is nothing to ask for any more. */
  asks?: boolean
  /** Does not leave before this instant, so that an undo can recall it. */
  runAfter?: string
}

/**
 * Puts a message into the outbox in the running transaction; it passes the gate (suppression, consent, plan limit, quiet hours) when it would leave.
 * @returns the message's id, also when the same effect was asked for before
 */
export const queueMessage = async (db: TenantDb, message: Outgoing): Promise<string> => {
  const business = await db
    .selectFrom('businesses')
    .select('name')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const now = clock.iso()
  const id = newId()
  const made = await db
    .insertInto('messages')
    .values({
      businessId: db.businessId,
      id,
      channel: message.channel,
      purpose: message.purpose,
      address: message.channel === 'email' ? message.address.trim().toLowerCase() : message.address,
      fromName: message.fromName ?? business.name,
      subject: message.subject ?? '',
      bodyText: message.text,
      bodyHtml: message.html ?? null,
      attachments: JSON.stringify(message.attachments ?? []),
      customerId: message.customerId ?? null,
      userId: message.userId ?? null,
      entityType: message.entity?.type ?? null,
      entityId: message.entity?.id ?? null,
      dedupeKey: message.dedupeKey,
      asks: message.asks ?? false,
      segments: message.channel === 'sms' ? segmentsOf(message.text, message.attachments?.length ?? 0) : 1,
      runAfter: message.runAfter ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((c) => c.columns(['businessId', 'dedupeKey']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) {
    const before = await db
      .selectFrom('messages')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('dedupeKey', '=', message.dedupeKey)
      .executeTakeFirstOrThrow()
    return before.id
  }
  await enqueue(
    db,
    sendMessageTask,
    { messageId: id },
    { key: id, ...(message.runAfter ? { runAt: message.runAfter } : {}) },
  )
  await publishChange(db, 'messages', [id])
  return id
}

const customerContact = async (db: TenantDb, customerId: string) => {
  const row = await db
    .selectFrom('customers')
    .select(['id', 'email', 'phone', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw notFound('customer')
  return row
}

const replyKey = (actor: Actor, whom: string, text: string): string =>
  `${byHand}${whom}:${actor.userId}:${createHash('sha256').update(text).digest('hex').slice(0, 16)}:${newId()}`

type Written = {
  address: string
  text: string
  customerId: string | null
  entity?: { type: string; id: string }
  attachments?: Attachment[]
}

/** What a person writes by hand, as a text; refused with the reason when it could not leave anyway. */
export const queueTextTx = async (
  db: TenantDb,
  actor: Actor,
  { name, ...to }: Written & { name: string },
): Promise<string> => {
  const suppressed = await findSuppression(db, 'sms', to.address)
  if (suppressed?.purpose === 'all')
    throw conflict(
      `${name} does not want texts (${suppressed.reason}). Only they can turn texts on again, by replying START.`,
    )
  const usage = await smsUsage(db)
  if (
    usage.segmentLimit !== null &&
    usage.segmentsUsed + segmentsOf(to.text, to.attachments?.length ?? 0) > usage.segmentLimit
  ) {
    throw new AppError(
      'message_limit_reached',
      `Your plan's ${usage.segmentLimit} SMS segments of this month are used up. Send an e-mail instead, or take a larger plan.`,
    )
  }
  if (to.customerId) {
    await recallTextBackTx(db, to.customerId)
    await answerCustomerTx(db, to.customerId)
  } else await answerNumberTx(db, to.address)
  return queueMessage(db, {
    channel: 'sms',
    purpose: 'transactional',
    dedupeKey: replyKey(actor, to.customerId ?? to.entity?.id ?? to.address, to.text),
    userId: actor.userId,
    ...to,
  })
}

/** What a person writes by hand, as a mail. */
export const queueMailTx = async (db: TenantDb, actor: Actor, mail: Written & { subject: string }): Promise<string> => {
  if (mail.customerId) {
    await recallTextBackTx(db, mail.customerId)
    await answerCustomerTx(db, mail.customerId)
  }
  return queueMessage(db, {
    channel: 'email',
    purpose: 'transactional',
    dedupeKey: replyKey(actor, mail.customerId ?? mail.entity?.id ?? mail.address, mail.text),
    userId: actor.userId,
    ...mail,
  })
}

/** What was written with somebody who is a customer now stands in the customer's thread from here on. */
export const giveMessagesTx = async (
  db: TenantDb,
  to: { customerId: string; entity?: { type: string; id: string }; addresses: readonly string[] },
): Promise<void> => {
  const given = await db
    .updateTable('messages')
    .set({ customerId: to.customerId })
    .where('businessId', '=', db.businessId)
    .where('customerId', 'is', null)
    // our answer to HELP stands in the thread; what opens an account stands in none
    .where((eb) =>
      eb.or([eb('purpose', '!=', 'account'), eb.and([eb('channel', '=', 'sms'), eb('entityType', 'is', null)])]),
    )
    .where((eb) =>
      eb.or([
        ...(to.entity ? [eb.and([eb('entityType', '=', to.entity.type), eb('entityId', '=', to.entity.id)])] : []),
        ...(to.addresses.length > 0
          ? [eb.and([eb('address', 'in', [...to.addresses]), eb('userId', 'is', null)])]
          : []),
      ]),
    )
    .returning(['id', 'direction', 'openedAt'])
    .execute()
  await giveNumbersTx(db, to.addresses, to.customerId)
  if (given.length === 0) return
  await publishChange(db, 'messages')
  // what nobody has read asks of their conversation what it would ask had it come from the customer
  const unread = given.flatMap((one) => (one.direction === 'inbound' && one.openedAt === null ? one.id : []))
  const newest = unread.sort().at(-1)
  if (newest) await hearCustomerTx(db, to.customerId, newest, false)
  await recountUnansweredTx(db, to.customerId)
}

type ByHand = { text: string; photos?: string[] | undefined; seen?: string | null | undefined }

/** Texts a customer by hand; refused with the reason when it could not leave anyway. */
export const textCustomer = async (
  actor: Actor,
  customerId: string,
  { text, photos, seen }: ByHand,
): Promise<Message> =>
  withTenant(actor, async (db) => {
    const customer = await customerContact(db, customerId)
    await requireSeenAnswers(db, actor, customerId, seen)
    const address = customer.phone ? toE164(customer.phone) : null
    if (!address)
      throw conflict(`${customer.name} has no mobile number on file. Add one first; your text is still here.`)
    const attachments = await attachPhotosTx(db, actor, customerId, photos)
    const id = await queueTextTx(db, actor, { name: customer.name, address, text, customerId, attachments })
    await audit(db, actor, 'message.text', { type: 'customer', id: customerId })
    return getMessage(db, actor, id)
  })

export const mailCustomer = async (
  actor: Actor,
  customerId: string,
  { seen, photos, ...mail }: ByHand & { subject: string },
): Promise<Message> =>
  withTenant(actor, async (db) => {
    const customer = await customerContact(db, customerId)
    await requireSeenAnswers(db, actor, customerId, seen)
    if (!customer.email)
      throw conflict(`${customer.name} has no e-mail on file. Add one first; your mail is still here.`)
    const attachments = await attachPhotosTx(db, actor, customerId, photos)
    const id = await queueMailTx(db, actor, { address: customer.email, ...mail, customerId, attachments })
    await audit(db, actor, 'message.mail', { type: 'customer', id: customerId })
    return getMessage(db, actor, id)
  })

/** Sends again what failed or may not have arrived: a new message, so the old one's story stays. */
export const resendMessage = async (actor: Actor, id: string): Promise<Message> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('messages')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('message')
    refuse(messageRefusals.resend(await getResendFacts(db, id)))
    const next = await queueMessage(db, {
      // what a customer wrote in their portal only came in
      channel: row.channel === 'sms' ? 'sms' : 'email',
      purpose: row.purpose,
      address: row.address,
      dedupeKey: `resend:${id}`,
      subject: row.subject,
      text: row.bodyText,
      ...(row.bodyHtml ? { html: row.bodyHtml } : {}),
      attachments: row.attachments as Attachment[],
      customerId: row.customerId,
      userId: row.userId,
      ...(row.entityType && row.entityId ? { entity: { type: row.entityType, id: row.entityId } } : {}),
      asks: row.asks,
    })
    await audit(db, actor, 'message.resend', { type: 'message', id })
    return getMessage(db, actor, next)
  })

/** Nothing is to be done about a message that did not arrive: nobody is asked about it any more. @throws not_found, state_conflict */
export const dismissMessage = (actor: Actor, id: string): Promise<Message> =>
  withTenant(actor, async (db) => {
    const { direction, status } = await getResendFacts(db, id)
    if (direction !== 'outbound' || (status !== 'failed' && status !== 'unknown'))
      throw conflict('This message waits for nobody. Nothing was changed.')
    await db
      .updateTable('messages')
      .set({ dismissedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'message.dismiss', { type: 'message', id })
    await publishChange(db, 'messages', [id])
    return getMessage(db, actor, id)
  })

/** Marks what came in from a customer or a number as read. @returns how many were new */
export const readMessages = async (
  actor: Actor,
  from: { customerId: string } | { address: string },
): Promise<{ readCount: number }> =>
  withTenant(actor, async (db) => {
    if ('customerId' in from) await customerContact(db, from.customerId)
    let unread = db
      .updateTable('messages')
      .set({ openedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('direction', '=', 'inbound')
      .where('openedAt', 'is', null)
    unread =
      'customerId' in from
        ? unread.where('customerId', '=', from.customerId)
        : unread.where('address', '=', from.address).where('customerId', 'is', null)
    const rows = await unread.returning('id').execute()
    if (rows.length > 0) {
      await publishChange(db, 'messages')
      await publishChange(db, 'notifications')
    }
    return { readCount: rows.length }
  })

/** Records a word on consent; a revoke or grant of everything moves the suppression with it. */
export const recordConsent = async (
  db: TenantDb,
  {
    messageId,
    ...word
  }: {
    channel: Channel
    address: string
    purpose: 'transactional' | 'marketing'
    action: 'grant' | 'revoke'
    source: string
    wording?: string
    actorId?: string | null
    /** The day on which they said it, where the office writes it down for them. */
    saidOn?: string
    /** The message that it is about, where that is known. */
    messageId?: string
  },
): Promise<void> => {
  await db
    .insertInto('consentEvents')
    .values({
      businessId: db.businessId,
      id: newId(),
      ...word,
      wording: word.wording ?? '',
      actorId: word.actorId ?? null,
      at: clock.iso(),
    })
    .execute()
  if (word.purpose === 'marketing' && word.action === 'revoke')
    await emit(db, 'offers.ended', {
      channel: word.channel,
      address: word.address,
      why: word.source === 'complaint' ? 'complained' : 'unsubscribed',
      messageId: messageId ?? null,
      at: clock.iso(),
    })
}

/** Lets an address be written to again. */
export const unsuppress = async (db: TenantDb, channel: 'email' | 'sms', address: string): Promise<void> => {
  await db
    .deleteFrom('suppressions')
    .where('businessId', '=', db.businessId)
    .where('channel', '=', channel)
    .where('address', '=', address)
    .execute()
}

/** Shuts an address; what waits for it is suppressed in the same transaction. */
export const suppress = async (
  db: TenantDb,
  channel: Channel,
  address: string,
  purpose: 'all' | 'marketing',
  reason: string,
): Promise<void> => {
  // The sender takes the same lock, so nothing leaves after this commits.
  await lockAddress(db, channel, address)
  await db
    .insertInto('suppressions')
    .values({ businessId: db.businessId, channel, address, purpose, reason, at: clock.iso() })
    .onConflict((c) =>
      c.columns(['businessId', 'channel', 'address', 'purpose']).doUpdateSet({ reason, at: clock.iso() }),
    )
    .execute()
  let waiting = db
    .updateTable('messages')
    .set({ status: 'suppressed', reason, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('channel', '=', channel)
    .where('address', '=', address)
    .where('status', 'in', ['pending', 'held'])
  if (purpose === 'marketing') waiting = waiting.where('purpose', '=', 'marketing')
  await waiting.execute()
}

/**
 * Recalls what asks for money of a record and has not left yet: held in quiet hours, or waiting for a provider.
 * @returns the messages that nobody gets
 */
export const recallAskingTx = async (
  db: TenantDb,
  entity: { type: string; id: string },
  reason: string,
): Promise<string[]> => {
  const recalled = await db
    .updateTable('messages')
    .set({ status: 'suppressed', reason, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', entity.type)
    .where('entityId', '=', entity.id)
    .where('asks', '=', true)
    .where('status', 'in', ['pending', 'held'])
    .returning('id')
    .execute()
  const ids = recalled.map(({ id }) => id)
  if (ids.length > 0) await publishChange(db, 'messages', ids)
  return ids
}

/** What the text to a missed call of a customer is about, so that it can be recalled. */
export const missedCallOf = (customerId: string): { type: string; id: string } => ({
  type: 'missed_call',
  id: customerId,
})

/** "Sorry we missed your call" says nothing to a customer who was called or written to before it left. */
export const recallTextBackTx = (db: TenantDb, customerId: string): Promise<string[]> =>
  recallAskingTx(db, missedCallOf(customerId), 'They were answered before it left')

/**
 * What still waits to ask after a customer's quotes, or to remind of their invoices, asks nothing once they wrote, called or were talked to. The
 * invoice itself leaves whatever they said, and so does a reminder that tells a late fee: nothing else tells what was charged.
 */
export const recallFollowUpsTx = async (db: TenantDb, customerId: string): Promise<void> => {
  const recalled = await db
    .updateTable('messages')
    .set({ status: 'suppressed', reason: 'They answered before it left', updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where(
      sql<boolean>`(entity_type = 'quote' or entity_type = 'invoice' and dedupe_key like 'invoice:%:reminder:%' and not exists (
        select from late_fees f where f.business_id = messages.business_id and f.invoice_id = messages.entity_id
          and f.created_at between messages.created_at - interval '20 hours' and messages.created_at))`,
    )
    .where('asks', '=', true)
    .where('status', 'in', ['pending', 'held'])
    .returning('id')
    .execute()
  const ids = recalled.map(({ id }) => id)
  if (ids.length > 0) await publishChange(db, 'messages', ids)
}

/**
 * Nothing about a record leaves any more: what waits is suppressed, what failed is not sent again, and what is on its way now does not come
 * back for another try.
 */
export const stopMessagesTx = async (
  db: TenantDb,
  entity: { type: string; id: string /** Only those to this customer. */; customerId?: string },
  reason: string,
): Promise<void> => {
  const all = db
    .updateTable('messages')
    .set((eb) => ({
      stoppedReason: reason,
      status: sql<MessageStatus>`case when ${eb.ref('status')} in ('pending', 'held') then 'suppressed' else ${eb.ref('status')} end`,
      reason: sql<
        string | null
      >`case when ${eb.ref('status')} in ('pending', 'held') then ${reason} else ${eb.ref('reason')} end`,
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', entity.type)
    .where('entityId', '=', entity.id)
    .where('direction', '=', 'outbound')
  const { customerId } = entity
  const stopped = await (customerId ? all.where('customerId', '=', customerId) : all).returning('id').execute()
  if (stopped.length > 0)
    await publishChange(
      db,
      'messages',
      stopped.map(({ id }) => id),
    )
}

/** One address at a time between the sender and a STOP, until the transaction ends. */
export const lockAddress = async (db: TenantDb, channel: Channel, address: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${db.businessId}:${channel}:${address}`}, 0))`.execute(db)
}
