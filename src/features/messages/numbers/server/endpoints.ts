import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { numberConversationsApi } from '../contract.ts'
import { addNumberNote, assignNumber, closeNumber, reopenNumber, snoozeNumber } from './commands.ts'
import { getNumberConversation, listNumberThread } from './queries.ts'

export const numberConversationsEndpoints = serve(
  'numberConversations',
  numberConversationsApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getNumberConversation(db, actor, params.address)),
  thread: ({ actor, params, query }) => withTenant(actor, (db) => listNumberThread(db, actor, params.address, query)),
  assign: ({ actor, params, body }) => assignNumber(actor, params.address, body),
  snooze: ({ actor, params, body }) => snoozeNumber(actor, params.address, body),
  close: ({ actor, params, body }) => closeNumber(actor, params.address, body.version),
  reopen: ({ actor, params, body }) => reopenNumber(actor, params.address, body.version),
  addNote: ({ actor, params, body }) => addNumberNote(actor, params.address, body.text),
})
