import { withTenant } from '../../../platform/db/tenant.ts'
import { sendPdf } from '../../../platform/http/pdf.ts'
import { serve } from '../../../platform/http/serve.ts'
import { inThread } from '../../../platform/threads.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { analyticsApi } from '../contract.ts'
import { reportName, reportOf } from '../report/rules.ts'
import type { reportPdf } from '../report/server/pdf.ts'
import { periodOfRange } from '../rules.ts'
import { getOverview, getReport } from './queries.ts'
import { listWork } from './visits.ts'

export const analyticsEndpoints = serve(
  'analytics',
  analyticsApi,
)({
  report: async ({ actor, query }) => ({
    success: true,
    message: 'Analytics retrieved successfully',
    data: await withTenant(actor, (db) => getReport(db, periodOfRange(query.timeRange))),
  }),
  overview: ({ actor, query }) => withTenant(actor, (db) => getOverview(db, query.period)),
  visits: ({ actor, query }) => withTenant(actor, (db) => listWork(db, query)),
  statistics: ({ actor }) => withTenant(actor, (db) => getOverview(db, 'month')),
  pdf: async ({ actor, query: { period }, reply }) => {
    const { data, today, business } = await withTenant(actor, async (db) => ({
      data: await getReport(db, period),
      today: await todayOf(db),
      business: await db
        .selectFrom('businesses')
        .select('name')
        .where('businessId', '=', db.businessId)
        .executeTakeFirstOrThrow(),
    }))
    const pdf = await inThread<typeof reportPdf>(
      new URL('../report/server/pdf.ts', import.meta.url),
      'reportPdf',
      reportOf(data, { business: business.name, period, today }),
    )
    return sendPdf(reply, reportName(today), pdf)
  },
})
