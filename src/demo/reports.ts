import { saveReport, setMailing } from '../features/reports/server/commands.ts'
import type { Actor } from '../platform/actor.ts'

/** Reports that the office looks at again and again; one comes to the owner and the accountant every month. */
export const keepReports = async (owner: Actor): Promise<void> => {
  await saveReport(owner, {
    name: 'What crews skipped',
    kind: 'skips',
    settings: { period: 'last_30', by: 'crew' },
  })
  const sales = await saveReport(owner, {
    name: 'Sales for the accountant',
    kind: 'sales',
    settings: { period: 'last_month', by: 'service', columns: 'name,visits,worth,captured,open' },
  })
  await setMailing(owner, sales.id, {
    version: sales.version,
    mailing: {
      rhythm: 'monthly',
      weekday: 1,
      monthDay: 1,
      hour: 7,
      formats: ['xlsx', 'pdf'],
      userIds: [owner.userId],
      emails: ['books@accountant.test'],
    },
  })
}
