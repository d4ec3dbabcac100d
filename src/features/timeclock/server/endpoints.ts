import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { timeclockApi } from '../contract.ts'
import { getClock, listTimeEntries } from './queries.ts'

export const timeclockEndpoints = serve(
  'timeclock',
  timeclockApi,
)({
  clock: ({ actor, query }) => withTenant(actor, (db) => getClock(db, actor, query.week)),
  entries: ({ actor, query }) => withTenant(actor, (db) => listTimeEntries(db, actor, query)),
})
