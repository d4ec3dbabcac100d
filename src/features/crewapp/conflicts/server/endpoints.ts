import { serve } from '../../../../platform/http/serve.ts'
import { conflictsApi } from '../contract.ts'
import { decideConflict } from './commands.ts'

export const conflictsEndpoints = serve(
  'conflicts',
  conflictsApi,
)({
  decide: ({ actor, params, body }) => decideConflict(actor, params.id, body),
})
