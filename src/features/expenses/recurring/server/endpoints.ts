import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { recurringApi } from '../contract.ts'
import { addRecurring, changeRecurring, keepRecurring } from './commands.ts'
import { listRecurring } from './queries.ts'

export const recurringEndpoints = serve(
  'recurringExpenses',
  recurringApi,
)({
  list: ({ actor }) => withTenant(actor, listRecurring),
  create: ({ actor, body }) => addRecurring(actor, body),
  update: ({ actor, params, body }) => changeRecurring(actor, params.id, body),
  remove: ({ actor, params, body }) => keepRecurring(actor, params.id, body.version, false),
  restore: ({ actor, params, body }) => keepRecurring(actor, params.id, body.version, true),
})
