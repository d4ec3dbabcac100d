import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { exemptionsApi } from '../contract.ts'
import { addExemption, removeExemption, setExemptionFile } from './commands.ts'
import { listExemptions } from './queries.ts'

export const exemptionsEndpoints = serve(
  'exemptions',
  exemptionsApi,
)({
  list: ({ actor, params }) => withTenant(actor, (db) => listExemptions(db, params.id)),
  add: ({ actor, params, body }) => addExemption(actor, params.id, body),
  setFile: ({ actor, params, body }) => setExemptionFile(actor, params.id, body as Uint8Array),
  remove: ({ actor, params }) => removeExemption(actor, params.id),
})
