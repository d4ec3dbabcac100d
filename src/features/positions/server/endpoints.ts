import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { positionsApi } from '../contract.ts'
import { addPositions, sharePositions } from './commands.ts'
import { getOwn, listPositions } from './queries.ts'

export const positionsEndpoints = serve(
  'positions',
  positionsApi,
)({
  list: ({ actor }) => withTenant(actor, listPositions),
  own: ({ actor }) => withTenant(actor, (db) => getOwn(db, actor)),
  share: ({ actor, body }) => sharePositions(actor, body.on),
  add: ({ actor, body }) => addPositions(actor, body.positions, body.sentAt),
})
