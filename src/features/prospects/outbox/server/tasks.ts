import { clock } from '../../../../platform/clock.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { returnAddress } from '../../../../platform/mail/addresses.ts'
import { type HandOver, handOverMail } from '../../../../platform/mail/mailer.ts'
import { handOverText } from '../../../../platform/sms/phone.ts'
import { enqueueProspectTask, prospectTask } from '../../../../platform/tasks/prospect-task.ts'
import type { GlobalTask } from '../../../../platform/tasks/runner.ts'
import { paths } from '../../../../shared/paths.ts'
import { gate, type Purpose, quietUntil } from '../../../messages/rules.ts'
import { mailedToken } from '../../server/tokens.ts'
import { type InlineFile, lockProspectAddress, sendProspectMessageTask, suppressProspect } from './commands.ts'
import { composeLetter } from './letter.ts'
import { trackMail } from './links.ts'
import { findProspectConsent, findProspectSuppression } from './queries.ts'

/** Thrown so that the queue tries again later; the message itself waits as `pending`. */
class TryLater extends Error {}

/** Telephone Consumer Protection Act, 47 CFR 64.1200(c)(1): 8:00 to 21:00 at the recipient. */
const quiet = { startMinute: 1260, endMinute: 480 }

/** Decides whether the message may leave now, and marks it as leaving. */
const claim = (messageId: string) =>
  withProspects(async (db) => {
    const row = await db.selectFrom('messages').selectAll().where('id', '=', messageId).forUpdate().executeTakeFirst()
    if (row?.direction !== 'outbound') return null
    const set = (changes: { status: string; reason: string | null; runAfter?: string }) =>
      db
        .updateTable('messages')
        .set({ ...changes, updatedAt: clock.iso() })
        .where('id', '=', messageId)
        .execute()
    if (row.status === 'sending') {
      // A process died between handing over and noting it: it may have left. A person decides, nothing is sent twice.
      await set({ status: 'unknown', reason: 'It may have been sent: contact was lost while sending' })
      return null
    }
    if (row.status !== 'pending' && row.status !== 'held') return null
    const later = (runAt: string) =>
      enqueueProspectTask(db, sendProspectMessageTask, { messageId }, { key: `${messageId}:later`, runAt })
    if (row.runAfter && Date.parse(row.runAfter) > clock.nowMs()) {
      await later(row.runAfter)
      return null
    }
    const channel = row.channel as 'email' | 'sms'
    await lockProspectAddress(db, channel, row.address)
    const settings = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow()
    const lead = row.leadId
      ? await db.selectFrom('leads').select(['id', 'timeZone']).where('id', '=', row.leadId).executeTakeFirst()
      : undefined
    const purpose: Purpose = row.purpose === 'internal' ? 'account' : (row.purpose as Purpose)
    const verdict = gate({
      channel,
      purpose,
      suppressed: await findProspectSuppression(db, channel, row.address),
      marketingConsent: await findProspectConsent(db, channel, row.address),
      quietUntil: quietUntil(purpose, clock.now(), lead?.timeZone ?? settings.timeZone, quiet),
      segmentsLeft: null,
      segments: row.segments,
    })
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
    const token = lead ? await mailedToken(db, { kind: 'unsubscribe', leadId: lead.id, entityId: lead.id }) : null
    const tracking =
      lead && channel === 'email' && (row.purpose === 'marketing' || row.purpose === 'reply')
        ? await trackMail(db, row.id, row.bodyText)
        : null
    return { row, settings, unsubscribe: token, tracking }
  })

const handOver = async ({ row, settings, unsubscribe, tracking }: NonNullable<Awaited<ReturnType<typeof claim>>>) => {
  if (row.channel === 'sms')
    return {
      ...(await handOverText({ id: row.id, to: row.address, body: row.bodyText, businessId: null })),
      html: null,
    }
  const letter = composeLetter(
    row.bodyText,
    unsubscribe
      ? {
          fromName: settings.fromName,
          postalAddress: settings.postalAddress,
          unsubscribeUrl: absoluteUrl(paths.unsubscribe(unsubscribe)),
        }
      : null,
    tracking,
  )
  const outcome = await handOverMail({
    id: row.id,
    to: row.address,
    fromName: row.fromName,
    subject: row.subject,
    text: letter.text,
    html: letter.html,
    attachments: (row.attachments as InlineFile[]).map((file) => ({ ...file, content: Buffer.from(file.content) })),
    unsubscribeUrl: unsubscribe ? absoluteUrl(`/api/leads/unsubscribe/${unsubscribe}`) : null,
    replyTo: row.replyTo ?? (row.leadId ? returnAddress('reply', row.id) : null),
    bounceTo: row.leadId ? returnAddress('bounce', row.id) : null,
  })
  return { ...outcome, html: letter.html }
}

/** Lets one message of the funnel leave: gate, hand over, note the result. Runs at least once, hands over at most once. */
export const sendProspectMessage: GlobalTask = prospectTask(sendProspectMessageTask, async ({ messageId }) => {
  const claimed = await claim(messageId)
  if (!claimed) return
  const note = (changes: Record<string, unknown>) =>
    withProspects((db) =>
      db
        .updateTable('messages')
        .set((eb) => ({ ...changes, attempts: eb('attempts', '+', 1), updatedAt: clock.iso() }))
        .where('id', '=', messageId)
        .where('status', '=', 'sending')
        .execute(),
    )
  let outcome: HandOver & { html: string | null }
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
    await note({
      status: 'sent',
      sentAt: clock.iso(),
      bodyHtml: outcome.html,
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
  await note({ status: 'failed', failedAt: clock.iso(), reason: outcome.reason.slice(0, 300) })
  const { shut } = outcome
  if (!shut) return
  await withProspects((db) =>
    suppressProspect(db, claimed.row.channel as 'email' | 'sms', claimed.row.address, 'all', shut),
  )
})
