import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { findLink } from '../../../platform/links.ts'
import { notFound } from '../../../shared/errors.ts'
import { messagesApi } from '../contract.ts'
import { listConversations } from '../conversations/server/queries.ts'
import {
  dismissMessage,
  mailCustomer,
  readMessages,
  recordConsent,
  resendMessage,
  suppress,
  textCustomer,
} from './commands.ts'
import { getContact, getMessage, getReader, listMessages, listPeople, smsUsage } from './queries.ts'

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
  list: ({ actor, query }) => withTenant(actor, (db) => listMessages(db, actor, query)),
  conversations: ({ actor, query }) => withTenant(actor, (db) => listConversations(db, actor, query)),
  people: async ({ actor, query }) => ({ items: await withTenant(actor, (db) => listPeople(db, query.q)) }),
  contact: ({ actor, params }) => withTenant(actor, (db) => getContact(db, params.id)),
  read: ({ actor, body }) => readMessages(actor, body),
  get: ({ actor, params }) => withTenant(actor, (db) => getMessage(db, actor, params.id)),
  sendText: ({ actor, params, body }) => textCustomer(actor, params.id, body),
  sendEmail: ({ actor, params, body }) => mailCustomer(actor, params.id, body),
  resend: ({ actor, params }) => resendMessage(actor, params.id),
  dismiss: ({ actor, params }) => dismissMessage(actor, params.id),
  usage: ({ actor }) => withTenant(actor, (db) => smsUsage(db)),
  unsubscribeInfo: async ({ params }) => {
    const { businessName, address, unsubscribed } = await unsubscribeTarget(params.token)
    return { businessName, address, unsubscribed }
  },
  unsubscribe: ({ params }) => unsubscribe(params.token),
  oneClick: ({ params }) => unsubscribe(params.token),
})
