import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { closingApi } from '../contract.ts'
import { closeMonth, reopenMonth } from './commands.ts'
import { checkMonth, listClosings } from './queries.ts'

export const monthEndEndpoints = serve(
  'month-end',
  closingApi,
)({
  list: ({ actor }) => withTenant(actor, (db) => listClosings(db, actor)),
  check: ({ actor, query }) => withTenant(actor, (db) => checkMonth(db, query.month)),
  close: ({ actor, body }) => closeMonth(actor, body),
  reopen: ({ actor, body }) => reopenMonth(actor, body),
})
