import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { closingApi } from '../contract.ts'
import { closeBusiness, transferOwnership } from './commands.ts'
import { getClosing } from './queries.ts'

export const closingEndpoints = serve(
  'closing',
  closingApi,
)({
  get: ({ actor }) => withTenant(actor, getClosing),
  transfer: ({ actor, body, once }) => transferOwnership(actor, body, once),
  close: ({ actor, body }) => closeBusiness(actor, body),
})
