import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { absoluteUrl, linkToken, textFilePath } from '../../../../platform/links.ts'
import { returnAddress } from '../../../../platform/mail/addresses.ts'
import { readObject } from '../../../../platform/storage.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { paths } from '../../../../shared/paths.ts'
import { textPicture } from '../../../files/server/image/commands.ts'
import { noteSenderRefusedTx } from '../../../senders/domains/server/commands.ts'
import { findSender, openSender } from '../../../senders/domains/server/queries.ts'
import { segmentsOf } from '../../photos/rules.ts'
import { type Channel, offersFullUntil } from '../../rules.ts'
import { type Home, quietAtHome } from '../../zones/rules.ts'
import { homesOf, homesOfLead } from '../../zones/server/queries.ts'
import { lockAddress, sendMessageTask, suppress } from '../commands.ts'
import { lockMeterTx, meterTx } from '../meter/commands.ts'
import {
  type DeliveryNews,
  noteDelivery,
  type OutboxRow,
  type OutboxStorage,
  type Parcel,
  Unsendable,
} from '../outbox/commands.ts'
import { type Attachment, findMarketingConsent, findSuppression, smsUsage } from '../queries.ts'
import { saidNo } from '../refusals/queries.ts'

const rowsOf = (db: TenantDb) => db.selectFrom('messages').selectAll().where('businessId', '=', db.businessId)
type Stored = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>
type Row = OutboxRow & { stored: Stored }

