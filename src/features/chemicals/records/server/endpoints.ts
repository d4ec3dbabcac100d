import { withTenant } from '../../../../platform/db/tenant.ts'
import { sendPdf } from '../../../../platform/http/pdf.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { sendText } from '../../../../platform/http/text.ts'
import { inThread } from '../../../../platform/threads.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { recordsApi } from '../contract.ts'
import { addRecord, amendRecord } from './commands.ts'
import { recordsCsv } from './files.ts'
import type { recordsPdf } from './pdf.ts'
import { getVisitApplications, listForFile, listRecords, readPaper } from './queries.ts'

export const recordsEndpoints = serve(
  'applications',
  recordsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listRecords(db, actor, query)),
  csv: ({ actor, query, reply }) =>
    withTenant(actor, async (db) => {
      const records = await listForFile(db, actor, query)
      return sendText(reply, {
        name: `applications-${query.from}-${query.to}.csv`,
        mime: 'text/csv',
        text: recordsCsv(records, await timeZoneOf(db)),
      })
    }),
  pdf: async ({ actor, query, reply }) => {
    const paper = await withTenant(actor, (db) => readPaper(db, actor, query))
    const pdf = await inThread<typeof recordsPdf>(new URL('./pdf.ts', import.meta.url), 'recordsPdf', paper)
    return sendPdf(reply, `applications-${query.from}-${query.to}`, pdf)
  },
  ofVisit: ({ actor, params }) => withTenant(actor, (db) => getVisitApplications(db, actor, params.visitId)),
  add: ({ actor, params, body }) => addRecord(actor, params.visitId, body),
  amend: ({ actor, params, body }) => amendRecord(actor, params.id, body),
})
