import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { closingApi } from '../contract.ts'
import { closeBusiness, exportBusiness, transferOwnership } from './commands.ts'
import { getClosing } from './queries.ts'

export const closingEndpoints = serve(
  'closing',
  closingApi,
)({
  get: ({ actor }) => withTenant(actor, getClosing),
  transfer: ({ actor, body, once }) => transferOwnership(actor, body, once),
  exportAll: async ({ actor, reply }) => {
    const { name, content } = await exportBusiness(actor)
    reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="${name}"`)
      .serializer((bytes: unknown) => bytes as string)
    return content
  },
  close: ({ actor, body }) => closeBusiness(actor, body),
})
