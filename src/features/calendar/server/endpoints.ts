import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { calendarApi } from '../contract.ts'
import { getMonth, getRange, listDue } from './queries.ts'

export const calendarEndpoints = serve(
  'calendar',
  calendarApi,
)({
  range: ({ actor, query }) => withTenant(actor, (db) => getRange(db, actor, query)),
  month: ({ actor, query }) => withTenant(actor, (db) => getMonth(db, query)),
  due: ({ actor, query }) => withTenant(actor, (db) => listDue(db, actor, query.day)),
})
