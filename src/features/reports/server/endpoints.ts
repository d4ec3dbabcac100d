import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { reportsApi } from '../contract.ts'
import { mostRows } from '../rules.ts'
import { changeReport, removeReport, saveReport, setMailing } from './commands.ts'
import { fileName, mimeOf, reportFile } from './files.ts'
import { listReports, runReport } from './queries.ts'

export const reportsEndpoints = serve(
  'reports',
  reportsApi,
)({
  list: ({ actor }) => withTenant(actor, (db) => listReports(db, actor)),
  run: ({ actor, query: { kind, limit, ...settings } }) =>
    withTenant(actor, (db) => runReport(db, actor, kind, settings, limit)),
  file: async ({ actor, query: { kind, format, name, ...settings }, reply }) => {
    const { report, business, today } = await withTenant(actor, async (db) => ({
      report: await runReport(db, actor, kind, settings, mostRows),
      business: await db
        .selectFrom('businesses')
        .select('name')
        .where('businessId', '=', db.businessId)
        .executeTakeFirstOrThrow(),
      today: await todayOf(db),
    }))
    const called = name || report.title
    const bytes = await reportFile(report, format, { name: called, business: business.name, today })
    reply
      .type(mimeOf[format])
      .header(
        'content-disposition',
        `${format === 'pdf' ? 'inline' : 'attachment'}; filename="${fileName(called, report, format)}"`,
      )
      .serializer((made: unknown) => made as string)
    return Buffer.from(bytes)
  },
  save: ({ actor, body }) => saveReport(actor, body),
  change: ({ actor, params, body }) => changeReport(actor, params.id, body),
  remove: ({ actor, params }) => removeReport(actor, params.id),
  mail: ({ actor, params, body }) => setMailing(actor, params.id, body),
})
