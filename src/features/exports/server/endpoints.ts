import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { exportsApi } from '../contract.ts'
import { startExport } from './commands.ts'
import { listExports } from './queries.ts'

export const wholeExportsEndpoints = serve(
  'wholeExports',
  exportsApi,
)({
  list: ({ actor }) => withTenant(actor, listExports),
  start: ({ actor, body }) => startExport(actor, body),
})
