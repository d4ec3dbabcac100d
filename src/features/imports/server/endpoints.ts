import { hasPermission } from '../../../platform/actor.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { csvText } from '../../../shared/csv.ts'
import { importsApi } from '../contract.ts'
import { withoutMoney } from '../rules.ts'
import { checkImport, confirmImport, createImport, setMapping, setServices, undoImport } from './commands.ts'
import { getImport, getImportContent, listImports, listRows, listRowsAfter, reasonsFor } from './queries.ts'

const csvPageRows = 50_000

export const importsEndpoints = serve(
  'imports',
  importsApi,
)({
  list: ({ actor }) => withTenant(actor, listImports),
  create: ({ actor, body, once }) => createImport(actor, body, once),
  get: ({ actor, params }) => withTenant(actor, (db) => getImport(db, actor, params.id)),
  setMapping: ({ actor, params, body }) => setMapping(actor, params.id, body.mapping),
  check: ({ actor, params }) => checkImport(actor, params.id),
  setServices: ({ actor, params, body }) => setServices(actor, params.id, body.services),
  rows: ({ actor, params, query }) => withTenant(actor, (db) => listRows(db, actor, params.id, query)),
  rowsCsv: async ({ actor, params, query, reply }) => {
    const { content, rows } = await withTenant(actor, async (db) => ({
      content: await getImportContent(db, params.id),
      rows: await listRowsAfter(db, params.id, 0, csvPageRows, query.status),
    }))
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="import-${query.status}.csv"`)
      .serializer((body: unknown) => String(body))
    return csvText([
      [...content.columns.map((c) => c.header), 'Line in file', 'Problem'],
      ...rows.map((row) => [
        ...(hasPermission(actor, 'money') ? row.data : withoutMoney(row.data, content, '')),
        row.line,
        reasonsFor(actor, row)
          .map((reason) => reason.message)
          .join(' '),
      ]),
    ])
  },
  confirm: ({ actor, params, body }) => confirmImport(actor, params.id, body.duplicates),
  undo: ({ actor, params }) => undoImport(actor, params.id),
})
