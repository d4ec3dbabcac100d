import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { csvText } from '../../../../shared/csv.ts'
import { exportsApi } from '../contract.ts'
import { listExport } from './queries.ts'

export const exportsEndpoints = serve(
  'invoices',
  exportsApi,
)({
  csv: async ({ actor, query, reply }) => {
    const table = await withTenant(actor, (db) => listExport(db, query.kind, query))
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${query.kind}-${query.from}-${query.to}.csv"`)
      .serializer((text: unknown) => text as string)
    return csvText(table)
  },
})
