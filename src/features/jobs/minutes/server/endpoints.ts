import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { learnedMinutesApi } from '../contract.ts'
import { acceptMinutes, dismissMinutes, restoreMinutes } from './commands.ts'
import { listLearnedMinutes } from './queries.ts'

export const learnedMinutesEndpoints = serve(
  'learned-minutes',
  learnedMinutesApi,
)({
  list: ({ actor }) => withTenant(actor, listLearnedMinutes),
  accept: ({ actor, body }) => acceptMinutes(actor, body.items),
  dismiss: ({ actor, body }) => dismissMinutes(actor, body.items),
  restore: ({ actor, body }) => restoreMinutes(actor, body.lineIds),
})
