import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { cashFlowApi } from '../contract.ts'
import { getCashFlow, listCashItems } from './queries.ts'

export const cashFlowEndpoints = serve(
  'cashflow',
  cashFlowApi,
)({
  get: ({ actor }) => withTenant(actor, getCashFlow),
  items: ({ actor, query }) => withTenant(actor, (db) => listCashItems(db, query)),
})
