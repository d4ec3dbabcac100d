import { z } from 'zod'
import { asBusinessId } from '../../../platform/db/tenant.ts'
import { log } from '../../../platform/log.ts'
import { isAddressGone, isBoxTrouble } from '../../../platform/mail/mailer.ts'
import { failureByCode, suppressedByCode, twilioStatus } from '../../../platform/sms/twilio.ts'
import type { StoredWebhook } from '../../../platform/webhooks.ts'
import {
  lastTextTo,
  receiveProspectMail,
  receiveProspectText,
  recordProspectDelivery,
} from '../../desk/server/commands.ts'
import { missCall } from '../../leads/phone/server/commands.ts'
import { KeptFiles, noFiles } from '../../messages/mailfiles/server/commands.ts'
import { spamReason } from '../../messages/returns/rules.ts'
import { noteTrouble, receiveComplaint } from '../../messages/returns/server/commands.ts'
import { recordDelivery } from '../../messages/server/delivery/commands.ts'
import { receiveMail, receiveStrangerMail, receiveText } from '../../messages/server/inbound/commands.ts'
import { findSmsRoute } from './queries.ts'

const Text = z.object({
  kind: z.literal('text'),
  from: z.string(),
  text: z.string(),
  id: z.string(),
  /** What was stored before they were kept has none. */
  media: z.array(z.object({ ref: z.string(), mime: z.string() })).default([]),
})

const Twilio = z.discriminatedUnion('kind', [
  Text,
  z.object({ kind: z.literal('call'), businessId: z.uuid(), from: z.string(), id: z.string() }),
  z.object({
    kind: z.literal('status'),
    messageId: z.uuid(),
    businessId: z.string().nullable(),
    status: z.string(),
    code: z.number().nullable(),
  }),
])

/** An answer goes to whoever wrote to that number last: a business, or the product owner to a prospect. */
const routeText = async (text: z.output<typeof Text>): Promise<void> => {
  const route = await findSmsRoute(text.from)
  const owners = await lastTextTo(text.from)
  const update = { from: text.from, body: text.text, provider: 'twilio', providerId: text.id, media: text.media }
  const businessId = route?.businessId ? asBusinessId(route.businessId) : null
  const forBusiness = owners === null || (route !== null && Date.parse(route.at) > Date.parse(owners))
  if (businessId && forBusiness) return receiveText(businessId, update)
  if (await receiveProspectText(update)) return
  // The lead is gone, or has another number by now: then it is for the business that wrote, or a STOP would be lost.
  if (businessId) await receiveText(businessId, update)
  else log.warn({ sid: text.id }, 'a text came in from a number that nobody wrote to')
}

/** Works off what the SMS provider posted. */
export const processTwilio = async (event: StoredWebhook): Promise<void> => {
  const update = Twilio.parse(event.payload)
  if (update.kind === 'text') return routeText(update)
  if (update.kind === 'call') return missCall(asBusinessId(update.businessId), update)
  const status = twilioStatus(update.status)
  if (!status) return
  const reason = status === 'failed' ? failureByCode(update.code) : null
  const suppressed = status === 'failed' ? suppressedByCode(update.code) : null
  if (update.businessId === null) return recordProspectDelivery(update.messageId, { status, reason, suppressed })
  await recordDelivery(asBusinessId(update.businessId), update.messageId, {
    status: status === 'read' ? 'delivered' : status,
    reason,
    suppressed,
  })
}

const Mail = z.object({
  kind: z.enum(['reply', 'bounce']),
  messageId: z.uuid(),
  businessId: z.uuid().nullable(),
  mail: z.object({
    messageId: z.string(),
    from: z.string(),
    fromName: z.string(),
    subject: z.string(),
    text: z.string(),
    automatic: z.boolean(),
    report: z.object({ action: z.string(), status: z.string(), message: z.string() }).nullable(),
  }),
  /** What was stored before they were kept has none. */
  files: KeptFiles.default(noFiles),
})

const LeadMail = z.object({
  kind: z.literal('lead'),
  businessId: z.uuid(),
  mail: z.object({
    messageId: z.string(),
    from: z.string(),
    fromName: z.string(),
    /** What was stored before it was read has none. */
    replyTo: z.object({ address: z.string(), name: z.string() }).nullable().default(null),
    subject: z.string(),
    text: z.string(),
  }),
  files: KeptFiles.default(noFiles),
})

const Complaint = z.object({ kind: z.literal('complaint'), messageId: z.uuid(), businessId: z.uuid().nullable() })

/** What a delivery report says of our mail; null when it is still under way. */
const newsOf = ({ action, status, message }: { action: string; status: string; message: string }) => {
  if (action === 'delivered' || action === 'relayed')
    return { status: 'delivered', reason: null, suppressed: null } as const
  if (action !== 'failed') return null
  return {
    status: 'failed',
    reason: message || 'The mail came back',
    suppressed: isAddressGone(status) ? 'Mail to this address came back' : null,
  } as const
}

/** Works off a mail that came in: an answer joins its conversation, a report says what became of ours. */
export const processMail = async (event: StoredWebhook): Promise<void> => {
  if (event.type === 'lead') {
    const { businessId: own, mail: from, files: came } = LeadMail.parse(event.payload)
    return receiveStrangerMail(asBusinessId(own), from, came)
  }
  if (event.type === 'complaint') {
    const { messageId: of, businessId: own } = Complaint.parse(event.payload)
    if (own !== null) return receiveComplaint(asBusinessId(own), of)
    return recordProspectDelivery(of, { status: 'delivered', reason: null, suppressed: spamReason })
  }
  const { kind, messageId, businessId, mail, files } = Mail.parse(event.payload)
  if (kind === 'reply' && !mail.report) {
    const known =
      businessId === null
        ? await receiveProspectMail(messageId, mail, files)
        : await receiveMail(asBusinessId(businessId), messageId, mail, files)
    if (!known) log.warn({ messageId }, 'an answer came in to a mail that is not there any more')
    return
  }
  const update = mail.report ? newsOf(mail.report) : null
  if (!update) return
  if (businessId === null) return recordProspectDelivery(messageId, update)
  await recordDelivery(asBusinessId(businessId), messageId, update)
  if (update.status === 'failed' && mail.report && isBoxTrouble(mail.report.status))
    await noteTrouble(asBusinessId(businessId), messageId, update.reason ?? '')
}
