import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { findLink } from '../../../platform/links.ts'
import { conflict, notFound } from '../../../shared/errors.ts'
import { messagesApi } from '../contract.ts'
import { listConversations } from '../conversations/server/queries.ts'
import { cannotKeep, keepWords } from '../unsubscribing/rules.ts'
import {
  dismissMessage,
  lockAddress,
  mailCustomer,
  readMessages,
  recordConsent,
  resendMessage,
  suppress,
  textCustomer,
  unsuppress,
} from './commands.ts'
import { getContact, getMessage, getReader, listMessages, listPeople, smsUsage, unsubscribeSource } from './queries.ts'

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
      source: unsubscribeSource,
    })
    await suppress(db, 'email', target.address, 'marketing', 'They unsubscribed')
  })
  return { unsubscribed: true }
}

/**
 * They did not mean it: offers may leave again, and what they agreed to is written down with the words of the button. Again is the same.
 * @throws state_conflict where their no came otherwise, or the address is shut
 */
const keepOffers = async (token: string): Promise<{ unsubscribed: false }> => {
  const target = await unsubscribeTarget(token)
  if (!target.unsubscribed) return { unsubscribed: false }
  await withTenant(target, async (db) => {
    const { address } = target
    // the same lock as a STOP takes: whichever of both comes second sees the other
    await lockAddress(db, 'email', address)
    const { unsubscribed, mayKeep, language } = await getReader(db, target.entityId)
    if (!unsubscribed) return
    if (!mayKeep) throw conflict(cannotKeep[language])
    await unsuppress(db, 'email', address)
    await recordConsent(db, {
      channel: 'email',
      address,
      purpose: 'marketing',
      action: 'grant',
      source: unsubscribeSource,
      wording: keepWords[language],
    })
  })
  return { unsubscribed: false }
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
    const { businessName, address, language, unsubscribed, mayKeep } = await unsubscribeTarget(params.token)
    return { businessName, address, language, unsubscribed, mayKeep }
  },
  keepOffers: ({ params }) => keepOffers(params.token),
  unsubscribe: ({ params }) => unsubscribe(params.token),
  oneClick: ({ params }) => unsubscribe(params.token),
})
