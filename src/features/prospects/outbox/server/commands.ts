import { sql } from 'kysely'
import { z } from 'zod'
import { clock } from '../../../../platform/clock.ts'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueueProspectTask, type ProspectTask } from '../../../../platform/tasks/prospect-task.ts'
import { conflict } from '../../../../shared/errors.ts'
import { smsSegments } from '../../../messages/rules.ts'

/** Lets one message of the funnel leave; the work stands in tasks.ts. */
export const sendProspectMessageTask = {
  name: 'prospects.send',
  payload: z.object({ messageId: z.uuid() }),
} satisfies ProspectTask

/** A small text file that travels inside the message's row, such as a calendar entry. */
export type InlineFile = { name: string; mime: string; content: string }

export type ProspectMessage = {
  /** Null for our own mail, such as a contact form on its way to support. */
  leadId: string | null
  channel: 'email' | 'sms'
  /** transactional: a call, an application; marketing: offers; reply: an answer in a conversation; internal: to ourselves. */
  purpose: 'transactional' | 'marketing' | 'reply' | 'internal'
  /** E-mail address or E.164 number. */
  address: string
  subject?: string
  text: string
  attachments?: InlineFile[]
  replyTo?: string
  /** What makes this effect happen once: `call:<id>:booked:0`. A second wish with the same key changes nothing. */
  dedupeKey: string
  /** ISO instant before which it does not leave. */
  runAfter?: string
}

/**
 * Puts a mail or text to a prospect into the funnel's outbox, in the running transaction. It passes the gate (suppression, unsubscribe, STOP, quiet
 * hours) when it would leave; a mail then gets its footer with postal address and unsubscribe link.
 * @returns the message's id, also when the same effect was asked for before
 * @throws conflict for an offer by mail while there is no postal address
 */
export const queueProspectMessage = async (db: ProspectsDb, message: ProspectMessage): Promise<string> => {
  const settings = await db.selectFrom('settings').select(['fromName', 'postalAddress']).executeTakeFirstOrThrow()
  if (message.purpose === 'marketing' && message.channel === 'email' && settings.postalAddress.trim() === '')
    throw conflict(
      'Add your postal address in the settings first: offers by e-mail must carry it. Nothing was sent, your text is still here.',
    )
  const now = clock.iso()
  const id = newId()
  const made = await db
    .insertInto('messages')
    .values({
      id,
      leadId: message.leadId,
      channel: message.channel,
      purpose: message.purpose,
      address: message.channel === 'email' ? message.address.trim().toLowerCase() : message.address,
      fromName: settings.fromName,
      replyTo: message.replyTo ?? null,
      subject: message.subject ?? '',
      bodyText: message.text,
      attachments: JSON.stringify(message.attachments ?? []),
      dedupeKey: message.dedupeKey,
      segments: message.channel === 'sms' ? smsSegments(message.text).segments : 1,
      runAfter: message.runAfter ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((c) => c.column('dedupeKey').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made)
    return (
      await db.selectFrom('messages').select('id').where('dedupeKey', '=', message.dedupeKey).executeTakeFirstOrThrow()
    ).id
  await enqueueProspectTask(
    db,
    sendProspectMessageTask,
    { messageId: id },
    { key: id, ...(message.runAfter ? { runAt: message.runAfter } : {}) },
  )
  return id
}

/** Holds an address until the transaction ends: a STOP that comes while a text is about to leave is seen by it or waits for it. */
export const lockProspectAddress = async (
  db: ProspectsDb,
  channel: 'email' | 'sms',
  address: string,
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`prospect:${channel}:${address}`}, 0))`.execute(db)
}

/** Shuts an address of a prospect: nothing (all) or no offers (marketing) leave to it from now on, also of what waits. */
export const suppressProspect = async (
  db: ProspectsDb,
  channel: 'email' | 'sms',
  address: string,
  purpose: 'all' | 'marketing',
  reason: string,
): Promise<void> => {
  await lockProspectAddress(db, channel, address)
  await db
    .insertInto('suppressions')
    .values({ channel, address, purpose, reason, at: clock.iso() })
    .onConflict((c) => c.columns(['channel', 'address', 'purpose']).doUpdateSet({ reason, at: clock.iso() }))
    .execute()
  let waiting = db
    .updateTable('messages')
    .set({ status: 'suppressed', reason, updatedAt: clock.iso() })
    .where('channel', '=', channel)
    .where('address', '=', address)
    .where('direction', '=', 'outbound')
    .where('status', 'in', ['pending', 'held'])
  if (purpose === 'marketing') waiting = waiting.where('purpose', '=', 'marketing')
  await waiting.execute()
}

/** Opens an address that a prospect shut, by their own word only (START). */
export const unsuppressProspect = async (db: ProspectsDb, channel: 'email' | 'sms', address: string): Promise<void> => {
  await lockProspectAddress(db, channel, address)
  await db.deleteFrom('suppressions').where('channel', '=', channel).where('address', '=', address).execute()
}

/** Adds a word of consent, or its end, to what is on record; nothing there is ever changed. */
export const recordProspectConsent = async (
  db: ProspectsDb,
  consent: {
    leadId: string | null
    channel: 'email' | 'sms'
    address: string
    action: 'grant' | 'revoke'
    source: string
    wording?: string
  },
): Promise<void> => {
  await db
    .insertInto('consentEvents')
    .values({ id: newId(), ...consent, at: clock.iso() })
    .execute()
}
