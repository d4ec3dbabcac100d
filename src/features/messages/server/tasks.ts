import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { clock } from '../../../platform/clock.ts'
import { asBusinessId, type BusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { type HandOver, handOverMail } from '../../../platform/mail/mailer.ts'
import { handOverText } from '../../../platform/sms/phone.ts'
import { storedFilePath } from '../../../platform/storage.ts'
import { enqueue, type Task, task } from '../../../platform/tasks/task.ts'
import type { StoredWebhook } from '../../../platform/webhooks.ts'
import { paths } from '../../../shared/paths.ts'
import { type Channel, gate, type Purpose, quietUntil } from '../rules.ts'
import { lockAddress, receiveText, recordDelivery, sendMessageTask, suppress } from './commands.ts'
import { type Attachment, findMarketingConsent, findSuppression, smsUsage } from './queries.ts'

/** Thrown so that the queue tries again later; the message itself waits as `pending`. */
class TryLater extends Error {}

/** Decides under the address's lock whether the message may leave now, and marks it as leaving. */
const claim = async (businessId: BusinessId, messageId: string) =>
  withTenant({ businessId }, async (db) => {
    const row = await db
      .selectFrom('messages')
      .selectAll()
      .where('businessId', '=', businessId)
      .where('id', '=', messageId)
      .forUpdate()
      .executeTakeFirst()
    if (row?.direction !== 'outbound') return null
    const set = (changes: { status: string; reason: string | null; runAfter?: string; sentAt?: string }) =>
      db
        .updateTable('messages')
        .set({ ...changes, updatedAt: clock.iso() })
        .where('businessId', '=', businessId)
        .where('id', '=', messageId)
        .execute()
    if (row.status === 'sending') {
      // A process died between handing over and noting it: it may have left. A person decides, nothing is sent twice.
      await set({ status: 'unknown', reason: 'It may have been sent: contact was lost while sending' })
      return null
    }
    if (row.status !== 'pending' && row.status !== 'held') return null
    const later = (runAt: string) => enqueue(db, sendMessageTask, { messageId }, { key: `${messageId}:later`, runAt })
    if (row.runAfter && Date.parse(row.runAfter) > clock.nowMs()) {
      await later(row.runAfter)
      return null
    }
    const channel = row.channel as Channel
    await lockAddress(db, channel, row.address)
    const business = await db
      .selectFrom('businesses')
      .select(['timeZone', 'quietStartMinute', 'quietEndMinute', 'closedAt'])
      .where('businessId', '=', businessId)
      .executeTakeFirstOrThrow()
    const usage = channel === 'sms' ? await smsUsage(db) : null
    const purpose = row.purpose as Purpose
    const verdict = gate({
      channel,
      purpose,
      suppressed: await findSuppression(db, channel, row.address),
      marketingConsent: purpose === 'marketing' ? await findMarketingConsent(db, channel, row.address) : null,
      quietUntil: quietUntil(purpose, clock.now(), business.timeZone, {
        startMinute: business.quietStartMinute,
        endMinute: business.quietEndMinute,
      }),
      segmentsLeft:
        !usage || usage.segmentLimit === null || purpose === 'account'
          ? null
          : Math.max(0, usage.segmentLimit - usage.segmentsUsed),
      segments: row.segments,
    })
    await publishChange(db, 'messages', [messageId])
    if (business.closedAt && purpose !== 'account') {
      await set({ status: 'suppressed', reason: 'The business was closed' })
      return null
    }
    if (verdict.kind === 'suppress') {
      await set({ status: 'suppressed', reason: verdict.reason })
      return null
    }
    if (verdict.kind === 'hold') {
      await set({ status: 'held', reason: verdict.reason, runAfter: verdict.until })
      await later(verdict.until)
      return null
    }
    await set({ status: 'sending', reason: null })
    const attachments = row.attachments as Attachment[]
    const files = attachments.length
      ? await db
          .selectFrom('files')
          .select(['id', 'storageKey', 'mime'])
          .where('businessId', '=', businessId)
          .where(
            'id',
            'in',
            attachments.map((a) => a.fileId),
          )
          .execute()
      : []
    const unsubscribeUrl =
      purpose === 'marketing' && channel === 'email' && row.customerId
        ? absoluteUrl(paths.unsubscribe(await linkToken(db, 'unsubscribe', row.customerId)))
        : null
    return { row, attachments, files, unsubscribeUrl }
  })

const handOver = async (claimed: NonNullable<Awaited<ReturnType<typeof claim>>>): Promise<HandOver> => {
  const { row, attachments, files, unsubscribeUrl } = claimed
  if (row.channel === 'sms')
    return handOverText({ id: row.id, to: row.address, body: row.bodyText, businessId: row.businessId })
  const parts = await Promise.all(
    attachments.map(async (a) => {
      const file = files.find((f) => f.id === a.fileId)
      if (!file) throw new Error('An attachment is missing.')
      return { name: a.name, mime: file.mime, content: await readFile(storedFilePath(file.storageKey)) }
    }),
  )
  return handOverMail({
    id: row.id,
    to: row.address,
    fromName: row.fromName,
    subject: row.subject,
    text: row.bodyText,
    html: row.bodyHtml,
    attachments: parts,
    unsubscribeUrl,
  })
}

/** Through a number that all businesses share, an answer is for whoever wrote last. */
const noteRoute = (businessId: BusinessId, phone: string): Promise<unknown> =>
  withTenant({ businessId }, (db) =>
    db
      .insertInto('smsRoutes')
      .values({ phone, businessId, at: clock.iso() })
      .onConflict((c) => c.column('phone').doUpdateSet({ businessId, at: clock.iso() }))
      .execute(),
  )

/** Lets one message leave: gate, hand over, note the result. Runs at least once, hands over at most once. */
export const sendMessage: Task<typeof sendMessageTask.payload> = task({
  ...sendMessageTask,
  run: async (actor, { messageId }) => {
    const claimed = await claim(actor.businessId, messageId)
    if (!claimed) return
    const note = (changes: Record<string, unknown>) =>
      withTenant(actor, async (db) => {
        await db
          .updateTable('messages')
          .set((eb) => ({ ...changes, attempts: eb('attempts', '+', 1), updatedAt: clock.iso() }))
          .where('businessId', '=', actor.businessId)
          .where('id', '=', messageId)
          .where('status', '=', 'sending')
          .execute()
        await publishChange(db, 'messages', [messageId])
      })
    let outcome: HandOver
    try {
      outcome = await handOver(claimed)
    } catch (error) {
      await note({
        status: 'unknown',
        reason: `It may have been sent: ${error instanceof Error ? error.message : 'contact was lost'}`.slice(0, 300),
      })
      return
    }
    if (outcome.result === 'accepted') {
      if (outcome.provider === 'twilio') await noteRoute(actor.businessId, claimed.row.address)
      await note({
        status: 'sent',
        sentAt: clock.iso(),
        provider: outcome.provider,
        providerId: outcome.providerId,
        livemode: outcome.provider !== 'local',
      })
      return
    }
    if (outcome.result === 'later') {
      await note({ status: 'pending', reason: `Waiting for the provider: ${outcome.reason}`.slice(0, 300) })
      throw new TryLater(outcome.reason)
    }
    await withTenant(actor, async (db) => {
      await recordDelivery(db, messageId, 'failed', outcome.reason.slice(0, 300))
      if (outcome.shut) await suppress(db, claimed.row.channel as Channel, claimed.row.address, 'all', outcome.shut)
    })
  },
})

const LocalSms = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), businessId: z.uuid(), from: z.string(), text: z.string(), id: z.string() }),
  z.object({
    kind: z.literal('status'),
    businessId: z.uuid(),
    messageId: z.uuid(),
    status: z.enum(['delivered', 'failed']),
    id: z.string(),
  }),
])

/** Works off what the local phone posted; the same path as a real provider's webhooks. */
export const processLocalSms = async (event: StoredWebhook): Promise<void> => {
  const news = LocalSms.parse(event.payload)
  const businessId = asBusinessId(news.businessId)
  if (news.kind === 'reply') return receiveText(businessId, { from: news.from, body: news.text, providerId: news.id })
  await withTenant({ businessId }, (db) =>
    recordDelivery(db, news.messageId, news.status, news.status === 'failed' ? 'The phone could not be reached' : null),
  )
}
