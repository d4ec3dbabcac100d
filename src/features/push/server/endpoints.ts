import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { pushApi } from '../contract.ts'
import { addDevice, chooseTopic, removeDevice } from './commands.ts'
import { getOwn } from './queries.ts'

export const pushEndpoints = serve(
  'push',
  pushApi,
)({
  own: ({ actor }) => withTenant(actor, (db) => getOwn(db, actor)),
  add: ({ actor, body }) => addDevice(actor, body),
  remove: ({ actor, body }) => removeDevice(actor, body.hash),
  choose: ({ actor, body }) => chooseTopic(actor, body),
})
