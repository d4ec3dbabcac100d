import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { conversationsApi } from '../contract.ts'
import {
  addConversationNote,
  assignConversation,
  closeConversation,
  removeConversationNote,
  reopenConversation,
  snoozeConversation,
} from './commands.ts'
import { getConversation, listConversationPeople, listThread } from './queries.ts'

export const conversationsEndpoints = serve(
  'conversations',
  conversationsApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getConversation(db, actor, params.id)),
  people: ({ actor }) => withTenant(actor, async (db) => ({ items: await listConversationPeople(db) })),
  thread: ({ actor, params, query }) => withTenant(actor, (db) => listThread(db, actor, params.id, query)),
  assign: ({ actor, params, body }) => assignConversation(actor, params.id, body),
  snooze: ({ actor, params, body }) => snoozeConversation(actor, params.id, body),
  close: ({ actor, params, body }) => closeConversation(actor, params.id, body.version),
  reopen: ({ actor, params, body }) => reopenConversation(actor, params.id, body.version),
  addNote: ({ actor, params, body }) => addConversationNote(actor, params.id, body.text),
  removeNote: ({ actor, params }) => removeConversationNote(actor, params.id),
})
