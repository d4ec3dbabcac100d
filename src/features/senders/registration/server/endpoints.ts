import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { senderRegistrationApi } from '../contract.ts'
import { markRegistration, saveRegistration } from './commands.ts'
import { getRegistration } from './queries.ts'

export const senderRegistrationEndpoints = serve(
  'senderRegistration',
  senderRegistrationApi,
)({
  get: ({ actor }) => withTenant(actor, getRegistration),
  save: ({ actor, body }) => saveRegistration(actor, body),
  mark: ({ actor, body }) => markRegistration(actor, body),
})
