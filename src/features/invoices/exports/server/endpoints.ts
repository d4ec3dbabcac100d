import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { sendText } from '../../../../platform/http/text.ts'
import { exportsApi } from '../contract.ts'
import { makeExport } from './queries.ts'

export const exportsEndpoints = serve(
  'invoices',
  exportsApi,
)({
  csv: async ({ actor, query, reply }) => {
    return sendText(reply, await withTenant(actor, (db) => makeExport(db, query.kind, query)))
  },
})
