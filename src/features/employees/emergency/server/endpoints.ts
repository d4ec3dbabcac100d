import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { emergencyApi } from '../contract.ts'
import { setEmergencyContact } from './commands.ts'
import { getEmergencyContact } from './queries.ts'

export const emergencyEndpoints = serve(
  'emergency',
  emergencyApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getEmergencyContact(db, params.id)),
  set: ({ actor, params, body }) => setEmergencyContact(actor, params.id, body),
})
