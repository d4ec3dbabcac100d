import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { askingIn, type InboundMail, type StrangerMail } from '../../../../platform/mail/inbound.ts'
import type { Medium } from '../../../../platform/sms/text.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { findCustomerByAddress, listCustomersWithPhone } from '../../../customers/contacts/server/queries.ts'
import { hearCustomerTx } from '../../conversations/server/commands.ts'
import { addMailFilesTx, attachmentsOf, type KeptFiles, noFiles } from '../../mailfiles/server/commands.ts'
import { hearNumberTx } from '../../numbers/server/commands.ts'
import { mostMedia, notKeptWords, wordsInstead } from '../../photos/rules.ts'
import { fetchPhotosTask } from '../../photos/server/commands.ts'
import { forgetTroublesTx } from '../../returns/server/commands.ts'
import { keywordOf, smsSegments } from '../../rules.ts'
import { wantsOut } from '../../stop/rules.ts'
import { askAboutStopTx, endTextsTx, settleDoubtsTx } from '../../stop/server/commands.ts'
import { lockAddress, queueMessage, recallFollowUpsTx, recordConsent, suppress, unsuppress } from '../commands.ts'
import { type Attachment, findSuppression } from '../queries.ts'

type Received = {
  channel: 'email' | 'sms' | 'portal'
  address: string
  fromName?: string
  subject?: string
  text: string
  customerId: string | null
  /** What makes it come in once. */
  dedupeKey: string
  provider: string
  providerId: string
  reason?: string | null
  stopDoubt?: 'open' | null
  /** Nobody needs to read it: it is in the thread and counts as read. */
  isRead?: boolean
  entityType?: string
  entityId?: string | null
  attachments?: readonly Attachment[]
  notKept?: string | null
}

