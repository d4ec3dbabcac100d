import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { takePhoto } from '../../files/server/commands.ts'
import { chatApi } from '../contract.ts'
import { addChatPhoto, markRead, send } from './commands.ts'
import { findPeople, listMessages, listReads, listThreads } from './queries.ts'

export const chatEndpoints = serve(
  'chat',
  chatApi,
)({
  threads: ({ actor, query }) =>
    withTenant(actor, (db) => listThreads(db, actor, { ...query, unread: query.unread === 'true' })),
  messages: ({ actor, params, query }) => withTenant(actor, (db) => listMessages(db, actor, params.threadId, query)),
  people: async ({ actor, query }) => ({ items: await withTenant(actor, (db) => findPeople(db, query.q)) }),
  send: ({ actor, params, body, once }) => send(actor, params.threadId, body, once),
  read: ({ actor, params, body }) => markRead(actor, params.threadId, body),
  reads: ({ actor, params }) => withTenant(actor, (db) => listReads(db, params.messageId)),
  addPhoto: ({ actor, params, query, body }) =>
    takePhoto(actor, body, (bytes) => addChatPhoto(actor, params.messageId, query.id, bytes)),
})
