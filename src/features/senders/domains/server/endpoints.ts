import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { senderApi } from '../contract.ts'
import { addSender, changeSender, checkSender, keepKey, removeSender, rotateKey } from './commands.ts'
import { getSender } from './queries.ts'

export const senderEndpoints = serve(
  'sender',
  senderApi,
)({
  get: ({ actor }) => withTenant(actor, (db) => getSender(db, actor)),
  add: ({ actor, body, once }) => addSender(actor, body.address, once),
  change: ({ actor, body }) => changeSender(actor, body),
  check: ({ actor, once }) => checkSender(actor, once),
  rotate: ({ actor, body, once }) => rotateKey(actor, body.version, once),
  keepKey: ({ actor, body }) => keepKey(actor, body.version),
  remove: ({ actor, body }) => removeSender(actor, body.version),
})
