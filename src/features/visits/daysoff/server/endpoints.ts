import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { daysOffApi } from '../contract.ts'
import { moveOffDays, undoOffDays } from './commands.ts'
import { listBookedOff } from './queries.ts'

export const daysOffEndpoints = serve(
  'daysOff',
  daysOffApi,
)({
  list: ({ actor }) => withTenant(actor, (db) => listBookedOff(db)),
  move: ({ actor, body }) => moveOffDays(actor, body.days),
  undo: ({ actor, body }) => undoOffDays(actor, body.moved),
})