const toRow = (stored: Stored): Row => ({
  id: stored.id,
  channel: stored.channel === 'sms' ? 'sms' : 'email',
  purpose: stored.purpose,
  direction: stored.direction,
  status: stored.status,
  address: stored.address,
  segments: stored.segments,
  attempts: stored.attempts,
  runAfter: stored.runAfter,
  stored,
})

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['timeZone', 'quietStartMinute', 'quietEndMinute', 'closedAt', 'email', 'demo'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

/** "We will get back to you soon" is asked once more when it would leave: who was answered or is a customer by then does not get it. */
const overtaken = async (db: TenantDb, stored: Stored): Promise<string | null> => {
  if (!stored.asks || stored.entityType !== 'lead' || !stored.entityId) return null
  const lead = await db
    .selectFrom('businessLeads')
    .select(['repliedAt', 'convertedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', stored.entityId)
    .executeTakeFirst()
  // an answer of last month is none to what they ask today
  const isSince = (at: string | null): boolean => at !== null && Date.parse(at) >= Date.parse(stored.createdAt)
  return !lead || isSince(lead.repliedAt) || isSince(lead.convertedAt) ? 'They were answered before it left' : null
}

/** What a message says as it leaves. */
export type Words = { subject?: string; text: string; html?: string }

/** Whoever is asked about its messages once more as they leave. */
export type Watch = {
  /** Why it says nothing any more, or its words as they are true now. */
  look: (
    db: TenantDb,
    entityId: string,
    message: { id: string; channel: Channel; address: string },
  ) => Promise<{ why: string } | { words: Words }>
  /** It left. */
  left: (db: TenantDb, entityId: string) => Promise<void>
}
let watches: Readonly<Record<string, Watch>> = {}

/** Says whom to ask once more as a message leaves, by what it is about. Set once at start. */
export const setWatches = (all: typeof watches): void => {
  watches = all
}

const watchOf = ({ entityType }: Stored): Watch | undefined => (entityType === null ? undefined : watches[entityType])

/** A message in other words, where they are others; a text counts what these cost. */
const putAnew = async (db: TenantDb, stored: Stored, { subject = '', text, html }: Words): Promise<Stored> => {
  if (stored.bodyText === text && stored.subject === subject) return stored
  const changes = {
    subject,
    bodyText: text,
    bodyHtml: html ?? null,
    segments: stored.channel === 'sms' ? segmentsOf(text, (stored.attachments as Attachment[]).length) : 1,
  }
  await db
    .updateTable('messages')
    .set({ ...changes, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', stored.id)
    .execute()
  return { ...stored, ...changes }
}

/** Asks once more who put it there: why it does not leave, or the message as it leaves. */
const lookAgain = async (db: TenantDb, row: Row): Promise<{ why: string | null; row: Row }> => {
  const { stored, channel } = row
  const why = stored.stoppedReason ?? (await overtaken(db, stored))
  const watch = watchOf(stored)
  if (why !== null || !watch || !stored.entityId) return { why, row }
  const found = await watch.look(db, stored.entityId, { id: stored.id, channel, address: stored.address })
  return 'why' in found ? { why: found.why, row } : { why: null, row: toRow(await putAnew(db, stored, found.words)) }
}

/** How a visit was is nobody's business but theirs: it is asked in the hours of offers, and of nobody who said no to them. */
const isQuestion = ({ entityType }: Stored): boolean => entityType === 'review_ask'

const refusedQuestion = async (db: TenantDb, stored: Stored): Promise<string | null> =>
  isQuestion(stored) && stored.customerId && (await saidNo(db, stored.customerId, stored.address))
    ? 'They want no offers, so they are not asked either'
    : isQuestion(stored) && (await isInDoubt(db, stored))
      ? 'They may have asked for no more texts'
      : null

const isInDoubt = async (db: TenantDb, { channel, address }: Stored): Promise<boolean> =>
  channel === 'sms' &&
  (await db
    .selectFrom('messages')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('address', '=', address)
    .where('stopDoubt', '=', sql.lit('open'))
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Texts of a number that are looked through, the newest: many times what three offers a day come to. */
const mostLookedAt = 100

/** When offers left for a number in the last day; one that is leaving right now counts as gone. */
const offersLeft = async (db: TenantDb, address: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('messages')
    .select(['status', 'purpose', 'direction', 'channel', 'sentAt', 'createdAt'])
    .where('businessId', '=', db.businessId)
    .where('address', '=', address)
    .orderBy('id', 'desc')
    .limit(mostLookedAt)
    .execute()
  return rows.flatMap(({ status, purpose, direction, channel, sentAt, createdAt }) =>
    channel === 'sms' && direction === 'outbound' && purpose === 'marketing'
      ? status === 'sending'
        ? [clock.iso()]
        : ['sent', 'delivered', 'unknown'].includes(status)
          ? [sentAt ?? createdAt]
          : []
      : [],
  )
}

const recipientHomes = async (db: TenantDb, { customerId, entityType, entityId }: Stored): Promise<Home[]> => {
  if (customerId) return (await homesOf(db, [customerId])).get(customerId) ?? []
  return entityType === 'lead' && entityId ? homesOfLead(db, entityId) : []
}

const factsOf = async (db: TenantDb, found: Row) => {
  const { channel, purpose, address } = found
  const { why, row } = await lookAgain(db, found)
  const { stored } = row
  const business = await businessOf(db)
  const isCounted = channel === 'sms' && purpose !== 'account'
  if (isCounted) await lockMeterTx(db)
  const usage = isCounted ? await smsUsage(db) : null
  return {
    suppressed: await findSuppression(db, channel, address),
    marketingConsent: purpose === 'marketing' ? await findMarketingConsent(db, channel, address) : null,
    fullUntil:
      isCounted && purpose === 'marketing' ? offersFullUntil(await offersLeft(db, address), clock.nowMs()) : null,
    inDoubt: purpose === 'marketing' && (await isInDoubt(db, stored)),
    quietUntil:
      channel === 'sms'
        ? quietAtHome(
            isQuestion(stored) ? 'marketing' : purpose,
            clock.now(),
            await recipientHomes(db, stored),
            business.timeZone,
            { startMinute: business.quietStartMinute, endMinute: business.quietEndMinute },
          )
        : null,
    segmentsLeft: !usage || usage.segmentLimit === null ? null : Math.max(0, usage.segmentLimit - usage.segmentsUsed),
    row,
    closed:
      why ??
      (await refusedQuestion(db, stored)) ??
      // Its customers are invented, and so are their addresses and numbers.
      (business.demo && config.production ? 'A demo business writes to nobody' : null) ??
      // a mailed report is of the account because nobody else may read it, but it is the business that writes
      (business.closedAt && (purpose !== 'account' || stored.entityType === 'report')
        ? 'The business was closed'
        : null),
  }
}

const prepare = async (db: TenantDb, { stored, purpose }: Row) => {
  const attachments = stored.attachments as Attachment[]
  const files = attachments.length
    ? await db
        .selectFrom('files')
        .select(['id', 'storageKey', 'mime'])
        .where('businessId', '=', db.businessId)
        .where(
          'id',
          'in',
          attachments.map((a) => a.fileId),
        )
        .execute()
    : []
  const reader = isQuestion(stored) ? stored.entityId : purpose === 'marketing' ? stored.customerId : null
  const unsubscribeUrl =
    stored.channel === 'email' && reader
      ? absoluteUrl(paths.unsubscribe(await linkToken(db, 'unsubscribe', reader)))
      : null
  // mail of the account is from Swath, whatever the business writes from
  const sender = stored.channel === 'email' && purpose !== 'account' ? await findSender(db) : null
  return { attachments, files, unsubscribeUrl, sender, businessEmail: (await businessOf(db)).email }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

const readAttachment = async ({ name, fileId }: Attachment, files: Prepared['files']) => {
  const missing = `The attachment ${name} is not there any more, so nothing was sent. Attach it again.`
  const file = files.find((f) => f.id === fileId)
  if (!file) throw new Unsendable(missing)
  const content = await readObject(file.storageKey)
  if (!content) throw new Unsendable(missing)
  return { name, mime: file.mime, content }
}

/** The public address of a photo for a text, which is made before anybody asks for it. */
const photoUrl = async (
  businessId: string,
  { name, fileId }: Attachment,
  files: Prepared['files'],
): Promise<string> => {
  const file = files.find((f) => f.id === fileId)
  if (!file || !(await textPicture(businessId, file)))
    throw new Unsendable(`${name} is not there any more, so nothing was sent. Add the photo again.`)
  return absoluteUrl(textFilePath(businessId, fileId))
}

const compose = async ({ stored, purpose }: Row, prepared: Prepared): Promise<Parcel> => {
  const { id, businessId, address: to } = stored
  if (stored.channel === 'sms') {
    const mediaUrls: string[] = []
    for (const one of prepared.attachments) mediaUrls.push(await photoUrl(businessId, one, prepared.files))
    return { text: { id, to, body: stored.bodyText, businessId, ...(mediaUrls.length > 0 ? { mediaUrls } : {}) } }
  }
  // Mail of the account is from Swath and answered by nobody; to a customer every mail is the beginning of a conversation.
  const answered = purpose !== 'account'
  return {
    mail: {
      id,
      to,
      fromName: stored.fromName,
      from: prepared.sender && openSender(prepared.sender),
      subject: stored.subject,
      text: stored.bodyText,
      html: stored.bodyHtml,
      attachments: await Promise.all(prepared.attachments.map((one) => readAttachment(one, prepared.files))),
      unsubscribeUrl: prepared.unsubscribeUrl,
      replyTo: answered
        ? ((stored.customerId || stored.entityType === 'lead' ? returnAddress('reply', id, businessId) : null) ??
          prepared.businessEmail)
        : null,
      bounceTo: returnAddress('bounce', id, businessId),
    },
  }
}

const noteSentFrom = (db: TenantDb, id: string, sentFrom: string) =>
  db.updateTable('messages').set({ sentFrom }).where('businessId', '=', db.businessId).where('id', '=', id).execute()

/** The outbox of one business. */
export const businessOutbox = (businessId: BusinessId): OutboxStorage<TenantDb, Row, Prepared> => ({
  transaction: (work) => withTenant({ businessId }, work),
  find: async (db, id) => {
    const stored = await rowsOf(db).where('id', '=', id).executeTakeFirst()
    return stored ? toRow(stored) : null
  },
  lock: async (db, id) => {
    const stored = await rowsOf(db).where('id', '=', id).forUpdate().executeTakeFirst()
    return stored ? toRow(stored) : null
  },
  lockAddress,
  facts: factsOf,
  update: async (db, id, changes) => {
    const now = clock.iso()
    const changed = await db
      .updateTable('messages')
      .set({ ...changes, ...(changes.status === 'delivered' ? { deliveredAt: now } : {}), updatedAt: now })
      .where('businessId', '=', businessId)
      .where('id', '=', id)
      .returning('entityType')
      .executeTakeFirst()
    await meterTx(db, id, changes.status)
    await publishChange(db, 'messages', [id])
    if (changed?.entityType === 'campaign') await publishChange(db, 'campaigns')
  },
  enqueue: (db, messageId, runAt) => enqueue(db, sendMessageTask, { messageId }, { key: `${messageId}:later`, runAt }),
  prepare,
  compose,
  onSent: async (db, row, { provider, from, senderRefused }) => {
    if (from && row.channel === 'email') await noteSentFrom(db, row.id, from)
    if (senderRefused) await noteSenderRefusedTx(db, senderRefused)
    const { customerId, entityType, entityId, userId } = row.stored
    if (entityId) await watchOf(row.stored)?.left(db, entityId)
    const leadId = entityType === 'lead' ? entityId : null
    // What leaves by itself is no answer of a person.
    if (userId && (leadId || customerId))
      await emit(db, 'message.left', { messageId: row.id, leadId, customerId, at: clock.iso() })
    // Through a number that all businesses share, an answer is for whoever wrote last.
    if (provider === 'twilio')
      await db
        .insertInto('smsRoutes')
        .values({ phone: row.address, businessId, at: clock.iso() })
        .onConflict((c) => c.column('phone').doUpdateSet({ businessId, at: clock.iso() }))
        .execute()
  },
  suppress: (db, channel, address, reason) => suppress(db, channel, address, 'all', reason),
  listOverdue: async (db, before) =>
    (
      await rowsOf(db)
        .where('direction', '=', 'outbound')
        .where('status', 'in', ['pending', 'held', 'sending'])
        .where('updatedAt', '<', before)
        .where((eb) => eb.or([eb('runAfter', 'is', null), eb('runAfter', '<', before)]))
        .orderBy(sql`id`)
        .limit(500)
        .forUpdate()
        .skipLocked()
        .execute()
    ).map(toRow),
  listUnknown: async (db, since) =>
    (
      await rowsOf(db)
        .where('status', '=', 'unknown')
        .where('channel', '=', 'sms')
        .where('direction', '=', 'outbound')
        .where('updatedAt', '>', since)
        .orderBy('id')
        .limit(100)
        .execute()
    ).map((stored) => ({ ...toRow(stored), createdAt: stored.createdAt, updatedAt: stored.updatedAt })),
  listProviderIds: async (db, address) =>
    (
      await db
        .selectFrom('messages')
        .select('providerId')
        .where('businessId', '=', businessId)
        .where('address', '=', address)
        .orderBy('id', 'desc')
        .limit(mostLookedAt)
        .execute()
    ).flatMap(({ providerId }) => providerId ?? []),
})

/** Moves a message of a business forward by what a provider reports of it; late news never goes back. */
export const recordDelivery = (businessId: BusinessId, messageId: string, update: DeliveryNews): Promise<void> =>
  withTenant({ businessId }, (db) => noteDelivery(businessOutbox(businessId), db, messageId, update))

/** What was written with a customer becomes another's, all of it or what is named: both are the same person. Returns which. */
export const moveCustomerMessagesTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('messages')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  if (rows.length > 0) await publishChange(db, 'messages')
  return rows.map(({ id }) => id)
}
