import { z } from 'zod'
import { asBusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { log } from '../../../platform/log.ts'
import { failureByCode, shutByCode, twilioStatus } from '../../../platform/sms/twilio.ts'
import type { StoredWebhook } from '../../../platform/webhooks.ts'
import {
  lastTextTo,
  receiveProspectMail,
  receiveProspectText,
  recordProspectDelivery,
} from '../../desk/server/commands.ts'
import { receiveText, recordDelivery, suppress } from '../../messages/server/commands.ts'
import { getMessage } from '../../messages/server/queries.ts'
import { findSmsRoute } from './queries.ts'

const Text = z.object({ kind: z.literal('text'), from: z.string(), text: z.string(), id: z.string() })

const Twilio = z.discriminatedUnion('kind', [
  Text,
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
  const news = { from: text.from, body: text.text, provider: 'twilio', providerId: text.id }
  const forBusiness = route?.businessId && (owners === null || Date.parse(route.at) > Date.parse(owners))
  if (forBusiness && route.businessId) return receiveText(asBusinessId(route.businessId), news)
  if (!(await receiveProspectText(news)))
    log.warn({ sid: text.id }, 'a text came in from a number that nobody wrote to')
}

/** Works off what the SMS provider posted. */
export const processTwilio = async (event: StoredWebhook): Promise<void> => {
  const news = Twilio.parse(event.payload)
  if (news.kind === 'text') return routeText(news)
  const status = twilioStatus(news.status)
  if (!status) return
  const reason = status === 'failed' ? failureByCode(news.code) : null
  const shut = status === 'failed' ? shutByCode(news.code) : null
  if (news.businessId === null) return recordProspectDelivery(news.messageId, { status, reason, shut })
  await withTenant({ businessId: asBusinessId(news.businessId) }, async (db) => {
    await recordDelivery(db, news.messageId, status === 'read' ? 'delivered' : status, reason)
    if (shut) await suppress(db, 'sms', (await getMessage(db, news.messageId)).address, 'all', shut)
  })
}

const Local = z.discriminatedUnion('kind', [
  Text,
  z.object({
    kind: z.literal('status'),
    messageId: z.uuid(),
    status: z.enum(['delivered', 'failed', 'read']),
    id: z.string(),
  }),
])

/** Works off what the local phone of a prospect posted. */
export const processLocalProspects = async (event: StoredWebhook): Promise<void> => {
  const news = Local.parse(event.payload)
  if (news.kind === 'text')
    await receiveProspectText({ from: news.from, body: news.text, provider: 'local', providerId: news.id })
  else
    await recordProspectDelivery(news.messageId, {
      status: news.status,
      reason: news.status === 'failed' ? 'The phone could not be reached' : null,
      shut: null,
    })
}

const Mail = z.object({
  kind: z.enum(['reply', 'bounce']),
  messageId: z.uuid(),
  mail: z.object({
    messageId: z.string(),
    from: z.string(),
    fromName: z.string(),
    subject: z.string(),
    text: z.string(),
    automatic: z.boolean(),
    report: z.object({ action: z.string(), status: z.string(), words: z.string() }).nullable(),
  }),
})

/** Works off a mail that came in: an answer joins its conversation, a report says what became of ours. */
export const processMail = async (event: StoredWebhook): Promise<void> => {
  const { kind, messageId, mail } = Mail.parse(event.payload)
  if (kind === 'reply' && !mail.report) {
    await receiveProspectMail(messageId, mail)
    return
  }
  const { report } = mail
  if (report?.action === 'delivered' || report?.action === 'relayed')
    return recordProspectDelivery(messageId, { status: 'delivered', reason: null, shut: null })
  if (report?.action !== 'failed') return
  const gone = /^5\.(1\.\d+|2\.1)$/.test(report.status)
  await recordProspectDelivery(messageId, {
    status: 'failed',
    reason: report.words || 'The mail came back',
    shut: gone ? 'Mail to this address came back' : null,
  })
}