/** @returns the id, or null when it was here before */
const store = async (db: TenantDb, message: Received): Promise<string | null> => {
  const now = clock.iso()
  const { text, isRead, attachments = [], ...rest } = message
  const made = await db
    .insertInto('messages')
    .values({
      ...rest,
      businessId: db.businessId,
      id: newId(),
      direction: 'inbound',
      purpose: 'reply',
      bodyText: text,
      attachments: JSON.stringify(attachments),
      status: 'received',
      segments: message.channel === 'sms' ? smsSegments(text).segments : 1,
      openedAt: isRead ? now : null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((c) => c.columns(['businessId', 'dedupeKey']).doNothing())
    .returning('id')
    .executeTakeFirst()
  // what came with a reason, a word to the machine or a machine's answer, was written by nobody
  if (made && message.customerId && !message.reason) await recallFollowUpsTx(db, message.customerId)
  // an answer of a machine is read already and wakes nobody; everything else waits to be read where the office looks
  if (made && message.customerId && !isRead) await hearCustomerTx(db, message.customerId, made.id, !message.reason)
  else if (made && !message.customerId && message.channel === 'sms')
    await hearNumberTx(db, message.address, made.id, !message.reason)
  return made?.id ?? null
}

const keywordReasons = {
  stop: 'Wants no more texts',
  start: 'Wants texts again',
  help: 'Asked who is texting',
} as const

/** Takes in what a customer writes in their portal: it stands in their thread and waits to be read. @returns the id, or null when it was here before */
export const receivePortalTx = async (
  db: TenantDb,
  message: {
    customerId: string
    address: string
    fromName: string
    text: string
    /** Photos; who calls puts them on file once the message is new. */
    attachments?: readonly Attachment[]
    key: string
  },
): Promise<string | null> => {
  const { key, ...rest } = message
  const id = await store(db, {
    ...rest,
    channel: 'portal',
    dedupeKey: `portal:${message.customerId}:${key}`,
    provider: 'portal',
    providerId: key,
  })
  if (id !== null) await publishChange(db, 'messages', [id])
  return id
}

/** Whose text it is: of customers who share a number the one who was written to last, for that is what is answered; else as any address is theirs. */
const writerOf = async (db: TenantDb, phone: string): Promise<string | null> => {
  const sharing = await listCustomersWithPhone(db, phone)
  const [only] = sharing
  if (sharing.length < 2) return only?.customerId ?? null
  const last = await db
    .selectFrom('messages')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('address', '=', phone)
    .where('channel', '=', 'sms')
    .where('direction', '=', 'outbound')
    .where('status', 'not in', ['failed', 'suppressed'])
    .where(
      'customerId',
      'in',
      sharing.map(({ customerId }) => customerId),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.customerId ?? (await findCustomerByAddress(db, 'sms', phone))?.customerId ?? null
}

/**
 * Takes in a text: STOP, START and HELP are obeyed at once, everything else goes to the customer's conversation. Its photos follow as soon as the
 * provider has handed them out; what is no photo is named.
 */
export const receiveText = async (
  businessId: BusinessId,
  text: { from: string; body: string; providerId: string; provider: string; media?: readonly Medium[] },
): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    // whoever is given this number at this moment is given this text, too
    await lockAddress(db, 'sms', text.from)
    const writer = await writerOf(db, text.from)
    const customer = writer === null ? null : { id: writer }
    const optedOut = (await findSuppression(db, 'sms', text.from))?.purpose === 'all'
    const keyword = keywordOf(text.body, optedOut)
    const media = (text.media ?? []).slice(0, mostMedia)
    const pictures = media.filter(({ mime }) => mime.startsWith('image/'))
    const words = text.body || wordsInstead(media.map(({ mime }) => mime))
    const isUnclear = keyword === null && !optedOut && wantsOut(text.body) === 'unsure'
    const id = await store(db, {
      channel: 'sms',
      address: text.from,
      stopDoubt: isUnclear ? 'open' : null,
      text: words,
      notKept: notKeptWords(media.flatMap(({ mime }) => (mime.startsWith('image/') ? [] : mime))),
      // a word to the machine is no answer to what was written: an open invoice is still reminded of, by mail
      reason: keyword && keywordReasons[keyword],
      customerId: customer?.id ?? null,
      dedupeKey: `inbound:${text.providerId}`,
      provider: text.provider,
      providerId: text.providerId,
    })
    if (id === null) return
    if (pictures.length > 0)
      await enqueue(db, fetchPhotosTask, { messageId: id, media: pictures }, { key: `${id}:photos` })
    const business = await db
      .selectFrom('businesses')
      .select(['name', 'phone'])
      .where('businessId', '=', businessId)
      .executeTakeFirstOrThrow()
    const answer = (message: string, key: string) =>
      queueMessage(db, {
        channel: 'sms',
        purpose: 'account',
        address: text.from,
        dedupeKey: `${key}:${id}`,
        text: message,
        customerId: customer?.id ?? null,
      })
    if (keyword === 'stop') {
      // The one confirmation that may follow is the provider's own; from us nothing leaves any more.
      await endTextsTx(db, { address: text.from, source: 'keyword', wording: text.body, reason: 'They replied STOP' })
    } else if (keyword === 'start') {
      await lockAddress(db, 'sms', text.from)
      await unsuppress(db, 'sms', text.from)
      await settleDoubtsTx(db, text.from, 'fine')
      await recordConsent(db, {
        channel: 'sms',
        address: text.from,
        purpose: 'transactional',
        action: 'grant',
        source: 'keyword',
        wording: text.body,
      })
      await answer(`${business.name}: texts are on again. Reply STOP to end them.`, 'start')
    } else if (keyword === 'help') {
      const reach = business.phone ? ` Call ${formatPhone(business.phone)}.` : ''
      await answer(`${business.name}: messages about your lawn service.${reach} Reply STOP to end texts.`, 'help')
    }
    if (isUnclear)
      await askAboutStopTx(db, { id, address: text.from, body: text.body, customerId: customer?.id ?? null })
    if (!customer && keyword === null)
      await emit(db, 'message.unknown', {
        messageId: id,
        channel: 'sms',
        address: text.from,
        name: '',
        text: words,
      })
    await publishChange(db, 'messages', [id])
  })

/** Who sent a mail that the business's own people passed on, as their program wrote it above the words. */
const forwardedFrom = (text: string): { name: string; address: string } | null => {
  const found =
    /^[>\s*]*From:\**\s*(.{0,120}?)\s*[<[(]?(?:mailto:)?([^\s<>[\]()"']{1,64}@[^\s<>[\]()"']{1,190}\.[a-z]{2,})/im.exec(
      text,
    )
  if (!found) return null
  return { name: (found[1] ?? '').replace(/["<>]/g, '').trim(), address: (found[2] ?? '').toLowerCase() }
}

/** Whether an address is the business's own, as its letters or its people have it. */
export const ownAddresses = async (db: TenantDb, addresses: readonly string[]): Promise<Set<string>> => {
  const people = await db
    .selectFrom('users')
    .select('email')
    .where('businessId', '=', db.businessId)
    .where('email', 'in', [...addresses])
    .execute()
  const { email } = await db
    .selectFrom('businesses')
    .select('email')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return new Set([...people.map((one) => one.email ?? ''), ...(email ? [email.toLowerCase()] : [])])
}

/**
 * Takes in a mail to the address for those who ask for a price. Who asks is whom an answer goes to: a form or a portal writes for somebody else. A
 * customer's stands in their thread as any other; everybody else is somebody new, as who texts from a number that nobody knows. What the business's own
 * people forward is of whom they forward.
 */
export const receiveStrangerMail = async (
  businessId: BusinessId,
  mail: Pick<StrangerMail, 'messageId' | 'from' | 'fromName' | 'subject' | 'text'> & {
    replyTo?: StrangerMail['replyTo'] | undefined
  },
  files: KeptFiles = noFiles,
): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const own = await ownAddresses(db, [mail.from, ...(mail.replyTo ? [mail.replyTo.address] : [])])
    const asks = askingIn(mail, (address) => own.has(address))
    // Who could be answered has left since it was stored.
    if (!asks) return
    const passedOn = asks.through === null && own.has(mail.from) ? forwardedFrom(mail.text) : null
    const { name, address } = passedOn ?? asks
    const customer = await findCustomerByAddress(db, 'email', address)
    const attachments = attachmentsOf(files)
    const id = await store(db, {
      channel: 'email',
      address,
      fromName: name,
      subject: mail.subject,
      text: mail.text || wordsInstead(files.kept.map(({ mime }) => mime)) || '(This mail has no words.)',
      attachments,
      notKept: files.notKept,
      customerId: customer?.customerId ?? null,
      dedupeKey: `inbound-lead-mail:${mail.messageId}`,
      provider: 'mail',
      providerId: mail.messageId,
    })
    if (id === null) return
    await addMailFilesTx(db, files, attachments)
    if (!customer)
      await emit(db, 'message.unknown', {
        messageId: id,
        channel: 'email',
        address,
        name,
        through: asks.through,
        text: [mail.subject, mail.text].filter(Boolean).join('\n'),
      })
    await publishChange(db, 'messages', [id])
  })

/**
 * Takes in a customer's answer to a mail: it stands in their thread and waits to be read, as a text does. The address proves the conversation, not who
 * wrote: another sender is shown as such. What a machine answered is in the thread and asks for nobody.
 * @returns false when the mail that it answers is not there any more
 */
export const receiveMail = async (
  businessId: BusinessId,
  answersId: string,
  mail: InboundMail,
  files: KeptFiles = noFiles,
): Promise<boolean> =>
  withTenant({ businessId }, async (db) => {
    const sent = await db
      .selectFrom('messages')
      .select(['customerId', 'address', 'entityType', 'entityId'])
      .where('businessId', '=', businessId)
      .where('id', '=', answersId)
      .where('direction', '=', 'outbound')
      .executeTakeFirst()
    if (!sent) return false
    const attachments = attachmentsOf(files)
    const id = await store(db, {
      channel: 'email',
      address: mail.from,
      fromName: mail.fromName,
      subject: mail.subject,
      text: mail.text || wordsInstead(files.kept.map(({ mime }) => mime)) || '(This answer has no words.)',
      attachments,
      notKept: files.notKept,
      customerId: sent.customerId,
      ...(sent.entityType === 'lead' ? { entityType: 'lead', entityId: sent.entityId } : {}),
      dedupeKey: `inbound-mail:${answersId}:${mail.messageId || newId()}`,
      provider: 'mail',
      providerId: mail.messageId,
      reason: mail.automatic ? 'An automatic answer' : null,
      isRead: mail.automatic,
    })
    if (id === null) return true
    await addMailFilesTx(db, files, attachments)
    if (!mail.automatic && mail.from === sent.address) await forgetTroublesTx(db, sent.address)
    if (!mail.automatic && mail.from === sent.address && keywordOf(mail.text, false) === 'stop') {
      await recordConsent(db, {
        channel: 'email',
        address: sent.address,
        purpose: 'marketing',
        action: 'revoke',
        source: 'answer by mail',
        wording: mail.text.slice(0, 500),
      })
      await suppress(db, 'email', sent.address, 'marketing', 'They unsubscribed')
    }
    await publishChange(db, 'messages', [id])
    return true
  })
