import { clock } from '../../../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../../../platform/db/prospects.ts'
import { absoluteUrl } from '../../../../../platform/links.ts'
import { returnAddress } from '../../../../../platform/mail/addresses.ts'
import { writeNote } from '../../../../../platform/mail/letter.ts'
import { enqueueProspectTask } from '../../../../../platform/tasks/prospect-task.ts'
import { paths } from '../../../../../shared/paths.ts'
import {
  type DeliveryNews,
  noteDelivery,
  type OutboxRow,
  type OutboxStorage,
  type Parcel,
} from '../../../../messages/server/outbox/commands.ts'
import { mailedToken } from '../../../server/tokens.ts'
import { type InlineFile, lockProspectAddress, sendProspectMessageTask, suppressProspect } from '../commands.ts'
import { trackMail } from '../links.ts'
import { findProspectConsent, findProspectSuppression, quietHoursOf } from '../queries.ts'

const rowsOf = (db: ProspectsDb) => db.selectFrom('messages').selectAll()
type Stored = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>
type Row = OutboxRow & { stored: Stored }

const toRow = (stored: Stored): Row => ({
  id: stored.id,
  channel: stored.channel,
  purpose: stored.purpose === 'internal' ? 'account' : stored.purpose,
  direction: stored.direction,
  status: stored.status,
  address: stored.address,
  segments: stored.segments,
  attempts: stored.attempts,
  runAfter: stored.runAfter,
  stored,
})

const settingsOf = (db: ProspectsDb) => db.selectFrom('settings').selectAll().executeTakeFirstOrThrow()

const leadOf = async (db: ProspectsDb, { stored }: Row) =>
  stored.leadId
    ? await db.selectFrom('leads').select(['id', 'timeZone']).where('id', '=', stored.leadId).executeTakeFirst()
    : undefined

const prepare = async (db: ProspectsDb, row: Row) => {
  const { stored, channel } = row
  const lead = await leadOf(db, row)
  const isTracked = channel === 'email' && (stored.purpose === 'marketing' || stored.purpose === 'reply')
  return {
    settings: await settingsOf(db),
    unsubscribe: lead ? await mailedToken(db, { kind: 'unsubscribe', leadId: lead.id, entityId: lead.id }) : null,
    tracking: lead && isTracked ? await trackMail(db, row.id, stored.bodyText) : null,
  }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

const compose = async ({ stored }: Row, { settings, unsubscribe, tracking }: Prepared): Promise<Parcel> => {
  const { id, address: to, leadId } = stored
  if (stored.channel === 'sms') return { text: { id, to, body: stored.bodyText, businessId: null } }
  const footer = unsubscribe
    ? {
        fromName: settings.fromName,
        postalAddress: settings.postalAddress,
        unsubscribeUrl: absoluteUrl(paths.unsubscribe(unsubscribe)),
      }
    : null
  return {
    mail: {
      id,
      to,
      fromName: stored.fromName,
      subject: stored.subject,
      ...writeNote(stored.bodyText, footer, tracking),
      attachments: (stored.attachments as InlineFile[]).map((file) => ({
        ...file,
        content: Buffer.from(file.content),
      })),
      unsubscribeUrl: unsubscribe ? absoluteUrl(`/api/leads/unsubscribe/${unsubscribe}`) : null,
      replyTo: stored.replyTo ?? (leadId ? returnAddress('reply', id) : null),
      bounceTo: leadId ? returnAddress('bounce', id) : null,
    },
  }
}

/** The outbox of the product owner's funnel. */
export const prospectOutbox: OutboxStorage<ProspectsDb, Row, Prepared> = {
  transaction: withProspects,
  find: async (db, id) => {
    const stored = await rowsOf(db).where('id', '=', id).executeTakeFirst()
    return stored ? toRow(stored) : null
  },
  lock: async (db, id) => {
    const stored = await rowsOf(db).where('id', '=', id).forUpdate().executeTakeFirst()
    return stored ? toRow(stored) : null
  },
  lockAddress: lockProspectAddress,
  facts: async (db, row) => ({
    suppressed: await findProspectSuppression(db, row.channel, row.address),
    marketingConsent: await findProspectConsent(db, row.channel, row.address),
    quietUntil: await quietHoursOf(db, row.purpose, (await leadOf(db, row))?.timeZone),
    segmentsLeft: null,
    closed: null,
  }),
  update: async (db, id, changes) => {
    const now = clock.iso()
    await db
      .updateTable('messages')
      .set({
        ...changes,
        ...(changes.status === 'delivered' ? { deliveredAt: now } : {}),
        ...(changes.status === 'failed' ? { failedAt: now } : {}),
        updatedAt: now,
      })
      .where('id', '=', id)
      .execute()
  },
  enqueue: (db, messageId, runAt) =>
    enqueueProspectTask(db, sendProspectMessageTask, { messageId }, { key: `${messageId}:later`, runAt }),
  prepare,
  compose,
  onSent: async () => undefined,
  suppress: (db, channel, address, reason) => suppressProspect(db, channel, address, 'all', reason),
  listOverdue: async (db, before) =>
    (
      await rowsOf(db)
        .where('direction', '=', 'outbound')
        .where('status', 'in', ['pending', 'held', 'sending'])
        .where('updatedAt', '<', before)
        .where((eb) => eb.or([eb('runAfter', 'is', null), eb('runAfter', '<', before)]))
        .orderBy('id')
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
        .where('address', '=', address)
        .orderBy('id', 'desc')
        .limit(100)
        .execute()
    ).flatMap(({ providerId }) => providerId ?? []),
}

/** Moves a message to a prospect forward by what a provider reports of it; late news never goes back. */
export const noteProspectDelivery = (db: ProspectsDb, messageId: string, update: DeliveryNews): Promise<void> =>
  noteDelivery(prospectOutbox, db, messageId, update)
