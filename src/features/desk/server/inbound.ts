import { clock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { type ProspectsDb, withProspects } from '../../../platform/db/prospects.ts'
import { newId } from '../../../platform/ids.ts'
import type { InboundMail } from '../../../platform/mail/inbound.ts'
import type { Medium } from '../../../platform/sms/text.ts'
import { enqueueProspectTask } from '../../../platform/tasks/prospect-task.ts'
import { brand } from '../../../shared/brand.ts'
import { type KeptFiles, noFiles } from '../../messages/mailfiles/server/commands.ts'
import { awaitedWords, mostMedia, notKeptWords, wordsInstead } from '../../messages/photos/rules.ts'
import { keywordOf, smsSegments } from '../../messages/rules.ts'
import {
  queueProspectMessage,
  recordProspectConsent,
  suppressProspect,
  unsuppressProspect,
} from '../../prospects/outbox/server/commands.ts'
import { noteProspectDelivery } from '../../prospects/outbox/server/delivery/commands.ts'
import { findProspectSuppression } from '../../prospects/outbox/server/queries.ts'
import { addCameTx, fetchProspectPhotosTask } from '../photos/server/commands.ts'

type Inbound = {
  leadId: string
  channel: 'email' | 'sms'
  address: string
  subject: string
  text: string
  dedupeKey: string
  provider: string
  providerId: string
  reason: string | null
  notKept?: string | null
}

/** @returns the id, or null when it was here before */
const store = async (db: ProspectsDb, message: Inbound): Promise<string | null> => {
  const now = clock.iso()
  const { text, ...rest } = message
  const made = await db
    .insertInto('messages')
    .values({
      id: newId(),
      ...rest,
      bodyText: text,
      direction: 'inbound',
      purpose: 'reply',
      status: 'received',
      segments: message.channel === 'sms' ? smsSegments(text).segments : 1,
      sentAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((c) => c.column('dedupeKey').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

/** When a text of the product owner last left to this number; null when none did: what waits or was stopped asked nobody anything. */
export const lastTextTo = (phone: string): Promise<string | null> =>
  withProspects(async (db) => {
    const row = await db
      .selectFrom('messages')
      .select('sentAt')
      .where('channel', '=', 'sms')
      .where('direction', '=', 'outbound')
      .where('address', '=', phone)
      .where('sentAt', 'is not', null)
      .orderBy('sentAt', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.sentAt ?? null
  })

/**
 * Takes in a text of a prospect: it appears in the conversation, and STOP, START and HELP are obeyed at once.
 * @returns false when no lead has this number
 */
export const receiveProspectText = (text: {
  from: string
  body: string
  provider: string
  providerId: string
  media?: readonly Medium[]
}): Promise<boolean> =>
  withProspects(async (db) => {
    const lead = await db
      .selectFrom('leads')
      .select(['id', 'email'])
      .where('phoneE164', '=', text.from)
      .orderBy('lastMessageAt', (order) => order.desc().nullsLast())
      .limit(1)
      .executeTakeFirst()
    if (!lead) return false
    const media = (text.media ?? []).slice(0, mostMedia)
    const pictures = media.filter(({ mime }) => mime.startsWith('image/'))
    const others = media.flatMap(({ mime }) => (mime.startsWith('image/') ? [] : mime))
    const id = await store(db, {
      leadId: lead.id,
      channel: 'sms',
      address: text.from,
      subject: '',
      text: text.body || wordsInstead(media.map(({ mime }) => mime)),
      // it is true until they are here, and stays so where the provider never hands them out
      notKept:
        [pictures.length > 0 ? awaitedWords(pictures.length) : null, notKeptWords(others)].filter(Boolean).join(' ') ||
        null,
      dedupeKey: `inbound:${text.provider}:${text.providerId}`,
      provider: text.provider,
      providerId: text.providerId,
      reason: null,
    })
    if (id === null) return true
    if (pictures.length > 0)
      await enqueueProspectTask(
        db,
        fetchProspectPhotosTask,
        { messageId: id, media: pictures, otherwise: notKeptWords(others) },
        { key: id },
      )
    const optedOut = (await findProspectSuppression(db, 'sms', text.from))?.purpose === 'all'
    const keyword = keywordOf(text.body, optedOut)
    const word = { leadId: lead.id, channel: 'sms', address: text.from, source: 'keyword', wording: text.body } as const
    const answer = (message: string) =>
      queueProspectMessage(db, {
        leadId: lead.id,
        channel: 'sms',
        purpose: 'reply',
        address: text.from,
        text: message,
        dedupeKey: `keyword:${id}`,
      })
    if (keyword === 'stop') {
      await recordProspectConsent(db, { ...word, action: 'revoke' })
      await suppressProspect(db, 'sms', text.from, 'all', 'They replied STOP')
    } else if (keyword === 'start') {
      await unsuppressProspect(db, 'sms', text.from)
      await recordProspectConsent(db, { ...word, action: 'grant' })
      await answer(`${brand.name}: texts are on again. Reply STOP to end them.`)
    } else if (keyword === 'help') {
      await answer(
        `${brand.name}: messages about your application. Call ${config.supportPhone} or write to ${config.supportEmail}. Reply STOP to end texts.`,
      )
    }
    return true
  })

/** Moves a message forward by what a provider reports; late news never goes back. `shut` closes the address. */
export const recordProspectDelivery = (
  messageId: string,
  update: { status: 'sent' | 'delivered' | 'failed' | 'read'; reason: string | null; suppressed: string | null },
): Promise<void> =>
  withProspects(async (db) => {
    await noteProspectDelivery(db, messageId, {
      ...update,
      status: update.status === 'read' ? 'delivered' : update.status,
    })
    if (update.status === 'read')
      await db
        .updateTable('messages')
        .set({ readAt: clock.iso() })
        .where('id', '=', messageId)
        .where('direction', '=', 'outbound')
        .execute()
  })

/** Takes in an answer to a mail. Its address proves the conversation, not who wrote: another sender is shown as such. */
export const receiveProspectMail = (
  answersId: string,
  mail: InboundMail,
  files: KeptFiles = noFiles,
): Promise<boolean> =>
  withProspects(async (db) => {
    const sent = await db
      .selectFrom('messages')
      .innerJoin('leads', 'leads.id', 'messages.leadId')
      .select(['leads.id as leadId', 'leads.email as email'])
      .where('messages.id', '=', answersId)
      .executeTakeFirst()
    if (!sent) return false
    const id = await store(db, {
      leadId: sent.leadId,
      channel: 'email',
      address: mail.from,
      subject: mail.subject,
      text: mail.text || wordsInstead(files.kept.map(({ mime }) => mime)) || '(This answer has no words.)',
      notKept: files.notKept,
      dedupeKey: `inbound-mail:${answersId}:${mail.messageId || newId()}`,
      provider: 'mail',
      providerId: mail.messageId,
      reason: mail.automatic ? 'An automatic answer' : null,
    })
    if (id !== null) await addCameTx(db, id, files.kept)
    if (id !== null && !mail.automatic && mail.from === sent.email && keywordOf(mail.text, false) === 'stop') {
      await recordProspectConsent(db, {
        leadId: sent.leadId,
        channel: 'email',
        address: sent.email,
        action: 'revoke',
        source: 'answer by mail',
        wording: mail.text.slice(0, 500),
      })
      await suppressProspect(db, 'email', sent.email, 'marketing', 'They unsubscribed')
    }
    return true
  })
