import { config } from '../../../platform/config.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { newId } from '../../../platform/ids.ts'
import { findLink } from '../../../platform/links.ts'
import { isLocalSmsSignature, signLocalSms } from '../../../platform/sms/phone.ts'
import { storeWebhook } from '../../../platform/webhooks.ts'
import { AppError, notFound } from '../../../shared/errors.ts'
import { messagesApi } from '../contract.ts'
import { mailCustomer, readMessages, recordConsent, resendMessage, suppress, textCustomer } from './commands.ts'
import { getContact, getMessage, getReader, listConversations, listMessages, listPeople, smsUsage } from './queries.ts'

const unsubscribeTarget = async (token: string) => {
  const link = await findLink('unsubscribe', token)
  if (!link) throw notFound('link')
  return { ...link, ...(await withTenant(link, (db) => getReader(db, link.entityId))) }
}

/** Ends marketing mail to who a link was sent to; again is the same. */
const unsubscribe = async (token: string): Promise<{ unsubscribed: true }> => {
  const target = await unsubscribeTarget(token)
  if (target.unsubscribed) return { unsubscribed: true }
  await withTenant(target, async (db) => {
    await recordConsent(db, {
      channel: 'email',
      address: target.address,
      purpose: 'marketing',
      action: 'revoke',
      source: 'unsubscribe link',
    })
    await suppress(db, 'email', target.address, 'marketing', 'They unsubscribed')
  })
  return { unsubscribed: true }
}

export const messagesEndpoints = serve(
  'messages',
  messagesApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listMessages(db, query)),
  conversations: ({ actor, query }) => withTenant(actor, (db) => listConversations(db, query)),
  people: async ({ actor, query }) => ({ items: await withTenant(actor, (db) => listPeople(db, query.q)) }),
  contact: ({ actor, params }) => withTenant(actor, (db) => getContact(db, params.id)),
  read: ({ actor, body }) => readMessages(actor, body),
  get: ({ actor, params }) => withTenant(actor, (db) => getMessage(db, params.id)),
  sendText: ({ actor, params, body }) => textCustomer(actor, params.id, body.text),
  sendEmail: ({ actor, params, body }) => mailCustomer(actor, params.id, body),
  resend: ({ actor, params }) => resendMessage(actor, params.id),
  usage: ({ actor }) => withTenant(actor, (db) => smsUsage(db)),
  unsubscribeInfo: async ({ params }) => {
    const { businessName, address, unsubscribed } = await unsubscribeTarget(params.token)
    return { businessName, address, unsubscribed }
  },
  unsubscribe: ({ params }) => unsubscribe(params.token),
  oneClick: ({ params }) => unsubscribe(params.token),
  smsWebhook: async ({ request }) => {
    const raw = String(request.body ?? '')
    if (config.production) throw notFound('address')
    if (!isLocalSmsSignature(raw, String(request.headers['x-swath-signature'] ?? '')))
      throw new AppError('forbidden', 'The signature does not fit.')
    const payload = JSON.parse(raw) as { id: string; kind: string }
    await storeWebhook({ provider: 'local-sms', account: '', eventId: payload.id, type: payload.kind, payload })
    return { received: true }
  },
  localState: async () => {
    if (config.production) throw notFound('address')
    return { mailLeaves: config.smtpUrl !== undefined }
  },
  localPhone: async ({ actor, body, request }) => {
    if (config.production) throw notFound('address')
    const raw = JSON.stringify({ ...body, businessId: actor.businessId, id: newId() })
    const answer = await request.server.inject({
      method: 'POST',
      url: '/api/webhooks/local-sms',
      headers: { 'x-swath-signature': signLocalSms(raw), 'content-type': 'application/json' },
      payload: raw,
    })
    if (answer.statusCode !== 200) throw new AppError('unavailable', 'The simulator could not post its webhook.')
    return { posted: true }
  },
})
